import CPUReference
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import TestSupport
import Testing

/// Looks of camera profiles against their definition in binary64.
@Suite struct CameraLookTests {
  // MARK: Hue, saturation, value

  static func map(
    _ hues: Int, _ saturations: Int, _ values: Int, isEncoded: Bool = false, seed: UInt64 = 1
  ) throws -> HueSatMap {
    var random = SplitMix(state: seed)
    func number(_ range: ClosedRange<Double>) -> Float {
      Float(range.lowerBound + (range.upperBound - range.lowerBound) * random.unit())
    }
    let data = (0..<hues * saturations * values).flatMap { _ -> [Float] in
      [number(-20...20), number(0.7...1.3), number(0.8...1.2)]
    }
    return try #require(
      HueSatMap(hues: hues, saturations: saturations, values: values, data: data, isEncoded: isEncoded))
  }

  /// Random colours, greys, edges of hue, and light outside 0...1.
  static let colors: [[Double]] = {
    var random = SplitMix(state: 4), list: [[Double]] = []
    for scale in [1.0, 0.01, 4] {
      for _ in 0..<700 { list.append((0..<3).map { _ in Double(Float(scale * random.unit())) }) }
    }
    for _ in 0..<300 { list.append((0..<3).map { _ in Double(Float(random.unit() * 2 - 0.7)) }) }
    for a in [0.0, 0.25, 0.5, 1, 1.5] {
      for b in [0.0, 0.25, 0.5, 1, 1.5] { for c in [0.0, 0.25, 0.5, 1, 1.5] { list.append([a, b, c]) } }
    }
    list += [[-0.2, -0.1, -0.3], [-0.2, -0.2, -0.2], [0, 0, -1], [1e-9, 0, 0], [64, 1, 2], [0.5, -3, 0.1]]
    return list
  }()

  static func worst(_ found: [[Double]], _ wanted: [[Double]]) -> (error: Double, at: Int) {
    var worst = (error: 0.0, at: -1)
    for (index, (a, b)) in zip(found, wanted).enumerated() {
      let scale = max(1, b.map { abs($0) }.max() ?? 1)
      for (x, y) in zip(a, b) {
        let error = abs(x - y) / scale
        if !(error <= worst.error) { worst = (error, index) }
      }
    }
    return worst
  }

  @Test(
    "maps of any sides follow the reference, plain and in sRGB's curve, SDR and HDR",
    arguments: [(6, 3, 1), (90, 30, 1), (36, 8, 16), (1, 2, 1), (1, 2, 5), (2, 2, 2), (7, 9, 4)], [0, 1, 2, 3])
  func hueSatMap(sides: (Int, Int, Int), kind: Int) throws {
    let map = try Self.map(sides.0, sides.1, sides.2, isEncoded: kind & 1 == 1), isHDR = kind & 2 == 2
    let found = Camera.run(Self.colors) { HueSatMapStage.stage(map, isHDR: isHDR, &$0) }
    let worst = Self.worst(found, Self.colors.map { map.apply($0, isHDR: isHDR) })
    // In sRGB's curve tables add their error; random neighbours of 1/90 of the circle differ by 20 degrees.
    #expect(worst.error < 2e-5, "\(worst.error) at \(Self.colors[max(0, worst.at)])")
  }

  @Test("hue goes round: shifts across red in both directions, and by many turns")
  func hueWraps() throws {
    for shift in [350, -350, 359.5, 720, -725, 3600.0] {
      let data = (0..<12).flatMap { _ -> [Float] in [Float(shift), 1, 1] }
      let map = try #require(HueSatMap(hues: 6, saturations: 2, values: 1, data: data))
      let colors: [[Double]] = [[0.9, 0.1, 0.2], [0.9, 0.2, 0.1], [0.1, 0.8, 0.2], [0.3, 0.2, 0.7], [1, 0, 0]]
      let found = Camera.run(colors) { HueSatMapStage.stage(map, isHDR: false, &$0) }
      #expect(Self.worst(found, colors.map { map.apply($0) }).error < 1e-5, "\(shift)")
    }
    // Numbers that leave nothing of a hue stay finite.
    let data = (0..<12).flatMap { at -> [Float] in at % 2 == 0 ? [3e38, 3e38, 3e38] : [-2e30, 1, -1e38] }
    let wild = try #require(HueSatMap(hues: 6, saturations: 2, values: 1, data: data))
    for isHDR in [false, true] {
      let found = Camera.run(Self.colors) { HueSatMapStage.stage(wild, isHDR: isHDR, &$0) }
      #expect(found.allSatisfy { $0.allSatisfy(\.isFinite) })
    }
  }

  @Test("a map that changes nothing leaves colours within rounding")
  func idleMap() throws {
    let data = (0..<90 * 30).flatMap { _ -> [Float] in [0, 1, 1] }
    let map = try #require(HueSatMap(hues: 90, saturations: 30, values: 1, data: data))
    let colors = Self.colors.filter { $0.allSatisfy { (0...1).contains($0) } }
    #expect(Self.worst(Camera.run(colors) { HueSatMapStage.stage(map, isHDR: false, &$0) }, colors).error < 5e-7)
  }

  // MARK: Gain table

  static func gainTable(
    rows: Int, columns: Int, depth: Int, gamma: Double = 1, seed: UInt64 = 2
  ) -> GainTableMap {
    var random = SplitMix(state: seed)
    return GainTableMap(
      rows: rows, columns: columns, depth: depth, spacing: [0.9 / Double(rows), 1.1 / Double(columns)],
      origin: [0.04, -0.05], weights: [0.2, 0.4, 0.1, 0.05, 0.25], gamma: gamma,
      gains: (0..<rows * columns * depth).map { _ in Float(0.5 + 2 * random.unit()) })
  }

  /// Returns a plan of a sensor's active area, with gains by the stage after demosaicing.
  static func lit(
    _ map: GainTableMap, _ geometry: Geometry, _ codes: [UInt16], width: Int, height: Int, exposure: Double
  ) throws -> Plan {
    try Planner.sensor(
      Camera.image(codes, width: width, height: height), geometry, filters: Camera.bayer[0],
      levels: SensorLevels(white: [65_535]),
      standard: [
        { GainTableMapStage.stage(map, width: width, height: height, geometry: geometry, exposure: exposure, &$0) }
      ])
  }

  @Test(
    "gains are those of the place in the active area, however it is cropped and turned",
    arguments: Orientation.allCases, [(6, 8, 257, 1.0), (1, 1, 5, 1), (2, 3, 1, 1), (5, 4, 17, 0.5), (3, 3, 9, 2.2)])
  func gainTableMap(orientation: Orientation, table: (Int, Int, Int, Double)) throws {
    let map = Self.gainTable(rows: table.0, columns: table.1, depth: table.2, gamma: table.3)
    let (width, height) = (75, 53), codes = Camera.codes(width * height, seed: 30)
    let flat = codes.map { Double($0) / 65_535 }, demosaic = LinearDemosaic(Camera.bayer[0])
    for crop in [PixelRect(x: 0, y: 0, width: 75, height: 53), PixelRect(x: 7, y: 4, width: 60, height: 33)] {
      let geometry = Geometry(crop: crop, orientation: orientation)
      let plan = try Self.lit(map, geometry, codes, width: width, height: height, exposure: 1.4)
      let worst = Camera.worst(plan, geometry) { x, y in
        let rgb = demosaic.rgb(flat, width: width, height: height, x: x, y: y)
        let gain = map.gain(rgb, x: x, y: y, width: width, height: height, exposure: 1.4)
        return rgb.map { $0 * gain }
      }
      // Neighbours of 257 random gains are 2 apart: 1e-6 of the weight is 5e-4 of a gain.
      #expect(worst < 2e-6 * Double(max(8, 2 * table.2)), "\(worst)")
    }
  }

  // MARK: Tone

  static func curve() throws -> ProfileToneCurve {
    try #require(
      ProfileToneCurve([
        .init(0, 0), .init(0.1, 0.05), .init(0.25, 0.2), .init(0.5, 0.55), .init(0.75, 0.83), .init(1, 1),
      ]))
  }

  @Test("the curve acts on the largest and smallest, and hue stays; below 0 it is that of 0")
  func rgbTone() throws {
    let curve = try Self.curve()
    let table = CurveTable(octaves: -14..<3, k: 7) { curve.value($0, isExtended: true) }
    let found = Camera.run(Self.colors) { RGBToneStage.stage(table, &$0) }
    let wanted = Self.colors.map { rgb -> [Double] in
      // Above 8 the table ends.
      let order = [0, 1, 2].sorted { rgb[$0] < rgb[$1] }
      let (low, middle, high) = (rgb[order[0]], rgb[order[1]], rgb[order[2]])
      let bottom = curve.value(min(max(low, 0), 8), isExtended: true)
      let top = curve.value(min(max(high, 0), 8), isExtended: true)
      var result = rgb
      (result[order[0]], result[order[2]]) = (bottom, top)
      result[order[1]] = high > low ? bottom + (top - bottom) * ((middle - low) / (high - low)) : top
      return result
    }
    let worst = Self.worst(found, wanted)
    #expect(worst.error < 3e-6, "\(worst.error) at \(Self.colors[max(0, worst.at)])")
    // Inside 0...1 that is the reference.
    let plain = Self.colors.filter { $0.allSatisfy { (0...1).contains($0) } }
    #expect(
      Self.worst(Camera.run(plain) { RGBToneStage.stage(table, &$0) }, plain.map { curve.apply($0) }).error < 3e-6)
  }

  @Test("greys stay greys, and channels keep their order")
  func rgbToneKeepsOrder() throws {
    let curve = try Self.curve(), table = CurveTable(octaves: -14..<3, k: 7) { curve.value($0, isExtended: true) }
    let found = Camera.run(Self.colors) { RGBToneStage.stage(table, &$0) }
    for (from, to) in zip(Self.colors, found) {
      for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        if from[a] == from[b] { #expect(to[a] == to[b]) }
        if from[a] < from[b] { #expect(to[a] <= to[b], "\(from) \(to)") }
      }
    }
  }

  // MARK: Two looks

  /// Two passes: S as planes, then H's pixels mixed with it.
  static func mixed(_ standard: [Float], _ high: [Float], _ amount: Double) -> [Float] {
    func image(_ values: [Float]) -> SampleImage {
      let image = SampleImage.planar(width: values.count, height: 1, model: .rgb, format: .float32, bitDepth: 32)
      for plane in image.channels {
        for (x, value) in values.enumerated() {
          plane.buffer.base.storeBytes(of: value, toByteOffset: 4 * x, as: Float.self)
        }
      }
      return image
    }
    var words = PlanDataBuilder()
    let pictures = [image(standard), image(high)]
    let loads = pictures.map { words.stage(.loadFloat, LoadFloat.words($0)) }
    let mix = words.stage(.mixLooks, MixLooks.words(source: 1, amount: amount))
    let sink = words.sink(.floatPlanes, StoreFloatPlanes.words(channels: 3), channels: 3)
    func pass(_ sources: [PassSource], _ stages: [Stage]) -> Pass {
      Pass(
        name: "test", sources: sources, width: standard.count, height: 1, mapping: .identity, stages: stages, sink: sink
      )
    }
    let plan = Plan(
      passes: [
        pass([.image(pictures[0])], [loads[0]]),
        pass([.image(pictures[1]), .earlier(pass: 0, rows: .same(height: 1))], [loads[1], mix]),
      ], constants: words.constants, tables: words.tables, report: PlanReport())
    let result = renderOnCPU(plan)
    return (0..<standard.count).map { Camera.sample(result.channels[1], $0, 0) }
  }

  static let pairs: (standard: [Float], high: [Float]) = {
    var random = SplitMix(state: 6), standard: [Float] = [], high: [Float] = []
    for _ in 0..<600 {
      standard.append(Float(random.unit()))
      high.append(Float(random.unit() * 16))
    }
    standard += [0, 1, -0.5, 0.5, 0.5, 1e-6, 1e-9, 1, 0.75, 0]
    high += [1, 0, 0.5, -0.5, 0.5, 8, 0.5, 1_048_576, 0.75, 0]
    return (standard, high)
  }()

  @Test("a mix of two looks is their geometric mean", arguments: [0.001, 0.25, 0.5, 0.9])
  func mixLooks(amount: Double) {
    let (standard, high) = Self.pairs
    for (index, value) in Self.mixed(standard, high, amount).enumerated() {
      let (s, h) = (Double(standard[index]), Double(high[index]))
      let want = s > 0 && h > 0 ? ExactMath.pow(s, 1 - amount) * ExactMath.pow(h, amount) : 0
      expectClose(Double(value), want, abs: 0, rel: 5e-6, "\(s) \(h)")
    }
  }

  @Test("no amount is the standard look, all of it the other, bit for bit; between them nothing turns back")
  func mixIsMonotone() {
    let (standard, high) = Self.pairs
    #expect(Self.mixed(standard, high, 0).map(\.bitPattern) == standard.map { E32.sanitize($0).bitPattern })
    #expect(Self.mixed(standard, high, 1).map(\.bitPattern) == high.map { E32.sanitize($0).bitPattern })
    var last = Self.mixed(standard, high, 0)
    for step in 1...64 {
      let next = Self.mixed(standard, high, Double(step) / 64)
      for i in standard.indices where standard[i] > 0 && high[i] > 0 {
        if high[i] >= standard[i] { #expect(next[i] >= last[i]) } else { #expect(next[i] <= last[i]) }
      }
      last = next
    }
  }

  @Test("a plan makes both looks of one demosaiced picture")
  func mixedPlan() throws {
    let (width, height) = (70, 33), codes = Camera.codes(width * height, seed: 70)
    let geometry = Geometry(crop: PixelRect(x: 2, y: 3, width: 60, height: 29), orientation: .left)
    let flat = codes.map { Double($0) / 65_535 }, demosaic = LinearDemosaic(Camera.bayer[3])
    func scaled(_ factor: Double) -> Planner.StageMaker {
      { $0.stage(.affine, Affine.words(scale: [factor, factor, factor], offset: [0, 0, 0])) }
    }
    for amount in [0, 0.5, 1.0] {
      let plan = try Planner.sensor(
        Camera.image(codes, width: width, height: height), geometry, filters: Camera.bayer[3],
        levels: SensorLevels(white: [65_535]), standard: [scaled(0.5)], high: [scaled(2)], amount: amount)
      #expect(plan.passes.count == (amount == 0.5 ? 3 : 1))
      let worst = Camera.worst(plan, geometry) { x, y in
        demosaic.rgb(flat, width: width, height: height, x: x, y: y).map {
          amount == 0.5 ? max($0, 0) : $0 * (amount == 0 ? 0.5 : 2)
        }
      }
      #expect(worst < 1e-5, "\(worst)")
    }
  }
}

/// Tests the looks of camera profiles against vectors.
@Suite(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
struct CameraLookVectorTests {
  let vectors = SharedData.json("specs/more-formats-vectors.json") ?? [:]

  func rows(_ name: String) -> [[String: Any]] { vectors[name] as? [[String: Any]] ?? [] }

  static func numbers(_ value: Any?) -> [Double] {
    if let list = value as? [Any] { return list.flatMap(numbers) }
    return (value as? Double).map { [$0] } ?? []
  }

  static func cases(_ row: [String: Any]) -> [[String: Any]] { row["cases"] as? [[String: Any]] ?? [] }

  @Test("hue_sat_map gives the colours of the vectors") func hueSatMap() throws {
    #expect(!rows("dng_hue_sat_map").isEmpty)
    for row in rows("dng_hue_sat_map") {
      let map = try #require(
        HueSatMap(
          hues: Int(row.number("hue_divisions")), saturations: Int(row.number("sat_divisions")),
          values: Int(row.number("val_divisions")), data: Self.numbers(row["data"]).map { Float($0) }))
      let cases = Self.cases(row)
      let found = Camera.run(cases.map { Self.numbers($0["rimm"]) }) { HueSatMapStage.stage(map, isHDR: false, &$0) }
      #expect(!cases.isEmpty)
      for (one, rgb) in zip(cases, found) { expectClose(rgb, Self.numbers(one["out"]), abs: 1e-6, rel: 0) }
    }
  }

  @Test("gain_table_map gives the colours of the vectors") func gainTableMap() throws {
    let row = try #require(rows("dng_pgtm").first), points = Self.numbers(row["points"]).map { Int($0) }
    let map = GainTableMap(
      rows: points[0], columns: points[1], depth: points[2], spacing: Self.numbers(row["spacing"]),
      origin: Self.numbers(row["origin"]), weights: Self.numbers(row["weights"]),
      gains: Self.numbers(row["gains"]).map { Float($0) })
    let width = Int(row.number("width")), height = Int(row.number("height"))
    #expect(Self.cases(row).count == 5)
    for one in Self.cases(row) {
      // The pixel alone, of the area that it is in.
      let place = PixelRect(x: Int(one.number("x")), y: Int(one.number("y")), width: 1, height: 1)
      let found = Camera.run([Self.numbers(one["rgb"])]) {
        GainTableMapStage.stage(
          map, width: width, height: height, geometry: Geometry(crop: place, orientation: .up),
          exposure: row.number("exposure_gain"), &$0)
      }
      expectClose(found[0], Self.numbers(one["out"]), abs: 3e-6, rel: 0)
    }
  }

  @Test("rgb_tone gives the colours of the vectors") func rgbTone() throws {
    let all = rows("dng_rgb_tone"), curve = try CameraLookTests.curve()
    #expect(all.count == 2)
    for row in all {
      let isHDR = (row["name"] as? String ?? "").hasPrefix("HDR")
      for one in Self.cases(row) {
        let rgb = Self.numbers(one["rgb"])
        let table = CurveTable(octaves: -14..<3, k: 7) { curve.value($0, isExtended: true) }
        let found = Camera.run([isHDR ? rgb.map(Overrange.encode) : rgb]) { RGBToneStage.stage(table, &$0) }[0]
        // The inverse of the overrange function is as steep as 60 at the end.
        expectClose(
          isHDR ? found.map(Overrange.decode) : found, Self.numbers(one["out"]), abs: isHDR ? 3e-5 : 3e-6, rel: 3e-6)
      }
    }
  }
}
