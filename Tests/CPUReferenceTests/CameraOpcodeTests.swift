import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Opcodes on samples and on demosaiced pixels, against their definition in binary64 (DNG 1.7.1 chapter 7).
@Suite struct CameraOpcodeTests {
  static let width = 62, height = 45
  static let levels = SensorLevels(repeatRows: 2, repeatColumns: 1, black: [256, 260], white: [60_000])
  static let geometry = Geometry(crop: PixelRect(x: 2, y: 1, width: 50, height: 40), orientation: .right)

  static func area(
    _ top: Int = 0, _ left: Int = 0, _ bottom: Int = height, _ right: Int = width, plane: Int = 0, planes: Int = 1,
    pitch: (Int, Int) = (1, 1)
  ) -> SensorOpcode.Area {
    SensorOpcode.Area(
      top: top, left: left, bottom: bottom, right: right, plane: plane, planes: planes, rowPitch: pitch.0,
      columnPitch: pitch.1)
  }

  static func touches(_ area: SensorOpcode.Area, _ x: Int, _ y: Int, _ plane: Int) -> Bool {
    (area.plane..<area.plane + area.planes).contains(plane) && (area.top..<area.bottom).contains(y)
      && (area.left..<area.right).contains(x) && (y - area.top) % area.rowPitch == 0
      && (x - area.left) % area.columnPitch == 0
  }

  static func gain(_ map: SensorOpcode.GainMap, _ x: Int, _ y: Int, _ plane: Int) -> Double {
    func place(_ at: Int, _ size: Int, _ axis: Int, _ count: Int) -> (Int, Int, Double) {
      let scaled = ((Double(at) + 0.5) / Double(size) - map.origin[axis]) / map.spacing[axis]
      let inside = min(max(scaled, 0), Double(count - 1)), low = Int(inside)
      return (low, min(low + 1, count - 1), inside - Double(low))
    }
    let down = place(y, height, 0, map.rows), across = place(x, width, 1, map.columns)
    func at(_ row: Int, _ column: Int) -> Double {
      Double(map.gains[(row * map.columns + column) * map.planes + min(plane, map.planes - 1)])
    }
    let top = at(down.0, across.0) * (1 - across.2) + at(down.0, across.1) * across.2
    let bottom = at(down.1, across.0) * (1 - across.2) + at(down.1, across.1) * across.2
    return top * (1 - down.2) + bottom * down.2
  }

  /// Returns a value, in parts of white, after an opcode.
  static func apply(
    _ opcode: SensorOpcode, _ value: Double, _ x: Int, _ y: Int, _ plane: Int, isCode: Bool = false
  ) -> Double {
    var result = value
    switch opcode {
    case .trimBounds: break
    case .mapTable(let area, let table) where touches(area, x, y, plane):
      result = Double(table[min(max(Int((value * 65_535).rounded()), 0), table.count - 1)]) / 65_535
    case .mapPolynomial(let area, let k) where touches(area, x, y, plane):
      func at(_ x: Double) -> Double { k.reversed().reduce(0) { $0 * x + $1 } }
      // Of values, the slope at 0 goes on below it.
      result = value < 0 && !isCode ? at(0) + value * (at(0x1p-16) - at(0)) * 0x1p16 : at(value)
    case .gainMap(let area, let map) where touches(area, x, y, plane): result = value * gain(map, x, y, plane)
    case .deltaPerRow(let area, let list) where touches(area, x, y, plane):
      result = value + Double(list[(y - area.top) / area.rowPitch])
    case .scalePerRow(let area, let list) where touches(area, x, y, plane):
      result = value * Double(list[(y - area.top) / area.rowPitch])
    case .deltaPerColumn(let area, let list) where touches(area, x, y, plane):
      result = value + Double(list[(x - area.left) / area.columnPitch])
    case .scalePerColumn(let area, let list) where touches(area, x, y, plane):
      result = value * Double(list[(x - area.left) / area.columnPitch])
    case .vignette(let k, let center):
      let cx = center[0] * Double(width), cy = center[1] * Double(height)
      let reach = [max(cx, Double(width) - cx), max(cy, Double(height) - cy)]
      let dx = Double(x) + 0.5 - cx, dy = Double(y) + 0.5 - cy
      let r2 = (dx * dx + dy * dy) / (reach[0] * reach[0] + reach[1] * reach[1])
      result = value * (1 + k.reversed().reduce(0) { ($0 + $1) * r2 })
    default: break
    }
    return min(result, 1)
  }

  static func map(rows: Int, columns: Int, planes: Int = 1, seed: UInt64) -> SensorOpcode.GainMap {
    var random = SplitMix(state: seed)
    return SensorOpcode.GainMap(
      rows: rows, columns: columns, planes: planes, spacing: [1 / Double(max(1, rows - 1)), 0.9 / Double(columns)],
      origin: [0, 0.05], gains: (0..<rows * columns * planes).map { _ in Float(0.8 + random.unit()) })
  }

  /// Four gain maps, one for each place of a Bayer pattern, as phones write them.
  static let phone = (0..<4).map { place in
    SensorOpcode.gainMap(
      area(place / 2, place % 2, pitch: (2, 2)), map(rows: 5, columns: 7, seed: UInt64(place)))
  }

  static let lists: [(name: String, opcodes: [SensorOpcode], planes: Int)] = [
    ("gain maps of a pattern's places", phone, 1),
    ("a gain map of a part", [.gainMap(area(3, 5, 30, 41), map(rows: 4, columns: 3, seed: 3))], 1),
    ("vignette", [.vignette(coefficients: [0.3, -0.2, 0.1, 0.05, -0.02], center: [0.45, 0.55])], 1),
    (
      "rows and columns",
      [
        .deltaPerRow(area(), (0..<height).map { Float($0 % 3) * 0.01 }),
        .scalePerRow(area(4, 0, 40, 62, pitch: (3, 1)), (0..<12).map { 1 - Float($0) * 0.02 }),
        .deltaPerColumn(area(0, 1, 45, 62, pitch: (1, 2)), (0..<31).map { -Float($0) * 0.001 }),
        .scalePerColumn(area(), (0..<width).map { 0.9 + Float($0 % 4) * 0.1 }),
      ], 1
    ),
    ("polynomial", [.mapPolynomial(area(), [0.01, 0.5, 0.3, 0.1])], 1),
    (
      "table and polynomial",
      [
        .mapTable(area(), (0..<65_536).map { UInt16($0 * $0 / 65_536) }),
        .mapPolynomial(area(), [0, 0.7, 0.2]),
      ], 1
    ),
    (
      "polynomials of planes",
      (0..<3).map { .mapPolynomial(area(plane: $0), [0.01 * Double($0), 0.5, 0.3, 0.1 * Double($0)]) }, 3
    ),
    (
      "a map of three planes, a delta of one",
      [
        .gainMap(area(planes: 3), map(rows: 5, columns: 5, planes: 3, seed: 8)),
        .deltaPerRow(area(plane: 1), (0..<height).map { Float($0 % 3) * 0.01 }),
        .mapPolynomial(area(plane: 2), [0, 0.5, 0.4]),
      ], 3
    ),
    (
      "rows, then two polynomials",
      [
        .deltaPerRow(area(), (0..<height).map { Float($0 % 3) * 0.01 }),
        .mapPolynomial(area(), [0.01, 0.6, 0.3]), .mapPolynomial(area(), [0, 0.7, 0.2]),
      ], 1
    ),
  ]

  @Test("opcodes between levels and demosaicing change samples", arguments: lists.indices)
  func afterLevels(index: Int) throws {
    let (name, opcodes, planes) = Self.lists[index]
    let codes = Camera.codes(Self.width * Self.height * planes, seed: 20 + UInt64(index))
    var levels = Self.levels
    if planes == 3 { levels.black = [250, 255, 260, 256, 261, 266] }
    if index == 6 { (levels.repeatRows, levels.black) = (1, [10, 20, 30]) }
    func values(_ x: Int, _ y: Int) -> [Double] {
      (0..<planes).map { plane in
        let code = Int(codes[(y * Self.width + x) * planes + plane])
        return opcodes.reduce(min(levels.value(code, x: x, y: y, plane: plane), 1)) {
          Self.apply($1, $0, x, y, plane, isCode: index == 6)
        }
      }
    }
    let filters = planes == 1 ? Camera.bayer[0] : nil
    let image = Camera.image(codes, width: Self.width, height: Self.height, channels: planes)
    let plan = try Planner.sensor(
      image, Self.geometry, filters: filters, levels: levels, opcodes: [[], opcodes, []])
    // Where only codes matter no pass of places is needed.
    if index == 6 { #expect(plan.passes.map { $0.stages.map(\.kind) } == [[.loadSamples, .lut1D]]) }
    let demosaic = filters.map { LinearDemosaic($0) }
    let samples = (0..<Self.width * Self.height).map { values($0 % Self.width, $0 / Self.width) }
    let flat = samples.map { $0[0] }
    let worst = Camera.worst(plan, Self.geometry) { x, y in
      demosaic?.rgb(flat, width: Self.width, height: Self.height, x: x, y: y) ?? samples[y * Self.width + x]
    }
    // Behind places, tables have steps of 2^-16, between which they are straight; a table of 16 bits has steps itself.
    #expect(worst < (name == "table and polynomial" ? 5e-5 : 2e-6), "\(name): \(worst)")
  }

  @Test("opcodes before levels change codes", arguments: [0, 3, 4, 5, 8])
  func beforeLevels(index: Int) throws {
    let (name, opcodes, _) = Self.lists[index]
    let codes = Camera.codes(Self.width * Self.height, seed: 40 + UInt64(index), most: 40_000)
    var levels = Self.levels
    if index >= 4 { levels.black = [250, 250] }
    let filters = Camera.bayer[2], demosaic = LinearDemosaic(filters)
    let flat = codes.enumerated().map { at, code in
      let (x, y) = (at % Self.width, at / Self.width)
      let changed = opcodes.reduce(Double(code) / 65_535) { Self.apply($1, $0, x, y, 0) } * 65_535
      return min((changed - levels.black(x: x, y: y)) * levels.scale(), 1)
    }
    let plan = try Planner.sensor(
      Camera.image(codes, width: Self.width, height: Self.height), Self.geometry, filters: filters, levels: levels,
      opcodes: [opcodes, [], []])
    let worst = Camera.worst(plan, Self.geometry) { x, y in
      demosaic.rgb(flat, width: Self.width, height: Self.height, x: x, y: y)
    }
    #expect(worst < 2e-6, "\(name): \(worst)")
  }

  @Test("opcodes behind demosaicing change pixels", arguments: [1, 2, 6, 7])
  func afterDemosaicing(index: Int) throws {
    let (name, opcodes, _) = Self.lists[index]
    let codes = Camera.codes(Self.width * Self.height, seed: 60 + UInt64(index))
    let filters = Camera.bayer[1], demosaic = LinearDemosaic(filters)
    let levels = SensorLevels(black: [0], white: [65_535])
    let flat = codes.map { Double($0) / 65_535 }
    let plan = try Planner.sensor(
      Camera.image(codes, width: Self.width, height: Self.height), Self.geometry, filters: filters, levels: levels,
      opcodes: [[], [], opcodes])
    let worst = Camera.worst(plan, Self.geometry) { x, y in
      let rgb = demosaic.rgb(flat, width: Self.width, height: Self.height, x: x, y: y)
      // Functions of values begin by cutting at white, places by their own result.
      return rgb.enumerated().map { plane, value in
        opcodes.reduce(index == 6 ? min(value, 1) : value) { Self.apply($1, $0, x, y, plane) }
      }
    }
    // The slope below 0 is that of two neighbours in binary32.
    #expect(worst < 2e-5, "\(name): \(worst)")
  }

  @Test("tables and polynomials of a part of the picture are refused by name")
  func refused() throws {
    let image = Camera.image(
      Camera.codes(Self.width * Self.height, seed: 1), width: Self.width, height: Self.height)
    for (area, name) in [
      (Self.area(1), "MapTable"), (Self.area(pitch: (2, 2)), "MapPolynomial"), (Self.area(0, 0, 45, 61), "MapTable"),
    ] {
      let opcode = name == "MapTable" ? SensorOpcode.mapTable(area, [0, 1]) : .mapPolynomial(area, [0, 1])
      #expect(
        throws: PlanError.inconsistent("the opcode \(name) is for a part of the picture, which is not supported")
      ) {
        try Planner.sensor(
          image, Self.geometry, filters: Camera.bayer[0], levels: Self.levels, opcodes: [[], [opcode], []])
      }
    }
  }

  /// A list of the most opcodes that is allowed, of four kinds.
  static let longest = (0..<SensorOpcode.maxOpcodes).map { number -> SensorOpcode in
    switch number % 4 {
    case 0: .gainMap(area(number % 5, number % 3, pitch: (2, 1)), map(rows: 3, columns: 4, seed: UInt64(number)))
    case 1: .vignette(coefficients: [0.01, 0, 0.02, 0, 0], center: [0.5, 0.4])
    case 2: .scalePerColumn(area(), (0..<width).map { 0.98 + Float(($0 + number) % 4) * 0.01 })
    default: .mapPolynomial(area(), [0.001, 0.97, 0.02])
    }
  }

  @Test("a file's longest lists make passes of 16 stages at most, with the bits of one long pass")
  func longListsAreSplit() throws {
    let codes = Camera.codes(Self.width * Self.height, seed: 91)
    let image = Camera.image(codes, width: Self.width, height: Self.height)
    for opcodes in [[Self.longest, [], []], [[], Self.longest, []], [[], [], Self.longest]] {
      let plan = try Planner.sensor(
        image, Self.geometry, filters: Camera.bayer[0], levels: Self.levels, opcodes: opcodes)
      #expect(plan.cost.kernelStages <= 16 && plan.passes.count > 3)
      let long = Self.joined(plan)
      #expect(long.passes.count < plan.passes.count && long.cost.kernelStages > 32)
      let (split, one) = (renderOnCPU(plan), renderOnCPU(long))
      for y in 0..<split.height {
        for x in 0..<split.width { #expect(Camera.pixel(split, x, y) == Camera.pixel(one, x, y)) }
      }
    }
  }

  /// Returns the plan without passes that only continue the picture of the pass before.
  static func joined(_ plan: Plan) -> Plan {
    var passes: [Pass] = []
    for pass in plan.passes {
      var pass = pass
      if case .earlier(let from, let rows)? = pass.sources.first {
        if from != passes.count - 1 { pass.sources = [.earlier(pass: passes.count - 1, rows: rows)] }
        if pass.stages.first?.kind == .loadFloatPlanes, pass.mapping == .identity, var last = passes.last {
          last.stages += pass.stages.dropFirst()
          last.sink = pass.sink
          passes[passes.count - 1] = last
          continue
        }
      }
      passes.append(pass)
    }
    return Plan(passes: passes, constants: plan.constants, tables: plan.tables, report: plan.report)
  }

  @Test("a list of polynomials is computed one after the other into one table")
  func listsOfCurvesAreOneTable() throws {
    let image = Camera.image(
      Camera.codes(Self.width * Self.height, seed: 1), width: Self.width, height: Self.height)
    func plan(_ count: Int) throws -> Plan {
      try Planner.sensor(
        image, Self.geometry, filters: Camera.bayer[0], levels: SensorLevels(black: [64], white: [65_535]),
        opcodes: [[], Array(repeating: .mapPolynomial(Self.area(), [0, 1.0001, -0.0001]), count: count), []])
    }
    let one = try plan(1), all = try plan(SensorOpcode.maxOpcodes)
    #expect(all.cost.stages == one.cost.stages)
    let more = all.cost.tableEvaluations - one.cost.tableEvaluations
    #expect(more == (SensorOpcode.maxOpcodes - 1) * 65_536)
  }
}
