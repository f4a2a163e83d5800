import HDRCore

/// Stage `place_table`: R, G, B times, or plus, the numbers of a small table over the stored picture, bilinear between
/// them: a sensor's gain maps, numbers of rows or columns, and patterns of black.
public enum PlaceTable: KernelStage {
  public struct Parameters: StageParameters {
    /// `isSum`: added, not multiplied. Bit c of `channels`: channel c is changed.
    public let isSum: UInt32, channels: UInt32
    /// The offsets of `axis` for columns and rows of the picture, and of the numbers, row by row, `width` in each.
    public let columns: UInt32, rows: UInt32, numbers: UInt32, width: UInt32

    package init(isSum: UInt32, channels: UInt32, columns: UInt32, rows: UInt32, numbers: UInt32, width: UInt32) {
      (self.isSum, self.channels, self.columns, self.rows, self.numbers, self.width) = (
        isSum, channels, columns, rows, numbers, width
      )
    }
  }

  /// The first word of a column or row that is not changed.
  @usableFromInline static let none: UInt32 = 0xffff_ffff

  /// Returns two of `count` numbers of the table and the share of the second for each column or row, three words each.
  ///
  /// - Parameters:
  ///   - area: the columns or rows that are changed, every `pitch`th from the first; `nil`: all.
  ///   - place: the place in numbers of the table; beyond its ends they are repeated.
  package static func axis(
    _ size: Int, count: Int, area: (range: Range<Int>, pitch: Int)? = nil, _ place: (Int) -> Double
  ) -> [UInt32] {
    (0..<size).flatMap { at -> [UInt32] in
      if let area, !area.range.contains(at) || (at - area.range.lowerBound) % area.pitch != 0 {
        return [none, none, 0]
      }
      let inside = min(max(place(at), 0), Double(count - 1)), low = Int(inside)
      return [low.word, min(low + 1, count - 1).word, (inside - Double(low)).word]
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), from = c.source(s.x, s.y), n = s.padded, isSum = words.isSum != 0
    let columns = c.tables + Int(words.columns), rows = c.tables + Int(words.rows)
    let numbers = c.table(at: words.numbers), width = Int(words.width), found = s.scratch(0)
    let neutral: Float = isSum ? 0 : 1
    for i in 0..<n { found[i] = neutral }
    for i in 0..<s.count {
      let column = columns + 3 &* (from.x &+ i &* c.mapping.columnX)
      let row = rows + 3 &* (from.y &+ i &* c.mapping.columnY)
      if column[0] == none || row[0] == none { continue }
      let right = Float(bitPattern: column[2]), down = Float(bitPattern: row[2])
      let left = 1 - right, up = 1 - down, x0 = Int(column[0]), x1 = Int(column[1])
      let above = numbers + Int(row[0]) &* width, below = numbers + Int(row[1]) &* width
      found[i] = (above[x0] * left + above[x1] * right) * up + (below[x0] * left + below[x1] * right) * down
    }
    for channel in 0..<3 where (words.channels &>> UInt32(channel)) & 1 != 0 {
      let p = s.plane(channel)
      if isSum {
        for i in 0..<n { p[i] = p[i] + found[i] }
      } else {
        for i in 0..<n { p[i] = p[i] * found[i] }
      }
    }
  }
}
