import FileParts
import HDRCore

extension CameraProfile {
  /// Reads the profile in a directory.
  ///
  /// - Parameters:
  ///   - camera: the file's first directory, whose own calibration goes with profiles that name it.
  ///   - planes: the number of the sensor's colours; a grey sensor has no matrices.
  init(
    _ values: DNGValues, camera: DNGValues, planes: Int, warnings: inout [Warning]
  ) throws(DecodeError) {
    self.init()
    name = values.text(DNGTag.profileName)
    group = values.text(DNGTag.groupName)
    if planes == 3 {
      let isOwn = values.text(DNGTag.profileSignature) ?? "" == camera.text(DNGTag.cameraSignature) ?? ""
      calibration = try Self.calibration(values, camera, isOwn: isOwn)
    }
    if values.has(DNGTag.colorMatrix[2]) {
      warnings.append(Warning("dng.illuminant", "a third illuminant is not used"))
    }
    hueSatMaps = try Self.hueSatMaps(values)
    lookTable = try values.map(
      DNGTag.lookDimensions, DNGTag.lookData, encoding: DNGTag.lookEncoding, name: "ProfileLookTable")
    toneCurve = try Self.toneCurve(values)
    exposureOffset = try values.number(DNGTag.exposureOffset, "BaselineExposureOffset") ?? 0
    guard abs(exposureOffset) <= 32 else {
      throw .malformed(where: "BaselineExposureOffset", what: "\(exposureOffset)")
    }
    keepsBlack = values.integer(DNGTag.blackRender) == 1
    dynamicRange = try Self.dynamicRange(values)
    if let bytes = values.data(DNGTag.gainTableMap2) {
      gainTableMap = try GainTableMap(dng: bytes, isSecond: true, isLittleEndian: values.structure.isLittleEndian)
    }
    hasRGBTables = values.has(DNGTag.rgbTables)
  }

  private static func calibration(
    _ values: DNGValues, _ camera: DNGValues, isOwn: Bool
  ) throws(DecodeError) -> CameraCalibration {
    var found: [CameraCalibration.Illuminant] = []
    for index in 0..<2 {
      guard let color = try values.matrix(DNGTag.colorMatrix[index], "ColorMatrix\(index + 1)") else { break }
      let calibration = isOwn ? try camera.matrix(DNGTag.calibration[index], "CameraCalibration\(index + 1)") : nil
      found.append(
        CameraCalibration.Illuminant(
          temperature: values.temperature(index), color: color,
          forward: try values.matrix(DNGTag.forwardMatrix[index], "ForwardMatrix\(index + 1)"),
          calibration: calibration ?? .identity))
    }
    guard let first = found.first else { throw .malformed(where: "DNG", what: "ColorMatrix1 is missing") }
    let balance = try camera.numbers(DNGTag.analogBalance, count: 3, "AnalogBalance") ?? [1, 1, 1]
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
      throw .limit(what: "points of \(place)", found: count / 2, allowed: most / 2)
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
    var reader = ByteReader(bytes, place: "ProfileDynamicRange", isLittleEndian: values.structure.isLittleEndian)
    let version = try reader.u16(), kind = try reader.u16(), peak = try reader.float()
    guard version == 1, kind <= 1, peak.isFinite, peak >= 0 else {
      throw .malformed(where: "ProfileDynamicRange", what: "version \(version), range \(kind), peak \(peak)")
    }
    return DynamicRange(isHDR: kind == 1, peak: Double(peak))
  }
}
