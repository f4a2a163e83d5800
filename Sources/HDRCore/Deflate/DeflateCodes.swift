/// The Huffman codes of a Deflate block: of literals and lengths, then of distances. Source: RFC 1951, 3.2.
///
/// Every code is made of counts by the same steps here and in deflate_codes.glsl: the lengths of a tree, of which all counts are
/// halved until none has more than 15 bits.
package struct DeflateCodes: Sendable, Hashable {
  /// The number of symbols of literals and lengths, and of distances: none is farther than a segment is long.
  package static let literals = 286, distances = 24, count = literals + distances
  /// The symbol that ends a block.
  package static let endOfBlock = 256
  private static let mostBits = 15
  /// The bits of a block's head: type, numbers of codes, lengths of the codes of lengths, lengths.
  package static let headBits = 3 + 5 + 5 + 4 + 3 * 19 + 4 * count

  /// A word for each symbol: its code, the first bit the highest, below its length; 0 for symbols that do not occur.
  package let words: [UInt32]

  /// Makes the codes of symbols that occur so often.
  ///
  /// - Parameter counts: of all symbols. The end of block, literal 0 and the first two distances count once at least: so
  ///   each tree has two codes, and is complete.
  package init(counts: UnsafeBufferPointer<UInt32>) {
    func count(_ symbol: Int) -> UInt32 { max(counts[symbol], Self.isForced(symbol) ? 1 : 0) }
    words = [0..<Self.literals, Self.literals..<Self.count].flatMap { Self.codes($0.map(count)) }
  }

  package static func isForced(_ symbol: Int) -> Bool {
    symbol == 0 || symbol == endOfBlock || symbol == literals || symbol == literals + 1
  }

  /// Returns the codes of one tree's symbols.
  private static func codes(_ counts: [UInt32]) -> [UInt32] {
    let order = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
    var lengths = [Int](repeating: 0, count: counts.count), shift: UInt32 = 0, sorted: [UInt32]
    repeat {
      // Halved and rounded up, counts stay in order.
      sorted = treeLengths(order.map { (counts[$0] - 1) >> shift + 1 })
      shift += 1
    } while sorted[0] > mostBits
    for (place, symbol) in order.enumerated() { lengths[symbol] = Int(sorted[place]) }
    // Codes of a length follow each other in the order of symbols (RFC 1951, 3.2.2).
    var numbers = [UInt32](repeating: 0, count: mostBits + 1), next = numbers
    for length in lengths where length > 0 { numbers[length] += 1 }
    for length in 1...mostBits { next[length] = (next[length - 1] + numbers[length - 1]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[length] += 1 }
      return next[length] | UInt32(length) << 16
    }
  }

  /// Returns the lengths of codes of two symbols or more, the rarest first, in the place of their counts.
  ///
  /// Source: Moffat and Katajainen, In-place calculation of minimum-redundancy codes (1995).
  private static func treeLengths(_ counts: [UInt32]) -> [UInt32] {
    var a = counts
    let n = a.count
    var root = 0, leaf = 0
    for next in 0..<n - 1 {
      for part in 0..<2 {
        let takesTree = leaf >= n || root < next && a[root] < a[leaf]
        let weight = takesTree ? a[root] : a[leaf]
        if takesTree {
          a[root] = UInt32(next)
          root += 1
        } else {
          leaf += 1
        }
        a[next] = part == 0 ? weight : a[next] + weight
      }
    }
    // The depths of inner nodes, then of leaves.
    a[n - 2] = 0
    for next in stride(from: n - 3, through: 0, by: -1) { a[next] = a[Int(a[next])] + 1 }
    var open = 1, depth: UInt32 = 0
    root = n - 2
    leaf = n - 1
    while open > 0 {
      var inner = 0
      while root >= 0, a[root] == depth {
        inner += 1
        root -= 1
      }
      for _ in inner..<open {
        a[leaf] = depth
        leaf -= 1
      }
      open = 2 * inner
      depth += 1
    }
    return a
  }
}
