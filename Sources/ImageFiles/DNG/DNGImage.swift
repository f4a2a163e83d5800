import FileParts
import HDRCore

/// The description of a DNG's sensor samples, from their directory. Source: DNG 1.7.1 chapters 4 and 5.
package struct DNGImage: Sendable, Hashable {
  package let width: Int
  package let height: Int
  /// The number of samples of a pixel: 1 for a filter array and for grey, 3 for linear raw.
  package let planes: Int
  package let bits: Int
  package let isFloat: Bool
  package let compression: Int
  /// The filter array; `nil`: each pixel has all its colours.
  package let filters: ColorFilterArray?
  package let activeArea: SensorArea
  /// The part to be shown, in coordinates of the active area.
  package let crop: SensorArea
  package let levels: SensorLevels
  /// The three lists of opcodes: applied before levels, after levels, and after demosaicing.
  package let opcodes: [[SensorOpcode]]
  /// The noise's variance as pairs of scale and offset: one pair, or one for each plane.
  package let noise: [Double]
  /// The interleave factors; with 2, even rows or columns are stored before odd ones.
  package let rowInterleave: Int
  package let columnInterleave: Int
  package let gainTableMap: GainTableMap?
  package let isTiled: Bool
  package let blockWidth: Int
  package let blockHeight: Int

  private static let place = "DNG raw picture"

  init(
    _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, limits: DecodeLimits, warnings: inout [Warning]
  ) throws(DecodeError) {
    let values = DNGValues(structure, directory)
    let page = try TIFFPage(structure, directory, isSensor: true, limits: limits, warnings: &warnings)
    (width, height, planes, bits) = (page.width, page.height, page.samplesPerPixel, page.bits)
    (isFloat, compression, isTiled) = (page.isFloat, page.compression, page.isTiled)
    (blockWidth, blockHeight) = (page.blockWidth, page.blockHeight)
    let isArray = page.photometric == TIFFPhotometric.filterArray
    guard planes == 1 || planes == 3 && !isArray else {
      throw .unsupported(feature: "DNG of these planes", found: "\(planes) samples a pixel")
    }
    guard isFloat || bits <= 16 && page.type.kind == .unsigned else {
      throw .unsupported(
        feature: "DNG samples", found: "\(bits)-bit " + (page.type.kind == .signed ? "signed " : "") + "integers")
    }
    filters = isArray ? try Self.filters(values) : nil
    let active = try Self.activeArea(values, width, height)
    activeArea = active
    crop = try Self.crop(values, active)
    levels = try Self.levels(values, page, active)
    var lists: [[SensorOpcode]] = []
    for (index, tag) in DNGTag.opcodes.enumerated() {
      lists.append(
        try values.data(tag).map { (bytes) throws(DecodeError) in
          try SensorOpcode.list(bytes, name: "OpcodeList\(index + 1)", warnings: &warnings)
        } ?? [])
    }
    opcodes = lists
    noise = try Self.noise(values, planes)
    rowInterleave = try Self.interleave(values, DNGTag.rowInterleave, "RowInterleaveFactor")
    columnInterleave = try Self.interleave(values, DNGTag.columnInterleave, "ColumnInterleaveFactor")
    gainTableMap = try values.data(DNGTag.gainTableMap).map { (bytes) throws(DecodeError) in
      try GainTableMap(dng: bytes, isSecond: false, isLittleEndian: structure.isLittleEndian)
    }
  }

  // MARK: Filters

  private static func filters(_ values: DNGValues) throws(DecodeError) -> ColorFilterArray {
    let sides = values.integers(DNGTag.cfaRepeat) ?? [], most = ColorFilterArray.maxSide
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else {
      throw .malformed(where: "CFARepeatPatternDim", what: "\(sides)")
    }
    guard sides.allSatisfy({ $0 <= most }) else {
      throw .limit(what: "side of a filter pattern", found: sides.max() ?? 0, allowed: most)
    }
    guard values.integer(DNGTag.cfaLayout) ?? 1 == 1 else {
      throw .unsupported(feature: "filter layout of DNG", found: "CFALayout \(values.integer(DNGTag.cfaLayout) ?? 0)")
    }
    let planes = values.data(DNGTag.cfaPlaneColor).map { Array($0) } ?? [0, 1, 2]
    let pattern = values.data(DNGTag.cfaPattern).map { Array($0) } ?? []
    guard pattern.count == sides[0] * sides[1] else {
      throw .malformed(where: "CFAPattern", what: "\(pattern.count) filters, \(sides[0] * sides[1]) expected")
    }
    guard planes == [0, 1, 2], let filters = ColorFilterArray(rows: sides[0], columns: sides[1], colors: pattern) else {
      throw .unsupported(feature: "filters other than red, green and blue", found: "colours \(planes), \(pattern)")
    }
    return filters
  }

  // MARK: Areas

  private static func activeArea(_ values: DNGValues, _ width: Int, _ height: Int) throws(DecodeError) -> SensorArea {
    guard values.has(DNGTag.activeArea) else { return SensorArea(left: 0, top: 0, right: width, bottom: height) }
    guard let sides = values.integers(DNGTag.activeArea), sides.count == 4 else {
      throw .malformed(where: "ActiveArea", what: "\(values.count(DNGTag.activeArea)) numbers, 4 expected")
    }
    let area = SensorArea(left: sides[1], top: sides[0], right: sides[3], bottom: sides[2])
    guard area.left < area.right, area.top < area.bottom, area.right <= width, area.bottom <= height else {
      throw .malformed(where: "ActiveArea", what: "\(sides) in a picture of \(width)x\(height)")
    }
    return area
  }

  private static func crop(_ values: DNGValues, _ active: SensorArea) throws(DecodeError) -> SensorArea {
    let origin = try values.numbers(DNGTag.cropOrigin, count: 2, "DefaultCropOrigin") ?? [0, 0]
    let size =
      try values.numbers(DNGTag.cropSize, count: 2, "DefaultCropSize")
      ?? [Double(active.width) - origin[0], Double(active.height) - origin[1]]
    let refusal = DecodeError.malformed(
      where: "DefaultCropSize", what: "\(size) from \(origin) in an area of \(active.width)x\(active.height)")
    guard (origin + size).allSatisfy({ (0...1e6).contains($0) }) else { throw refusal }
    let left = Int(origin[0].rounded()), top = Int(origin[1].rounded())
    let crop = SensorArea(
      left: left, top: top, right: left + Int(size[0].rounded()), bottom: top + Int(size[1].rounded()))
    guard crop.width > 0, crop.height > 0, crop.right <= active.width, crop.bottom <= active.height else {
      throw refusal
    }
    return crop
  }

  // MARK: Levels

  private static func levels(
    _ values: DNGValues, _ page: TIFFPage, _ active: SensorArea
  ) throws(DecodeError) -> SensorLevels {
    let planes = page.samplesPerPixel
    let sides = values.integers(DNGTag.blackRepeat) ?? [1, 1]
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else {
      throw .malformed(where: "BlackLevelRepeatDim", what: "\(sides)")
    }
    guard sides.allSatisfy({ $0 <= 8 }) else {
      throw .limit(what: "side of the black pattern", found: sides.max() ?? 0, allowed: 8)
    }
    let count = sides[0] * sides[1] * planes
    let black = try values.numbers(DNGTag.black, count: count, "BlackLevel", limit: 1024)
    let rows = try values.numbers(DNGTag.blackDeltaRows, count: active.height, "BlackLevelDeltaV", limit: 1 << 17)
    let columns = try values.numbers(
      DNGTag.blackDeltaColumns, count: active.width, "BlackLevelDeltaH", limit: 1 << 17)
    let full = page.isFloat ? 1 : Double(1 << page.bits - 1)
    var white = [full]
    if values.has(DNGTag.white) {
      let given = values.count(DNGTag.white) == 1 ? 1 : planes
      white = try values.numbers(DNGTag.white, count: given, "WhiteLevel") ?? [full]
    }
    var table: [UInt16] = []
    if values.has(DNGTag.linearization) {
      guard !page.isFloat, (1...65_536).contains(values.count(DNGTag.linearization)),
        let numbers = values.integers(DNGTag.linearization), numbers.allSatisfy({ $0 <= 65_535 })
      else {
        throw .malformed(
          where: "LinearizationTable", what: "\(values.count(DNGTag.linearization)) entries, no table of 16 bits")
      }
      table = numbers.map { UInt16($0) }
    }
    let levels = SensorLevels(
      linearization: table, repeatRows: sides[0], repeatColumns: sides[1],
      black: black ?? [Double](repeating: 0, count: count), deltaRows: rows ?? [], deltaColumns: columns ?? [],
      white: white)
    for plane in 0..<planes {
      let top = white[min(plane, white.count - 1)]
      guard top > levels.largestBlack(plane: plane) else {
        throw .malformed(where: "WhiteLevel", what: "\(top) is not above black, \(levels.largestBlack(plane: plane))")
      }
    }
    return levels
  }

  private static func noise(_ values: DNGValues, _ planes: Int) throws(DecodeError) -> [Double] {
    guard values.has(DNGTag.noiseProfile) else { return [] }
    let count = values.count(DNGTag.noiseProfile) == 2 ? 2 : 2 * max(planes, 3)
    return try values.numbers(DNGTag.noiseProfile, count: count, "NoiseProfile") ?? []
  }

  private static func interleave(_ values: DNGValues, _ tag: Int, _ name: String) throws(DecodeError) -> Int {
    let factor = values.integer(tag) ?? 1
    guard (1...2).contains(factor) else { throw .unsupported(feature: name, found: "\(factor)") }
    return factor
  }
}
