import HDRCore
import PlainData

/// A row holds the values that reports say of a pair; a journal keeps it, and reads it back.
package struct PairRow: Sendable, Hashable {
  package let name: String
  package let verdict: PairReport.Verdict
  package let change: PairReport.Change?
  /// The line for people.
  package let line: String
  /// The record for programs.
  package let record: JSON
  /// The row of a table.
  package let cells: [String]
  /// The number that says how much the pictures differ, and its text; `nil` where it was not computed.
  package let size: Double?
  package let sizeText: String?

  package init(_ report: PairReport) {
    (name, verdict, change) = (report.name, report.verdict, report.change)
    (line, record, cells) = (report.line, report.json, report.cells)
    (size, sizeText) = (report.size?.value, report.size?.text)
  }
}

extension PairRow {
  /// The row as a value of a journal.
  package var json: JSON {
    [
      "name": .string(name), "line": .string(line), "record": record, "cells": .array(cells.map(JSON.string)),
      "size": .maybe(size), "sizeText": .maybe(sizeText),
    ]
  }

  /// - Returns: `nil` for what `json` has not made, as the row of another version.
  package init?(_ json: JSON) {
    guard let name = json["name"]?.string, let line = json["line"]?.string, let record = json["record"],
      let verdict = record["verdict"]?.string.flatMap(PairReport.Verdict.init),
      let cells = json["cells"]?.array?.compactMap(\.string), cells.count == PairReport.columns.count
    else { return nil }
    (self.name, self.line, self.record, self.cells, self.verdict) = (name, line, record, cells, verdict)
    change = record["change"]?.string.flatMap(PairReport.Change.init)
    (size, sizeText) = (json["size"]?.double, json["sizeText"]?.string)
  }
}
