import HDRCore

/// The length of a vector: 0 below 2^-40, with a relative error of 2e-6; squares stay below 2^115.
@usableFromInline enum PlanarLength {
  @inlinable @inline(always) static func of(_ x: Float, _ y: Float) -> Float { of(square: x * x + y * y) }

  @inlinable @inline(always) static func of(square: Float) -> Float {
    let isSome = square > 0x1p-80
    let root = E32.exp2(0.5 * E32.log2(isSome ? square : 1))
    return isSome ? root : 0
  }
}
