import HDRCore
import HDRPlan
import Kernels

extension LightFigures {
  /// Takes what was measured of so many pixels (`Measurement.light`).
  package init(_ sums: PixelSums, pixels: Int) {
    self.init(total: pixels, outside: sums.atBound, largest: Int(sums.extremes[0]), sum: sums.light)
  }
}

extension GPURenderer {
  /// Returns the half that is the largest but so many of the pixels' largest components: digit after digit is found by
  /// counting, and no more than counts comes back.
  ///
  /// - Parameter plan: makes halves.
  /// - Throws: as `measure`.
  package func pattern(above: Int, of plan: Plan, deadline: Deadline = .none) throws(GPUError) -> Int {
    var left = above, prefix = 0
    for shift in [10, 5, 0] {
      let counts = try measure(plan, .digits(shift: shift, prefix: prefix), deadline: deadline).digits
      let found = counts.indices.last { digit in
        left -= counts[digit]
        return left < 0
      }
      guard let found else { throw .mismatch(device: device.name, words: 1, first: "counts of light") }
      left += counts[found]
      prefix = prefix << 5 | found
    }
    return prefix
  }
}
