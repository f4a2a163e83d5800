import HDRCore

/// The sum of squared differences of integer codes, for a peak signal-to-noise ratio.
package struct SignalError: Sendable, Hashable {
  package private(set) var squares: UInt64 = 0
  package private(set) var count = 0

  package init() {}

  /// Adds a number of squared differences.
  mutating func add(squares: UInt64, count: Int) {
    self.squares += squares
    self.count += count
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
