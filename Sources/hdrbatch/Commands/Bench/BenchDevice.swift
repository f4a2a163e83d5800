import HDRRecipe
import Measure

/// The device that a bench measures.
struct BenchDevice: SettingGroup {
  var title: String { "Device" }

  let device = SettingKey(
    "device", .text("device"), assumed: "every GPU", "Only this device, software devices too.")

  static let all = BenchDevice()
}
