import Foundation

/// A table of `data/images/expected`: values that other software computed at sampled pixels.
package struct OracleTable: Sendable {
  package struct Row: Sendable {
    package var x: Int
    package var y: Int
    package var values: [Double]
  }

  /// `# key: value` lines.
  package var header: [String: String] = [:]
  package var rows: [Row] = []

  /// Reads `expected/<name>`; `nil` where it is absent.
  package init?(_ name: String) {
    guard let url = SharedData.url("data/images/expected/" + name),
      let text = try? String(contentsOf: url, encoding: .utf8)
    else { return nil }
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") {
        let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
        if parts.count == 2 {
          header[parts[0].trimmingCharacters(in: .whitespaces)] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        continue
      }
      let numbers = line.split(separator: "\t").map { Double($0) }
      guard numbers.count >= 3, let x = numbers[0], let y = numbers[1] else { continue }
      rows.append(Row(x: Int(x), y: Int(y), values: numbers.dropFirst(2).compactMap(\.self)))
    }
    if rows.isEmpty { return nil }
  }
}

/// Value below which the share `fraction` of `values` lies.
package func percentile(_ values: [Double], _ fraction: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
}
