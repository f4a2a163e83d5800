import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Samples of sensors to linear light against the definition in binary64.
@Suite struct CameraLoadTests {
  /// Linear values of a sensor, at most 1.
  static func linear(_ codes: [UInt16], _ levels: SensorLevels, width: Int) -> [Double] {
    codes.enumerated().map { at, code in min(levels.value(Int(code), x: at % width, y: at / width), 1) }
  }

  static func worst(
    _ filters: ColorFilterArray, _ levels: SensorLevels, width: Int, height: Int, geometry: Geometry? = nil,
    seed: UInt64 = 1
  ) throws -> Double {
    let geometry = geometry ?? Geometry(width: width, height: height)
    let codes = Camera.codes(width * height, seed: seed)
    let plan = try Planner.sensor(
      Camera.image(codes, width: width, height: height), geometry, filters: filters, levels: levels)
    let demosaic = LinearDemosaic(filters), values = linear(codes, levels, width: width)
    return Camera.worst(plan, geometry) { x, y in demosaic.rgb(values, width: width, height: height, x: x, y: y) }
  }

  static let levels = SensorLevels(black: [512], white: [60_000])

  // Sums of up to 11 products of numbers up to 1, each rounded to binary32.
  static let tolerance = 1.5e-6

  @Test(
    "each phase of a Bayer pattern is demosaiced with its weights, borders too",
    arguments: 0..<4, [(1, 1), (2, 3), (3, 1), (5, 4), (16, 9), (511, 5), (517, 9), (1030, 3)])
  func bayer(phase: Int, size: (Int, Int)) throws {
    let worst = try Self.worst(Camera.bayer[phase], Self.levels, width: size.0, height: size.1)
    #expect(worst < Self.tolerance, "\(worst)")
  }

  @Test("a pattern of 6 is demosaiced with its weights, borders too", arguments: [(1, 1), (6, 6), (13, 8), (531, 14)])
  func xTrans(size: (Int, Int)) throws {
    let worst = try Self.worst(Camera.xTrans, Self.levels, width: size.0, height: size.1)
    #expect(worst < Self.tolerance, "\(worst)")
  }

  @Test(
    "patterns of any side up to 8 are demosaiced with their weights",
    arguments: [(1, 3), (3, 1), (3, 3), (4, 4), (5, 5), (2, 7), (7, 7), (8, 8)])
  func patterns(rows: Int, columns: Int) throws {
    let filters = try #require(
      ColorFilterArray(
        rows: rows, columns: columns,
        colors: (0..<rows * columns).map { UInt8(($0 % columns + $0 / columns) % 3) }))
    let worst = try Self.worst(filters, Self.levels, width: 533, height: 19)
    #expect(worst < Self.tolerance, "\(worst)")
  }

  @Test(
    "samples are read where orientation and crop put them", arguments: Orientation.allCases,
    [(0, 0, 61, 47), (3, 2, 40, 31), (1, 5, 59, 1), (60, 46, 1, 1)])
  func geometry(orientation: Orientation, crop: (Int, Int, Int, Int)) throws {
    let geometry = Geometry(
      crop: PixelRect(x: crop.0, y: crop.1, width: crop.2, height: crop.3), orientation: orientation)
    for filters in [Camera.bayer[1], Camera.xTrans] {
      let worst = try Self.worst(filters, Self.levels, width: 61, height: 47, geometry: geometry)
      #expect(worst < Self.tolerance, "\(filters.letters): \(worst)")
    }
  }

  @Test("orientation changes no bit", arguments: Orientation.allCases) func orientation(_ orientation: Orientation)
    throws
  {
    let (width, height) = (540, 37), codes = Camera.codes(width * height, seed: 5)
    let image = Camera.image(codes, width: width, height: height)
    func render(_ geometry: Geometry) throws -> SampleImage {
      renderOnCPU(try Planner.sensor(image, geometry, filters: Camera.bayer[2], levels: Self.levels))
    }
    let up = try render(Geometry(width: width, height: height))
    let geometry = Geometry(width: width, height: height, orientation: orientation), m = geometry.mapping
    let turned = try render(geometry)
    var differing = 0
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let at = (m.x0 + x * m.columnX + y * m.rowX, m.y0 + x * m.columnY + y * m.rowY)
        for channel in 0..<3 {
          let same =
            Camera.sample(turned.channels[channel], x, y).bitPattern
            == Camera.sample(up.channels[channel], at.0, at.1).bitPattern
          if !same { differing += 1 }
        }
      }
    }
    #expect(differing == 0)
  }

  @Test(
    "black is that of the place, in patterns inside the filters' and beyond",
    arguments: [(1, 2), (2, 1), (2, 2), (4, 4), (3, 2), (8, 8), (5, 7)])
  func black(rows: Int, columns: Int) throws {
    let levels = SensorLevels(
      repeatRows: rows, repeatColumns: columns, black: (0..<rows * columns).map { 300 + 37.25 * Double($0) },
      white: [50_000])
    for filters in [Camera.bayer[0], Camera.xTrans] {
      let worst = try Self.worst(filters, levels, width: 70, height: 41)
      #expect(worst < Self.tolerance, "\(filters.letters): \(worst)")
    }
  }

  @Test("black has parts by row and by column, and codes go through a table")
  func deltas() throws {
    let (width, height) = (70, 41)
    let table = (0..<4096).map { (code: Int) -> UInt16 in
      let linear = code * 16 + code * code / 900
      return UInt16(min(linear, 65_535))
    }
    let levels = SensorLevels(
      linearization: table, repeatRows: 2, repeatColumns: 2,
      black: [100, 110, 120, 130], deltaRows: (0..<height).map { Double($0 % 7) - 3.5 },
      deltaColumns: (0..<width).map { Double($0 % 5) * 2.25 }, white: [60_000])
    for (index, filters) in (Camera.bayer + [Camera.xTrans]).enumerated() {
      let orientation = Orientation.allCases[index + 2]
      let geometry = Geometry(crop: PixelRect(x: 5, y: 3, width: 51, height: 33), orientation: orientation)
      let worst = try Self.worst(filters, levels, width: width, height: height, geometry: geometry)
      #expect(worst < Self.tolerance, "\(filters.letters): \(worst)")
    }
  }

  @Test("three planes get their levels alone")
  func linearRaw() throws {
    let (width, height) = (66, 35), codes = Camera.codes(width * height * 3, seed: 9)
    let image = Camera.image(codes, width: width, height: height, channels: 3)
    let plain = SensorLevels(black: [100, 200, 300], white: [65_535, 60_000, 50_000])
    var full = SensorLevels(
      linearization: (0..<65_536).map { UInt16($0 / 2 + 7) }, repeatRows: 1, repeatColumns: 2,
      black: [100, 200, 300, 110, 210, 310], white: [32_000, 31_000, 30_000])
    full.deltaRows = (0..<height).map { Double($0) / 4 }
    var coded = plain
    (coded.linearization, coded.white) = (full.linearization, full.white)
    for levels in [plain, coded, full] {
      for orientation in Orientation.allCases {
        let geometry = Geometry(crop: PixelRect(x: 3, y: 2, width: 60, height: 30), orientation: orientation)
        let plan = try Planner.sensor(image, geometry, filters: nil, levels: levels)
        #expect(plan.passes.count == (levels == full ? 2 : 1))
        let worst = Camera.worst(plan, geometry) { x, y in
          (0..<3).map { min(levels.value(Int(codes[3 * (y * width + x) + $0]), x: x, y: y, plane: $0), 1) }
        }
        #expect(worst < 3e-7, "\(worst)")
      }
    }
  }

  @Test("a filter array with regular levels is one pass that loads codes")
  func isDirect() throws {
    let image = Camera.image(Camera.codes(64, seed: 1), width: 8, height: 8)
    let plan = try Planner.sensor(
      image, Geometry(width: 8, height: 8), filters: Camera.bayer[0], levels: Self.levels,
      opcodes: [[], [.trimBounds(top: 0, left: 0, bottom: 8, right: 8)], []])
    #expect(plan.passes.map { $0.stages.map(\.kind) } == [[.loadCFA]])
  }

  @Test("patterns that lack a colour near some place are refused")
  func incomplete() throws {
    var colors = [UInt8](repeating: 1, count: 64)
    (colors[0], colors[1]) = (0, 2)
    let filters = try #require(ColorFilterArray(rows: 8, columns: 8, colors: colors))
    let image = Camera.image(Camera.codes(64, seed: 1), width: 8, height: 8)
    #expect(throws: PlanError.self) {
      try Planner.sensor(image, Geometry(width: 8, height: 8), filters: filters, levels: Self.levels)
    }
  }

  @Test("floats behind filters are demosaiced as they are")
  func floats() throws {
    let (width, height) = (37, 21)
    let image = SampleImage.planar(width: width, height: height, model: .grey, format: .float32, bitDepth: 32)
    var random = SplitMix(state: 3)
    let values = (0..<width * height).map { _ in Double(Float(random.unit() * 1.2 - 0.1)) }
    for (at, value) in values.enumerated() {
      image.channels[0].buffer.base.storeBytes(
        of: Float(value), toByteOffset: at / width * image.channels[0].rowBytes + 4 * (at % width), as: Float.self)
    }
    let geometry = Geometry(width: width, height: height, orientation: .left)
    let demosaic = LinearDemosaic(Camera.bayer[3]), levels = SensorLevels(white: [1])
    let plan = try Planner.sensor(image, geometry, filters: Camera.bayer[3], levels: levels)
    let worst = Camera.worst(plan, geometry) { x, y in
      demosaic.rgb(values.map { min($0, 1) }, width: width, height: height, x: x, y: y)
    }
    #expect(worst < Self.tolerance, "\(worst)")
  }
}

/// Tests the loads of sensor samples against vectors.
@Suite(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
struct CameraLoadVectorTests {
  let vectors = SharedData.json("specs/more-formats-vectors.json") ?? [:]

  func row(_ name: String) -> [String: Any] { (vectors[name] as? [[String: Any]])?.first ?? [:] }

  @Test("Malvar's sums have every bit of the vector")
  func malvar() throws {
    let row = row("demosaic_malvar"), cases = row["cases"] as? [[String: Any]] ?? []
    let samples = (row["cfa"] as? [Any] ?? []).flatMap { ($0 as? [Double]) ?? [$0 as? Double ?? .nan] }
    #expect(samples.count == 64 && cases.count == 9)
    // Multiples of 2^-16 or coarser.
    let codes = samples.map { UInt16($0 * 32_768) }
    #expect(zip(codes, samples).allSatisfy { Double($0) / 32_768 == $1 })
    let image = renderOnCPU(
      try Planner.sensor(
        Camera.image(codes, width: 8, height: 8), Geometry(width: 8, height: 8), filters: Camera.bayer[0],
        levels: SensorLevels(white: [32_768])))
    for one in cases {
      #expect(Camera.pixel(image, Int(one.number("x")), Int(one.number("y"))) == one.numbers("rgb"))
    }
  }

  @Test("levels have the vector's numbers")
  func levels() throws {
    let row = row("dng_levels"), cases = row["cases"] as? [[String: Any]] ?? []
    let levels = SensorLevels(
      linearization: row.numbers("table").map { UInt16($0) }, repeatRows: 2, repeatColumns: 2,
      black: row.numbers("black"), white: [row.number("white")])
    #expect(!cases.isEmpty)
    for one in cases {
      let at = Int(one.number("position"))
      let image = Camera.image([UInt16](repeating: UInt16(one.number("raw")), count: 4), width: 2, height: 2)
      let plan = try Planner.sensor(image, Geometry(width: 2, height: 2), filters: nil, levels: levels)
      let found = Camera.pixel(renderOnCPU(plan), at % 2, at / 2)[0]
      expectClose(found, min(one.number("value"), 1), abs: 1e-7, rel: 0)
    }
  }

  @Test("X-Trans: the colour at the first place has the vector's weights")
  func xTrans() throws {
    let phases = row("demosaic_xtrans")["phase_0_0"] as? [Any] ?? [], side = 18
    #expect(phases.count == 3)
    for (color, list) in phases.enumerated() {
      for entry in list as? [Any] ?? [] {
        let three = (entry as? [Any] ?? []).compactMap { ($0 as? Double) ?? ($0 as? Int).map(Double.init) }
        // One sample alone, and the pixel whose sum it goes into.
        var codes = [UInt16](repeating: 0, count: side * side)
        codes[(6 + Int(three[0])) * side + 6 + Int(three[1])] = 65_535
        let plan = try Planner.sensor(
          Camera.image(codes, width: side, height: side), Geometry(width: side, height: side), filters: Camera.xTrans,
          levels: SensorLevels(white: [65_535]))
        expectClose(Camera.pixel(renderOnCPU(plan), 6, 6)[color], three[2], abs: 1e-7, rel: 0)
      }
    }
  }
}
