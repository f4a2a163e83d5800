extension Double {
  /// The nearest binary32. Numbers in files beyond any light are cut at 2^36, and NaN is 0: no sum or product of a few
  /// of them overflows, and lanes compare without NaN (docs/exact-arithmetic.md#contract).
  @inlinable public var lane: Float { isNaN ? 0 : Float(Swift.min(Swift.max(self, -0x1p36), 0x1p36)) }

  /// The bit pattern of `lane`.
  @inlinable public var word: UInt32 { lane.bitPattern }
}

extension Bool {
  /// The bit as a word: 1 or 0.
  @inlinable public var word: UInt32 { self ? 1 : 0 }
}

extension Int {
  /// The low 32 bits, two's complement.
  @inlinable public var word: UInt32 { UInt32(truncatingIfNeeded: self) }
}
