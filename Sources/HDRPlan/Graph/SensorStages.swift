import HDRCore
import Kernels

/// The stages between a sensor's samples and linear values, in the order of the file: opcodes, levels, more opcodes.
/// Steps that depend on the value only are joined in one table of codes, or of values.
///
/// Values end at 1 after each step, as in the DNG SDK.
struct SensorStages {
  /// The size of the active area, which contains all places.
  let width: Int
  let height: Int
  /// The number of planes: 1 or 3.
  let planes: Int
  private(set) var stages: [Stage] = []
  /// True if a stage needs each pixel at its place: neither turned nor cropped.
  private(set) var isByPlace = false

  /// Steps that are not written yet, for each plane.
  private enum Pending {
    case nothing
    case affine(scale: [Double], offset: [Double])
    /// The results of the steps so far for each of `Nodes`.
    case table(Nodes, [[Double]])
  }

  /// The arguments of a table: all codes, or 65536 values from 0 to white.
  private struct Nodes {
    let count: Int
    let step: Double
    /// The white of values; `nil` for codes.
    let white: Double?

    init(largestCode: Int?, white: Double) {
      let last = largestCode ?? 65_535
      (count, step) = (last + 1, largestCode == nil ? white / Double(last) : 1)
      self.white = largestCode == nil ? white : nil
    }

    var values: [Double] { (0..<count).map { Double($0) * step } }
  }
  private var pending = Pending.nothing
  /// The largest code, while values are still codes as they were loaded.
  private var largestCode: Int?
  /// The white of the steps so far: 65535 for codes before levels, else 1.
  private var white: Double

  /// - Parameter format: format of samples whose levels are to be applied; `nil`: they are linear values.
  init(width: Int, height: Int, planes: Int, codes format: SampleFormat?) {
    (self.width, self.height, self.planes) = (width, height, planes)
    let isInteger = format?.isInteger ?? false
    largestCode = isInteger ? (format == .uint8 ? 255 : 65_535) : nil
    white = isInteger ? 65_535 : 1
  }

  /// Returns true if opcodes change nothing.
  static func areIdle(_ opcodes: [SensorOpcode]) -> Bool {
    opcodes.allSatisfy { if case .trimBounds = $0 { true } else { false } }
  }

  // MARK: Levels

  mutating func add(_ levels: SensorLevels, _ words: inout PlanDataBuilder) {
    if !levels.linearization.isEmpty { then(&words) { _, x in levels.linearized(Int(x.rounded())) } }
    let all = 0..<planes, scale = all.map { levels.scale(plane: $0) }
    var black = all.map { levels.black[min($0, levels.black.count - 1)] }
    if levels.repeatRows * levels.repeatColumns > 1 {
      let rows = levels.repeatRows, columns = levels.repeatColumns
      var pattern = levels
      (pattern.deltaRows, pattern.deltaColumns) = ([], [])
      for plane in all {
        let numbers = (0..<rows * columns).map { -pattern.black(x: $0 % columns, y: $0 / columns, plane: plane) }
        place(
          isSum: true, numbers, width: columns, planes: plane..<plane + 1,
          PlaceTable.axis(width, count: columns) { Double($0 % columns) },
          PlaceTable.axis(height, count: rows) { Double($0 % rows) }, &words)
      }
      black = all.map { _ in 0 }
    }
    let (none, down, right) = ({ (_: Int) in 0.0 }, levels.deltaRows.map { -$0 }, levels.deltaColumns.map { -$0 })
    if !down.isEmpty {
      place(
        isSum: true, down, width: 1, planes: all, PlaceTable.axis(width, count: 1, none),
        PlaceTable.axis(height, count: down.count, Double.init), &words)
    }
    if !right.isEmpty {
      place(
        isSum: true, right, width: right.count, planes: all,
        PlaceTable.axis(width, count: right.count, Double.init), PlaceTable.axis(height, count: 1, none), &words)
    }
    white = 1
    let offset = zip(black, scale).map { -$0 * $1 }
    if case .table = pending {
      then(&words) { plane, x in x * scale[plane] + offset[plane] }
    } else {
      pending = .affine(scale: scale, offset: offset)
    }
  }

  // MARK: Opcodes

  /// - Throws: `PlanError.inconsistent` for a table or polynomial that is for a part of the picture; `.late`.
  mutating func add(_ opcode: SensorOpcode, _ words: inout PlanDataBuilder) throws(PlanError) {
    try words.checkTime()
    let white = white
    switch opcode {
    case .trimBounds: break
    case .mapTable(let area, let table):
      try map(area, "MapTable", &words) {
        Double(table[min(max(Int(($0 * 65_535).rounded()), 0), table.count - 1)]) / 65_535
      }
    case .mapPolynomial(let area, let coefficients):
      try map(area, "MapPolynomial", &words) { x in coefficients.reversed().reduce(0) { $0 * x + $1 } }
    case .vignette(let coefficients, let center):
      let x = center[0] * Double(width), y = center[1] * Double(height)
      let reach = [max(x, Double(width) - x), max(y, Double(height) - y)]
      let table = CurveTable(octaves: -20..<1, k: 6) { squared in
        1 + coefficients.reversed().reduce(0) { ($0 + $1) * squared }
      }
      flush(&words)
      isByPlace = true
      stages.append(
        words.stage(
          .vignette,
          VignetteGain.words(
            center: [x, y], scale: 1 / (reach[0] * reach[0] + reach[1] * reach[1]).squareRoot(), table,
            offset: words.table(table.words))))
      limit(&words)
    case .gainMap(let area, let map):
      let columns = axis(width, area.left..<area.right, area.columnPitch, count: map.columns) {
        ((Double($0) + 0.5) / Double(width) - map.origin[1]) / map.spacing[1]
      }
      let rows = axis(height, area.top..<area.bottom, area.rowPitch, count: map.rows) {
        ((Double($0) + 0.5) / Double(height) - map.origin[0]) / map.spacing[0]
      }
      for plane in touched(area) {
        let own = min(plane, map.planes - 1)
        let gains = stride(from: own, to: map.gains.count, by: map.planes).map { Double(map.gains[$0]) }
        place(isSum: false, gains, width: map.columns, planes: plane..<plane + 1, columns, rows, &words)
      }
      limit(&words)
    case .deltaPerRow(let area, let list): perRow(isSum: true, area, list.map { Double($0) * white }, &words)
    case .scalePerRow(let area, let list): perRow(isSum: false, area, list.map(Double.init), &words)
    case .deltaPerColumn(let area, let list): perColumn(isSum: true, area, list.map { Double($0) * white }, &words)
    case .scalePerColumn(let area, let list): perColumn(isSum: false, area, list.map(Double.init), &words)
    }
  }

  /// Returns the planes of the picture that an area names.
  private func touched(_ area: SensorOpcode.Area) -> Range<Int> {
    (area.plane..<area.plane + area.planes).clamped(to: 0..<planes)
  }

  private func axis(
    _ size: Int, _ range: Range<Int>, _ pitch: Int, count: Int, _ place: (Int) -> Double
  ) -> [UInt32] {
    PlaceTable.axis(size, count: count, area: (range, pitch), place)
  }

  private mutating func perRow(
    isSum: Bool, _ area: SensorOpcode.Area, _ numbers: [Double], _ words: inout PlanDataBuilder
  ) {
    place(
      isSum: isSum, numbers, width: 1, planes: touched(area),
      axis(width, area.left..<area.right, area.columnPitch, count: 1) { _ in 0 },
      axis(height, area.top..<area.bottom, area.rowPitch, count: numbers.count) {
        Double(($0 - area.top) / area.rowPitch)
      }, &words)
    limit(&words)
  }

  private mutating func perColumn(
    isSum: Bool, _ area: SensorOpcode.Area, _ numbers: [Double], _ words: inout PlanDataBuilder
  ) {
    place(
      isSum: isSum, numbers, width: numbers.count, planes: touched(area),
      axis(width, area.left..<area.right, area.columnPitch, count: numbers.count) {
        Double(($0 - area.left) / area.columnPitch)
      },
      axis(height, area.top..<area.bottom, area.rowPitch, count: 1) { _ in 0 }, &words)
    limit(&words)
  }

  /// Applies a function of values in parts of white to an area's planes.
  private mutating func map(
    _ area: SensorOpcode.Area, _ name: String, _ words: inout PlanDataBuilder, _ f: (Double) -> Double
  ) throws(PlanError) {
    guard area.top <= 0, area.left <= 0, area.bottom >= height, area.right >= width, area.rowPitch == 1,
      area.columnPitch == 1
    else {
      throw .inconsistent("the opcode \(name) is for a part of the picture, which is not supported")
    }
    let planes = touched(area), white = white
    then(&words) { plane, x in planes.contains(plane) ? f(x / white) * white : x }
  }

  // MARK: Writing

  /// Adds a function of plane and value to the pending steps: it goes into the table, so that many functions cost no
  /// more than one.
  private mutating func then(_ words: inout PlanDataBuilder, _ f: (Int, Double) -> Double) {
    // A table of codes includes levels; one of values begins after them.
    if case .affine = pending, largestCode == nil { flush(&words) }
    var (nodes, table) = pendingTable()
    pending = .nothing
    for plane in 0..<planes {
      for at in table[plane].indices { table[plane][at] = min(f(plane, table[plane][at]), white) }
    }
    words.count(evaluations: planes * nodes.count)
    pending = .table(nodes, table)
  }

  private func pendingTable() -> (Nodes, [[Double]]) {
    let nodes = Nodes(largestCode: largestCode, white: white)
    switch pending {
    case .nothing: return (nodes, Array(repeating: nodes.values, count: planes))
    case .affine(let scale, let offset):
      let codes = nodes.values
      return (nodes, (0..<planes).map { plane in codes.map { min($0 * scale[plane] + offset[plane], 1) } })
    case .table(let nodes, let table): return (nodes, table)
    }
  }

  private mutating func place(
    isSum: Bool, _ numbers: [Double], width: Int, planes: Range<Int>, _ columns: [UInt32], _ rows: [UInt32],
    _ words: inout PlanDataBuilder
  ) {
    if planes.isEmpty { return }
    flush(&words)
    isByPlace = true
    // A single plane is in all three channels.
    let channels = self.planes == 1 ? 7 : planes.reduce(0) { $0 | 1 << $1 }
    stages.append(
      words.stage(
        .placeTable,
        PlaceTable.Parameters(
          isSum: isSum.word, channels: channels.word, columns: words.table(columns), rows: words.table(rows),
          numbers: words.table(numbers.map(\.word)), width: width.word
        ).list))
  }

  /// - Parameter high: the limit; `nil`: white of the steps so far.
  private mutating func limit(_ words: inout PlanDataBuilder, to high: Double? = nil) {
    stages.append(words.stage(.clamp, ClampStage.words(low: -Double(E32.largest), high: high ?? white)))
  }

  /// Writes the pending steps.
  mutating func flush(_ words: inout PlanDataBuilder) {
    defer { (pending, largestCode) = (.nothing, nil) }
    func three<T>(_ list: [T]) -> [T] { list.count == 3 ? list : [list[0], list[0], list[0]] }
    switch pending {
    case .nothing: break
    case .affine(let scale, let offset):
      stages.append(words.stage(.affine, Affine.words(scale: three(scale), offset: three(offset))))
      limit(&words)
    case .table(let nodes, let table):
      // The first slope continues below 0.
      if let white = nodes.white { limit(&words, to: white) }
      let columns = three(table), scale = 1 / nodes.step
      let numbers = (0..<nodes.count).flatMap { [columns[0][$0].word, columns[1][$0].word, columns[2][$0].word] }
      stages.append(
        words.stage(
          .lut1D,
          LUT1DStage.words(
            offset: words.table(numbers), size: nodes.count, scale: [scale, scale, scale], bias: [0, 0, 0],
            extrapolates: nodes.white != nil)))
    }
  }
}
