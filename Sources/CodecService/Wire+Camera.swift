import HDRCore

// Messages about sensor samples: their description and the way to a picture. A worker's numbers are checked against
// the same bounds as a file's.

extension CameraReading.Source: WireName {}
extension CameraReading.Crop: WireName {}

extension CameraReading: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(source)
    wire.put(crop)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init()
    source = try wire.take()
    crop = try wire.take()
  }
}

// MARK: Numbers

extension WireWriter {
  fileprivate mutating func floats(_ values: [Float]) {
    data(values.withUnsafeBytes { Array($0) })
  }

  fileprivate mutating func words(_ values: [UInt16]) {
    data(values.withUnsafeBytes { Array($0) })
  }
}

extension WireReader {
  /// Reads floats of a magnitude of at most 2^32; any other throws.
  fileprivate mutating func floats() throws(WireError) -> [Float] {
    let bytes = try data(), count = bytes.count / 4
    let values = bytes.withUnsafeBytes { raw in
      (0..<count).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    guard bytes.count % 4 == 0, values.allSatisfy({ $0.magnitude <= 0x1p32 }) else {
      throw WireError("floats that are no numbers")
    }
    return values
  }

  fileprivate mutating func words() throws(WireError) -> [UInt16] {
    let bytes = try data(), count = bytes.count / 2
    guard bytes.count % 2 == 0 else { throw WireError("half a word") }
    return bytes.withUnsafeBytes { raw in
      (0..<count).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) }
    }
  }

  fileprivate mutating func doubles(_ count: Int, _ name: String) throws(WireError) -> [Double] {
    let values = try take([Double].self)
    guard values.count == count else { throw WireError("\(values.count) numbers for \(name)") }
    return values
  }

  fileprivate mutating func sides(_ most: Int, _ name: String) throws(WireError) -> (Int, Int) {
    (try int(1...most, name), try int(1...most, name))
  }
}

extension Matrix3: WireValue {
  package func write(to wire: inout WireWriter) { wire.put(rows) }
  package init(from wire: inout WireReader) throws(WireError) { self.init(try wire.doubles(9, "a matrix")) }
}

// MARK: Sensor

extension SensorArea: WireValue {
  package func write(to wire: inout WireWriter) {
    for side in [left, top, right, bottom] { wire.put(side) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let most = wire.pixels.limits.maxSide
    self.init(
      left: try wire.int(0...most, "a side"), top: try wire.int(0...most, "a side"),
      right: try wire.int(0...most, "a side"), bottom: try wire.int(0...most, "a side"))
    guard width > 0, height > 0 else { throw WireError("an empty area") }
  }
}

extension ColorFilterArray: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(rows)
    wire.put(columns)
    wire.put(colors)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let (rows, columns) = try wire.sides(Self.maxSide, "a filter pattern")
    guard let filters = ColorFilterArray(rows: rows, columns: columns, colors: try wire.take()) else {
      throw WireError("no filter pattern")
    }
    self = filters
  }
}

extension SensorLevels: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.words(linearization)
    wire.put(repeatRows)
    wire.put(repeatColumns)
    for list in [black, deltaRows, deltaColumns, white] { wire.put(list) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let table = try wire.words(), (rows, columns) = try wire.sides(8, "a pattern of black")
    self.init(
      linearization: table, repeatRows: rows, repeatColumns: columns, black: try wire.take(),
      deltaRows: try wire.take(), deltaColumns: try wire.take(), white: try wire.take())
    let places = rows * columns
    guard [places, 3 * places].contains(black.count), [1, 3].contains(white.count),
      (0..<3).allSatisfy({ (0.0..<1e30).contains(scale(plane: $0)) })
    else { throw WireError("levels without white above black") }
  }
}

extension SensorOpcode.Area: WireValue {
  package func write(to wire: inout WireWriter) {
    for number in [top, left, bottom, right, plane, planes, rowPitch, columnPitch] { wire.put(number) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let all = 0...Int(UInt32.max), some = 1...Int(UInt32.max)
    self.init(
      top: try wire.int(all, "a side"), left: try wire.int(all, "a side"), bottom: try wire.int(some, "a side"),
      right: try wire.int(some, "a side"), plane: try wire.int(0...16, "a plane"),
      planes: try wire.int(1...16, "planes"), rowPitch: try wire.int(some, "a pitch"),
      columnPitch: try wire.int(some, "a pitch"))
    guard top < bottom, left < right else { throw WireError("an empty area") }
  }
}

extension SensorOpcode.GainMap: WireValue {
  package func write(to wire: inout WireWriter) {
    for number in [rows, columns, planes] { wire.put(number) }
    wire.put(spacing)
    wire.put(origin)
    wire.floats(gains)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let (rows, columns) = try wire.sides(SensorOpcode.maxNumbers, "a gain map")
    self.init(
      rows: rows, columns: columns, planes: try wire.int(1...16, "planes"),
      spacing: try wire.doubles(2, "a spacing"), origin: try wire.doubles(2, "an origin"), gains: try wire.floats())
    guard gains.count == rows * columns * planes,
      spacing.allSatisfy({ $0 > 0 })
    else { throw WireError("a gain map without its gains") }
  }
}

extension SensorOpcode: WireValue {
  package static var mostInList: Int { maxOpcodes }
  package func write(to wire: inout WireWriter) {
    switch self {
    case .vignette(let coefficients, let center):
      wire.byte(3)
      wire.put(coefficients + center)
    case .trimBounds(let top, let left, let bottom, let right):
      wire.byte(6)
      for side in [top, left, bottom, right] { wire.put(side) }
    case .mapTable(let area, let table):
      wire.byte(7)
      wire.put(area)
      wire.words(table)
    case .mapPolynomial(let area, let coefficients):
      wire.byte(8)
      wire.put(area)
      wire.put(coefficients)
    case .gainMap(let area, let map):
      wire.byte(9)
      wire.put(area)
      wire.put(map)
    case .deltaPerRow(let area, let values): wire.put(10, area, values)
    case .deltaPerColumn(let area, let values): wire.put(11, area, values)
    case .scalePerRow(let area, let values): wire.put(12, area, values)
    case .scalePerColumn(let area, let values): wire.put(13, area, values)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let code = try wire.byte()
    switch code {
    case 3:
      let numbers = try wire.doubles(7, "a vignette")
      self = .vignette(coefficients: Array(numbers.prefix(5)), center: Array(numbers.suffix(2)))
    case 6:
      let sides = 0...Int(UInt32.max)
      self = .trimBounds(
        top: try wire.int(sides, "a side"), left: try wire.int(sides, "a side"),
        bottom: try wire.int(sides, "a side"), right: try wire.int(sides, "a side"))
    case 7:
      let area = try wire.take(Area.self), table = try wire.words()
      guard (1...Self.maxTable).contains(table.count) else { throw WireError("a table of \(table.count) entries") }
      self = .mapTable(area, table)
    case 8:
      let area = try wire.take(Area.self), coefficients = try wire.take([Double].self)
      guard (1...Self.maxDegree + 1).contains(coefficients.count) else { throw WireError("no polynomial") }
      self = .mapPolynomial(area, coefficients)
    case 9: self = .gainMap(try wire.take(), try wire.take())
    case 10...13:
      let area = try wire.take(Area.self), values = try wire.floats()
      guard values.count == (code % 2 == 0 ? area.rows : area.columns) else {
        throw WireError("\(values.count) numbers for rows or columns")
      }
      self =
        switch code {
        case 10: .deltaPerRow(area, values)
        case 11: .deltaPerColumn(area, values)
        case 12: .scalePerRow(area, values)
        default: .scalePerColumn(area, values)
        }
    default: throw WireError("opcode \(code)")
    }
  }
}

extension WireWriter {
  fileprivate mutating func put(_ code: UInt8, _ area: SensorOpcode.Area, _ values: [Float]) {
    byte(code)
    put(area)
    floats(values)
  }
}

// MARK: Profiles

extension CameraCalibration.Illuminant: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(temperature)
    wire.put(color)
    wire.put(forward)
    wire.put(calibration)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      temperature: try wire.take(), color: try wire.take(), forward: try wire.take(), calibration: try wire.take())
  }
}

extension CameraCalibration: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(first)
    wire.put(second)
    wire.put(analogBalance)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      first: try wire.take(), second: try wire.take(), analogBalance: try wire.doubles(3, "analog balance"))
  }
}

extension HueSatMap: WireValue {
  package func write(to wire: inout WireWriter) {
    for side in [hues, saturations, values] { wire.put(side) }
    wire.floats(data)
    wire.put(isEncoded)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let hues = try wire.take(Int.self), saturations = try wire.take(Int.self), values = try wire.take(Int.self)
    guard
      let map = HueSatMap(
        hues: hues, saturations: saturations, values: values, data: try wire.floats(), isEncoded: try wire.take())
    else { throw WireError("no map of hue and saturation") }
    self = map
  }
}

extension ProfileToneCurve: WireValue {
  package func write(to wire: inout WireWriter) { wire.put(points.flatMap { [$0.x, $0.y] }) }
  package init(from wire: inout WireReader) throws(WireError) {
    let numbers = try wire.take([Double].self)
    let points = stride(from: 0, to: numbers.count - numbers.count % 2, by: 2).map {
      Point(numbers[$0], numbers[$0 + 1])
    }
    guard numbers.count % 2 == 0, let curve = ProfileToneCurve(points) else { throw WireError("no tone curve") }
    self = curve
  }
}

extension GainTableMap: WireValue {
  package func write(to wire: inout WireWriter) {
    for side in [rows, columns, depth, storage.rawValue] { wire.put(side) }
    wire.put(spacing + origin)
    wire.put(weights)
    wire.put(gamma)
    wire.floats(gains)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let (rows, columns) = try wire.sides(Self.maxPoints, "a gain table")
    let depth = try wire.int(1...Self.maxPoints, "a gain table's depth")
    guard let storage = Storage(rawValue: try wire.take()) else { throw WireError("a gain table's storage") }
    let places = try wire.doubles(4, "a gain table's place"), weights = try wire.doubles(5, "a gain table's weights")
    let gamma = try wire.take(Double.self), gains = try wire.floats()
    guard rows * columns <= Self.maxPoints, gains.count == rows * columns * depth, gains.count <= Self.maxPoints,
      places[0] > 0, places[1] > 0, Self.gammaRange.contains(gamma),
      gains.allSatisfy({ Self.gainRange.contains(Double($0)) })
    else { throw WireError("no gain table") }
    self.init(
      rows: rows, columns: columns, depth: depth, spacing: Array(places.prefix(2)), origin: Array(places.suffix(2)),
      weights: weights, gamma: gamma, storage: storage, gains: gains)
  }
}

extension CameraProfile: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(name)
    wire.put(group)
    wire.put(calibration)
    wire.put(hueSatMaps)
    wire.put(lookTable)
    wire.put(toneCurve)
    wire.put(exposureOffset)
    wire.put(keepsBlack)
    wire.put(dynamicRange?.isHDR)
    wire.put(dynamicRange?.peak)
    wire.put(gainTableMap)
    wire.put(hasRGBTables)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init()
    name = try wire.take()
    group = try wire.take()
    calibration = try wire.take()
    hueSatMaps = try wire.take()
    lookTable = try wire.take()
    toneCurve = try wire.take()
    exposureOffset = try wire.take()
    keepsBlack = try wire.take()
    let isHDR = try wire.take(Bool?.self), peak = try wire.take(Double?.self)
    if let isHDR, let peak { dynamicRange = DynamicRange(isHDR: isHDR, peak: peak) }
    gainTableMap = try wire.take()
    hasRGBTables = try wire.take()
    guard hueSatMaps.count <= 2, abs(exposureOffset) <= 32 else { throw WireError("a camera profile") }
  }
}

extension SensorPicture: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(width)
    wire.put(height)
    wire.put(filters)
    wire.put(activeArea)
    wire.put(crop)
    wire.put(levels)
    wire.put(orientation.rawValue)
    wire.put(decoder)
    wire.put(opcodes)
    wire.put(noise)
    wire.put(neutral)
    wire.put(white)
    wire.put(exposure)
    wire.put(shadowScale)
    wire.put(profile)
    wire.put(hdrProfile)
    wire.put(make)
    wire.put(model)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let sides = 1...wire.pixels.limits.maxSide
    let width = try wire.int(sides, "a width"), height = try wire.int(sides, "a height")
    let filters = try wire.take(ColorFilterArray?.self), area = try wire.take(SensorArea.self)
    let crop = try wire.take(SensorArea.self), levels = try wire.take(SensorLevels.self)
    guard let orientation = Orientation(rawValue: try wire.take()) else { throw WireError("an orientation") }
    self.init(
      width: width, height: height, filters: filters, activeArea: area, crop: crop, levels: levels,
      orientation: orientation, decoder: try wire.take())
    opcodes = try wire.take()
    noise = try wire.take()
    neutral = try wire.take()
    white = try wire.take()
    exposure = try wire.take()
    shadowScale = try wire.take()
    profile = try wire.take()
    hdrProfile = try wire.take()
    make = try wire.take()
    model = try wire.take()
    guard area.right <= width, area.bottom <= height, crop.right <= area.width, crop.bottom <= area.height,
      levels.deltaRows.isEmpty || levels.deltaRows.count == area.height,
      levels.deltaColumns.isEmpty || levels.deltaColumns.count == area.width,
      opcodes.count == 3, opcodes.allSatisfy({ SensorOpcode.excess(of: $0) == nil }), noise.count <= 6,
      neutral.map({ $0.count == 3 && $0.allSatisfy((0.001...1000).contains) }) ?? true,
      white.map({ $0.x > 0 && $0.y > 0 && $0.x + $0.y < 1 }) ?? true, abs(exposure) <= 32,
      (0...1000).contains(shadowScale)
    else { throw WireError("a sensor that contradicts itself") }
  }

  /// True if the samples agree with this description in size and planes.
  func describes(_ image: SampleImage) -> Bool {
    image.width == activeArea.width && image.height == activeArea.height && image.alpha == nil
      && (filters == nil ? image.model != .ycc : image.model == .grey)
  }
}
