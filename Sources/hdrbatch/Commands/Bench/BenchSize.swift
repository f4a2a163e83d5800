import HDRRecipe
import Measure

/// The size of generated pictures.
struct BenchSize: SettingGroup {
  var title: String { "Picture" }

  let megapixels = SettingKey("megapixels", .number(0.1...400), standard: 12.2, "Picture size in megapixels.")

  static let all = BenchSize()
  static let width = 4032
  static func height(_ invocation: Invocation) -> Int { max(64, Int(invocation[all.megapixels] * 1e6) / width / 2 * 2) }
}
