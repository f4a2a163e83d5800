import HDRCore
import HDRPlan
import Kernels
import TestPlans

extension Recipes {
  static let bayer = ColorFilterArray(rows: 2, columns: 2, colors: [1, 2, 0, 1])!
  static let xTrans = ColorFilterArray(
    rows: 6, columns: 6,
    colors: [
      1, 2, 1, 1, 0, 1, 0, 1, 0, 2, 1, 2, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 1, 2, 1, 2, 0, 1, 0, 1, 0, 1, 1, 2, 1,
    ])!

  /// Sensors' pictures of w by h samples, one pixel cropped off on each side where there are as many.
  static func cameras(_ w: Int, _ h: Int, _ orientation: Orientation = .up) -> [Case] {
    let edge = min(w, h) > 2 ? 1 : 0
    let geometry = Geometry(
      crop: PixelRect(x: edge, y: edge, width: w - 2 * edge, height: h - 2 * edge), orientation: orientation)
    let image = SampleImage.planar(width: w, height: h, model: .grey, format: .uint16, bitDepth: 14).randomized(14)
    let levels = SensorLevels(repeatRows: 2, repeatColumns: 2, black: [60, 61.5, 62, 64], white: [16_000])
    var uneven = levels
    uneven.deltaColumns = (0..<w).map { Double($0 % 5) }
    let area = SensorOpcode.Area(
      top: 0, left: 0, bottom: h, right: w, plane: 0, planes: 3, rowPitch: 1, columnPitch: 2)
    let gains = SensorOpcode.gainMap(
      area,
      SensorOpcode.GainMap(
        rows: 2, columns: 3, planes: 1, spacing: [1, 0.5], origin: [0, 0], gains: [1, 1.2, 1.5, 0.9, 1, 1.1]))
    let entries = (0..<36).flatMap { at -> [Float] in [Float(9 * at - 100), 1.1, 0.9 + Float(at) / 99] }
    let map = HueSatMap(hues: 6, saturations: 3, values: 2, data: entries, isEncoded: true)!
    let table = GainTableMap(
      rows: 2, columns: 3, depth: 5, spacing: [0.7, 0.4], origin: [0.1, 0.1], weights: [0.2, 0.4, 0.1, 0.1, 0.2],
      gamma: 0.8, gains: (0..<30).map { 3 - Float($0) / 15 })
    func look(_ isHDR: Bool) -> [Planner.StageMaker] {
      let curve = CurveTable(octaves: -12..<3, k: 5) { $0 / (0.3 + $0) }
      return [
        { HueSatMapStage.stage(map, isHDR: isHDR, &$0) },
        { GainTableMapStage.stage(table, width: w, height: h, geometry: geometry, exposure: isHDR ? 3 : 1, &$0) },
        { RGBToneStage.stage(curve, &$0) },
      ]
    }
    func plan(
      _ filters: ColorFilterArray, _ levels: SensorLevels, _ opcodes: [[SensorOpcode]] = [],
      _ demosaic: Demosaic = .linear, amount: Double = 0,
      look: (Bool) -> [Planner.StageMaker] = { _ in [] }
    ) -> Plan {
      try! Planner.sensor(
        image, geometry, filters: filters, levels: levels, opcodes: opcodes, demosaic: demosaic, standard: look(false),
        high: look(true), amount: amount)
    }
    return [
      Case(name: "Bayer", plan: plan(bayer, levels)), Case(name: "X-Trans", plan: plan(xTrans, levels)),
      Case(name: "Bayer, rcd", plan: plan(bayer, levels, [], .rcd)),
      Case(name: "Bayer, uneven, opcodes", plan: plan(bayer, uneven, [[], [gains], [gains]])),
      Case(name: "Bayer, two looks", plan: plan(bayer, levels, amount: 0.3, look: look)),
    ]
  }
}
