import Foundation
import TestSupport
import Testing

/// SMPTE ST 2094-50 metadata beside the picture, through the program itself.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ToneMetadataCommandTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func metadata(_ bytes: [UInt8]) throws -> String {
    let url = folder.url.appendingPathComponent("m.bin")
    try Data(bytes).write(to: url)
    return url.path
  }

  func render(_ arguments: [String]) throws -> Program.Result {
    try Program.run(
      [
        "render", SharedData.examples + "/citadel-pq.heic", "--out", folder.path("out"), "--backend", "cpu",
        "--to",
        "sdr-png", "--record", folder.path("r.jsonl"),
      ] + arguments)
  }

  @Test func theRecordSaysWhatRan() throws {
    // Content of two stops, and one curve for SDR displays: a quarter of the light everywhere up to 1, 2^-2 at 4.
    let path = try metadata([
      0x00, 0x40, 0x4e, 0x20, 0x18, 0x00, 0x00, 0x00, 0x0c, 0x03, 0xe8, 0x0f, 0xa0, 0x4e, 0x20, 0x4e, 0x20,
    ])
    let result = try render(["--tone-metadata", path, "--explain"])
    #expect(result.status == 0, "\(result.errors)")
    let item = try #require(try recordLines(folder.path("r.jsonl")).first { $0["type"] as? String == "item" })
    #expect(item["operator"] as? String == "st2094-50")
    #expect(item["contentHeadroomSource"] as? String == "st2094-50")
    #expect(item["contentHeadroom"] as? Double == 4)
    #expect(item["operatorSpace"] as? String == "linear BT.2020, max(R, G, B)")
    #expect(item["toneMetadata"] as? String == "baseline headroom 4, alternates for 1")
    #expect((result.output + result.errors).contains("ST 2094-50: baseline headroom 4, alternates for 1"))
  }

  @Test func mistakesAreUsageErrors() throws {
    for (bytes, names) in [([], "ends too early"), ([0x04, 0x40], "minimum_application_version")] as [([UInt8], String)]
    {
      let result = try render(["--tone-metadata", try metadata(bytes)])
      #expect(result.status == 64 && result.errors.contains(names), "\(result.errors)")
    }
    let gone = try render(["--tone-metadata", "/no/such.bin"])
    #expect(gone.status == 64 && gone.errors.contains("--tone-metadata /no/such.bin"), "\(gone.errors)")
  }
}
