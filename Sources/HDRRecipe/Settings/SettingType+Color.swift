import HDRCore
import HDRPlan
import PlainData

extension SettingType where Value == ColorSpace {
  /// The type of a curve, with primaries after a hyphen: `pq-p3`; `p3` is `srgb-p3`.
  static var colorSpace: SettingType {
    SettingType("space", words: ColorSpace.words) { text throws(SettingFault) in
      guard let space = ColorSpace(text) else { throw SettingFault("is \(ColorSpace.form), not \(text)") }
      return space
    } text: {
      $0.name
    }
  }
}

extension SettingType where Value == NamedSpace {
  /// The type of spaces by name or alias, without regard to case: `ACEScg`, `lin_ap1`.
  static var namedSpace: SettingType {
    SettingType("space") { text throws(SettingFault) in
      guard let space = NamedSpace.named(text) else { throw .unknownSpace(text) }
      return space
    } text: {
      $0.name
    }
  }
}

extension SettingFault {
  /// Makes the fault of a name that no space has, with the nearest one.
  static func unknownSpace(_ text: String) -> SettingFault {
    let hint = Nearest.hint(text, among: NamedSpace.allNames)
    let example = "; ACEScg and ARRI LogC4 are two of \(NamedSpace.all.count), which docs/data/spaces.md lists"
    return SettingFault("has no space \"\(text)\"\(hint.isEmpty ? example : hint) [space.unknown]")
  }
}
