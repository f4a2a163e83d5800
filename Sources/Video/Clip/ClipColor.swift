import HDRCore

/// The meaning of a clip's samples: H.273 code points, the range, and where chroma lies.
package struct ClipColor: Sendable, Hashable {
  package var primaries: Int
  package var transfer: Int
  package var matrix: Int
  package var fullRange: Bool
  package var siting: ChromaSiting

  package init(_ primaries: Int, _ transfer: Int, _ matrix: Int, fullRange: Bool, siting: ChromaSiting) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    (self.fullRange, self.siting) = (fullRange, siting)
  }

  /// The samples are these, and no colour is stated of them.
  var untagged: ClipColor { ClipColor(2, 2, 2, fullRange: fullRange, siting: siting) }

  package var isHDR: Bool { CICP.Transfer.isHDR(transfer) }

  /// The code points as text, "9/16/9 limited left".
  package var text: String {
    "\(primaries)/\(transfer)/\(matrix) \(fullRange ? "full" : "limited") \(siting.name)"
  }
}

extension ChromaSiting {
  /// FFmpeg's name.
  package var name: String {
    switch (horizontallyCosited, verticallyCosited) {
    case (true, true): "topleft"
    case (true, false): "left"
    case (false, true): "top"
    case (false, false): "center"
    }
  }

  /// Finds a siting by FFmpeg's name; `nil` for others, those of the bottom among them.
  init?(named name: String) {
    guard let found = [ChromaSiting.left, .center, .topLeft].first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// FFmpeg's names of H.273 code points (libavutil/pixdesc.c).
enum ColorNames {
  static let primaries = [
    1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "film", 9: "bt2020", 10: "smpte428",
    11: "smpte431", 12: "smpte432", 22: "ebu3213",
  ]
  static let transfers = [
    1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "linear", 9: "log100", 10: "log316",
    11: "iec61966-2-4", 12: "bt1361e", 13: "iec61966-2-1", 14: "bt2020-10", 15: "bt2020-12", 16: "smpte2084",
    17: "smpte428", 18: "arib-std-b67",
  ]
  static let matrices = [
    0: "gbr", 1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "ycgco", 9: "bt2020nc",
    10: "bt2020c", 11: "smpte2085", 12: "chroma-derived-nc", 13: "chroma-derived-c", 14: "ictcp",
  ]

  /// Returns a code by its name; `nil` for "unknown", "reserved" and names of no code.
  static func code(_ name: String?, _ names: [Int: String]) -> Int? { names.first { $0.value == name }?.key }
}

extension ClipColor {
  /// The words that tag frames and the encoder. FFmpeg 9 takes tags of frames alone, 5.1 those of both for some encoders.
  func tags() -> (filter: String, options: [String]) {
    let range = fullRange ? "pc" : "tv"
    let names = (
      ColorNames.primaries[primaries] ?? "unknown", ColorNames.transfers[transfer] ?? "unknown",
      ColorNames.matrices[matrix] ?? "unknown"
    )
    return (
      "setparams=range=\(range):color_primaries=\(names.0):color_trc=\(names.1):colorspace=\(names.2)",
      [
        "-color_primaries", names.0, "-color_trc", names.1, "-colorspace", names.2, "-color_range", range,
        "-chroma_sample_location", siting.name,
      ]
    )
  }
}
