import HDRCore

/// The rows of samples of a film scan: bytes, words of 16 bits, or samples of 10 or 12 bits packed in words.
///
/// Source: SMPTE 268M-2003, annex C; of Cineon, Kodak's "Cineon Image File Format" (1995).
struct FilmRows {
  enum Packing: Int {
    /// One stream of bits: the first sample is in the least significant bits of the first word of 32.
    case stream = 0
    /// Words of their own, the padding in the least significant bits; three samples of 10 bits in a word of 32, the first
    /// in the most significant bits.
    case paddedBelow = 1
    /// Words are filled as in `paddedBelow`, but the padding is in the most significant bits.
    case paddedAbove = 2
  }

  /// The number of samples in a row, of all channels.
  let count: Int
  let bits: Int
  let packing: Packing
  let isLittleEndian: Bool
  /// Rows begin at words of 32 bits; false for writers that do not pad rows of 8 and 16 bits.
  var isPadded = true
  /// The bytes behind each row.
  var gap = 0

  /// The bytes of a row, without the gap.
  var rowBytes: Int {
    switch (bits, packing) {
    case (8, _): isPadded ? (count + 3) / 4 * 4 : count
    case (16, _), (12, .paddedBelow), (12, .paddedAbove): isPadded ? (count + 1) / 2 * 4 : 2 * count
    case (_, .stream): (count * bits + 31) / 32 * 4
    default: (count + 2) / 3 * 4
    }
  }

  /// The bytes of some rows. The gap behind the last one may be missing.
  func byteCount(rows: Int) -> Int { rows * rowBytes + (rows - 1) * gap }

  /// Reads the samples of a row.
  ///
  /// - Parameters:
  ///   - row: `rowBytes` bytes.
  ///   - samples: has room for `count`.
  func read(_ row: UnsafeRawPointer, into samples: inout [UInt16]) {
    func half(_ index: Int) -> UInt16 {
      let word = row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)
      return isLittleEndian ? UInt16(littleEndian: word) : UInt16(bigEndian: word)
    }
    func word(_ index: Int) -> UInt32 {
      let word = row.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)
      return isLittleEndian ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
    }
    switch (bits, packing) {
    case (8, _):
      for index in 0..<count { samples[index] = UInt16(row.load(fromByteOffset: index, as: UInt8.self)) }
    case (16, _):
      for index in 0..<count { samples[index] = half(index) }
    case (12, .paddedBelow):
      for index in 0..<count { samples[index] = half(index) &>> 4 }
    case (12, .paddedAbove):
      for index in 0..<count { samples[index] = half(index) & 4095 }
    case (_, .stream):
      let mask = UInt64(1) << UInt64(bits) - 1
      var held: UInt64 = 0, filled = 0, next = 0
      for index in 0..<count {
        if filled < bits {
          held |= UInt64(word(next)) << UInt64(filled)
          (filled, next) = (filled + 32, next + 1)
        }
        samples[index] = UInt16(truncatingIfNeeded: held & mask)
        held >>= UInt64(bits)
        filled -= bits
      }
    default:
      let low = packing == .paddedBelow ? 2 : 0
      for index in 0..<count {
        samples[index] = UInt16(truncatingIfNeeded: word(index / 3) >> UInt32(low + 20 - index % 3 * 10)) & 1023
      }
    }
  }
}

/// Film scans as pictures: codes as they are, or as light.
extension FilmRows {
  /// Light of codes in proportion: (code - black) · step.
  struct Proportion {
    var black: Double
    var step: Double
  }

  /// Describes the picture without samples.
  func picture(width: Int, height: Int, isLight: Bool) -> SampleImage {
    let format: SampleFormat = isLight ? .float32 : bits == 8 ? .uint8 : .uint16, isGrey = count == width
    return SampleImage(
      width: width, height: height, model: isGrey ? .grey : .rgb, format: format, bitDepth: isLight ? 32 : bits,
      chroma: isGrey ? .none : .s444, channels: [])
  }

  /// Reads a picture.
  ///
  /// - Parameters:
  ///   - start: the offset of the first row; the caller has checked that all rows are there.
  ///   - order: the place of each channel R, G, B, A in a pixel of the file; one place for grey.
  ///   - light: makes light of the codes; `nil`: codes stay. Alpha stays in proportion to 1.
  func read(
    _ bytes: [UInt8], from start: Int, width: Int, height: Int, order: [Int], light: Proportion?
  ) -> SampleImage {
    let isGrey = order.count == 1, channels = order.count, largest = Double(1 << bits - 1)
    let image =
      light == nil
      ? SampleImage.interleaved(
        width: width, height: height, channelCount: channels, format: bits == 8 ? .uint8 : .uint16, bitDepth: bits)
      : SampleImage.planar(
        width: width, height: height, model: isGrey ? .grey : .rgb, format: .float32, bitDepth: 32,
        hasAlpha: channels == 4)
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    var samples = [UInt16](repeating: 0, count: count)
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return }
      for y in 0..<height {
        read(base + start + y * (rowBytes + gap), into: &samples)
        for (channel, plane) in planes.enumerated() {
          let row = plane.buffer.base + plane.offset + y * plane.rowBytes, at = order[channel]
          if let light {
            let (black, step) = channel == 3 ? (0, 1 / largest) : (light.black, light.step), out = plane.floats(y)
            for x in 0..<width {
              out[x] = boundedLight(Float((Double(samples[x &* channels &+ at]) - black) * step))
            }
          } else if bits == 8 {
            for x in 0..<width {
              row.storeBytes(
                of: UInt8(truncatingIfNeeded: samples[x &* channels &+ at]), toByteOffset: x &* channels, as: UInt8.self
              )
            }
          } else {
            for x in 0..<width {
              row.storeBytes(of: samples[x &* channels &+ at], toByteOffset: 2 &* x &* channels, as: UInt16.self)
            }
          }
        }
      }
    }
    return image
  }
}
