import HDRCore
import HDRPlan

/// Primaries of an output.
public enum OutputPrimaries: String, Sendable, Hashable, CaseIterable {
  case bt2020, p3, srgb

  /// Code point of ITU-T H.273.
  public var code: Int {
    switch self {
    case .bt2020: 9
    case .p3: 12
    case .srgb: 1
    }
  }
}

extension SettingType where Value == LUTChoice.Space {
  /// A curve, with primaries after a hyphen: `pq-p3`; `p3` is `srgb-p3`.
  static var lutSpace: SettingType {
    let curves = LUTChoice.Space.Curve.allCases.map(\.rawValue)
    return SettingType("space", words: curves + ["p3"]) { text throws(SettingFault) in
      if text == "p3" { return LUTChoice.Space(.srgb, primaries: CICP.Primaries.p3) }
      let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let primaries = parts.count == 2 ? OutputPrimaries(rawValue: parts[1]) : nil
      guard let curve = LUTChoice.Space.Curve(rawValue: parts[0]), parts.count == 1 || primaries != nil else {
        let names = OutputPrimaries.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingFault(
          "is p3 or a curve (\(curves.joined(separator: ", "))), perhaps with -\(names) behind it, not \(text)")
      }
      return LUTChoice.Space(curve, primaries: primaries?.code)
    } text: { space in
      let primaries = OutputPrimaries.allCases.first { $0.code == space.primaries }
      return space.curve.rawValue + (primaries.map { "-" + $0.rawValue } ?? "")
    }
  }
}
