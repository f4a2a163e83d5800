import HDRCore

// Messages about sensor samples: their description and the way to a picture. A codec process's numbers are checked
// against the same bounds as a file's.

extension CameraReading.Source: WireRaw {}
extension CameraReading.Crop: WireRaw {}
extension GainTableMap.Storage: WireRaw {}

extension CameraReading: Fields {
  package static var blank: CameraReading { CameraReading() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("source", &source)
    try coder("crop", &crop)
  }
}

extension Matrix3: Fields {
  package static var blank: Matrix3 { .identity }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("rows", &rows, count: 9...9)
  }
}

// MARK: Sensor

extension SensorArea: Fields {
  package static var blank: SensorArea { SensorArea(left: 0, top: 0, right: 0, bottom: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("left", &left, in: 0...coder.limits.maxSide)
    try coder("top", &top, in: 0...coder.limits.maxSide)
    try coder("right", &right, in: 0...coder.limits.maxSide)
    try coder("bottom", &bottom, in: 0...coder.limits.maxSide)
    try coder.demand(width > 0 && height > 0, "an empty area")
  }
}

extension ColorFilterArray: Fields {
  package static let blank = ColorFilterArray(rows: 1, columns: 3, colors: [0, 1, 2])!
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var (rows, columns, colors) = (rows, columns, colors)
    try coder("rows", &rows, in: 1...Self.maxSide)
    try coder("columns", &columns, in: 1...Self.maxSide)
    try coder("colors", &colors)
    guard let filters = ColorFilterArray(rows: rows, columns: columns, colors: colors) else {
      return try coder.refuse("no filter pattern")
    }
    self = filters
  }
}

extension SensorLevels: Fields {
  package static var blank: SensorLevels { SensorLevels(white: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("linearization", &linearization)
    try coder("repeatRows", &repeatRows, in: 1...8)
    try coder("repeatColumns", &repeatColumns, in: 1...8)
    try coder("black", &black)
    try coder("deltaRows", &deltaRows)
    try coder("deltaColumns", &deltaColumns)
    try coder("white", &white)
    try coder.demand(
      [1, 3].contains { black.count == $0 * repeatRows * repeatColumns } && [1, 3].contains(white.count)
        && (0..<3).allSatisfy { (0.0..<1e30).contains(scale(plane: $0)) }, "levels without white above black")
  }
}

extension ClosedRange<Int> {
  /// The coordinates of opcodes, and their distances.
  fileprivate static var places: Self { 0...Int(UInt32.max) }
  fileprivate static var steps: Self { 1...Int(UInt32.max) }
}

extension SensorOpcode.Area: Fields {
  package static var blank: SensorOpcode.Area {
    SensorOpcode.Area(top: 0, left: 0, bottom: 1, right: 1, plane: 0, planes: 0, rowPitch: 1, columnPitch: 1)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("top", &top, in: .places)
    try coder("left", &left, in: .places)
    try coder("bottom", &bottom, in: .steps)
    try coder("right", &right, in: .steps)
    try coder("plane", &plane, in: 0...16)
    try coder("planes", &planes, in: 1...16)
    try coder("rowPitch", &rowPitch, in: .steps)
    try coder("columnPitch", &columnPitch, in: .steps)
    try coder.demand(top < bottom && left < right, "an empty area")
  }
}

extension SensorOpcode.GainMap: Fields {
  package static var blank: SensorOpcode.GainMap {
    SensorOpcode.GainMap(rows: 0, columns: 0, planes: 0, spacing: [], origin: [], gains: [])
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("rows", &rows, in: 1...SensorOpcode.maxNumbers)
    try coder("columns", &columns, in: 1...SensorOpcode.maxNumbers)
    try coder("planes", &planes, in: 1...16)
    try coder("spacing", &spacing, count: 2...2)
    try coder("origin", &origin, count: 2...2)
    try coder("gains", &gains)
    try coder.demand(
      gains.count == rows * columns * planes && spacing.allSatisfy { $0 > 0 }, "a gain map without its gains")
  }
}

extension SensorOpcode: Cases {
  package static var maxInList: Int { maxOpcodes }
  package static var blanks: [SensorOpcode] {
    [
      .vignette(coefficients: [], center: []), .trimBounds(top: 0, left: 0, bottom: 0, right: 0),
      .mapTable(.blank, []), .mapPolynomial(.blank, []), .gainMap(.blank, .blank), .deltaPerRow(.blank, []),
      .deltaPerColumn(.blank, []), .scalePerRow(.blank, []), .scalePerColumn(.blank, []),
    ]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .vignette(var coefficients, var center):
      try coder.number(0)
      try coder("coefficients of a vignette", &coefficients, count: 5...5)
      try coder("coordinates of a vignette", &center, count: 2...2)
      self = .vignette(coefficients: coefficients, center: center)
    case .trimBounds(var top, var left, var bottom, var right):
      try coder.number(1)
      try coder("top", &top, in: .places)
      try coder("left", &left, in: .places)
      try coder("bottom", &bottom, in: .places)
      try coder("right", &right, in: .places)
      self = .trimBounds(top: top, left: left, bottom: bottom, right: right)
    case .mapTable(var area, var table):
      try coder.number(2)
      try coder("area", &area)
      try coder("entries of a table", &table, count: 1...Self.maxTable)
      self = .mapTable(area, table)
    case .mapPolynomial(var area, var coefficients):
      try coder.number(3)
      try coder("area", &area)
      try coder("coefficients of a polynomial", &coefficients, count: 1...Self.maxDegree + 1)
      self = .mapPolynomial(area, coefficients)
    case .gainMap(let area, let map):
      try coder.number(4)
      self = .gainMap(try coder(area), try coder(map))
    case .deltaPerRow(var area, var values):
      try coder.number(5)
      try coder.values(&values, in: &area, { $0.rows })
      self = .deltaPerRow(area, values)
    case .deltaPerColumn(var area, var values):
      try coder.number(6)
      try coder.values(&values, in: &area, { $0.columns })
      self = .deltaPerColumn(area, values)
    case .scalePerRow(var area, var values):
      try coder.number(7)
      try coder.values(&values, in: &area, { $0.rows })
      self = .scalePerRow(area, values)
    case .scalePerColumn(var area, var values):
      try coder.number(8)
      try coder.values(&values, in: &area, { $0.columns })
      self = .scalePerColumn(area, values)
    }
  }
}

extension FieldCoder {
  /// Codes an area and a value for each of its rows or columns.
  fileprivate mutating func values(
    _ values: inout [Float], in area: inout SensorOpcode.Area, _ count: (SensorOpcode.Area) -> Int
  ) throws(Failure) {
    try self("area", &area)
    try self("values", &values)
    try demand(values.count == count(area), "\(values.count) numbers for rows or columns")
  }
}

// MARK: Profiles

extension CameraCalibration.Illuminant: Fields {
  package static var blank: CameraCalibration.Illuminant {
    CameraCalibration.Illuminant(temperature: 0, color: .blank)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("temperature", &temperature)
    try coder("color", &color)
    try coder("forward", &forward)
    try coder("calibration", &calibration)
  }
}

extension CameraCalibration: Fields {
  package static var blank: CameraCalibration { CameraCalibration(first: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("first", &first)
    try coder("second", &second)
    try coder("analogBalance", &analogBalance, count: 3...3)
  }
}

extension HueSatMap: Fields {
  package static let blank = HueSatMap(hues: 1, saturations: 2, values: 1, data: [0, 0, 0, 0, 0, 0])!
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var (hues, saturations, values, data) = (hues, saturations, values, data)
    try coder("hues", &hues)
    try coder("saturations", &saturations)
    try coder("values", &values)
    try coder("data", &data)
    try coder("isEncoded", &isEncoded)
    guard
      let map = HueSatMap(hues: hues, saturations: saturations, values: values, data: data, isEncoded: isEncoded)
    else { return try coder.refuse("no map of hue and saturation") }
    self = map
  }
}

extension ProfileToneCurve: Fields {
  package static let blank = ProfileToneCurve([Point(0, 0), Point(1, 1)])!
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var numbers = points.flatMap { [$0.x, $0.y] }
    try coder("points", &numbers)
    let points = stride(from: 0, to: numbers.count - numbers.count % 2, by: 2).map {
      Point(numbers[$0], numbers[$0 + 1])
    }
    guard numbers.count % 2 == 0, let curve = ProfileToneCurve(points) else { return try coder.refuse("no tone curve") }
    self = curve
  }
}

extension GainTableMap: Fields {
  package static let blank = GainTableMap(
    rows: 0, columns: 0, depth: 0, spacing: [], origin: [], weights: [], gains: [])
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var (rows, columns, depth, spacing, origin) = (rows, columns, depth, spacing, origin)
    var (weights, gamma, storage, gains) = (weights, gamma, storage, gains)
    try coder("rows", &rows, in: 1...Self.maxPoints)
    try coder("columns", &columns, in: 1...Self.maxPoints)
    try coder("depth", &depth, in: 1...Self.maxPoints)
    try coder("spacing", &spacing, count: 2...2)
    try coder("origin", &origin, count: 2...2)
    try coder("weights", &weights, count: 5...5)
    try coder("gamma", &gamma, in: Self.gammaRange)
    try coder("storage", &storage)
    try coder("gains", &gains, count: 0...Self.maxPoints)
    try coder.demand(
      rows * columns <= Self.maxPoints && gains.count == rows * columns * depth && spacing.allSatisfy { $0 > 0 }
        && gains.allSatisfy { Self.gainRange.contains(Double($0)) }, "no gain table")
    self = GainTableMap(
      rows: rows, columns: columns, depth: depth, spacing: spacing, origin: origin, weights: weights, gamma: gamma,
      storage: storage, gains: gains)
  }
}

extension CameraProfile.DynamicRange: Fields {
  package static var blank: CameraProfile.DynamicRange { CameraProfile.DynamicRange(isHDR: false, peak: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("isHDR", &isHDR)
    try coder("peak", &peak)
  }
}

extension CameraProfile: Fields {
  package static var blank: CameraProfile { CameraProfile() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("group", &group)
    try coder("calibration", &calibration)
    try coder("hueSatMaps", &hueSatMaps, count: 0...2)
    try coder("lookTable", &lookTable)
    try coder("toneCurve", &toneCurve)
    try coder("exposureOffset", &exposureOffset, in: -32...32)
    try coder("keepsBlack", &keepsBlack)
    try coder("dynamicRange", &dynamicRange)
    try coder("gainTableMap", &gainTableMap)
    try coder("hasRGBTables", &hasRGBTables)
  }
}

extension SensorPicture: Fields {
  package static var blank: SensorPicture {
    SensorPicture(
      width: 0, height: 0, filters: nil, activeArea: .blank, crop: .blank, levels: .blank, orientation: .up, decoder: ""
    )
  }
  /// Codes all but `look`, which a recipe states.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("width", &width, in: 1...coder.limits.maxSide)
    try coder("height", &height, in: 1...coder.limits.maxSide)
    try coder("filters", &filters)
    try coder("activeArea", &activeArea)
    try coder("crop", &crop)
    try coder("levels", &levels)
    try coder("opcodes", &opcodes, count: 3...3)
    try coder("noise", &noise, count: 0...6)
    try coder("orientation", &orientation)
    try coder("neutral", &neutral)
    try coder("white", &white)
    try coder("exposure", &exposure, in: -32...32)
    try coder("shadowScale", &shadowScale, in: 0...1000)
    try coder("profile", &profile)
    try coder("hdrProfile", &hdrProfile)
    try coder("make", &make)
    try coder("model", &model)
    try coder("decoder", &decoder)
    try coder.demand(isSound, "a sensor that contradicts itself")
  }

  private var isSound: Bool {
    guard activeArea.right <= width, activeArea.bottom <= height, crop.right <= activeArea.width,
      crop.bottom <= activeArea.height, levels.deltaRows.isEmpty || levels.deltaRows.count == activeArea.height,
      levels.deltaColumns.isEmpty || levels.deltaColumns.count == activeArea.width,
      opcodes.allSatisfy({ SensorOpcode.excess(of: $0) == nil }),
      neutral.map({ $0.count == 3 && $0.allSatisfy((0.001...1000).contains) }) ?? true
    else { return false }
    return white.map { $0.x > 0 && $0.y > 0 && $0.x + $0.y < 1 } ?? true
  }

  /// True if the samples agree with this description in size and planes.
  func describes(_ image: SampleImage) -> Bool {
    image.width == activeArea.width && image.height == activeArea.height && image.alpha == nil
      && (filters == nil ? image.model != .ycc : image.model == .grey)
  }
}
