import HDRCore

/// A camera profile of a DNG: colours, maps and curve of one look. Source: DNG 1.7.1 chapters 4 and 6.
package struct DNGProfile: Sendable, Hashable {
  /// What ProfileDynamicRange says.
  package struct DynamicRange: Sendable, Hashable {
    package var isHDR: Bool
    /// The largest value that the profile is meant to give; a hint.
    package var peak: Double
  }

  package var name: String?
  /// Profiles of one name are renditions of one look.
  package var group: String?
  package var signature: String
  /// `nil` for grey cameras.
  package var calibration: CameraCalibration?
  /// For the first illuminant and the second.
  package var hueSatMaps: [HueSatMap] = []
  package var lookTable: HueSatMap?
  package var toneCurve: ProfileToneCurve?
  package var exposureOffset = 0.0
  /// Black is rendered as the file has it, not subtracted.
  package var keepsBlack = false
  package var dynamicRange: DynamicRange?
  package var gainTableMap: GainTableMap?
  /// RGBTables are there; they are not applied.
  package var hasRGBTables = false

  var isHDR: Bool { dynamicRange?.isHDR ?? false }

  /// - Parameters:
  ///   - cameraSignature: what a profile must name so that the camera's own calibration goes with it.
  ///   - planes: of the sensor; grey ones have no matrices.
  init(
    _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, camera: TIFFStructure.Directory? = nil,
    cameraStructure: TIFFStructure? = nil, planes: Int, warnings: inout [Warning]
  ) throws(DecodeError) {
    let values = DNGValues(structure, directory)
    let own = DNGValues(cameraStructure ?? structure, camera ?? directory)
    name = values.text(DNGTag.profileName)
    group = values.text(DNGTag.groupName)
    signature = values.text(DNGTag.profileSignature) ?? ""
    if planes == 3 {
      calibration = try Self.calibration(values, own, isOwn: signature == own.text(DNGTag.cameraSignature) ?? "")
    }
    if values.has(DNGTag.colorMatrix[2]) {
      warnings.append(Warning("dng.illuminant", "a third illuminant is not used"))
    }
    hueSatMaps = try Self.hueSatMaps(values)
    lookTable = try values.map(
      DNGTag.lookDimensions, DNGTag.lookData, encoding: DNGTag.lookEncoding, name: "ProfileLookTable")
    toneCurve = try Self.toneCurve(values)
    exposureOffset = try values.number(DNGTag.exposureOffset, "BaselineExposureOffset") ?? 0
    keepsBlack = values.integer(DNGTag.blackRender) == 1
    dynamicRange = try Self.dynamicRange(values)
    if let bytes = values.data(DNGTag.gainTableMap2) {
      gainTableMap = try GainTableMap(dng: bytes, isSecond: true, isLittleEndian: structure.isLittleEndian)
    }
    hasRGBTables = values.has(DNGTag.rgbTables)
  }

  private static func calibration(
    _ values: DNGValues, _ own: DNGValues, isOwn: Bool
  ) throws(DecodeError) -> CameraCalibration {
    var found: [CameraCalibration.Illuminant] = []
    for index in 0..<2 {
      guard let color = try values.matrix(DNGTag.colorMatrix[index], "ColorMatrix\(index + 1)") else { break }
      let calibration = isOwn ? try own.matrix(DNGTag.calibration[index], "CameraCalibration\(index + 1)") : nil
      found.append(
        CameraCalibration.Illuminant(
          temperature: values.temperature(index), color: color,
          forward: try values.matrix(DNGTag.forwardMatrix[index], "ForwardMatrix\(index + 1)"),
          calibration: calibration ?? .identity))
    }
    guard let first = found.first else { throw .malformed(where: "DNG", what: "ColorMatrix1 is missing") }
    let balance = try own.numbers(DNGTag.analogBalance, count: 3, "AnalogBalance") ?? [1, 1, 1]
    guard balance.allSatisfy({ (0.001...1000).contains($0) }) else {
      throw .malformed(where: "AnalogBalance", what: "\(balance)")
    }
    return CameraCalibration(first: first, second: found.dropFirst().first, analogBalance: balance)
  }

  private static func hueSatMaps(_ values: DNGValues) throws(DecodeError) -> [HueSatMap] {
    var maps: [HueSatMap] = []
    for (index, tag) in DNGTag.hueSatData.enumerated() {
      let map = try values.map(
        DNGTag.hueSatDimensions, tag, encoding: DNGTag.hueSatEncoding, name: "ProfileHueSatMapData\(index + 1)")
      guard let map else { break }
      maps.append(map)
    }
    return maps
  }

  private static func toneCurve(_ values: DNGValues) throws(DecodeError) -> ProfileToneCurve? {
    let place = "ProfileToneCurve", most = 2 * ProfileToneCurve.maxPoints
    guard values.has(DNGTag.toneCurve) else { return nil }
    let count = values.count(DNGTag.toneCurve)
    guard count <= most else {
      throw .limit(what: "points of \(place)", found: count / 2, allowed: most / 2, setting: "")
    }
    let numbers = values.reals(DNGTag.toneCurve, limit: most) ?? []
    guard numbers.count >= 4, numbers.count % 2 == 0,
      let curve = ProfileToneCurve(
        stride(from: 0, to: numbers.count, by: 2).map { ProfileToneCurve.Point(numbers[$0], numbers[$0 + 1]) })
    else { throw .malformed(where: place, what: "points are no rising curve") }
    return curve
  }

  private static func dynamicRange(_ values: DNGValues) throws(DecodeError) -> DynamicRange? {
    guard let bytes = values.data(DNGTag.dynamicRange) else { return nil }
    var reader = OrderedReader(
      bytes, isLittleEndian: values.structure.isLittleEndian, place: "ProfileDynamicRange")
    let version = try reader.u16(), kind = try reader.u16(), peak = try reader.float()
    guard version == 1, kind <= 1, peak.isFinite, peak >= 0 else {
      throw .malformed(where: "ProfileDynamicRange", what: "version \(version), range \(kind), peak \(peak)")
    }
    return DynamicRange(isHDR: kind == 1, peak: Double(peak))
  }
}
