import FileParts
import TestSupport
import Testing
import VideoStreams

/// RPUs of the shared data.
enum DolbySamples {
  static var vectors: [String: Any]? { SharedData.json("specs/video-vectors.json") }
  /// True if the vectors and the RPUs are here.
  static let areHere = vectors != nil && SharedData.url("data/video/rpu-mel_orig.bin") != nil

  /// The names of files with one RPU each.
  static let files = ((vectors?["rpu_parse"] as? [String: Any])?.keys.sorted()) ?? []

  /// The payload of the NAL unit in a file, which begins with a start code.
  static func file(_ name: String) throws -> [UInt8] {
    let bytes = try #require(SharedData.bytes("data/video/" + name))
    return EmulationPrevention.removed(bytes.dropFirst(4))
  }

  static func bytes(hex: String) -> [UInt8] {
    var rest = hex[...], bytes: [UInt8] = []
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
