import Foundation
import TestFiles
import TestSupport
import Testing

/// Tests that render small OpenEXR files and look at the light that comes of them.
protocol SmallEXRSuite: SendableMetatype {
  var folder: TemporaryFolder { get }
  /// Returns R, G, B of a column of 0 to 7.
  static func color(_ x: Int) -> [Double]
}

extension SmallEXRSuite {
  func render(_ input: String, _ words: [String]) throws -> Program.Result {
    try Program.run(
      ["render", input, "-o", folder.path("out"), "--backend", "cpu", "--on-existing", "replace"] + words)
  }

  /// Linear halves of what an input becomes.
  func halves(_ input: String, _ words: [String] = []) throws -> Data {
    let made = try render(input, ["--to", "rgba16f", "--content-headroom", "8"] + words)
    #expect(made.status == 0, "\(made.errors)")
    let stem = URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
    return try Data(contentsOf: folder.url.appendingPathComponent("out/\(stem).rgba16f"))
  }

  /// Writes a file of eight columns, perhaps with chromaticities.
  func exr(_ name: String, chromaticities: [Float]? = nil) throws -> String {
    let file = EXRBuilder(width: 8, height: 4, chromaticities: chromaticities) { x, _ in Self.color(x) }
    return try folder.file(name, file.bytes)
  }
}
