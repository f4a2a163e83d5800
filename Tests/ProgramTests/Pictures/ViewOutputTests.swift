import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// An OpenEXR picture of a renderer, through views, to files of each light.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ViewOutputTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let width = 64, height = 48

  /// The scene: light of 2^-6 to 2^6, from grey to colours near the ends of AP1.
  private static func scene(_ x: Int, _ y: Int) -> [Double] {
    let light = ExactMath.exp2(Double(x) / 5 - 6), share = Double(y % 16) / 16, turn = y / 16
    return (0..<3).map { channel in
      Double(Float16(light * (channel == turn ? 1 : 1 - 0.9 * share)))
    }
  }

  private func exr() throws -> String {
    let ap1: [Float] = [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767]
    return try folder.file(
      "shot.exr", EXRBuilder(width: Self.width, height: Self.height, chromaticities: ap1, Self.scene).bytes)
  }

  private func render(_ input: String, _ out: String, _ words: [String]) throws -> Program.Result {
    try Program.run(["render", input, "-o", folder.path(out), "--backend", "cpu"] + words)
  }

  private func picture(_ name: String) throws -> SourceImage {
    try decodeImage([UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name))), request: .pixels)
  }

  /// Calls a function with the place, and the samples of R, G, B as integers.
  private func each(_ source: SourceImage, _ body: (Int, Int, [Int]) -> Void) {
    let image = source.image, isWide = image.format == .uint16
    for y in 0..<image.height {
      for x in 0..<image.width {
        body(
          x, y,
          image.channels.prefix(3).map { plane in
            let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
            return isWide ? Int(at.loadUnaligned(as: UInt16.self)) : Int(at.load(as: UInt8.self))
          })
      }
    }
  }

  @Test("PQ has the view's luminances, and its display") func pq() throws {
    let made = try render(exr(), "pq", ["--to", "pq-png", "--view", "hdr1000-p3"])
    #expect(made.status == 0, "\(made.errors)")
    let source = try picture("pq/shot.png"),
      transform = ACESTransform(try #require(ACESOutput.named(view: "hdr1000-p3")))
    let back = try #require(Primaries.bt2020.rgbToXYZ?.inverse),
      toACES = try #require(ACESTransform.acesToWorking.inverse)
    let display = try #require(source.light.mdcv)
    #expect(display.maxLuminance == 1000 && display.minLuminance == 0.0001)
    #expect(display.primaries?.first.map { abs($0.x - 0.68) < 1e-4 } == true)
    #expect(try #require(source.light.clli).maxCLL > 500)
    var worst = 0.0
    each(source) { x, y, codes in
      let shown = back * transform(toACES * Self.scene(x, y))
      for (code, light) in zip(codes, shown) {
        worst = max(worst, abs(Double(code) / 65_535 - TransferCurve.pq.encode(max(light, 0) / 2.03)))
      }
    }
    #expect(worst < 1e-4, "\(worst)")
  }

  @Test("SDR files have the view's white at 1, in its primaries") func sdr() throws {
    for (view, primaries) in [("sdr-709", 1), ("sdr-p3", 12), ("aces1-sdr", 1)] {
      let made = try render(exr(), view, ["--to", "sdr-png", "--view", view])
      #expect(made.status == 0, "\(made.errors)")
      let source = try picture(view + "/shot.png"), chosen = try #require(ACESView.named(view))
      let back = try #require(Primaries(code: primaries)?.rgbToXYZ?.inverse)
      let toACES = try #require(ACESTransform.acesToWorking.inverse)
      let shown: ([Double]) -> [Double]
      switch chosen {
      case .aces2(let output):
        let transform = ACESTransform(output)
        shown = { transform($0) }
      case .aces1(let output): shown = { output($0) }
      }
      var worst = 0.0
      each(source) { x, y, codes in
        for (code, light) in zip(codes, back * shown(toACES * Self.scene(x, y))) {
          worst = max(worst, abs(Double(code) - 255 * TransferCurve.sRGB.encode(min(max(light, 0), 1))))
        }
      }
      #expect(worst < 0.52, "\(view): \(worst)")
    }
  }

  /// The base is the SDR view's file, and at full headroom the picture is the HDR view's, with both whites at 100 cd/m².
  @Test("adaptive files hold both views of the scene", arguments: ["100", "match", "203"])
  func adaptive(white: String) throws {
    let views = ["--view", "sdr-709", "--hdr-view", "hdr1000-p3"], file = try exr()
    let made = try render(
      file, "both", ["--to", "adaptive-jxl", "--quality", "100", "--map-quality", "100", "--pair-white", white] + views)
    #expect(made.status == 0, "\(made.errors)")
    let level = white == "match" ? 145.06 : try #require(Double(white))
    let map = try #require(try picture("both/shot.jxl").gainMap)
    #expect(
      abs(map.metadata.alternateHeadroom - ExactMath.log2(1000 / level)) < 0.002 && map.metadata.baseHeadroom == 0)
    // P3, the wider of the two.
    #expect(!map.metadata.usesBaseColorSpace)
    #expect(try render(file, "sdr", ["--to", "sdr-png", "--view", "sdr-709"]).status == 0)
    #expect(try render(folder.path("both/shot.jxl"), "base", ["--extract", "base"]).status == 0)
    let plain = try picture("sdr/shot.png")
    var differ = 0, codes: [[Int]] = []
    each(plain) { _, _, code in codes.append(code) }
    each(try picture("base/shot.png")) { x, y, code in
      differ += zip(code, codes[y * Self.width + x]).contains { abs($0 - $1) > 1 } ? 1 : 0
    }
    #expect(differ == 0)
    // The HDR view of the scene, from the map at full weight.
    #expect(try render(folder.path("both/shot.jxl"), "hdr", ["--to", "pq-png"]).status == 0)
    let transform = ACESTransform(try #require(ACESOutput.named(view: "hdr1000-p3")))
    let back = try #require(Primaries.bt2020.rgbToXYZ?.inverse),
      toACES = try #require(ACESTransform.acesToWorking.inverse)
    var far = 0
    each(try picture("hdr/shot.png")) { x, y, code in
      let shown = back * transform(toACES * Self.scene(x, y))
      for (sample, light) in zip(code, shown) where light > 0.05 {
        let seen = TransferCurve.pq.decode(Double(sample) / 65_535) * level / 100
        far += abs(seen / light - 1) > 0.06 ? 1 : 0
      }
    }
    // Eight bits of a map over all gains.
    #expect(far < Self.width * Self.height * 3 / 50, "\(far)")
  }

  /// An HDR picture comes back to its scene by the view that made it, and goes through another one.
  @Test("pictures of a view go through another one by its inverse") func inverse() throws {
    let file = try exr(), inverse = ["--filter", "aces-inverse=hdr1000-p3"]
    #expect(try render(file, "pq", ["--to", "pq-png", "--view", "hdr1000-p3"]).status == 0)
    let pq = folder.path("pq/shot.png")
    for (out, words) in [
      ("again", ["--to", "pq-png", "--view", "hdr1000-p3"]), ("sdr", ["--to", "sdr-png", "--view", "sdr-709"]),
    ] {
      let made = try render(pq, out, words + inverse)
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(try render(file, "direct", ["--to", "sdr-png", "--view", "sdr-709"]).status == 0)
    func codes(_ name: String) throws -> [[Int]] {
      var list: [[Int]] = []
      each(try picture(name)) { _, _, code in list.append(code) }
      return list
    }
    func far(_ a: [[Int]], _ b: [[Int]], _ most: Int) -> Int {
      zip(a, b).count { zip($0, $1).contains { abs($0 - $1) > most } }
    }
    // Of 16 bits a code of 10; of 8 bits two. Colours at the hull are cut.
    let all = Self.width * Self.height
    let shown = try codes("pq/shot.png"), again = try codes("again/shot.png")
    #expect(far(shown, again, 64) < all / 50, "\(far(shown, again, 64))")
    let direct = try codes("direct/shot.png"), made = try codes("sdr/shot.png")
    #expect(far(direct, made, 2) < all / 10, "\(far(direct, made, 2))")
    // The exposure is that of the scene.
    #expect(
      try render(pq, "up", ["--to", "sdr-png", "--view", "sdr-709", "--scene-exposure", "1"] + inverse).status == 0)
    #expect(
      try render(file, "direct-up", ["--to", "sdr-png", "--view", "sdr-709", "--scene-exposure", "1"]).status == 0)
    let up = try codes("up/shot.png"), directUp = try codes("direct-up/shot.png")
    #expect(far(up, directUp, 2) < all / 10, "\(far(up, directUp, 2))")
  }

  @Test("pictures for displays and options that views decide are refused") func refusals() throws {
    #expect(try render(exr(), "pq", ["--to", "pq-png", "--view", "hdr1000-p3"]).status == 0)
    let coded = try render(folder.path("pq/shot.png"), "again", ["--to", "sdr-png", "--view", "sdr-709"])
    #expect(coded.status == 65 && coded.errors.contains("made for a display"), "\(coded.status) \(coded.errors)")
    let both = try render(folder.path("shot.exr"), "x", ["--to", "pq-png", "--view", "hdr1000-p3", "--headroom", "4"])
    #expect(both.status == 64 && both.errors.contains("--view decides the light: leave out --headroom"))
    let unknown = try render(folder.path("shot.exr"), "x", ["--to", "pq-png", "--view", "hdr1000-p4"])
    #expect(unknown.status == 64 && unknown.errors.contains("hdr1000-p3") && unknown.errors.contains("doctor --views"))
  }
}
