/// Gives the same pseudo-random numbers on every machine (xorshift64, Marsaglia 2003).
package struct XorShift {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
