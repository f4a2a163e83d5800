/// Parses a finite decimal; `nil` for anything else, including hexadecimal and words.
package func decimal(_ text: String) -> Double? {
  guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(text),
    value.isFinite
  else { return nil }
  return value
}

/// Returns the shortest text that reads back as the same number.
package func shortest(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
}
