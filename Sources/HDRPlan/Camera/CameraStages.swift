import HDRCore
import Kernels

// The stages of a camera look, as steps of a plan and as stages with their tables.

extension HueSatMapStage {
  static func step(_ map: HueSatMap, isHDR: Bool) -> PixelOperation { .custom { stage(map, isHDR: isHDR, &$0) } }

  package static func stage(_ map: HueSatMap, isHDR: Bool, _ plan: inout PlanDataBuilder) -> Stage {
    plan.stage(.hueSatMap, words(map, isHDR: isHDR) { plan.table($0) })
  }
}

extension GainTableMapStage {
  static func step(_ map: GainTableMap, width: Int, height: Int, geometry: Geometry, exposure: Double) -> PixelOperation
  {
    .custom { stage(map, width: width, height: height, geometry: geometry, exposure: exposure, &$0) }
  }

  package static func stage(
    _ map: GainTableMap, width: Int, height: Int, geometry: Geometry, exposure: Double, _ plan: inout PlanDataBuilder
  ) -> Stage {
    plan.stage(
      .gainTableMap,
      words(map, width: width, height: height, geometry: geometry, exposure: exposure) { plan.table($0) })
  }
}

extension RGBToneStage {
  /// - Parameters:
  ///   - octaves, k: the domain of the curve's table (`CurveTable`); above it the curve keeps its end's value.
  static func step(octaves: Range<Int>, k: Int, _ curve: @escaping @Sendable (Double) -> Double) -> PixelOperation {
    .custom { stage(CurveTable(octaves: octaves, k: k, curve), &$0) }
  }

  package static func stage(_ curve: CurveTable, _ plan: inout PlanDataBuilder) -> Stage {
    plan.stage(.rgbTone, words(curve) { plan.table($0) })
  }
}
