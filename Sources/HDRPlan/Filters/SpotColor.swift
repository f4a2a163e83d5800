import HDRCore
import Kernels

/// Colours near up to three centres become three others, one after the other, by sRGB signals V, which go on above 1.
///
/// D = |V - centre| / root 3, of the pixel's own colour; weight t² (3 - 2t), t = (closeness - D) / (closeness
/// max(1 - contrast, 2^-10)) in 0...1. Closeness 0 changes nothing. The default colours are this project's choice.
enum SpotColor: Filter {
  static let name = "spot-color"
  static let summary = "colours near three centres become three others"
  static let category = FilterCategory.color
  static let parameters = spots.flatMap { [$0.center, $0.other, $0.closeness, $0.contrast] }
  static let headroomEffect = HeadroomEffect.unknown

  private typealias Spot = (
    center: FilterParameter, other: FilterParameter, closeness: FilterParameter, contrast: FilterParameter
  )
  private static let spots = [
    spot(1, [0.08, 0.06, 0.01], [0.44, 0.19, 0.2], 0.22, 0.98),
    spot(2, [0.06, 0.06, 0.12], [0.91, 0.56, 0.51], 0.15, 0.98),
    spot(3, [0.22, 0.45, 0.63], [0.91, 0.75, 0.6], 0.5, 0.99),
  ]

  private static func spot(
    _ n: Int, _ center: [Double], _ other: [Double], _ closeness: Double, _ contrast: Double
  ) -> Spot {
    (
      FilterParameter("center-color\(n)", .color(center), "that changes, encoded sRGB"),
      FilterParameter("replacement-color\(n)", .color(other), "that it becomes"),
      FilterParameter("closeness\(n)", .number(closeness, 0...4), "how far from the centre colours change; 0: none"),
      FilterParameter("contrast\(n)", .number(contrast, 0...1), "1: all alike; 0: less and less away from the centre")
    )
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    if spots.allSatisfy({ values.value($0.closeness) == 0 }) { return }
    func signal(_ p: FilterParameter) -> [Double] { values.color(p).prefix(3).map { Transfer.sRGBEncode($0) } }
    let words = spots.map { spot in
      let limit = values.value(spot.closeness)
      return SpotColorStage.Spot(
        center: signal(spot.center), other: signal(spot.other), limit: limit,
        width: limit * max(1 - values.value(spot.contrast), 0x1p-10))
    }
    edit.builder.add(.encode(.sRGB))
    edit.stage(.spotColor, SpotColorStage.words(words))
    edit.builder.add(.decode(.sRGB))
  }
}
