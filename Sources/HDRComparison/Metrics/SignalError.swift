import HDRCore

/// The sum of squared differences of integer codes, for a peak signal-to-noise ratio.
package struct SignalError: Sendable, Hashable {
  package private(set) var squares: UInt64 = 0
  package private(set) var count = 0

  package init() {}

  /// Adds the difference of two codes of at most 16 bits.
  @inline(__always) mutating func add(_ a: Int, _ b: Int) {
    squares += UInt64((a - b) * (a - b))
    count += 1
  }

  mutating func merge(_ other: SignalError) {
    squares += other.squares
    count += other.count
  }

  /// Returns the ratio in dB for signals of a peak; infinite for equal ones.
  package func decibels(peak: Double) -> Double {
    squares == 0 ? .infinity : 10 * ExactMath.log10(peak * peak * Double(count) / Double(squares))
  }
}
