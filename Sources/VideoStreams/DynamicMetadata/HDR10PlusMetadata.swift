import FileParts
import HDRCore

/// The metadata of HDR10+ for one frame (SMPTE ST 2094-40; CTA-861.3 annex S), as far as it is shown. The bytes of its message
/// are kept beside it.
package struct HDR10PlusMetadata: Sendable, Equatable {
  package struct Window: Sendable, Equatable {
    /// The largest R, G and B in 0.1 cd/m².
    package var maxSCL: [Int]
    /// The mean of the largest component, in 0.1 cd/m².
    package var averageMaxRGB: Int
    /// Shares of pixels in percent, with their largest component in 0.1 cd/m².
    package var distribution: [Percentile]
    /// The knee in 1/4095 and the anchors in 1/1023 of a tone curve; `nil` if there is none.
    package var curve: Curve?
  }

  package struct Percentile: Sendable, Equatable {
    package var percent: Int
    package var light: Int
  }

  package struct Curve: Sendable, Equatable {
    package var knee: [Int]
    package var anchors: [Int]
  }

  package var version: Int
  /// The peak of the display that the metadata is for, in cd/m².
  package var targetPeak: Int
  /// 1 to 3 windows; the first is the whole picture.
  package var windows: [Window]

  /// The largest component in the picture, in cd/m².
  package var peak: Double { Double(windows[0].maxSCL.max() ?? 0) / 10 }

  private static let place = "HDR10+ metadata"

  /// Reads the bytes behind the prefix of the message.
  package init(parsing payload: ArraySlice<UInt8>) throws(DecodeError) {
    // Three windows with all tables take less.
    let most = 4096
    guard payload.count <= most else {
      throw .limit(what: "the size of \(Self.place)", found: payload.count, allowed: most)
    }
    var bits = BitReader(Array(payload), place: Self.place)
    version = try bits.bits(8)
    guard version <= 1 else { throw .unsupported(feature: Self.place, found: "version \(version)") }
    let count = try bits.bits(2)
    guard count >= 1 else { throw .malformed(where: Self.place, what: "it has no window") }
    // Corners, centre, angle and half axes of an ellipse, and how windows overlap.
    try bits.skip((count - 1) * (8 * 16 + 8 + 16 + 1))
    targetPeak = try bits.bits(27)
    try Self.skipTable(&bits)
    windows = []
    for _ in 0..<count {
      var light: [Int] = [], distribution: [Percentile] = []
      for _ in 0..<4 { light.append(try bits.bits(17)) }
      for _ in 0..<(try bits.bits(4)) {
        distribution.append(Percentile(percent: try bits.bits(7), light: try bits.bits(17)))
      }
      // The share of bright pixels.
      try bits.skip(10)
      windows.append(Window(maxSCL: Array(light.prefix(3)), averageMaxRGB: light[3], distribution: distribution))
    }
    try Self.skipTable(&bits)
    for index in 0..<count {
      if try bits.bit() {
        let knee = [try bits.bits(12), try bits.bits(12)]
        var anchors: [Int] = []
        for _ in 0..<(try bits.bits(4)) { anchors.append(try bits.bits(10)) }
        windows[index].curve = Curve(knee: knee, anchors: anchors)
      }
      // The weight of saturation.
      if try bits.bit() { try bits.skip(6) }
    }
  }

  /// Skips the actual peaks of a display, if they are there: rows, columns, and 4 bits each.
  private static func skipTable(_ bits: inout BitReader) throws(DecodeError) {
    guard try bits.bit() else { return }
    let rows = try bits.bits(5), columns = try bits.bits(5)
    try bits.skip(4 * rows * columns)
  }
}
