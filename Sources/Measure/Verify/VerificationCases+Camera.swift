import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  private static let patterns: [ColorFilterArray] = [
    (2, [0, 1, 1, 2]), (2, [1, 0, 2, 1]), (2, [1, 2, 0, 1]), (2, [2, 1, 1, 0]),
    (
      6,
      [
        1, 2, 1, 1, 0, 1, 0, 1, 0, 2, 1, 2, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 1, 2, 1, 2, 0, 1, 0, 1, 0, 1, 1, 2, 1,
      ]
    ),
  ].compactMap { ColorFilterArray(rows: $0.0, columns: $0.0, colors: $0.1) }

  /// Returns cases of mosaics and of three planes: patterns, orientations, crops, levels, opcodes and looks.
  static func cameras(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    let h = rows(pixels / 2) + 1, plain = SensorLevels(black: [64], white: [16_000])
    func add(
      _ name: String, _ width: Int, _ height: Int, _ geometry: Geometry? = nil, filters: ColorFilterArray?,
      _ levels: SensorLevels? = nil, _ opcodes: [[SensorOpcode]] = [], _ demosaic: Demosaic = .linear,
      standard: [Planner.StageMaker] = [],
      high: [Planner.StageMaker] = [], amount: Double = 0
    ) {
      let image =
        filters == nil
        ? TestPictures.randomCodes(width: width, height: height, format: .uint16, seed: 71)
        : TestPictures.randomPlanes(width: width, height: height, bits: 14, chroma: .none, siting: .left, seed: 72)
      var opaque = image
      opaque.alpha = nil
      let plan = try? Planner.sensor(
        opaque, geometry ?? Geometry(width: width, height: height), filters: filters, levels: levels ?? plain,
        opcodes: opcodes, demosaic: demosaic, standard: standard, high: high, amount: amount)
      if let plan { cases.append(VerificationCase(name: "camera " + name, plan: plan)) }
    }
    let bayer = patterns[0], xTrans = patterns[4]
    for filters in patterns { add(filters.letters, width, h, filters: filters) }
    for filters in patterns.prefix(4) {
      add("\(filters.letters), rcd", width, h / 2 + 1, filters: filters, nil, [], .rcd)
    }
    for orientation in Orientation.allCases {
      for (filters, name) in [(bayer, "Bayer"), (xTrans, "X-Trans")] {
        let crop = PixelRect(x: 5, y: 3, width: 150, height: 111)
        add(
          "\(name), orientation \(orientation.rawValue), cropped", 171, 120,
          Geometry(crop: crop, orientation: orientation), filters: filters)
      }
    }
    for (w, h) in [(1, 1), (1, 7), (7, 1), (2, 3), (3, 2), (1025, 2), (17, 33)] {
      add("Bayer \(w)x\(h)", w, h, filters: patterns[2])
      add("rcd \(w)x\(h)", w, h, Geometry(width: w, height: h, orientation: .left), filters: patterns[3], nil, [], .rcd)
      add("X-Trans \(w)x\(h)", w, h, Geometry(width: w, height: h, orientation: .right), filters: xTrans)
    }
    let pattern = SensorLevels(
      repeatRows: 4, repeatColumns: 4, black: (0..<16).map { 60.5 + Double($0) }, white: [16_383])
    add("black of 4x4", 301, 97, filters: bayer, pattern)
    add("black of 4x4, X-Trans", 301, 97, filters: xTrans, pattern)
    let tall = SensorLevels(repeatRows: 4, repeatColumns: 2, black: (0..<8).map { 60.5 + Double($0) }, white: [16_383])
    add("black of 4x2", 301, 97, filters: bayer, tall)
    add(
      "black by row and column, codes by a table", 301, 97, filters: bayer,
      SensorLevels(
        linearization: (0..<16_384).map { UInt16($0 * 3) }, deltaRows: (0..<97).map { Double($0 % 9) - 4 },
        deltaColumns: (0..<301).map { Double($0 % 5) }, white: [49_000]))
    let three = SensorLevels(black: [100, 200, 300], white: [60_000, 61_000, 65_535])
    add("three planes", width, h, filters: nil, three)
    for (list, name) in ["before levels", "behind levels", "behind demosaicing"].enumerated() {
      for (filters, kind) in [(bayer, "Bayer"), (nil, "three planes")] {
        var lists = [[SensorOpcode]](repeating: [], count: 3)
        lists[list] = opcodes(301, 97, planes: filters == nil ? 3 : 1)
        add(
          "\(kind), opcodes \(name)", 301, 97,
          Geometry(crop: PixelRect(x: 2, y: 2, width: 290, height: 90), orientation: .left), filters: filters,
          filters == nil ? three : plain, lists)
      }
    }
    for (index, orientation) in [Orientation.up, .rightMirrored, .down].enumerated() {
      let geometry = Geometry(crop: PixelRect(x: 3, y: 1, width: 501, height: 90), orientation: orientation)
      let (standard, high) = looks(513, 97, geometry)
      add(
        "looks, orientation \(orientation.rawValue)", 513, 97, geometry, filters: patterns[index + 1],
        standard: standard,
        high: high, amount: [0.5, 0.01, 0.99][index])
    }
    return cases
  }

  private static func numbers(_ count: Int, _ range: ClosedRange<Double>, seed: UInt64) -> [Float] {
    SplitMix64.numbers(count, range, seed: seed).map { Float($0) }
  }

  private static func opcodes(_ width: Int, _ height: Int, planes: Int) -> [SensorOpcode] {
    func area(_ top: Int, _ left: Int, _ pitch: Int) -> SensorOpcode.Area {
      SensorOpcode.Area(
        top: top, left: left, bottom: height, right: width, plane: 0, planes: planes, rowPitch: pitch,
        columnPitch: pitch)
    }
    let maps = (0..<4).map { place in
      SensorOpcode.gainMap(
        area(place / 2, place % 2, 2),
        SensorOpcode.GainMap(
          rows: 5, columns: 7, planes: planes, spacing: [0.25, 1.0 / 6], origin: [0, 0],
          gains: numbers(35 * planes, 0.8...1.6, seed: UInt64(place))))
    }
    return maps + [
      .vignette(coefficients: [0.3, -0.2, 0.1, 0.05, -0.02], center: [0.45, 0.55]),
      .mapPolynomial(area(0, 0, 1), [0.01, 0.5, 0.3, 0.1]),
      .deltaPerRow(area(1, 0, 2), numbers(height / 2, -0.01...0.01, seed: 5)),
      .scalePerColumn(area(0, 0, 1), numbers(width, 0.9...1.1, seed: 6)),
    ]
  }

  /// Returns a standard look and one of a high dynamic range, as camera profiles describe them.
  private static func looks(
    _ width: Int, _ height: Int, _ geometry: Geometry
  ) -> (standard: [Planner.StageMaker], high: [Planner.StageMaker]) {
    func stages(isHDR: Bool) -> [Planner.StageMaker] {
      let maps = HueSatMapStage.sampleMaps
      let gains = GainTableMap(
        rows: 6, columns: 8, depth: 65, spacing: [0.2, 1.0 / 7], origin: [0, 0], weights: [0.1, 0.3, 0.1, 0.2, 0.3],
        gamma: isHDR ? 0.7 : 1, gains: numbers(6 * 8 * 65, 0.5...3, seed: isHDR ? 10 : 9))
      return [
        { HueSatMapStage.stage(maps[0], isHDR: isHDR, &$0) },
        {
          GainTableMapStage.stage(
            gains, width: width, height: height, geometry: geometry, exposure: isHDR ? 2 : 1, &$0)
        }, { HueSatMapStage.stage(maps[1], isHDR: isHDR, &$0) }, { RGBToneStage.stage(RGBToneStage.sampleCurve, &$0) },
      ]
    }
    return (stages(isHDR: false), stages(isHDR: true))
  }
}
