import Foundation
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// `--decode-scale`: what it decodes smaller, and what it refuses or leaves whole.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct DecodeScaleTests {
  let folder: TemporaryFolder
  static let lamps = SharedData.example("lamps.jpg")
  static let temple = SharedData.example("temple.heic")
  init() throws { folder = try TemporaryFolder() }

  /// Renders, and returns the result and its records.
  private func render(_ words: [String], to kind: String = "sdr-jpeg") throws -> (
    made: Program.Result, items: [[String: Any]]
  ) {
    let record = folder.path("record.jsonl")
    let made = try Program.run(
      ["render", "--to", kind, "-o", folder.path("out"), "--on-existing", "replace", "--record", record] + words)
    let lines = (folder.text("record.jsonl") ?? "").split(separator: "\n")
    let rows = try lines.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    return (made, rows.filter { $0["type"] as? String == "item" })
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
  }

  /// Returns the codes of the first item's warnings. The photo has extended XMP, which no output keeps.
  private func warnings(_ items: [[String: Any]]) -> [String] {
    (items.first?["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  /// Returns the mean of the differences between two pictures' first channels.
  private func difference(_ a: [UInt8], _ b: [UInt8]) throws -> Double {
    let (a, b) = (try decodeImage(a).image, try decodeImage(b).image)
    #expect((a.width, a.height) == (b.width, b.height))
    var sum = 0
    for y in 0..<a.height {
      for x in 0..<a.width {
        let codes = [a, b].map { image in
          let plane = image.channels[0]
          return Int(
            (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: UInt8.self))
        }
        sum += abs(codes[0] - codes[1])
      }
    }
    return Double(sum) / Double(a.pixelCount)
  }

  @Test(
    "a smaller decoding gives nearly the same picture, and the record says its scale",
    arguments: ["sdr-jpeg", "adaptive-jpeg", "sdr-png"])
  func smaller(kind: String) throws {
    let name = kind == "sdr-png" ? "out/lamps.png" : "out/lamps.jpg", small = [Self.lamps, "--resize", "32"]
    let whole = try render(small, to: kind)
    #expect(whole.made.status == 0 && whole.items.first?["decodeScale"] is NSNull, "\(whole.made.errors)")
    let expected = try bytes(name)
    for (word, scale) in [("1", 0), ("2", 2), ("4", 4), ("auto", 2)] {
      let next = try render(small + ["--decode-scale", word], to: kind)
      #expect(next.made.status == 0, "\(next.made.errors)")
      #expect(warnings(next.items).isEmpty)
      #expect((next.items.first?["decodeScale"] as? Int ?? 0) == scale, "\(word)")
      let found = try bytes(name)
      #expect((found == expected) == (scale == 0))
      #expect(try difference(found, expected) < 4, "\(word)")
    }
  }

  @Test("a picture that is not made half as large is decoded whole")
  func large() throws {
    let (made, items) = try render([Self.lamps, "--resize", "60%", "--decode-scale", "8"])
    #expect(made.status == 0 && items.first?["decodeScale"] as? Int == 1, "\(made.errors)")
    #expect(warnings(items).isEmpty)
  }

  @Test("a filter that takes pixels before leaves the picture whole, with a warning for a number")
  func filters() throws {
    let words = [Self.lamps, "--filter", "gaussian-blur=3", "--resize", "32"]
    let plain = try render(words)
    #expect(plain.made.status == 0)
    let expected = try bytes("out/lamps.jpg")
    for word in ["4", "auto"] {
      let (made, items) = try render(words + ["--decode-scale", word])
      #expect(made.status == 0 && items.first?["decodeScale"] as? Int == 1, "\(made.errors)")
      #expect(try bytes("out/lamps.jpg") == expected)
      #expect(warnings(items).contains("decode.whole") == (word == "4"))
      #expect(made.errors.contains("gaussian-blur") == (word == "4"), "\(made.errors)")
    }
  }

  @Test("formats that are decoded whole are refused for a number, and left alone for auto")
  func formats() throws {
    let words = [Self.temple, "--resize", "64"]
    let refused = try render(words + ["--decode-scale", "2"])
    #expect(refused.made.status == 65 && refused.items.first?["code"] as? String == "decode.scale")
    #expect(refused.made.errors.contains("heic"), "\(refused.made.errors)")
    let (made, items) = try render(words + ["--decode-scale", "auto"])
    #expect(made.status == 0 && items.first?["decodeScale"] is NSNull, "\(made.errors)")
  }

  @Test("it is refused without anything that makes pictures smaller, and for parts")
  func withoutEffect() throws {
    let made = try render([Self.lamps, "--decode-scale", "2"]).made
    #expect(made.status == 64 && made.errors.contains("--decode-scale needs --resize"), "\(made.errors)")
    let part = try Program.run([
      "render", Self.lamps, "--extract", "base", "-o", folder.path("out"), "--decode-scale", "2",
    ])
    #expect(part.status == 64)
    let wrong = try render([Self.lamps, "--resize", "32", "--decode-scale", "3"]).made
    #expect(wrong.status == 64 && wrong.errors.contains("--decode-scale"))
  }

  @Test("outputs of one input have scales of their own")
  func outputs() throws {
    let recipe = try folder.file(
      "r.yaml",
      """
      outputs:
        - {to: sdr-png, name: "{stem}-large.png", resize: 60%}
        - {to: sdr-png, name: "{stem}-small.png", resize: 32, decode-scale: 4}
      """)
    let made = try Program.run(["render", Self.lamps, "-o", folder.path("both"), "--recipe", recipe])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try render([Self.lamps, "--resize", "32", "--decode-scale", "4"], to: "sdr-png").made.status == 0)
    #expect(try bytes("both/lamps-small.png") == bytes("out/lamps.png"))
    #expect(try render([Self.lamps, "--resize", "60%"], to: "sdr-png").made.status == 0)
    #expect(try bytes("both/lamps-large.png") == bytes("out/lamps.png"))
  }
}
