import HDRCore
import Kernels

extension Edit {
  /// Reduces the picture to one pixel, colours not multiplied by alpha.
  mutating func reduce(_ kind: Extreme.Kind) {
    func blocks(_ size: Int, _ side: Int) -> [Range<Int>] {
      stride(from: 0, to: size, by: side).map { $0..<min($0 + side, size) }
    }
    while width > 1 || height > 1 {
      extremes(kind, columns: blocks(width, Extreme.block.width), rows: blocks(height, Extreme.block.height))
    }
  }

  /// Makes each pixel of ranges of columns and of rows, none empty.
  mutating func extremes(_ kind: Extreme.Kind, columns: [Range<Int>], rows: [Range<Int>]) {
    load(
      "extreme", .extreme, width: columns.count, height: rows.count,
      rows: RowScale(
        firstRow: rows.map { Int32($0.lowerBound) }, lastRow: rows.map { Int32($0.upperBound - 1) }),
      tables: [Extreme.table(columns), Extreme.table(rows)]
    ) { channels, tables in Extreme.words(channels: channels, kind, columns: tables[0], rows: tables[1]) }
  }
}
