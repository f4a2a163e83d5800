/// Loops over the lanes of a strip, eight at a time, built for plain x86-64 and for x86-64-v3. A row is as long as its
/// strip. In a row of one value for all lanes, only the first word counts.
package enum Lanes {
  package typealias Row = UnsafeMutablePointer<UInt32>

  /// Runs an operation over rows whose lanes differ, or over one such row and one value.
  ///
  /// - Parameters:
  ///   - code: a `LaneOperation`.
  ///   - isOneX, isOneY: `x` or `y` has one value; not both.
  ///   - count: lanes, a multiple of 8.
  package static func compute(
    _ code: UInt8, _ z: Row, _ x: Row, _ y: Row, _ isOneX: Bool, _ isOneY: Bool, _ count: Int
  ) {
    let loop = Loop(z: z, x: x, y: y, isOneX: isOneX, isOneY: isOneY, count: count)
    switch LaneOperation(rawValue: code) ?? .copy {
    case .floatAdd: loop.floats { $0 + $1 }
    case .floatSub: loop.floats { $0 - $1 }
    case .floatMul: loop.floats { $0 * $1 }
    case .floatNegate: loop.each { $0 ^ 0x8000_0000 }
    case .floatAbs: loop.each { $0 & 0x7fff_ffff }
    case .floatFloor: loop.eachFloat { $0.rounded(.down) }
    case .floatCeil: loop.eachFloat { $0.rounded(.up) }
    case .floatTrunc: loop.eachFloat { $0.rounded(.towardZero) }
    case .floatMin: loop.floats { $0.replacing(with: $1, where: $1 .< $0) }
    case .floatMax: loop.floats { $0.replacing(with: $1, where: $0 .< $1) }
    case .floatEqual: loop.compareFloats { $0 .== $1 }
    case .floatNotEqual: loop.compareFloats { ($0 .< $1) .| ($0 .> $1) }
    case .floatUnorderedNotEqual: loop.compareFloats { $0 .!= $1 }
    case .floatLess: loop.compareFloats { $0 .< $1 }
    case .floatLessEqual: loop.compareFloats { $0 .<= $1 }
    case .intAdd: loop.integers { $0 &+ $1 }
    case .intSub: loop.integers { $0 &- $1 }
    case .intMul: loop.integers { $0 &* $1 }
    case .intNegate: loop.each { 0 &- $0 }
    case .intNot, .logicalNot: loop.each { ~$0 }
    case .intAnd: loop.integers { $0 & $1 }
    case .intOr: loop.integers { $0 | $1 }
    case .intXor: loop.integers { $0 ^ $1 }
    case .intShiftLeft: loop.integers { $0 &<< $1 }
    case .intShiftRight: loop.integers { $0 &>> $1 }
    case .intShiftRightSigned: loop.integers { Integers(truncatingIfNeeded: signed($0) &>> signed($1)) }
    case .intDivide: loop.words { $1 == 0 ? 0 : $0 / $1 }
    case .intRemainder: loop.words { $1 == 0 ? 0 : $0 % $1 }
    case .intDivideSigned:
      loop.words {
        let (x, y) = (Int64(Int32(bitPattern: $0)), Int64(Int32(bitPattern: $1)))
        return UInt32(truncatingIfNeeded: y == 0 ? 0 : x / y)
      }
    case .intEqual: loop.compare { $0 .== $1 }
    case .intNotEqual: loop.compare { $0 .!= $1 }
    case .intLess: loop.compare { $0 .< $1 }
    case .intLessEqual: loop.compare { $0 .<= $1 }
    case .intLessSigned: loop.compare { signed($0) .< signed($1) }
    case .intLessEqualSigned: loop.compare { signed($0) .<= signed($1) }
    case .intMin: loop.integers { $0.replacing(with: $1, where: $1 .< $0) }
    case .intMax: loop.integers { $0.replacing(with: $1, where: $0 .< $1) }
    case .intMinSigned: loop.integers { $0.replacing(with: $1, where: signed($1) .< signed($0)) }
    case .intMaxSigned: loop.integers { $0.replacing(with: $1, where: signed($0) .< signed($1)) }
    case .intAbs:
      loop.each {
        UInt32(bitPattern: Int32(bitPattern: $0) < 0 ? 0 &- Int32(bitPattern: $0) : Int32(bitPattern: $0))
      }
    case .floatOfSigned: loop.each { Float(Int32(bitPattern: $0)).bitPattern }
    case .floatOfUnsigned: loop.each { Float($0).bitPattern }
    case .signedOfFloat: loop.each { UInt32(bitPattern: signed(Float(bitPattern: $0))) }
    case .unsignedOfFloat: loop.each { unsigned(Float(bitPattern: $0)) }
    case .copy: z.update(from: x, count: count)
    }
  }

  /// Chooses x where the mask is set, else y; each lane of the mask has all bits set or none.
  package static func select(
    _ z: Row, _ mask: Row, _ x: Row, _ y: Row, _ isOneX: Bool, _ isOneY: Bool, _ count: Int
  ) {
    let masks = vectors(mask)
    let (a, b, c) = (vectors(x), vectors(y), vectors(z))
    let (one, other) = (Integers(repeating: x[0]), Integers(repeating: y[0]))
    switch (isOneX, isOneY) {
    case (false, false): for i in 0..<count / 8 { c[i] = choose(masks[i], a[i], b[i]) }
    case (true, false): for i in 0..<count / 8 { c[i] = choose(masks[i], one, b[i]) }
    case (false, true): for i in 0..<count / 8 { c[i] = choose(masks[i], a[i], other) }
    case (true, true): for i in 0..<count / 8 { c[i] = choose(masks[i], one, other) }
    }
  }

  // MARK: Shapes of loops

  @inline(__always) private static func choose(_ m: Integers, _ a: Integers, _ b: Integers) -> Integers {
    m & a | ~m & b
  }

  fileprivate typealias Floats = SIMD8<Float>
  fileprivate typealias Integers = SIMD8<UInt32>

  @inline(__always) private static func signed(_ x: Integers) -> SIMD8<Int32> {
    SIMD8<Int32>(truncatingIfNeeded: x)
  }

  /// Rounds towards zero; numbers that do not fit become the nearest Int32.
  @inline(__always) private static func signed(_ x: Float) -> Int32 {
    x >= 2_147_483_648 ? .max : x >= -2_147_483_648 ? Int32(x) : x < 0 ? .min : 0
  }

  @inline(__always) private static func unsigned(_ x: Float) -> UInt32 {
    x >= 4_294_967_296 ? .max : x > -1 ? UInt32(x) : 0
  }

  @inline(__always) private static func vectors(_ row: Row) -> UnsafeMutablePointer<Integers> {
    UnsafeMutableRawPointer(row).assumingMemoryBound(to: Integers.self)
  }

  private struct Loop {
    let z: Row, x: Row, y: Row, isOneX: Bool, isOneY: Bool, count: Int

    @inline(__always)
    private func pairs<Vector, Result>(_ operation: (Vector, Vector) -> Result)
    where Vector: SIMD, Vector.Scalar: BitwiseCopyable {
      let a = UnsafeMutableRawPointer(x).assumingMemoryBound(to: Vector.self)
      let b = UnsafeMutableRawPointer(y).assumingMemoryBound(to: Vector.self)
      let c = UnsafeMutableRawPointer(z).assumingMemoryBound(to: Result.self)
      if isOneX {
        let value = Vector(repeating: a[0][0])
        for i in 0..<count / 8 { c[i] = operation(value, b[i]) }
      } else if isOneY {
        let value = Vector(repeating: b[0][0])
        for i in 0..<count / 8 { c[i] = operation(a[i], value) }
      } else {
        for i in 0..<count / 8 { c[i] = operation(a[i], b[i]) }
      }
    }

    @inline(__always) func floats(_ operation: (Floats, Floats) -> Floats) { pairs(operation) }
    @inline(__always) func integers(_ operation: (Integers, Integers) -> Integers) { pairs(operation) }

    @inline(__always) func compareFloats(_ operation: (Floats, Floats) -> SIMDMask<SIMD8<Int32>>) {
      pairs { (x: Floats, y: Floats) in Integers(repeating: 0).replacing(with: .max, where: operation(x, y)) }
    }

    @inline(__always) func compare(_ operation: (Integers, Integers) -> SIMDMask<SIMD8<Int32>>) {
      pairs { (x: Integers, y: Integers) in Integers(repeating: 0).replacing(with: .max, where: operation(x, y)) }
    }

    /// Applies an operation to pairs of words, one lane after the other.
    @inline(__always) func words(_ operation: (UInt32, UInt32) -> UInt32) {
      // The result's row may be that of an operand.
      let one = x[0], other = y[0]
      for i in 0..<count { z[i] = operation(isOneX ? one : x[i], isOneY ? other : y[i]) }
    }

    @inline(__always) func each(_ operation: (UInt32) -> UInt32) { for i in 0..<count { z[i] = operation(x[i]) } }

    @inline(__always) func eachFloat(_ operation: (Float) -> Float) {
      each { operation(Float(bitPattern: $0)).bitPattern }
    }
  }
}
