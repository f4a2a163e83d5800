import HDRCore
@testable import ImageFiles

extension Target {
  /// The description of a DNG's picture. LibRaw and libjxl are not under test: they run in a process that may crash.
  static let dng = Target("dng", maxLength: 1 << 14, mutate: DNGGrammar.mutate) { bytes in
    let limits = DecodeLimits(maxPixels: 1 << 16, maxSide: 4096, maxMetadataBytes: 1 << 16)
    guard let dng = try? DNGDescription(bytes, limits: limits) else { return }
    let image = dng.image, area = image.activeArea
    demand(
      area.left >= 0 && area.top >= 0 && area.right <= image.width && area.bottom <= image.height
        && image.crop.right <= area.width && image.crop.bottom <= area.height, "an area outside the picture")
    for plane in 0..<image.planes {
      demand(image.levels.scale(plane: plane) > 0, "white is not above black")
      demand(image.levels.value(1, x: 0, y: 0, plane: plane).isFinite, "a level that is not finite")
    }
    for profile in [dng.profile] + dng.hdrProfiles { use(profile, dng) }
    demand(CameraRawDecoder.takes(bytes) || !RAWHeader.hasSensor(bytes), "a sensor's file that is not taken")
    reading(bytes, limits)
    let picture = try? dng.picture(decoder: "")
    guard picture != nil, DNGTiles.reads(image), image.compression != TIFFCompression.jpegXL,
      let raw = try? CameraRaw(bytes, limits: limits), raw.samples.format == .float32
    else { return }
    let buffer = raw.samples.channels[0].buffer
    withExtendedLifetime(buffer) {
      for index in 0..<image.width * image.height * image.planes {
        demand(
          abs(buffer.base.load(fromByteOffset: 4 * index, as: Float.self)) <= 65_504, "a sample that is no light")
      }
    }
  }

  /// Reads the file as a picture: its head, the camera's own rendition, and the samples that need no library.
  private static func reading(_ bytes: [UInt8], _ limits: DecodeLimits) {
    for source in CameraReading.Source.allCases {
      var limits = limits
      limits.reading.camera.source = source
      limits.reading.camera.crop = bytes.count % 2 == 0 ? .active : limits.reading.camera.crop
      guard let head = try? CameraRawDecoder.decode(bytes, request: .metadata, limits: limits) else { continue }
      demand(head.format == .dng, "another format than DNG")
      _ = try? CameraRawDecoder.codedRenditions(bytes, limits: limits)
    }
  }

  private static func use(_ profile: CameraProfile, _ dng: DNGDescription) {
    let rgb = [0.2, 0.9, 0.4]
    for map in profile.hueSatMaps + [profile.lookTable].compactMap(\.self) {
      demand(map.apply(rgb).allSatisfy(\.isFinite), "a map gives numbers that are not finite")
    }
    if let curve = profile.toneCurve, curve.slopes.allSatisfy({ abs($0) < 1e30 }) {
      demand(curve.apply(rgb).allSatisfy(\.isFinite), "a curve gives numbers that are not finite")
    }
    if let map = profile.gainTableMap { demandGains(map) }
    guard let calibration = profile.calibration, let neutral = dng.neutral,
      let white = calibration.white(ofNeutral: neutral)
    else { return }
    demand(calibration.cameraWhite(white).allSatisfy { $0 <= 1 }, "a white above 1")
    _ = calibration.cameraToXYZ(white: white)
  }

  static let opcodes = Target("opcodes", maxLength: 4096) { bytes in
    var warnings: [Warning] = []
    guard let list = try? SensorOpcode.list(bytes[...], name: "OpcodeList", warnings: &warnings) else { return }
    for opcode in list {
      switch opcode {
      case .deltaPerRow(let area, let numbers), .scalePerRow(let area, let numbers):
        demand(area.rows == numbers.count && !numbers.isEmpty, "\(numbers.count) numbers for \(area.rows) rows")
      case .deltaPerColumn(let area, let numbers), .scalePerColumn(let area, let numbers):
        demand(area.columns == numbers.count && !numbers.isEmpty, "\(numbers.count) for \(area.columns) columns")
      case .gainMap(_, let map):
        demand(map.gains.count == map.rows * map.columns * map.planes, "gains that are missing")
      default: break
      }
    }
  }

  static let gainTable = Target("gain-table", maxLength: 4096) { bytes in
    for isSecond in [false, true] {
      for isLittleEndian in [false, true] {
        let map = try? GainTableMap(dng: bytes[...], isSecond: isSecond, isLittleEndian: isLittleEndian)
        if let map { demandGains(map) }
      }
    }
  }

  private static func demandGains(_ map: GainTableMap) {
    for (x, y, rgb) in [(0, 0, [0.0, 0, 0]), (63, 31, [1, 0.5, 8]), (20, 10, [-1, 0.2, 0.3])] {
      let gain = map.gain(rgb, x: x, y: y, width: 64, height: 32)
      demand((1.0 / 4097...4097).contains(gain), "a gain of \(gain)")
    }
  }
}
