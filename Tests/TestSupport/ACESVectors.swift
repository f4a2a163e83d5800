import Foundation

/// The vectors of ACES 2.0: colours of ACES2065-1, what OpenColorIO 2.6 shows of them, and binary64 values.
package enum ACESVectors {
  nonisolated(unsafe) private static let root: [String: Any] = {
    // Python writes NaN, which is no JSON.
    let text = String(decoding: SharedData.bytes(vectorsPath) ?? [], as: UTF8.self)
      .replacingOccurrences(of: "NaN", with: "null").replacingOccurrences(of: "Infinity", with: "0")
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }()
  nonisolated(unsafe) private static let forward = root["aces2"] as? [String: Any] ?? [:]
  nonisolated(unsafe) private static let files =
    SharedData.json(tablesPath)?["tables"] as? [String: Any] ?? [:]
  private static let vectorsPath = "specs/aces-ocio-vectors.json", tablesPath = "data/ocio/aces2/tables.json"

  package static let isHere = SharedData.url(vectorsPath) != nil
  package static let hasTables = SharedData.url(tablesPath) != nil

  /// Colours of ACES2065-1: the binary32 of the printed digits.
  package static let scene = colors(forward, "input_aces2065_1")

  /// Returns CIE XYZ of each colour by an output: `ocio` or `ref`.
  package static func shown(_ output: String, _ key: String) -> [[Double]] {
    rows((forward["outputs"] as? [String: Any])?[output], key)
  }
  package static func parameters(_ output: String) -> [String: Any] {
    (forward["parameters"] as? [String: Any])?[output] as? [String: Any] ?? [:]
  }
  /// Returns colours shown by an output, and what its inverse makes of them.
  package static func inverse(_ output: String) -> (shown: [[Double]], scene: [[Double]]) {
    let all = (root["aces2_inverse"] as? [String: Any])?[output]
    return (colors(all as? [String: Any] ?? [:], "input_xyz"), rows(all, "ocio_aces"))
  }
  /// Returns OpenColorIO's tables of an output; `nil` where another output has the same.
  package static func tables(_ output: String) -> [String: Any]? { files[output] as? [String: Any] }

  private static func rows(_ any: Any?, _ key: String) -> [[Double]] {
    (any as? [String: Any])?[key] as? [[Double]] ?? []
  }
  private static func colors(_ group: [String: Any], _ key: String) -> [[Double]] {
    rows(group, key).map { $0.map { Double(Float($0)) } }
  }
}
