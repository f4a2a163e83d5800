import BatchEngine
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData
import Synchronization

/// A folder with a page that shows what pairs of pictures differ by, for a browser that opens it from the disk:
/// `compare.html` (docs/compare.md#a-page).
///
/// Pairs are added as they are compared, so that nothing of them stays in memory but their rows.
package struct ComparisonPage {
  package static let page = "compare.html"
  private static let styles = "compare.css", code = "compare.js", shared = "page.js", common = "gallery.css"
  private static let lists = "rows", items = "items", maps = "maps", views = "pictures"
  /// The pixels of a view's longer side, and its quality: a better one than for looking alone.
  private static let size = 1600, quality = 95

  private let place: PageFolder
  private var rows: [JSON] = []
  private var count = 0
  private var counts: [PairReport.Verdict: Int] = [:]
  /// The pairs whose pictures are shown.
  private var shown: [(index: Int, a: FilePath, b: FilePath)] = []

  /// Makes the folder.
  ///
  /// - Throws: `UsageError` for a folder with files of others; `ResultFileError`.
  package init(in folder: FilePath) throws {
    place = try PageFolder(
      folder.absolute, files: [Self.page, Self.styles, Self.code, Self.shared, Self.common],
      folders: [Self.lists, Self.items, Self.maps, Self.views])
  }

  // MARK: Pairs

  /// An entry is all that the page has of a pair beside its files.
  package struct Entry: Sendable {
    fileprivate var row: JSON
    fileprivate var isShown: Bool
    /// The stamp of the pair's own file.
    fileprivate var stamp: String?

    /// The entry as a value of a journal.
    package var json: JSON { ["row": row, "shown": .bool(isShown), "stamp": .maybe(stamp)] }
  }

  /// Takes a pair whose files an earlier page has written here under the same number.
  ///
  /// - Parameter json: the entry of that page.
  /// - Returns: `false` if there are none, or those of another pair.
  package mutating func restore(_ json: JSON, _ verdict: PairReport.Verdict, _ pair: FilePair) throws(ResultFileError)
    -> Bool
  {
    guard let row = json["row"], let isShown = json["shown"]?.bool, row["number"]?.integer == count + 1,
      let stamp = json["stamp"]?.string, stamp == itemFile(count).stamp
    else { return false }
    try take(Entry(row: row, isShown: isShown, stamp: stamp), verdict, pair)
    return true
  }

  /// Returns the file of a pair.
  private func itemFile(_ index: Int) -> FilePath {
    place.path.appending("\(Self.items)/\(PageFolder.number(index)).js")
  }

  private mutating func take(
    _ entry: Entry, _ verdict: PairReport.Verdict, _ pair: FilePair
  ) throws(ResultFileError) {
    if entry.isShown, let a = pair.a, let b = pair.b { shown.append((count, a.path, b.path)) }
    count += 1
    counts[verdict, default: 0] += 1
    rows.append(entry.row)
    if rows.count == PageFolder.rowsInFile { try writeRows() }
  }

  /// Writes what there is of a pair.
  @discardableResult
  package mutating func add(_ report: PairReport, _ pair: FilePair) throws(ResultFileError) -> Entry {
    let number = PageFolder.number(count)
    var renditions: [JSON] = []
    for rendition in report.comparison?.renditions ?? [] where !rendition.isSame {
      renditions.append(try draw(rendition, number))
    }
    let isShown = report.comparison != nil && report.verdict != .equal && !renditions.isEmpty
    var entry = Entry(row: report.row(count + 1), isShown: isShown)
    let files = [("A", pair.a), ("B", pair.b)].compactMap { side, file in file.map { (side, $0.path) } }
    let item: JSON = [
      "record": report.json, "renditions": .array(renditions), "pictures": .bool(isShown),
      "links": .array(
        files.map { side, file in
          [
            "role": .string(side), "name": .string(file.display),
            "href": fileStatus(file) == nil ? .null : .string(link(from: place.path, to: file.absolute)),
          ]
        }),
    ]
    try place.write("comparePair", [.int(count + 1), item], to: "\(Self.items)/\(number).js")
    entry.stamp = itemFile(count).stamp
    try take(entry, report.verdict, pair)
    return entry
  }

  private mutating func writeRows() throws(ResultFileError) {
    let chunk = (count - 1) / PageFolder.rowsInFile
    try place.write("compareRows", [.int(chunk), .array(rows)], to: "\(Self.lists)/\(chunk).js")
    rows = []
  }

  /// Writes the pictures of a rendition.
  private func draw(_ rendition: PairComparison.Rendition, _ number: String) throws(ResultFileError) -> JSON {
    let name = "\(Self.maps)/\(number)@\(rendition.selector.text)"
    func write(_ file: String, _ encode: () throws(EncodeError) -> [UInt8]) throws(ResultFileError) -> JSON {
      let bytes: [UInt8]
      do throws(EncodeError) {
        bytes = try encode()
      } catch {
        throw ResultFileError("\(file): \(printable("\(error)"))")
      }
      try place.write(bytes, to: file)
      return .string(file)
    }
    var fields = [JSON.Field("name", .string(rendition.selector.text))]
    if let map = rendition.map {
      let file = try write(name + ".png") { () throws(EncodeError) in try map.png() }
      fields.append(JSON.Field("heat", file))
    }
    if let difference = rendition.difference {
      let file = try write(name + "-difference.jpg") { () throws(EncodeError) in try difference.jpeg() }
      fields.append(JSON.Field("difference", file))
    }
    var crops: [JSON] = []
    for (index, crop) in rendition.crops.enumerated() {
      let file = try write("\(name)-worst\(index + 1).png") { () throws(EncodeError) in try crop.png() }
      crops.append([
        "file": file, "x": .int(crop.x), "y": .int(crop.y), "mean": .number(crop.mean),
        "exposure": .number(crop.exposure),
      ])
    }
    return .object(fields + [JSON.Field("crops", .array(crops))])
  }

  // MARK: The page

  package struct Outcome: Sendable {
    package var page: FilePath
    /// Pictures that cannot be shown, with the reason.
    package var unseen: [(file: String, reason: String)] = []
    /// The summary of rendering the pictures; `nil` where there were none.
    package var summary: BatchSummary?
  }

  /// Renders the pictures of pairs that differ, and writes the page.
  ///
  /// - Parameters:
  ///   - facts: what the comparison was asked for.
  ///   - readings: settings by which A and B are read.
  ///   - options: of machine and limits.
  ///   - watch: called with each runner of pictures, before it begins.
  package mutating func finish(
    _ facts: [JSON.Field], readings: (a: SettingValues, b: SettingValues), _ options: BatchOptions,
    watch: (BatchRunner) -> Void
  ) throws -> Outcome {
    if !rows.isEmpty { try writeRows() }
    var outcome = Outcome(page: place.path.appending(Self.page))
    try render(readings, options, watch, &outcome)
    for (name, bytes) in [
      (Self.page, PageFolder.page(PackageResources.compare_html)), (Self.common, PackageResources.gallery_css),
      (Self.styles, PackageResources.compare_css), (Self.shared, PackageResources.page_js),
      (Self.code, PackageResources.compare_js),
    ] {
      try place.write(bytes, to: name)
    }
    let data: [JSON.Field] = [
      JSON.Field("created", .string(PageFolder.now())), JSON.Field("program", .string("hdrbatch \(hdrbatchVersion)")),
      JSON.Field("pairs", .int(count)),
      JSON.Field(
        "counts", .object(PairReport.Verdict.allCases.map { JSON.Field($0.rawValue, .int(counts[$0] ?? 0)) })),
    ]
    try place.write("compare", [.object(data + facts)], to: PageFolder.data)
    return outcome
  }

  /// Renders both pictures of the shown pairs into scripts that the page loads when a pair is opened.
  private func render(
    _ readings: (a: SettingValues, b: SettingValues), _ options: BatchOptions, _ watch: (BatchRunner) -> Void,
    _ outcome: inout Outcome
  ) throws {
    if shown.isEmpty { return }
    let scratch = try ScratchFolder(in: place.path)
    defer { scratch.remove() }
    func view(_ index: Int, _ side: String) -> FilePath {
      scratch.path.appending("\(PageFolder.number(index))-\(side).jpg")
    }
    func previews(_ reading: SettingValues) throws(UsageError) -> GalleryPreviews {
      try GalleryPreviews(size: Self.size, quality: Self.quality, reading: reading, options)
    }
    var batches = [try previews(readings.a)]
    if readings.b != readings.a { batches.append(try previews(readings.b)) }
    for pair in shown {
      batches[0].add(pair.a, view: view(pair.index, "A"), thumbnail: nil)
      batches[batches.count - 1].add(pair.b, view: view(pair.index, "B"), thumbnail: nil)
    }
    let unseen = Mutex<[FilePath: String]>([:])
    for batch in batches where outcome.summary?.stopped == nil {
      outcome.summary = try batch.run(watch) { path, reason in unseen.withLock { $0[path] = reason } }
    }
    // The pictures were made here, but profiles in them may be copies of untrusted ones.
    let codecs = CodecsAtUse(options.isolation, limits: options.limits)
    defer { _ = codecs.close() }
    for pair in shown {
      let files = [("A", pair.a), ("B", pair.b)]
      for (side, file) in files {
        if let reason = unseen.withLock({ $0[view(pair.index, side)] }) {
          outcome.unseen.append((file.display, reason))
        }
      }
      let pictures = files.compactMap { side, file in pagePicture(view(pair.index, side), side, file, codecs) }
      let file = "\(Self.views)/\(PageFolder.number(pair.index)).js"
      try place.write("comparePictures", [.int(pair.index + 1), .array(pictures)], to: file)
    }
  }
}

extension PairReport {
  /// Returns a row of the list (docs/compare.md#a-page).
  fileprivate func row(_ number: Int) -> JSON {
    var fields = [
      JSON.Field("number", .int(number)), JSON.Field("name", .string(name)),
      JSON.Field("verdict", .string(verdict.rawValue)),
    ]
    func add(_ name: String, _ value: JSON?) { if let value { fields.append(JSON.Field(name, value)) } }
    func json(_ value: Double?) -> JSON? {
      value.map { $0.isFinite ? .number($0) : .string($0 > 0 ? "inf" : "-inf") }
    }
    let numbers = comparison?.numbers
    add("change", change.map { .string($0.text) })
    add("code", code.map(JSON.string))
    add("message", message.map { .string(printable($0.text(dashes: true))) })
    add("p95", json(numbers?.worst(.deltaSeen, .p95)))
    add("tile", json(numbers?.worst(.deltaSeen, .tile)))
    add("bias", json(numbers?.worst(.bias)))
    add("psnr", json(numbers?.worst(.psnrPQ)))
    add("metadata", json(numbers?.worst(.metadata)))
    return .object(fields)
  }
}
