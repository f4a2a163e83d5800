import HDRCore
import HDRPlan

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
