/// Gives the same pseudo-random numbers on every machine (SplitMix64, Steele et al. 2014).
package struct SplitMix: RandomNumberGenerator {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Returns a number from 0 up to 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
