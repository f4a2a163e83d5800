/// Conversions and sums for loops over pixels, which machines run on several pixels at a time: `Int32(x)` checks its
/// range, which one pixel at a time does, and a loop with numbers of 64 bits takes half as many as one of 32.
enum MetricLanes {
  /// Returns x of at least 0 without its fraction.
  @inline(__always) static func truncated(_ x: Float) -> Float {
    // Adding 2^23 rounds to nearest; larger numbers have no fraction.
    let nearest = (x + 0x1p23) - 0x1p23, below = nearest > x ? nearest - 1 : nearest
    return x < 0x1p23 ? below : x
  }

  /// Returns x of at least 0 and less than 2^23 without its fraction, as an integer.
  @inline(__always) static func integer(_ x: Float) -> UInt32 {
    (truncated(x) + 0x1p23).bitPattern & 0x7f_ffff
  }

  /// Returns the sum of integers.
  static func sum(_ integers: [Float]) -> Int64 {
    // The bits of doubles near this one are integers one apart, which are added without being taken apart.
    let zero = 0x1.8p52
    var sum: UInt64 = 0
    for x in integers { sum = sum &+ (Double(x) + zero).bitPattern }
    return Int64(bitPattern: sum &- UInt64(integers.count) &* zero.bitPattern)
  }

  /// Returns the sum of the squares of numbers.
  static func squares(_ numbers: [UInt32]) -> UInt64 {
    var sum: UInt64 = 0
    for x in numbers { sum = sum &+ UInt64(x) &* UInt64(x) }
    return sum
  }
}
