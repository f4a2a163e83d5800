import HDRCore

/// Codes a baseline scan of the standard's Huffman tables again, with tables of its own symbols: the bytes that the
/// library writes with `optimize_coding`, which its API of version 2 turns on by a variable of the whole process alone.
struct JPEGRecoder {
  private let scan: UnsafeRawBufferPointer
  private let mcus: Int
  /// The number of luma blocks in an MCU, and of all.
  private let lumaOfMCU: Int, blocksOfMCU: Int

  /// - Parameters:
  ///   - scan: the bytes between the scan's header and EOI.
  ///   - jpeg: the structure of the stream, all of whose components are in the scan.
  init(_ scan: UnsafeRawBufferPointer, of jpeg: JPEGStructure) {
    self.scan = scan
    let width = 8 * (jpeg.components.map(\.horizontal).max() ?? 1)
    let height = 8 * (jpeg.components.map(\.vertical).max() ?? 1)
    mcus = ((jpeg.width + width - 1) / width) * ((jpeg.height + height - 1) / height)
    let blocks = jpeg.components.map { $0.horizontal * $0.vertical }
    (lumaOfMCU, blocksOfMCU) = (blocks.first ?? 1, blocks.reduce(0, +))
  }

  /// Returns the codes of all tables and the scan with them; `nil` if the scan is damaged.
  func recoded() -> (codes: [JPEGCodes], bytes: [UInt8])? {
    var frequencies = [Int](repeating: 0, count: JPEGCodeTable.allCases.count << 8)
    let isWhole = frequencies.withUnsafeMutableBufferPointer { frequencies in
      walk { place, _, _ in frequencies[place] &+= 1 }
    }
    guard isWhole else { return nil }
    let codes = JPEGCodeTable.allCases.map {
      JPEGCodes(frequencies: Array(frequencies[$0.rawValue << 8..<($0.rawValue + 1) << 8]))
    }
    var sink = JPEGBitSink()
    sink.reserve(scan.count)
    codes.flatMap { $0.words(count: 256) }.withUnsafeBufferPointer { words in
      _ = walk { place, value, size in
        let word = words[place]
        sink.append((word & 0xFFFF) &<< UInt32(size) | value, Int(word >> 16) &+ size)
      }
    }
    sink.finish()
    return (codes, sink.bytes)
  }

  /// Hands over the symbols in order: the place in the words of all tables, 256 each, and the bits behind the symbol
  /// with their number.
  ///
  /// - Returns: false for a scan with other codes.
  @inline(__always) private func walk(_ take: (_ place: Int, _ value: UInt32, _ size: Int) -> Void) -> Bool {
    var bits = Bits(left: scan)
    return Self.short.withUnsafeBufferPointer { short in
      Self.long.withUnsafeBufferPointer { long in
        for _ in 0..<mcus {
          for block in 0..<blocksOfMCU {
            var table = (block < lumaOfMCU ? JPEGCodeTable.lumaDC : .chromaDC).rawValue, index = 0
            while index < 64 {
              let next = bits.next16()
              var entry = short[table << Self.shortBits | next >> (16 - Self.shortBits)]
              if entry == 0 { entry = long[table << 16 | next] }
              if entry == 0 { return false }
              let symbol = Int(entry & 0xFF), size = symbol & 15
              bits.drop(Int(entry >> 8))
              take(table << 8 | symbol, bits.take(size), size)
              if index == 0 {
                // The tables of AC follow both of DC.
                (table, index) = (table + 2, 1)
              } else {
                // Without a value a run is 16 zeros, or the end of the block.
                index += size > 0 || symbol == 0xF0 ? symbol >> 4 + 1 : 64
              }
            }
          }
        }
        return true
      }
    }
  }

  /// The symbol of the code with which the next bits begin, and its length from bit 8 up; 0: there is no code, or a
  /// longer one. 2^10 and 2^16 entries a table: nearly all codes are short, and a small table stays in the cache.
  private static let shortBits = 10
  private static let long = entries(bits: 16), short = entries(bits: shortBits)

  private static func entries(bits: Int) -> [UInt16] {
    JPEGCodes.standard.flatMap { codes in
      var entries = [UInt16](repeating: 0, count: 1 << bits)
      for (symbol, word) in codes.words(count: 256).enumerated() where word > 0 && word >> 16 <= bits {
        let length = Int(word >> 16), first = Int(word & 0xFFFF) << (bits - length)
        for place in first..<first + 1 << (bits - length) { entries[place] = UInt16(length << 8 | symbol) }
      }
      return entries
    }
  }
}

/// The bits of a scan, without the zeros after bytes 0xFF. Behind its end are zeros.
private struct Bits {
  private var next: UnsafePointer<UInt8>?
  private var left: Int
  private var held: UInt64 = 0
  private var heldBits = 0

  init(left scan: UnsafeRawBufferPointer) {
    (next, left) = (scan.baseAddress?.assumingMemoryBound(to: UInt8.self), scan.count)
  }

  private mutating func byte() -> UInt8 {
    guard left > 0, let place = next else { return 0 }
    let isStuffed = place[0] == 0xFF && left > 1
    next = place + (isStuffed ? 2 : 1)
    left -= isStuffed ? 2 : 1
    return place[0]
  }

  /// Returns the next 16 bits; after them at least 32 more are held.
  @inline(__always) mutating func next16() -> Int {
    if heldBits <= 32, left >= 4, let place = next {
      // Four bytes at once, if none is 0xFF: no byte of the complement is 0.
      let word = UInt32(bigEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
      if (~word &- 0x0101_0101) & word & 0x8080_8080 == 0 {
        held |= UInt64(word) &<< UInt64(32 &- heldBits)
        heldBits &+= 32
        (next, left) = (place + 4, left &- 4)
        return Int(held >> 48)
      }
    }
    while heldBits <= 48 {
      held |= UInt64(byte()) << UInt64(56 - heldBits)
      heldBits += 8
    }
    return Int(held >> 48)
  }

  @inline(__always) mutating func drop(_ count: Int) {
    held <<= UInt64(count)
    heldBits -= count
  }

  /// Returns at most 16 of the bits that `next16` left.
  @inline(__always) mutating func take(_ count: Int) -> UInt32 {
    let bits = UInt32(truncatingIfNeeded: held >> 32) >> UInt32(32 - count)
    drop(count)
    return bits
  }
}
