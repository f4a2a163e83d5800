/// The largest PQ code of 16 bits in each row and column of a clip: what is dark in all frames is a border.
package struct EdgeLight: Sendable, Hashable {
  package var rows: [Int]
  package var columns: [Int]

  /// The largest signal of a border, 0.03, as a code.
  package static let dark = 1966

  package init(rows: [Int], columns: [Int]) { (self.rows, self.columns) = (rows, columns) }

  /// Returns the light of this and another frame, or of many; `nil` if the size is another one, or not known.
  package func merged(_ other: EdgeLight?) -> EdgeLight? {
    guard let other, (rows.count, columns.count) == (other.rows.count, other.columns.count) else { return nil }
    return EdgeLight(rows: zip(rows, other.rows).map(max), columns: zip(columns, other.columns).map(max))
  }

  /// The area within the borders; the whole picture if all of it is dark.
  package var activeArea: ActiveArea {
    func extent(_ lines: [Int]) -> Range<Int>? {
      let bright = lines.indices.filter { lines[$0] > Self.dark }
      guard let first = bright.first, let last = bright.last else { return nil }
      return first..<last + 1
    }
    guard let rows = extent(rows), let columns = extent(columns) else {
      return ActiveArea(rows: 0..<rows.count, columns: 0..<columns.count)
    }
    return ActiveArea(rows: rows, columns: columns)
  }
}

/// The part of a picture whose pixels count.
package struct ActiveArea: Sendable, Hashable {
  package var rows: Range<Int>
  package var columns: Range<Int>

  package init(rows: Range<Int>, columns: Range<Int>) { (self.rows, self.columns) = (rows, columns) }

  /// Makes the area that level 5 of Dolby Vision states; `nil` if nothing is left.
  package init?(_ borders: DolbyDisplay.Borders, width: Int, height: Int) {
    guard borders.top + borders.bottom < height, borders.left + borders.right < width else { return nil }
    self.init(rows: borders.top..<height - borders.bottom, columns: borders.left..<width - borders.right)
  }

  /// Returns the pixels of a picture that do not count.
  package func ignored(width: Int, height: Int) -> Int { width * height - rows.count * columns.count }
}
