import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Photos whose pixels have holes. Of AV1 no decoder in use finds all (docs/data/faults.tsv).
@Suite struct DamageTests {
  @Test("4 KiB of zeros anywhere in a photo's pixels are an error", arguments: ["temple.heic", "lamps.jpg"])
  func promise03_holesInPixelsAreFound(name: String) throws {
    let photo = try Data(contentsOf: SharedData.repository.appendingPathComponent("Examples/" + name))
    #expect(throws: Never.self) { try decodeImage(Array(photo)) }
    for part in 2..<9 {
      var bytes = Array(photo)
      let start = bytes.count * part / 10
      for index in start..<start + 4096 { bytes[index] = 0 }
      #expect(throws: DecodeError.self, "\(name), \(start)") { try decodeImage(bytes) }
    }
  }
}
