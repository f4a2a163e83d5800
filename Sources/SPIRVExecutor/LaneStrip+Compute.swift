extension LaneStrip {
  /// One operation over all lanes, those that are off included.
  func compute(_ operation: Operation, _ result: Register, _ a: Register, _ b: Register) {
    if variant.flushesSubnormals || variant.flipsZeros, operation.isFloatArithmetic || operation.takesFloats {
      return computeVariant(operation, result, a, b)
    }
    computeExactly(operation, result, a, b)
  }

  private func computeExactly(_ operation: Operation, _ result: Register, _ a: Register, _ b: Register) {
    switch operation {
    case .floatAdd: floats(result, a, b) { $0 + $1 }
    case .floatSub: floats(result, a, b) { $0 - $1 }
    case .floatMul: floats(result, a, b) { $0 * $1 }
    case .floatNegate: each(result, a) { $0 ^ 0x8000_0000 }
    case .floatAbs: each(result, a) { $0 & 0x7fff_ffff }
    case .floatFloor: eachFloat(result, a) { $0.rounded(.down) }
    case .floatCeil: eachFloat(result, a) { $0.rounded(.up) }
    case .floatTrunc: eachFloat(result, a) { $0.rounded(.towardZero) }
    case .floatMin: floats(result, a, b) { $0.replacing(with: $1, where: $1 .< $0) }
    case .floatMax: floats(result, a, b) { $0.replacing(with: $1, where: $0 .< $1) }
    case .floatEqual: compare(result, a, b) { $0 .== $1 }
    case .floatNotEqual: compare(result, a, b) { ($0 .< $1) .| ($0 .> $1) }
    case .floatUnorderedNotEqual: compare(result, a, b) { $0 .!= $1 }
    case .floatLess: compare(result, a, b) { $0 .< $1 }
    case .floatLessEqual: compare(result, a, b) { $0 .<= $1 }
    case .intAdd: integers(result, a, b) { $0 &+ $1 }
    case .intSub: integers(result, a, b) { $0 &- $1 }
    case .intMul: integers(result, a, b) { $0 &* $1 }
    case .intNegate: each(result, a) { 0 &- $0 }
    case .intNot: each(result, a) { ~$0 }
    case .logicalNot: each(result, a) { ~$0 }
    case .intAnd: integers(result, a, b) { $0 & $1 }
    case .intOr: integers(result, a, b) { $0 | $1 }
    case .intXor: integers(result, a, b) { $0 ^ $1 }
    case .intShiftLeft: integers(result, a, b) { $0 &<< $1 }
    case .intShiftRight: integers(result, a, b) { $0 &>> $1 }
    case .intShiftRightSigned:
      integers(result, a, b) {
        SIMD8<UInt32>(truncatingIfNeeded: SIMD8<Int32>(truncatingIfNeeded: $0) &>> SIMD8<Int32>(truncatingIfNeeded: $1))
      }
    case .intDivide: pairsOfWords(result, a, b) { $1 == 0 ? 0 : $0 / $1 }
    case .intRemainder: pairsOfWords(result, a, b) { $1 == 0 ? 0 : $0 % $1 }
    case .intDivideSigned:
      pairsOfWords(result, a, b) {
        let (x, y) = (Int64(Int32(bitPattern: $0)), Int64(Int32(bitPattern: $1)))
        return UInt32(truncatingIfNeeded: y == 0 ? 0 : x / y)
      }
    case .intEqual: compareIntegers(result, a, b) { $0 .== $1 }
    case .intNotEqual: compareIntegers(result, a, b) { $0 .!= $1 }
    case .intLess: compareIntegers(result, a, b) { $0 .< $1 }
    case .intLessEqual: compareIntegers(result, a, b) { $0 .<= $1 }
    case .intLessSigned: compareIntegers(result, a, b) { signed($0) .< signed($1) }
    case .intLessEqualSigned: compareIntegers(result, a, b) { signed($0) .<= signed($1) }
    case .intMin: integers(result, a, b) { $0.replacing(with: $1, where: $1 .< $0) }
    case .intMax: integers(result, a, b) { $0.replacing(with: $1, where: $0 .< $1) }
    case .intMinSigned: integers(result, a, b) { $0.replacing(with: $1, where: signed($1) .< signed($0)) }
    case .intMaxSigned: integers(result, a, b) { $0.replacing(with: $1, where: signed($0) .< signed($1)) }
    case .intAbs:
      each(result, a) {
        UInt32(bitPattern: Int32(bitPattern: $0) < 0 ? 0 &- Int32(bitPattern: $0) : Int32(bitPattern: $0))
      }
    case .floatOfSigned: each(result, a) { Float(Int32(bitPattern: $0)).bitPattern }
    case .floatOfUnsigned: each(result, a) { Float($0).bitPattern }
    case .signedOfFloat: each(result, a) { UInt32(bitPattern: Self.signed(Float(bitPattern: $0))) }
    case .unsignedOfFloat: each(result, a) { Self.unsigned(Float(bitPattern: $0)) }
    case .copy: each(result, a) { $0 }
    }
  }

  /// The same with what Vulkan leaves to a device.
  private func computeVariant(_ operation: Operation, _ result: Register, _ a: Register, _ b: Register) {
    spread(a)
    spread(b)
    let (x, y, z) = (row(a), row(b), row(result))
    for lane in 0..<span {
      let one = flushed(x[lane]), other = flushed(y[lane])
      // One lane at a time, by the operations of whole registers.
      var word = Self.scalar(operation, one, other)
      if operation.isFloatArithmetic {
        word = flushed(word)
        if variant.flipsZeros, word & 0x7fff_ffff == 0 { word ^= 0x8000_0000 }
      }
      z[lane] = word
    }
    isUniform[result] = false
  }

  private func flushed(_ word: UInt32) -> UInt32 {
    variant.flushesSubnormals && word & 0x7f80_0000 == 0 ? word & 0x8000_0000 : word
  }

  private static func scalar(_ operation: Operation, _ a: UInt32, _ b: UInt32) -> UInt32 {
    let (x, y) = (Float(bitPattern: a), Float(bitPattern: b))
    func flag(_ value: Bool) -> UInt32 { value ? .max : 0 }
    return switch operation {
    case .floatAdd: (x + y).bitPattern
    case .floatSub: (x - y).bitPattern
    case .floatMul: (x * y).bitPattern
    case .floatNegate: a ^ 0x8000_0000
    case .floatAbs: a & 0x7fff_ffff
    case .floatFloor: x.rounded(.down).bitPattern
    case .floatCeil: x.rounded(.up).bitPattern
    case .floatTrunc: x.rounded(.towardZero).bitPattern
    case .floatMin: y < x ? b : a
    case .floatMax: x < y ? b : a
    case .floatEqual: flag(x == y)
    case .floatNotEqual: flag(x < y || x > y)
    case .floatUnorderedNotEqual: flag(x != y)
    case .floatLess: flag(x < y)
    case .floatLessEqual: flag(x <= y)
    case .signedOfFloat: UInt32(bitPattern: signed(x))
    case .unsignedOfFloat: unsigned(x)
    default: a
    }
  }

  /// Towards zero; at the ends of what fits where it does not.
  private static func signed(_ x: Float) -> Int32 {
    x >= 2_147_483_648 ? .max : x >= -2_147_483_648 ? Int32(x) : x < 0 ? .min : 0
  }

  private static func unsigned(_ x: Float) -> UInt32 { x >= 4_294_967_296 ? .max : x > -1 ? UInt32(x) : 0 }

  // MARK: Loops

  private typealias Floats = SIMD8<Float>
  private typealias Integers = SIMD8<UInt32>

  @inline(__always) private func signed(_ x: Integers) -> SIMD8<Int32> { SIMD8<Int32>(truncatingIfNeeded: x) }

  @inline(__always)
  private func at<Vector>(_ register: Register, _ type: Vector.Type) -> UnsafeMutablePointer<Vector> {
    UnsafeMutableRawPointer(row(register)).assumingMemoryBound(to: Vector.self)
  }

  /// Both operands by vectors of eight lanes.
  @inline(__always)
  private func pairs<Vector, Result>(
    _ result: Register, _ a: Register, _ b: Register, _ operation: (Vector, Vector) -> Result
  ) where Vector: SIMD, Vector.Scalar: BitwiseCopyable {
    let (x, y, z) = (at(a, Vector.self), at(b, Vector.self), at(result, Result.self))
    switch (isUniform[a], isUniform[b]) {
    case (true, true):
      z[0] = operation(x[0], y[0])
      isUniform[result] = true
      return
    case (false, false): for index in 0..<span / 8 { z[index] = operation(x[index], y[index]) }
    case (true, false):
      let value = Vector(repeating: x[0][0])
      for index in 0..<span / 8 { z[index] = operation(value, y[index]) }
    case (false, true):
      let value = Vector(repeating: y[0][0])
      for index in 0..<span / 8 { z[index] = operation(x[index], value) }
    }
    isUniform[result] = false
  }

  @inline(__always)
  private func floats(_ result: Register, _ a: Register, _ b: Register, _ operation: (Floats, Floats) -> Floats) {
    pairs(result, a, b, operation)
  }

  @inline(__always)
  private func integers(
    _ result: Register, _ a: Register, _ b: Register, _ operation: (Integers, Integers) -> Integers
  ) {
    pairs(result, a, b, operation)
  }

  @inline(__always)
  private func compare(
    _ result: Register, _ a: Register, _ b: Register, _ operation: (Floats, Floats) -> SIMDMask<SIMD8<Int32>>
  ) {
    pairs(result, a, b) { (x: Floats, y: Floats) in
      Integers(repeating: 0).replacing(with: .max, where: operation(x, y))
    }
  }

  @inline(__always)
  private func compareIntegers(
    _ result: Register, _ a: Register, _ b: Register, _ operation: (Integers, Integers) -> SIMDMask<SIMD8<Int32>>
  ) {
    pairs(result, a, b) { (x: Integers, y: Integers) in
      Integers(repeating: 0).replacing(with: .max, where: operation(x, y))
    }
  }

  /// Of two words, one lane after the other.
  @inline(__always)
  private func pairsOfWords(
    _ result: Register, _ a: Register, _ b: Register, _ operation: (UInt32, UInt32) -> UInt32
  ) {
    spread(a)
    spread(b)
    let (x, y, z) = (row(a), row(b), row(result))
    for lane in 0..<span { z[lane] = operation(x[lane], y[lane]) }
    isUniform[result] = false
  }

  @inline(__always)
  private func each(_ result: Register, _ a: Register, _ operation: (UInt32) -> UInt32) {
    let (x, z) = (row(a), row(result))
    let count = isUniform[a] ? 1 : span
    for lane in 0..<count { z[lane] = operation(x[lane]) }
    isUniform[result] = isUniform[a]
  }

  @inline(__always)
  private func eachFloat(_ result: Register, _ a: Register, _ operation: (Float) -> Float) {
    each(result, a) { operation(Float(bitPattern: $0)).bitPattern }
  }
}

extension Operation {
  /// Operations that may flush and whose zeros have a sign.
  var isFloatArithmetic: Bool { rawValue <= Operation.floatMul.rawValue }
  /// Operations that read numbers, which a device may flush.
  var takesFloats: Bool {
    switch self {
    case .floatEqual, .floatNotEqual, .floatLess, .floatLessEqual, .floatUnorderedNotEqual, .floatMin, .floatMax,
      .floatFloor,
      .floatCeil, .floatTrunc, .signedOfFloat, .unsignedOfFloat:
      true
    default: false
    }
  }
}
