import Foundation

/// OpenColorIO 2.6 has made these vectors of colours by the configs of the shared data.
package struct ConfigVectors {
  private static let path = "data/ocio/config-vectors.json"
  nonisolated(unsafe) private static let root = SharedData.json(path) ?? [:]

  package static let input = root["input"] as? [[Double]] ?? []
  /// By the value of SHOT and the space: colours 1 and 2 of `input` in the space `reference`; `nil` for an error.
  package static let contexts: [String: [String: [[Double]]?]] =
    (root["context_test1"] as? [String: [String: Any]] ?? [:]).mapValues { spaces in
      spaces.mapValues { $0 as? [[Double]] }
    }
  /// The results by their names: `A -> B` of two spaces, `DISPLAY / VIEW`, and looks.
  package let conversions: [String: [[Double]]], views: [String: [[Double]]], looks: [String: [[Double]]]

  package init(_ config: String) {
    let all = Self.root[config] as? [String: Any] ?? [:]
    func group(_ key: String) -> [String: [[Double]]] {
      (all[key] as? [String: Any] ?? [:]).compactMapValues { $0 as? [[Double]] }
    }
    (conversions, views, looks) = (group("conversions"), group("views"), group("looks"))
  }
}
