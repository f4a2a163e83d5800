import HDRCore

/// An encoder of clips: a row of `all`.
package struct VideoCodec: Sendable, Hashable {
  /// The word after `--codec`.
  package let name: String
  /// FFmpeg's name, and its options.
  let encoder: String
  let options: [String]
  /// The endings of the files that hold it, the usual one first; each a name of `VideoContainer`.
  package let containers: [String]
  /// True if decoding gives the samples that were encoded.
  package let isLossless: Bool
  /// An estimate of the bytes of a clip for each byte of its raw frames.
  let share: Double

  package static let ffv1 = VideoCodec(
    name: "ffv1", encoder: "ffv1", options: ["-level", "3", "-slices", "4", "-slicecrc", "1", "-g", "1"],
    containers: ["mkv"], isLossless: true, share: 0.55)

  package static let all = [ffv1]
}

/// A container of clips: a row of `all`.
struct VideoContainer: Sendable, Hashable {
  /// The ending of its files.
  let name: String
  /// FFmpeg's name of its writer.
  let muxer: String
  /// The clock of its time stamps, where it has one of its own.
  let clock: Int?

  static let all = [VideoContainer(name: "mkv", muxer: "matroska", clock: 1000)]

  static func named(_ name: String) -> VideoContainer? { all.first { $0.name == name } }
}
