/// The literals and matches of a segment: the twin of deflate_tokens.glsl.
///
/// A match repeats four bytes or more of the same segment. The place of the last bytes with the same hash is tried, and no
/// other.
package struct DeflateSegment {
  /// The number of bits of a hash, and the shortest and the longest match.
  private static let hashBits = 8, leastMatch = 4, mostMatch = 258

  /// Halves of words: a literal, or a length above `matchFlag` and a distance. There is room for those of a segment.
  package let tokens: UnsafeMutablePointer<UInt16>
  package let tokenCount: Int
  /// The number of times that each symbol of `DeflateCodes` occurs, added to what was there.
  package let counts: UnsafeMutablePointer<UInt32>
  package static let matchFlag: UInt16 = 0x8000

  /// Finds the matches of at most `DeflateLayout.segmentBytes` bytes.
  package init(
    _ bytes: UnsafePointer<UInt8>, count: Int, tokens: UnsafeMutablePointer<UInt16>,
    counts: UnsafeMutablePointer<UInt32>
  ) {
    (self.tokens, self.counts) = (tokens, counts)
    tokenCount = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 1 << Self.hashBits) { places in
      // A place is the number of a byte, plus one.
      places.initialize(repeating: 0)
      let places = places.baseAddress!
      // The last byte that begins a match.
      let last = count - Self.leastMatch
      var at = 0, tokenCount = 0
      while at < count {
        var length = 0, distance = 0
        if at <= last {
          let hash = Self.hash(bytes + at), place = Int(places[hash])
          places[hash] = UInt16(truncatingIfNeeded: at &+ 1)
          if place > 0 {
            distance = at &+ 1 &- place
            length = Self.length(bytes + at, distance, most: min(count &- at, Self.mostMatch))
          }
        }
        if length < Self.leastMatch {
          tokens[tokenCount] = UInt16(bytes[at])
          tokenCount &+= 1
          counts[Int(bytes[at])] &+= 1
          at &+= 1
          continue
        }
        tokens[tokenCount] = UInt16(truncatingIfNeeded: length) | Self.matchFlag
        tokens[tokenCount &+ 1] = UInt16(truncatingIfNeeded: distance)
        tokenCount &+= 2
        counts[Self.symbol(length: length).symbol] &+= 1
        counts[Self.symbol(distance: distance).symbol] &+= 1
        let end = at &+ length
        at &+= 1
        while at < end {
          if at <= last { places[Self.hash(bytes + at)] = UInt16(truncatingIfNeeded: at &+ 1) }
          at &+= 1
        }
      }
      return tokenCount
    }
  }

  /// Returns the hash of four bytes.
  @inline(__always)
  private static func hash(_ bytes: UnsafePointer<UInt8>) -> Int {
    let four = UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
    return Int((four &* 0x9e37_79b1) >> UInt32(32 - hashBits))
  }

  /// Returns the number of bytes, at most `most`, that equal those at a distance before them.
  @inline(__always)
  private static func length(_ bytes: UnsafePointer<UInt8>, _ distance: Int, most: Int) -> Int {
    var length = 0
    while length &+ 8 <= most {
      let here = UnsafeRawPointer(bytes + length).loadUnaligned(as: UInt64.self)
      let before = UnsafeRawPointer(bytes + length - distance).loadUnaligned(as: UInt64.self)
      if here != before { return length &+ (here ^ before).trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    while length < most, bytes[length] == bytes[length - distance] { length &+= 1 }
    return length
  }

  /// Returns the symbol of a length, and the bits that tell it from others with that symbol (RFC 1951, 3.2.5).
  @inline(__always)
  package static func symbol(length: Int) -> (symbol: Int, extra: Int, bits: Int) {
    if length == mostMatch { return (285, 0, 0) }
    let (group, extra, bits) = symbol(of: length - 3, kept: 2)
    return (257 + group, extra, bits)
  }

  /// Returns the symbol of a distance, and the bits that tell it from others with that symbol.
  @inline(__always)
  package static func symbol(distance: Int) -> (symbol: Int, extra: Int, bits: Int) {
    let (group, extra, bits) = symbol(of: distance - 1, kept: 1)
    return (DeflateCodes.literals + group, extra, bits)
  }

  /// Returns the group of a number that keeps its highest bit and some bits below it, and the bits that it does not keep.
  @inline(__always)
  private static func symbol(of number: Int, kept: Int) -> (group: Int, extra: Int, bits: Int) {
    let size = Int.bitWidth - number.leadingZeroBitCount
    if size <= kept + 1 { return (number, 0, 0) }
    let bits = size - 1 - kept
    return (bits << kept + number >> bits, number & (1 << bits - 1), bits)
  }
}
