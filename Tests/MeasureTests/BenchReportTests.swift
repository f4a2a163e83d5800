import BatchEngine
import Foundation
import GPURender
import Measure
import PlainData
import TestSupport
import Testing

/// Reports of `bench`: spreads, JSON, the comparison of two, the page.
struct BenchReportTests {
  static func figure(
    _ name: String, _ values: [Double], _ unit: BenchFigure.Unit = .nanosecondsPerPixel,
    section: BenchFigure.Section = .kernel, details: [JSON.Field] = [], limit: String? = nil
  ) -> BenchFigure {
    BenchFigure(section, name, Spread(values), unit, details: details, limit: limit)
  }

  static func report(_ figures: [BenchFigure]) -> BenchReport {
    var report = BenchReport()
    report.figures = figures
    return report
  }

  static func bytes(_ figures: [BenchFigure]) -> [UInt8] { Array(report(figures).json.pretty.utf8) }

  @Test func spreadIsMedianAndQuartiles() {
    let spread = Spread([5, 1, 9, 3, 7, 8, 2])
    #expect(spread.median == 5)
    #expect(spread.lowerQuartile == 2 && spread.upperQuartile == 8)
    #expect(spread.least == 1 && spread.greatest == 9 && spread.runs == 7)
    let turned = spread.map { 1 / $0 }
    #expect(turned.lowerQuartile == 1.0 / 8 && turned.upperQuartile == 0.5 && turned.least == 1.0 / 9)
    #expect(Spread([]).median == 0)
  }

  @Test func comparisonKnowsWhichWayUnitsCount() throws {
    let before = Self.bytes([
      Self.figure("a", [10, 10, 10]), Self.figure("b", [10, 11, 12]),
      Self.figure("rate", [4, 4, 4], .megapixelsPerSecond),
      Self.figure("gone", [1]), Self.figure("slow", [10, 10, 10]),
    ])
    let after = Self.bytes([
      Self.figure("a", [5, 5, 5]), Self.figure("b", [11, 12, 13]),
      Self.figure("rate", [8, 8, 8], .megapixelsPerSecond),
      Self.figure("new", [1]), Self.figure("slow", [15, 15, 15]),
    ])
    let comparison = try BenchComparison(before: before, named: "a.json", after: after, named: "b.json")
    #expect(comparison.rows.map(\.name) == ["a", "b", "rate", "slow"])
    #expect(comparison.rows[0].speedup == 2 && comparison.rows[0].isClear)
    #expect(!comparison.rows[1].isClear, "the middle halves overlap")
    #expect(comparison.rows[2].speedup == 2)
    #expect(comparison.onlyBefore == ["kernel: gone [ns/px]"] && comparison.onlyAfter == ["kernel: new [ns/px]"])
    #expect(comparison.regressions(over: 10).map(\.name) == ["slow"])
    #expect(comparison.regressions(over: 60).isEmpty)
    let lines = comparison.lines.joined(separator: "\n")
    #expect(lines.contains("faster") && lines.contains("noise") && lines.contains("slower"))
  }

  @Test(arguments: ["", "[]", "{\"rows\": [{\"bench\": \"kernel\"}]}", "{}"])
  func whatIsNoReportIsRefused(text: String) {
    #expect {
      try BenchComparison(before: Array(text.utf8), named: "x.json", after: Self.bytes([]), named: "y.json")
    } throws: { "\($0)".contains("x.json") }
  }

  static let sample = report([
    figure(
      "lut-pq, CPU, 1 thread", [5, 5.2, 6],
      details: [
        .init("recipe", "lut-pq"), .init("backend", "cpu"), .init("isa", .string(BenchMachine().instructionSet)),
        .init("threads", .int(1)), .init("bytesPerPixel", .number(11)), .init("operationsPerPixel", .number(300)),
      ], limit: "memory bandwidth: <90 %>"),
    figure("memory copy, 1 thread", [20], .gigabytesPerSecond, section: .transfer),
    figure("products and sums, 1 thread", [100], .gigaoperationsPerSecond, section: .transfer),
    figure("decode \"a&b\".jpg", [120, 130, 140], .megapixelsPerSecond, section: .codecs),
  ])

  /// Orange is a GPU, or its bus; whole files say "CPU" or, where planes were kept, "none".
  @Test(arguments: [
    ("cpu", "CPU", false), ("none", "none", false), ("gpu", "H200", true), (nil, "cpu", false), (nil, "H200", true),
    (nil, nil, false),
  ])
  func barsSayWhoWorked(backend: String?, device: String?, isDevice: Bool) {
    let details =
      (backend.map { [JSON.Field("backend", .string($0))] } ?? [])
      + (device.map { [JSON.Field("device", .string($0))] } ?? [])
    let html = BenchPage(Self.report([Self.figure("bar", [1], details: details)])).html
    #expect(html.contains("<rect class=\"device\"") == isDevice)
    #expect(html.contains("<rect class=\"host\"") == !isDevice)
  }

  @Test func pageHoldsEverythingAndNeedsNothing() {
    let html = BenchPage(Self.sample).html
    for part in ["lut-pq, CPU, 1 thread", "decode &quot;a&amp;b&quot;.jpg", "&lt;90 %&gt;", "class=\"roof\"", "130.0"] {
      #expect(html.contains(part), "\(part)")
    }
    for outside in ["http:", "https:", "src=", "<link", "<script", "@import", "url("] {
      #expect(!html.contains(outside), "\(outside)")
    }
    #expect(html.contains("width=device-width"))
    // One circle for the point, one path for the roof.
    #expect(html.components(separatedBy: "<circle").count == 2)
  }

  /// The page in a browser, narrow as a phone: nothing is wider than the screen, and charts have a size.
  @Test(.enabled(if: Browser.path != nil, "skipped: no chromium"))
  func browserShowsThePage() throws {
    let folder = try TemporaryFolder()
    let page = try folder.file(
      "page.html",
      BenchPage(Self.sample).html.replacingOccurrences(
        of: "</body>",
        with: """
          <script>
          const roof = document.querySelector('.roof').getBoundingClientRect();
          const bars = [...document.querySelectorAll('.bar')].map(b => b.getBoundingClientRect());
          document.title = JSON.stringify({
            scroll: document.documentElement.scrollWidth, screen: innerWidth, roof: roof.width > 200 && roof.height > 100,
            bars: bars.length, flat: bars.filter(b => b.width < 100 || b.height < 5).length});
          </script></body>
          """))
    let dom = try Browser.dom(of: page)
    let title = try #require(dom.components(separatedBy: "<title>").last?.components(separatedBy: "</title>").first)
    let facts = try JSON(parsing: Array(title.utf8))
    #expect(facts["scroll"]?.integer ?? .max <= facts["screen"]?.integer ?? 0, "\(title)")
    #expect(facts["roof"]?.bool == true && facts["bars"]?.integer == 4 && facts["flat"]?.integer == 0, "\(title)")
  }
}

extension DeviceCodecKind {
  /// The bytes of samples a pixel, of which fewer come back.
  fileprivate var mostBytesBack: Double {
    switch self {
    case .jpeg, .optimizedJPEG: 2
    case .png, .tiff, .linearTIFF, .exr: 6.5
    }
  }
}

/// Headless Chromium, where it is installed.
enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The document of a page after its scripts, on a screen of 390 by 844.
  static func dom(of page: String) throws -> String {
    let folder = try TemporaryFolder()
    let out = FileHandle(forWritingAtPath: try folder.file("dom", ""))!
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=390,844",
      "--user-data-dir=\(folder.path("profile"))",
      "--virtual-time-budget=2000", "--dump-dom", "file://\(page)",
    ]
    process.standardOutput = out
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return folder.text("dom") ?? ""
  }
}

/// Names of points on the rooflines of the page.
struct RooflineTests {
  @Test("a label finds its place among any others") func labelsEnd() {
    var random = TestPictures.Generator(seed: 7)
    for count in 1...200 {
      var taken: [Double] = []
      for _ in 0..<count {
        let label = Roofline.free(Double(random.next() >> 11) * 0x1p-53 * 200, among: taken)
        #expect(taken.allSatisfy { abs($0 - label) >= 10.9 })
        taken.append(label)
      }
    }
  }
}

/// The commands, on small pictures.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct BenchCommandTests {
  @Test func allMakesAReportThatComparesWithItself() throws {
    let folder = try TemporaryFolder()
    let report = folder.path("all.json"), page = folder.path("all.html")
    let result = try Program.run([
      "bench", "all", "--megapixels", "0.3", "--repeats", "1", "--json", report, "--html", page, "--scratch",
      folder.url.path,
    ])
    #expect(result.status == 0, "\(result.errors)")
    let rows = try #require(try JSON(parsing: Array(folder.text("all.json")!.utf8))["rows"]?.array)
    let sections = Set(rows.compactMap { $0["bench"]?.string })
    #expect(
      sections.isSuperset(of: ["kernel", "stages", "filters", "metrics", "codecs", "transfer", "files", "batch"]),
      "\(sections)")
    #expect(rows.allSatisfy { ($0["runs"]?.integer ?? 0) >= 1 })
    #expect(
      Set(rows.compactMap { "\($0["bench"]!) \($0["name"]!) \($0["unit"]!)" }).count == rows.count, "names are unique")
    #expect(folder.text("all.html")?.contains("class=\"roof\"") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["all.html", "all.json"])
    let same = try Program.run(["bench", "compare", report, report, "--fail-above", "1"])
    #expect(same.status == 0 && same.output.contains("noise") && !same.output.contains("slower"), "\(same.errors)")
    #expect(try Program.run(["bench", "compare", report, page]).status == 64)
  }

  @Test func filesRunAsABatch() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run([
      "bench", "files", SharedData.examples + "/temple.heic", "--to", "sdr-jpeg", "--repeats", "1", "--batch",
      "--scratch", folder.url.path, "--backend", "cpu",
    ])
    #expect(result.status == 0 && result.output.contains("images/s"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  /// Counts do not depend on a device's speed: a software device shows what a card would be sent.
  @Test(
    "bench counts what a picture sends to a device and speaks of the nearer roof",
    .enabled(if: GPUDevice.available().contains { $0.name.contains("llvmpipe") }, "skipped: no llvmpipe"))
  func devicesAreCounted() throws {
    let folder = try TemporaryFolder(), report = folder.path("report.json")
    func rows(_ words: [String]) throws -> [JSON] {
      let result = try Program.run(
        ["bench"] + words + ["--device", "llvmpipe", "--repeats", "1", "--json", report])
      #expect(result.status == 0, "\(result.errors)")
      return try JSON(parsing: Array((folder.text("report.json") ?? "").utf8))["rows"]?.array ?? []
    }
    let size = ["--megapixels", "0.3"], transfer = try rows(["transfer"] + size)
    func counted(_ what: String, _ picture: String) throws -> Double {
      try #require(
        transfer.first { $0["name"]?.string?.hasPrefix("\(what), \(picture) picture") == true }?["median"]?.double)
    }
    // P010 up, halves down; each band is uploaded, computed and read back.
    let pixels = 4032.0 * 74
    #expect(try counted("upload", "plain") * 1e6 >= pixels * 3 && counted("upload", "plain") * 1e6 < pixels * 3.1)
    #expect(try counted("readback", "plain") * 1e6 == pixels * 8)
    #expect(try counted("submissions", "plain") == 3 && counted("dispatches", "plain") == 1)
    #expect(try counted("dispatches", "edited") > 3)

    let kernels = try rows(["kernel"] + size).filter { $0["backend"] != nil }
    #expect(kernels.contains { $0["backend"]?.string == "gpu" && $0["submissions"]?.integer == 1 })
    for row in kernels {
      let shares = ["copyShare", "arithmeticShare"].compactMap { row[$0]?.double }
      #expect(shares.count == 2 && row["nearerRoofShare"]?.double == shares.max(), "\(row)")
      #expect(row["nearerRoof"]?.string == (shares[0] >= shares[1] ? "memory" : "arithmetic"), "\(row)")
    }
    let file = try #require(try rows(["files", SharedData.examples + "/temple.heic", "--to", "rgba16f"]).first)
    #expect(file["backend"]?.string == "gpu" && file["dispatches"]?.integer ?? 0 > 0, "\(file)")
    // The page of keys knows all of them.
    let page = try SourceTree.text("docs/data/bench-keys.tsv")
    let known = Set(page.split { "\t\n ,".contains($0) }.map(String.init))
    for row in transfer + kernels + [file] {
      guard case .object(let fields) = row else { continue }
      #expect(fields.map(\.key).filter { !known.contains($0) } == [])
    }
  }

  @Test("bench metrics measures the metrics of light that are named")
  func metricsAreMeasured() throws {
    let folder = try TemporaryFolder(), report = folder.path("metrics.json")
    let words = ["bench", "metrics", "--megapixels", "0.3", "--repeats", "1", "--json", report]
    #expect(try Program.run(words + ["dE-ITP", "bias"]).status == 0)
    let rows = try JSON(parsing: Array((folder.text("metrics.json") ?? "").utf8))["rows"]?.array ?? []
    #expect(rows.map { $0["metric"]?.string } == ["none", "dE-ITP", "bias"])
    #expect(rows.allSatisfy { $0["nsPerPixel"]?.double ?? 0 > 0 })
    #expect(try Program.run(words + ["words"]).status == 64)
  }

  @Test("bench codecs measures one kind on as many threads as it is told")
  func codecsAreMeasuredAlone() throws {
    let folder = try TemporaryFolder(), report = folder.path("codecs.json")
    let words = ["bench", "codecs", "--megapixels", "0.1", "--repeats", "1", "--json", report]
    #expect(try Program.run(words + ["--to", "pq-tiff", "--threads", "2"]).status == 0)
    let rows = try JSON(parsing: Array((folder.text("codecs.json") ?? "").utf8))["rows"]?.array ?? []
    #expect(rows.map { $0["name"]?.string } == ["encode pq-tiff", "decode pq-tiff"])
    #expect(rows.allSatisfy { $0["threads"]?.integer == 2 && $0["cpuSeconds"]?.double ?? 0 > 0 })
    #expect(try Program.run(words + ["--to", "adaptive-jpeg"]).status == 64)
  }

  @Test(
    "bench codecs measures the codecs of a device, and its files are the CPU's",
    .enabled(if: GPUDevice.available().contains { $0.name.contains("llvmpipe") }, "skipped: no llvmpipe"))
  func deviceCodecsAreMeasured() throws {
    let folder = try TemporaryFolder(), report = folder.path("codecs.json")
    let result = try Program.run(
      ["bench", "codecs", "--device", "llvmpipe", "--megapixels", "0.1", "--repeats", "1", "--json", report])
    #expect(result.status == 0 && !result.errors.contains("left out"), "\(result.errors)")
    let rows = try JSON(parsing: Array((folder.text("codecs.json") ?? "").utf8))["rows"]?.array ?? []
    let names = rows.compactMap { $0["name"]?.string }
    let kinds = DeviceCodecKind.allCases
    #expect(names.count == kinds.count, "\(names)")
    #expect(zip(names, kinds).allSatisfy { $0.hasPrefix($1.name + ", llvmpipe") }, "\(names)")
    let back = rows.compactMap { $0["readBackBytesPerPixel"]?.double }
    #expect(back.count == kinds.count)
    // Codes and not samples come back, and counts before them.
    let bytes = Dictionary(uniqueKeysWithValues: zip(kinds, back))
    for (kind, most) in bytes.map({ ($0.key, $0.key.mostBytesBack) }) {
      #expect(try #require(bytes[kind]) > 0.05 && (try #require(bytes[kind])) < most, "\(kind.name): \(back)")
    }
    #expect(try #require(bytes[.jpeg]) < (try #require(bytes[.optimizedJPEG])), "\(back)")
    // A device that flips bits.
    let wrong = try Program.run(
      ["bench", "codecs", "--device", "llvmpipe", "--megapixels", "0.1", "--repeats", "1"],
      environment: FaultyDevice.environment("flip:result:2", in: folder))
    #expect(wrong.status == 1 && wrong.errors.contains("is left out"), "\(wrong.errors)")
  }

  @Test("bench codecs measures every Adaptive HDR file whose encoder is here")
  func adaptiveCodecsAreMeasured() throws {
    let folder = try TemporaryFolder(), report = folder.path("codecs.json")
    let result = try Program.run(["bench", "codecs", "--megapixels", "0.1", "--repeats", "1", "--json", report])
    #expect(result.status == 0)
    let rows = try JSON(parsing: Array((folder.text("codecs.json") ?? "").utf8))["rows"]?.array ?? []
    let names = Set(rows.compactMap { $0["name"]?.string })
    #expect(names.isSuperset(of: ["encode adaptive-jpeg", "encode adaptive-avif", "decode adaptive-avif"]))
    for kind in ["heic", "jxl"] {
      #expect(names.contains("encode adaptive-\(kind)") == names.contains("encode pq-\(kind)"), "\(result.errors)")
    }
  }
}
