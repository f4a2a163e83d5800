import Foundation

/// The vectors of ACES and of colour spaces: what OpenColorIO 2.6 makes of colours, and binary64 values.
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
  /// The matrices and the numbers of the appearance model for AP0.
  nonisolated(unsafe) package static let model = forward["jmh_AP0"] as? [String: Any] ?? [:]
  /// Returns each colour of `scene` between the steps of an output, by the names of the steps.
  package static func stages(_ output: String) -> [String: Any] {
    (forward["stages"] as? [String: Any])?[output] as? [String: Any] ?? [:]
  }
  /// Returns colours shown by an output, and what its inverse makes of them.
  package static func inverse(_ output: String) -> (shown: [[Double]], scene: [[Double]]) {
    let all = (root["aces2_inverse"] as? [String: Any])?[output]
    return (colors(all as? [String: Any] ?? [:], "input_xyz"), rows(all, "ocio_aces"))
  }
  /// Returns OpenColorIO's tables of an output; `nil` where another output has the same.
  package static func tables(_ output: String) -> [String: Any]? { files[output] as? [String: Any] }

  /// The file rules of the studio config give the space of each path, and the index of the rule.
  package static let fileRules = (root["file_rules"] as? [String: [Any]] ?? [:]).compactMapValues { row in
    (row.first as? String).flatMap { space in (row.last as? Int).map { (space: space, index: $0) } }
  }

  /// Returns CIE XYZ of each colour of `scene` by an output of ACES 1.
  package static func shown(aces1 output: String) -> [[Double]] {
    rows((root["aces1"] as? [String: Any])?["outputs"], output)
  }
  /// Returns each colour of `scene` after a look: `BLUE_LIGHT_ARTIFACT_FIX`, `ACES 1.3 Reference Gamut Compression`.
  package static func looked(_ name: String) -> [[Double]] { rows(root["lmt"], "ACES-LMT - " + name) }

  /// Returns true for a colour of AP1 whose largest component is what is left of a difference: distances relative to it
  /// mean nothing.
  package static func isNoise(_ rgb: [Double]) -> Bool { abs(rgb.max()!) < 1e-9 && rgb.min()! < -1e-9 }

  /// The codes of a display, for colours of a space, by a view of OpenColorIO's studio configuration.
  package struct View: Sendable {
    package let display: String, view: String, space: String, input: [[Double]], output: [[Double]]
  }
  package static let views: [View] = {
    let list = (root["views"] as? [String: Any])?["rows"] as? [[String: Any]] ?? []
    return list.map { row -> View in
      func text(_ key: String) -> String { row[key] as? String ?? "" }
      return View(
        display: text("display"), view: text("view"), space: text("src"), input: colors(row, "input"),
        output: rows(row, "output"))
    }
  }()
  /// Colours after looks of that configuration: in the space `target`, or as codes of a display.
  package struct Look: Sendable {
    package let look: String, space: String, target: String?, display: String, view: String
    package let input: [[Double]], output: [[Double]]
  }
  package static let looks: [Look] = (root["looks"] as? [[String: Any]] ?? []).map { row -> Look in
    func text(_ key: String) -> String { row[key] as? String ?? "" }
    return Look(
      look: text("look"), space: text("src"), target: row["dst"] as? String, display: text("display"),
      view: text("view"), input: colors(row, "input"), output: rows(row, "output"))
  }
  /// Returns the colours that a group of spaces is given, by their key, and what each of its names makes of them.
  package static func spaces(_ group: String, given: String, made: String) -> (given: [[Double]], [String: [[Double]]])
  {
    let all = root[group] as? [String: Any] ?? [:]
    return (rows(all, given), all[made] as? [String: [[Double]]] ?? [:])
  }
  /// Returns what each name of a group makes of the group's colours.
  package static func group(_ name: String) -> [String: [[Double]]] { root[name] as? [String: [[Double]]] ?? [:] }
  /// Returns codes, and the light that each curve of a maker gives them.
  package static func curves() -> (codes: [Double], [String: [Double]]) {
    let all = root["own_curves"] as? [String: Any] ?? [:]
    return (all["code_values"] as? [Double] ?? [], all["linear"] as? [String: [Double]] ?? [:])
  }

  /// Returns the numbers of a 3D table, blue fastest, colours, and what interpolations make of them: `tetrahedral`, `linear`.
  package static func cube() -> (numbers: [Double], given: [[Double]], made: [String: [[Double]]]) {
    let all = root["lut3d"] as? [String: Any] ?? [:]
    return (
      all["data_blue_fastest"] as? [Double] ?? [], rows(all, "input"), all.compactMapValues { $0 as? [[Double]] }
    )
  }

  private static func rows(_ any: Any?, _ key: String) -> [[Double]] {
    (any as? [String: Any])?[key] as? [[Double]] ?? []
  }
  private static func colors(_ group: [String: Any], _ key: String) -> [[Double]] {
    rows(group, key).map { $0.map { Double(Float($0)) } }
  }
}
