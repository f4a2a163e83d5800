import HDRCore

/// Conversions of rows of TIFF samples, which are in the byte order of the machine.
enum TIFFSamples {
  /// Converts samples to the format that `TIFFPixels` chooses; of signed integers the upper 8 or 16 bits.
  static func expand(
    _ from: UnsafeRawPointer, _ type: TIFFSampleType, count: Int, into out: UnsafeMutableRawPointer
  ) {
    let bits = type.bits
    switch (bits, type.kind) {
    case (32, .signed), (64, .signed):
      for index in 0..<count {
        let upper = from.loadUnaligned(fromByteOffset: (index + 1) * bits / 8 - 2, as: UInt16.self)
        out.storeBytes(of: upper, toByteOffset: 2 * index, as: UInt16.self)
      }
    case (8, _), (16, _), (32, .float): out.copyMemory(from: from, byteCount: count * bits / 8)
    case (24, .float):
      for index in 0..<count {
        out.storeBytes(of: float24(triple(from, index)), toByteOffset: 4 * index, as: UInt32.self)
      }
    case (64, .float):
      for index in 0..<count {
        let value = Float(from.loadUnaligned(fromByteOffset: 8 * index, as: Double.self))
        out.storeBytes(of: value, toByteOffset: 4 * index, as: Float.self)
      }
    case (24, _):
      for index in 0..<count { store16(UInt64(triple(from, index)), most: 0xFF_FFFF, index, out) }
    case (32, _):
      for index in 0..<count {
        store16(UInt64(from.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)), most: 0xFFFF_FFFF, index, out)
      }
    case (64, _):
      for index in 0..<count {
        // The upper half decides.
        store16(from.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) >> 32, most: 0xFFFF_FFFF, index, out)
      }
    case (...8, _):
      let factor = [1, 2, 4].contains(bits) ? 255 / (1 << bits - 1) : 1
      eachPacked(from, bits: bits, count: count) { index, value in
        out.storeBytes(of: UInt8(truncatingIfNeeded: value * factor), toByteOffset: index, as: UInt8.self)
      }
    default:
      eachPacked(from, bits: bits, count: count) { index, value in
        out.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * index, as: UInt16.self)
      }
    }
  }

  /// Stores an integer of 0 to `most` as the nearest of 16 bits.
  private static func store16(_ value: UInt64, most: UInt64, _ index: Int, _ out: UnsafeMutableRawPointer) {
    let code = (value * 65_535 + most / 2) / most
    out.storeBytes(of: UInt16(truncatingIfNeeded: code), toByteOffset: 2 * index, as: UInt16.self)
  }

  private static func triple(_ from: UnsafeRawPointer, _ index: Int) -> UInt32 {
    let low = UInt32(from.loadUnaligned(fromByteOffset: 3 * index, as: UInt16.self))
    return low | UInt32(from.load(fromByteOffset: 3 * index + 2, as: UInt8.self)) << 16
  }

  /// Returns the bits of binary32 for a float of 24 bits: sign, 7 bits of exponent with bias 63, 16 of mantissa; exact.
  /// Source: DNG 1.7.1, "Floating Point Data"; DNG SDK, dng_utils.h.
  static func float24(_ bits: UInt32) -> UInt32 {
    let sign = (bits & 0x80_0000) << 8, exponent = bits >> 16 & 0x7F, mantissa = bits & 0xFFFF
    if exponent == 0x7F { return sign | 0x7F80_0000 | mantissa << 7 }
    if exponent == 0 { return sign | (Float(mantissa) * 0x1p-78).bitPattern }
    return sign | (exponent + 64) << 23 | mantissa << 7
  }

  /// Copies codes of up to 16 bits to words, without scaling.
  static func words(
    _ from: UnsafeRawPointer, bits: Int, count: Int, into out: UnsafeMutablePointer<UInt16>, step: Int
  ) {
    switch bits {
    case 8: for i in 0..<count { out[i &* step] = UInt16(from.load(fromByteOffset: i, as: UInt8.self)) }
    case 16: for i in 0..<count { out[i &* step] = from.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self) }
    default:
      eachPacked(from, bits: bits, count: count) { index, value in
        out[index &* step] = UInt16(truncatingIfNeeded: value)
      }
    }
  }

  /// Calls `body` with each of the codes that share bytes, most significant bit first.
  @inline(__always)
  private static func eachPacked(_ from: UnsafeRawPointer, bits: Int, count: Int, _ body: (Int, Int) -> Void) {
    var held = 0, heldBits = 0, next = 0
    let mask = 1 << bits - 1
    for index in 0..<count {
      while heldBits < bits {
        held = held << 8 | Int(from.load(fromByteOffset: next, as: UInt8.self))
        heldBits += 8
        next += 1
      }
      heldBits -= bits
      body(index, held >> heldBits & mask)
      held &= 1 << heldBits - 1
    }
  }

  /// Copies one sample of each pixel.
  static func pick(
    _ from: UnsafeRawPointer, step: Int, count: Int, bytes: Int, into out: UnsafeMutableRawPointer, step outStep: Int
  ) {
    func run<Sample>(_: Sample.Type) {
      for x in 0..<count {
        out.storeBytes(
          of: from.loadUnaligned(fromByteOffset: x &* step, as: Sample.self), toByteOffset: x &* outStep,
          as: Sample.self)
      }
    }
    switch bytes {
    case 1: run(UInt8.self)
    case 2: run(UInt16.self)
    default: run(UInt32.self)
    }
  }

  /// Makes floats finite: NaN and magnitudes below 2^-30 become 0, magnitudes are at most 65504, the largest half.
  ///
  /// - Returns: the number of those that were NaN or infinite.
  @discardableResult static func makeFinite(_ row: UnsafeMutableRawPointer, count: Int) -> Int {
    // As wide as the samples, so that the loop takes as many at a time.
    var found: UInt32 = 0
    for index in 0..<count {
      let word = row.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)
      let magnitude = word & 0x7fff_ffff
      var kept = magnitude < 0x3080_0000 ? 0 : magnitude
      kept = kept > 0x477f_e000 ? 0x477f_e000 : kept
      kept = magnitude > 0x7f80_0000 ? 0 : kept
      found = found &+ (magnitude < 0x7f80_0000 ? 0 : 1)
      row.storeBytes(of: kept == 0 ? 0 : kept | word & 0x8000_0000, toByteOffset: 4 &* index, as: UInt32.self)
    }
    return Int(found)
  }

  /// Makes halves finite: NaN becomes 0, infinities become the largest half. None is below 2^-30.
  static func makeFiniteHalves(_ row: UnsafeMutableRawPointer, count: Int) {
    for index in 0..<count {
      let word = row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)
      let magnitude = word & 0x7fff
      var kept = magnitude > 0x7bff ? 0x7bff : magnitude
      kept = magnitude > 0x7c00 ? 0 : kept
      row.storeBytes(of: kept == 0 ? 0 : kept | word & 0x8000, toByteOffset: 2 &* index, as: UInt16.self)
    }
  }

  /// Inverts the first sample of each pixel: the largest code becomes 0.
  static func invert(_ row: UnsafeMutableRawPointer, bytes: Int, bits: Int, count: Int, step: Int) {
    for x in 0..<count {
      if bytes == 1 {
        let code = row.load(fromByteOffset: x &* step, as: UInt8.self)
        row.storeBytes(of: UInt8(truncatingIfNeeded: 1 << bits - 1) &- code, toByteOffset: x &* step, as: UInt8.self)
      } else {
        let code = row.loadUnaligned(fromByteOffset: 2 &* x &* step, as: UInt16.self)
        row.storeBytes(
          of: UInt16(truncatingIfNeeded: 1 << bits - 1) &- code, toByteOffset: 2 &* x &* step, as: UInt16.self)
      }
    }
  }
}
