import Testing

extension [String: Any] {
  /// A number of a vector row; NaN where it is missing, which no comparison passes.
  package func number(_ key: String) -> Double {
    (self[key] as? Double) ?? (self[key] as? Int).map(Double.init) ?? .nan
  }
  package func numbers(_ key: String) -> [Double] { self[key] as? [Double] ?? [] }
}

/// `|got - want| <= abs + rel * |want|`, the rule of the vector files.
package func expectClose(
  _ got: Double, _ want: Double, abs tolerance: Double, rel: Double, _ note: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    abs(got - want) <= tolerance + rel * abs(want), "got \(got), want \(want) \(note)", sourceLocation: sourceLocation)
}

package func expectClose(
  _ got: [Double], _ want: [Double], abs tolerance: Double, rel: Double, _ note: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    got.count == want.count && !want.isEmpty, "counts \(got.count), \(want.count)", sourceLocation: sourceLocation)
  for (a, b) in zip(got, want) {
    expectClose(a, b, abs: tolerance, rel: rel, note, sourceLocation: sourceLocation)
  }
}
