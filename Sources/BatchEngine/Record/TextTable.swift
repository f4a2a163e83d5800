/// `x` with the given number of decimal places; "-" for what is no number.
package func decimals(_ x: Double, _ places: Int) -> String {
  guard x.isFinite, abs(x) < 1e12 else { return "-" }
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let units = Int((x * Double(scale)).rounded())
  let whole = (units < 0 ? "-" : "") + "\(abs(units) / scale)"
  if places == 0 { return whole }
  let digits = String(abs(units) % scale)
  return whole + "." + String(repeating: "0", count: places - digits.count) + digits
}

/// Four significant figures of `x`: 1234, 123.4, 12.34, 0.123.
package func significant(_ x: Double) -> String {
  let size = abs(x)
  return decimals(x, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3)
}

/// Columns of text for a terminal, printed a row at a time.
package struct TextTable: Sendable {
  package struct Column: Sendable {
    var title: String
    var width: Int
    var isRight: Bool

    /// Numbers, to the right.
    package static func number(_ title: String, _ width: Int = 8) -> Column {
      Column(title: title, width: max(width, title.count), isRight: true)
    }

    /// Words, to the left.
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
