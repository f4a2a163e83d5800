import HDRCore
import HDRRender
import PlainData

/// The graphics that decode: the word after `--hwaccel`.
package enum HardwareDecoder: String, Sendable, Hashable, CaseIterable {
  /// Software alone.
  case none
  /// Graphics that FFmpeg finds decode, else software.
  case auto
  case cuda, vaapi, vulkan

  /// FFmpeg's words before the input, and those of the filter that brings frames into memory.
  package struct Words: Sendable, Hashable {
    package var input: [String] = []
    package var filter: [String] = []
  }

  /// The layouts of frames in the memory of graphics, by the planar ones of the same samples.
  private static let layouts = ["yuv420p": "nv12", "yuv420p10le": "p010le"]

  /// Returns the words for frames of a planar layout; `nil` where software decodes: graphics decode 4:2:0 of 8 and 10 bits.
  package func words(for format: String) -> Words? {
    guard self != .none, let layout = Self.layouts[format] else { return nil }
    // FFmpeg itself brings frames of what it has chosen.
    guard self != .auto else { return Words(input: ["-hwaccel", rawValue]) }
    return Words(
      input: ["-hwaccel", rawValue, "-hwaccel_output_format", rawValue],
      filter: ["-vf", "hwdownload,format=\(layout),format=\(format)"])
  }

  /// Returns the error of a child that has not decoded a frame, if these graphics are the reason.
  func failure(_ outcome: LockedProgram.Outcome) -> HDRError? {
    guard self != .none, self != .auto else { return nil }
    let lines = outcome.text.split(whereSeparator: \.isNewline)
    guard let line = Self.signs.lazy.compactMap({ sign in lines.first { $0.contains(sign) } }).first else { return nil }
    // A device that is not there decodes no other clip either.
    let isMissing = lines.contains { $0.contains("Device creation failed") || $0.contains("Unrecognized hwaccel") }
    var reason = line
    while reason.first == "[", let end = reason.firstRange(of: "] ") { reason = reason[end.upperBound...] }
    return HDRError(
      code: "video.hwaccel",
      message: "\(rawValue) does not decode this clip here: \(printable(String(reason))); leave out "
        + "\(setting: "hwaccel"), or say auto", kind: .unavailable, concernsAll: isMissing)
  }

  /// FFmpeg writes such lines when graphics do not decode; those that say most come first.
  private static let signs = [
    "Cannot load", "does not support", "Unrecognized hwaccel", "No device available", "Failed setup for format",
    "Device creation failed", "evice setup failed", "Impossible to convert between", "hwdownload",
  ]
}
