import Glibc
import HDRCore
import PlainData

/// A comparison of two outputs of one plan, in 32-bit words. Rows may be padded differently.
package struct WordComparison: Sendable, Hashable {
  /// The first sample that differs, in the order of rows.
  package struct Difference: Sendable, Hashable {
    package var x: Int
    package var y: Int
    /// The channel's name: "R", "G", "B", "A", "Y", "Cb", "Cr".
    package var channel: String
    /// The expected bits of the sample.
    package var expected: UInt32
    package var found: UInt32
    /// The number of bytes of the sample.
    package var bytes: Int

    package var description: String {
      "pixel \(x), \(y), channel \(channel): \(text(expected)) expected, \(text(found)) found"
    }

    /// Returns bits of the sample as `0x` and digits.
    package func text(_ bits: UInt32) -> String { "0x" + hex(bits, digits: 2 * bytes) }
  }

  /// The number of words that differ; all of them if the pictures have different shapes.
  package private(set) var differing = 0
  package private(set) var first: Difference?

  /// The first difference in words; `nil` for equal pictures.
  package var place: String? { differing == 0 ? nil : first?.description ?? "another shape" }

  /// Makes a comparison of nothing.
  package init() {}

  /// Adds both; the first difference is the left one's.
  package static func + (a: WordComparison, b: WordComparison) -> WordComparison {
    var sum = a
    sum.differing += b.differing
    sum.first = a.first ?? b.first
    return sum
  }

  /// Compares two pictures. In binary32, used between passes, zeros of both signs are equal: a device may make either.
  ///
  /// - Parameter rows: the rows to compare; `nil` compares all.
  package init(_ expected: SampleImage, _ found: SampleImage, rows: [Range<Int>]? = nil) {
    let left = Self.planes(expected), right = Self.planes(found)
    let hasOneShape =
      expected.width == found.width && expected.height == found.height && left.count == right.count
      && expected.format == found.format
      && zip(left, right).allSatisfy { $0.width == $1.width && $0.height == $1.height && $0.stepBytes == $1.stepBytes }
    guard hasOneShape else {
      differing = max(1, left.reduce(0) { $0 + $1.width * $1.stepBytes * $1.height } / 4)
      return
    }
    for (index, (p, q)) in zip(left, right).enumerated() {
      let shift = p.height < expected.height ? expected.chroma.verticalShift : 0
      for range in rows ?? [0..<expected.height] {
        for y in (range.lowerBound >> shift)..<min(p.height, (range.upperBound + (1 << shift) - 1) >> shift) {
          compareRow(expected, index, p, q, y, shift)
        }
      }
    }
  }

  /// Returns the planes to compare; interleaved channels share their rows, which are compared once.
  private static func planes(_ image: SampleImage) -> [SamplePlane] {
    let all = image.channels + (image.alpha.map { [$0] } ?? [])
    return isInterleaved(image) ? Array(all.prefix(1)) : all
  }

  private static func isInterleaved(_ image: SampleImage) -> Bool {
    image.channels.count > 1 && image.channels[0].buffer === image.channels[1].buffer
      && image.channels[0].stepBytes > image.format.bytes
  }

  private mutating func compareRow(
    _ image: SampleImage, _ plane: Int, _ p: SamplePlane, _ q: SamplePlane, _ y: Int, _ shift: Int
  ) {
    let count = p.width * p.stepBytes
    let left = UnsafeRawPointer(p.buffer.base) + p.offset + y * p.rowBytes
    let right = UnsafeRawPointer(q.buffer.base) + q.offset + y * q.rowBytes
    if memcmp(left, right, count) == 0 { return }
    for byte in stride(from: 0, to: count, by: 4) where memcmp(left + byte, right + byte, min(4, count - byte)) != 0 {
      if image.format == .float32, (Self.sample(left + byte, 4) | Self.sample(right + byte, 4)) << 1 == 0 { continue }
      differing += 1
      if first != nil { continue }
      let bytes = image.format.bytes
      // Words may hold two samples, or four.
      var at = byte
      while at + bytes < count && memcmp(left + at, right + at, bytes) == 0 { at += bytes }
      let channel = Self.isInterleaved(image) ? at % p.stepBytes / bytes : plane
      let subsampling = p.width < image.width ? image.chroma.horizontalShift : 0
      first = Difference(
        x: (at / p.stepBytes) << subsampling, y: y << shift, channel: Self.name(of: channel, image),
        expected: Self.sample(left + at, bytes), found: Self.sample(right + at, bytes), bytes: bytes)
    }
  }

  private static func name(of channel: Int, _ image: SampleImage) -> String {
    let names = image.model == .ycc ? ["Y", "Cb", "Cr"] : image.channels.count == 1 ? ["Y"] : ["R", "G", "B"]
    return channel < min(names.count, image.channels.count) ? names[channel] : "A"
  }

  private static func sample(_ from: UnsafeRawPointer, _ bytes: Int) -> UInt32 {
    var bits: UInt32 = 0
    for i in 0..<bytes { bits |= UInt32(from.load(fromByteOffset: i, as: UInt8.self)) << (8 * UInt32(i)) }
    return bits
  }
}
