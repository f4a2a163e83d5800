/// The scan of a baseline JPEG as its file has it, without markers and stuffing, and the tables that decode it.
///
/// A codec process makes it of a file; kernels and their twin decode it (Kernels/JPEG). It is untrusted: whoever decodes
/// it asks `fault` first, and then no number in it leads outside of its arrays or those that are made for its layout.
package struct JPEGSourceScan: Sendable, Hashable {
  /// The most bytes of a stream: places of bits are 31-bit numbers.
  package static let mostBytes = 1 << 27
  /// The bytes behind the stream, which a decoder looks at and never uses.
  package static let padding = 8

  /// A component's part of the tables.
  package struct Tables: Sendable, Hashable {
    /// 64 numbers in zigzag order.
    package var quantisers: [UInt16]
    package var dc: JPEGCodes
    package var ac: JPEGCodes

    package init(quantisers: [UInt16], dc: JPEGCodes, ac: JPEGCodes) {
      self.quantisers = quantisers
      self.dc = dc
      self.ac = ac
    }
  }

  package var width: Int
  package var height: Int
  /// `.none` is one grey component.
  package var chroma: ChromaSubsampling
  package var tables: [Tables]
  /// The MCUs between two restarts of the coder; 0: there are no restarts.
  package var restartInterval: Int
  /// The first byte of each interval in the stream, from 0 up.
  package var starts: [Int]
  /// The bytes of all intervals, each padded to a whole byte by its encoder.
  package var bytes: Int
  /// The stream, its first bit the highest of a word, and `padding` bytes at least.
  package var words: [UInt32]

  package init(
    width: Int, height: Int, chroma: ChromaSubsampling, tables: [Tables], restartInterval: Int, starts: [Int],
    bytes: Int, words: [UInt32]
  ) {
    self.width = width
    self.height = height
    self.chroma = chroma
    self.tables = tables
    self.restartInterval = restartInterval
    self.starts = starts
    self.bytes = bytes
    self.words = words
  }

  package var layout: JPEGLayout { JPEGLayout(width: width, height: height, chroma: chroma) }

  /// The MCUs of an interval but for the last.
  package var mcusOfInterval: Int {
    restartInterval > 0 ? restartInterval : layout.mcuColumns * layout.mcuRows
  }

  /// Returns the first contradiction between numbers; `nil` if kernels may decode the scan.
  package var fault: String? {
    let sides = 1...JPEGOptions.mostSide
    guard sides.contains(width), sides.contains(height) else { return "a picture of \(width)x\(height)" }
    guard tables.count == layout.components.count else { return "tables for \(tables.count) components" }
    for (index, table) in tables.enumerated() {
      guard table.quantisers.count == 64 else { return "\(table.quantisers.count) quantisers" }
      guard table.dc.isPossible, table.ac.isPossible, table.dc.values.allSatisfy({ $0 < 16 }) else {
        return "impossible codes of component \(index)"
      }
    }
    guard (0...0xFFFF).contains(restartInterval) else { return "a restart interval of \(restartInterval)" }
    let mcus = layout.mcuColumns * layout.mcuRows
    // A block has two codes of a bit at least.
    guard 4 * bytes >= layout.blockCount else { return "\(bytes) bytes for \(layout.blockCount) blocks" }
    guard starts.count == (mcus + mcusOfInterval - 1) / mcusOfInterval else { return "\(starts.count) intervals" }
    guard (1...Self.mostBytes).contains(bytes), 4 * words.count >= bytes + Self.padding else {
      return "\(bytes) bytes in \(words.count) words"
    }
    guard starts.first == 0, zip(starts, starts.dropFirst() + [bytes]).allSatisfy({ $0 < $1 }) else {
      return "intervals without bytes"
    }
    return nil
  }
}
