import VideoStreams

/// Frames a second, as a fraction in lowest terms.
package struct FrameRate: Sendable, Hashable {
  package var numerator: Int
  package var denominator: Int

  package init(_ numerator: Int, _ denominator: Int) { (self.numerator, self.denominator) = (numerator, denominator) }

  package var perSecond: Double { Double(numerator) / Double(denominator) }

  /// Finds the rate of equally distant times; `nil` for others and for fewer than two.
  ///
  /// Steps may differ by a tick of the clock. A clock of milliseconds rounds: the rate is then the usual one, of whole
  /// numbers or those over 1.001, that all times fit within a millisecond.
  ///
  /// - Parameter times: rising.
  package init?(_ times: [Int], _ base: TimeBase) {
    guard times.count > 1, let first = times.first, let last = times.last else { return nil }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    guard let least = steps.min(), let most = steps.max(), least > 0, most - least <= 1 else { return nil }
    if least == most {
      let divisor = Self.common(base.denominator, base.numerator * least)
      self.init(base.denominator / divisor, base.numerator * least / divisor)
      return
    }
    let mean = Double(times.count - 1) / (base.seconds(last) - base.seconds(first))
    let whole = mean.rounded()
    let usual = [FrameRate(Int(whole), 1), FrameRate(Int((mean * 1.001).rounded()) * 1000, 1001)]
    let found = usual.first { rate in
      times.enumerated().allSatisfy { index, time in
        abs(base.seconds(time - first) - Double(index) / rate.perSecond) <= base.seconds(1)
      }
    }
    guard let found, found.numerator > 0 else { return nil }
    self = found
  }

  static func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : common(b, a % b) }
}

extension FrameRate: CustomStringConvertible {
  package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
