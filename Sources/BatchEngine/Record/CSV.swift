import PlainData

/// Rows of comma-separated values (RFC 4180), in UTF-8. Control characters are escaped as in other lines.
package enum CSV {
  package static func line(_ cells: [String]) -> String {
    cells.map { cell in
      let text = printable(cell)
      guard text.contains(where: { ",\"".contains($0) }) || text.first == " " || text.last == " " else { return text }
      return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }.joined(separator: ",")
  }
}
