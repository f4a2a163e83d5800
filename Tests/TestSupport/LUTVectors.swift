import Foundation

/// The values that OpenColorIO 2.6 gives for LUT files and transforms, and the files themselves.
package enum LUTVectors {
  /// The values of one file or transform: names of results, such as `best` or `inverse`, with a colour for each input.
  package typealias Results = [String: [[Double]]]

  private static let folder = "data/ocio/"
  nonisolated(unsafe) private static let root = SharedData.json(folder + "lut-vectors.json") ?? [:]
  nonisolated(unsafe) private static let expectations = SharedData.json(folder + "malformed/expect.json") ?? [:]
  nonisolated(unsafe) private static let transformRows: [[String: Any]] = {
    // Python writes NaN, which is no JSON.
    let text = String(decoding: SharedData.bytes("specs/aces-ocio-vectors.json") ?? [], as: UTF8.self)
      .replacingOccurrences(of: "NaN", with: "null").replacingOccurrences(of: "Infinity", with: "0")
    let json = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    return json?["transforms"] as? [[String: Any]] ?? []
  }()

  package static let isHere = SharedData.url(folder + "lut-vectors.json") != nil
  package static let input = root["input"] as? [[Double]] ?? []

  /// The names of all files with values, and of those that are refused.
  package static let names = ((root["files"] as? [String: Any]) ?? [:]).keys.sorted()
  package static let refused = names.filter { file($0)["refused"] != nil }
  /// The names of malformed files that are LUTs.
  package static let malformed = expectations.keys.filter { !$0.hasSuffix(".ocio") }.sorted()

  private static func file(_ name: String) -> [String: Any] {
    (root["files"] as? [String: Any])?[name] as? [String: Any] ?? [:]
  }

  package static func results(_ name: String) -> Results { file(name).compactMapValues { $0 as? [[Double]] } }
  package static func bytes(_ name: String) -> [UInt8] { SharedData.bytes(folder + "luts/" + name) ?? [] }
  package static func malformedBytes(_ name: String) -> [UInt8] { SharedData.bytes(folder + "malformed/" + name) ?? [] }
  /// Returns the code with which a malformed file is refused.
  package static func malformedCode(_ name: String) -> String {
    let text = (expectations[name] as? [String: Any])?["expect"] as? String ?? ""
    return text.split(separator: " ").first.map(String.init) ?? ""
  }

  /// The texts of all transforms of configs.
  package static let transforms = transformRows.compactMap { $0["yaml"] as? String }
  /// Returns the inputs and the results of the transform of a text; NaN where OpenColorIO has none.
  package static func transform(_ text: String) -> Results {
    let row = transformRows.first { $0["yaml"] as? String == text }
    return (row ?? [:]).compactMapValues { value in
      (value as? [[Any]])?.map { row in row.map { $0 as? Double ?? .nan } }
    }
  }
}
