import HDRCore

/// Expands a raw deflate stream (RFC 1951) into as many bytes as are known to come, in code that checks every index: for
/// files that are read outside of codec processes.
package struct Inflater {
  private let bytes: ArraySlice<UInt8>
  private let place: String
  private var position: Int
  /// Bits that are read from `bytes` but not taken; the next one is the lowest.
  private var pending: UInt64 = 0
  private var pendingCount = 0
  private var made: [UInt8] = []
  private let count: Int

  /// The most bytes that a byte of a stream may become: 258 of two bits.
  private static let mostGrowth = 1032

  /// Returns the bytes of a stream.
  ///
  /// - Parameter count: the number of bytes that it must have.
  /// - Throws: `DecodeError` for another number, and for a stream that is damaged.
  package static func inflated(
    _ bytes: ArraySlice<UInt8>, count: Int, place: String
  ) throws(DecodeError) -> [UInt8] {
    guard count >= 0, count <= (bytes.count + 1) * mostGrowth else {
      throw .malformed(where: place, what: "\(bytes.count) bytes cannot become \(count)")
    }
    var inflater = Inflater(bytes, count: count, place: place)
    while try !inflater.block() {}
    guard inflater.made.count == count else {
      throw .malformed(where: place, what: "the stream has \(inflater.made.count) bytes and not \(count)")
    }
    return inflater.made
  }

  private init(_ bytes: ArraySlice<UInt8>, count: Int, place: String) {
    (self.bytes, self.count, self.place, position) = (bytes, count, place, bytes.startIndex)
    made.reserveCapacity(count)
  }

  private func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }

  private mutating func fill() {
    while pendingCount <= 56, position < bytes.endIndex {
      pending |= UInt64(bytes[position]) << UInt64(pendingCount)
      pendingCount += 8
      position += 1
    }
  }

  private mutating func bits(_ wanted: Int) throws(DecodeError) -> Int {
    if pendingCount < wanted { fill() }
    guard wanted <= pendingCount else { throw .truncated(where: place) }
    let value = Int(pending & (1 << UInt64(wanted) - 1))
    pending >>= UInt64(wanted)
    pendingCount -= wanted
    return value
  }

  private mutating func symbol(_ code: PrefixCode) throws(DecodeError) -> Int {
    if pendingCount < 15 { fill() }
    let (symbol, length) = code.first(of: pending)
    guard length > 0 else { throw fault("a code that its block does not define") }
    guard length <= pendingCount else { throw .truncated(where: place) }
    pending >>= UInt64(length)
    pendingCount -= length
    return symbol
  }

  /// Expands a block; returns true for the last one.
  private mutating func block() throws(DecodeError) -> Bool {
    let isLast = try bits(1) == 1
    switch try bits(2) {
    case 0: try stored()
    case 1: try coded(.fixedLengths, .fixedDistances)
    case 2:
      let codes = try codes()
      try coded(codes.lengths, codes.distances)
    default: throw fault("a block of an unknown kind")
    }
    return isLast
  }

  private mutating func stored() throws(DecodeError) {
    _ = try bits(pendingCount & 7)
    let length = try bits(16)
    guard try bits(16) == length ^ 0xffff else { throw fault("a stored block of two lengths") }
    guard length <= count - made.count else { throw fault("the stream has more than \(count) bytes") }
    for _ in 0..<length { made.append(UInt8(try bits(8))) }
  }

  /// Reads the codes of a block.
  private mutating func codes() throws(DecodeError) -> (lengths: PrefixCode, distances: PrefixCode) {
    let lengthCount = try bits(5) + 257, distanceCount = try bits(5) + 1, codeCount = try bits(4) + 4
    var widths = [UInt8](repeating: 0, count: 19)
    for index in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(codeCount) {
      widths[index] = UInt8(try bits(3))
    }
    let code = try prefixCode(widths)
    widths = []
    while widths.count < lengthCount + distanceCount {
      switch try symbol(code) {
      case 16:
        guard let last = widths.last else { throw fault("a width is repeated before there is one") }
        widths += [UInt8](repeating: last, count: try bits(2) + 3)
      case 17: widths += [UInt8](repeating: 0, count: try bits(3) + 3)
      case 18: widths += [UInt8](repeating: 0, count: try bits(7) + 11)
      case let width: widths.append(UInt8(width))
      }
    }
    guard widths.count == lengthCount + distanceCount, lengthCount <= 286, distanceCount <= 30, widths[256] > 0 else {
      throw fault("the widths of a block's codes are too many, or its end has none")
    }
    return (try prefixCode(Array(widths[..<lengthCount])), try prefixCode(Array(widths[lengthCount...])))
  }

  private func prefixCode(_ widths: [UInt8]) throws(DecodeError) -> PrefixCode {
    guard let code = PrefixCode(widths) else { throw fault("the widths of a block's codes contradict each other") }
    return code
  }

  private mutating func coded(_ lengths: PrefixCode, _ distances: PrefixCode) throws(DecodeError) {
    while true {
      let symbol = try symbol(lengths)
      if symbol == 256 { return }
      guard symbol > 256 else {
        guard made.count < count else { throw fault("the stream has more than \(count) bytes") }
        made.append(UInt8(symbol))
        continue
      }
      guard symbol <= 285 else { throw fault("a length that is not defined") }
      let length = try Self.lengthBases[symbol - 257] + bits(Self.lengthBits[symbol - 257])
      let far = try self.symbol(distances)
      guard far < 30 else { throw fault("a distance that is not defined") }
      let distance = try Self.distanceBases[far] + bits(max(0, far / 2 - 1))
      guard distance <= made.count else { throw fault("a copy from before the stream") }
      guard length <= count - made.count else { throw fault("the stream has more than \(count) bytes") }
      let from = made.count - distance
      for i in 0..<length { made.append(made[from + i]) }
    }
  }

  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]
}
