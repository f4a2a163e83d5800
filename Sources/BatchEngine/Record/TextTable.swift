/// Columns of text for a terminal, printed a row at a time.
package struct TextTable: Sendable {
  package struct Column: Sendable {
    var title: String
    var width: Int
    var isRight: Bool

    /// A column of numbers, aligned to the right.
    package static func number(_ title: String, _ width: Int = 8) -> Column {
      Column(title: title, width: max(width, title.count), isRight: true)
    }

    /// A column of words, aligned to the left.
    package static func text(_ title: String, _ width: Int) -> Column {
      Column(title: title, width: max(width, title.count), isRight: false)
    }
  }

  private let columns: [Column]

  package init(_ columns: [Column]) { self.columns = columns }

  package var head: String { row(columns.map(\.title)) }

  package func row(_ cells: [String]) -> String {
    var text = zip(columns, cells).map { column, cell in
      let space = String(repeating: " ", count: max(0, column.width - cell.count))
      return column.isRight ? space + cell : cell + space
    }.joined(separator: " ")
    while text.last == " " { text.removeLast() }
    return text
  }
}
