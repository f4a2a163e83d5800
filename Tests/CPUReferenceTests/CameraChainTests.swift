import CPUReference
import Foundation
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// A sensor's picture through a whole plan, against the chain in double precision in the order of DNG 1.7.1.
@Suite struct CameraChainTests {
  static let width = 24, height = 16

  /// Linear raw of made codes, bright and dark, with every part of a profile.
  static func source(_ change: (inout SensorPicture) -> Void = { _ in }) -> SourceImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 3, format: .uint16, bitDepth: 16)
    var state: UInt32 = 7
    for index in 0..<3 * width * height {
      state = state &* 1_664_525 &+ 1_013_904_223
      let value = Double(state >> 8) / Double(1 << 24)
      image.channels[0].buffer.base.storeBytes(
        of: UInt16(256 + (index / 3 % 2 == 0 ? 1 : 0.05) * value * value * 59_744), toByteOffset: 2 * index,
        as: UInt16.self)
    }
    let area = SensorArea(left: 0, top: 0, right: width, bottom: height)
    var sensor = SensorPicture(
      width: width, height: height, filters: nil, activeArea: area, crop: area,
      levels: SensorLevels(black: [256, 256, 256], white: [60_000]), orientation: .up, decoder: "test")
    let first = CameraCalibration.Illuminant(
      temperature: 2850, color: Matrix3([0.9, -0.3, -0.1, -0.4, 1.2, 0.2, 0, 0.1, 0.6]))
    let second = CameraCalibration.Illuminant(
      temperature: 6500, color: Matrix3([0.8, -0.2, -0.1, -0.5, 1.3, 0.2, -0.1, 0.2, 0.7]))
    sensor.profile = CameraProfile(calibration: CameraCalibration(first: first, second: second))
    sensor.neutral = [0.5, 1, 0.6]
    sensor.exposure = 0.4
    let points = [(0.0, 0.0), (0.1, 0.16), (0.25, 0.45), (0.5, 0.76), (0.75, 0.92), (1, 1)]
    sensor.profile.toneCurve = ProfileToneCurve(points.map { ProfileToneCurve.Point($0.0, $0.1) })
    func map(_ values: Int, isEncoded: Bool) -> HueSatMap? {
      let data = (0..<6 * 3 * values).flatMap { index -> [Float] in
        let hue = Float(index % 5) * 2 - 4, saturation = 1 + Float(index % 7) / 60
        return [hue, saturation, 1 + Float(index % 4) / 80 - 0.02]
      }
      return HueSatMap(hues: 6, saturations: 3, values: values, data: data, isEncoded: isEncoded)
    }
    sensor.profile.hueSatMaps = [map(1, isEncoded: false)].compactMap(\.self)
    sensor.profile.lookTable = map(3, isEncoded: true)
    sensor.profile.gainTableMap = GainTableMap(
      rows: 2, columns: 3, depth: 9, spacing: [0.8, 0.4], origin: [0.1, 0.1], weights: [0.1, 0.2, 0.05, 0, 0.15],
      gains: (0..<54).map { 1.8 - Float($0 % 9) / 9 + Float($0 / 9) / 20 })
    change(&sensor)
    var source = SourceImage(
      format: .dng, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: width, height: height))
    source.sensor = sensor
    return source
  }

  /// The SDR rendition of a pixel in linear BT.2020.
  static func standard(_ source: SourceImage, x: Int, y: Int) throws -> [Double] {
    let sensor = try #require(source.sensor), profile = sensor.profile, calibration = try #require(profile.calibration)
    let place = try #require(calibration.white(ofNeutral: sensor.neutral ?? [1, 1, 1]))
    let white = calibration.cameraWhite(place)
    let camera = (0..<3).map { c -> Double in
      let code = source.image.channels[c].buffer.base.load(
        fromByteOffset: 6 * (y * width + x) + 2 * c, as: UInt16.self)
      return min(sensor.levels.value(Int(code), x: x, y: y, plane: c), white[c])
    }
    let toXYZ = try #require(calibration.cameraToXYZ(white: place))
    let fromXYZ = try #require(CameraCalibration.rimmToXYZ.inverse)
    var rgb = ((fromXYZ * toXYZ) * camera).map { min(max($0, 0), 1) }
    if let map = profile.hueSatMaps.first { rgb = map.apply(rgb) }
    let stops = sensor.exposure + profile.exposureOffset
    if let map = profile.gainTableMap {
      let gain = map.gain(rgb, x: x, y: y, width: width, height: height, exposure: ExactMath.exp2(stops))
      rgb = rgb.map { $0 * gain }
    }
    let curves = ExposureCurves(
      stops: stops, black: profile.keepsBlack ? 0 : ExposureCurves.standardBlack * sensor.shadowScale)
    rgb = rgb.map { curves.ramp($0, isHDR: false) }
    if let map = profile.lookTable { rgb = map.apply(rgb) }
    // Darkening and curve are one table, on the largest and the smallest; the middle keeps its share.
    func tone(_ x: Double) -> Double { profile.toneCurve?.value(curves.darker(x)) ?? curves.darker(x) }
    let low = rgb.min() ?? 0, high = rgb.max() ?? 0, bottom = tone(low), top = tone(high)
    rgb = rgb.map { high > low ? bottom + (top - bottom) * ($0 - low) / (high - low) : top }
    return (CameraCalibration.xyzToBT2020 * CameraCalibration.rimmToXYZ) * rgb
  }

  static func light(_ source: SourceImage, amount: Double? = nil, _ encoding: OutputSignal.Encoding = .linear) throws
    -> (pixels: [[Double]], report: PlanReport)
  {
    var source = source
    source.sensor?.look.amount = amount
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: encoding, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.beyond = .keep
    let plan = try Planner.plan(source, recipe)
    let result = renderOnCPU(plan)
    let pixels = (0..<width * height).map { at in
      (0..<3).map {
        Double(
          result.channels[$0].buffer.base.load(
            fromByteOffset: at / width * result.channels[$0].rowBytes + at % width * 4, as: Float.self))
      }
    }
    return (pixels, plan.report)
  }

  @Test("the SDR rendition is that of the chain in double precision", arguments: [-1.5, 0.4, 1.25], [false, true])
  func standardIsTheChain(stops: Double, keepsBlack: Bool) throws {
    let source = Self.source {
      $0.exposure = stops
      $0.profile.keepsBlack = keepsBlack
    }
    let (pixels, report) = try Self.light(source, amount: 0)
    #expect(report.cameraLook == "profile, amount 0" && report.contentHeadroom == 1)
    var worst = 0.0
    for at in pixels.indices {
      let wanted = try Self.standard(source, x: at % Self.width, y: at / Self.width)
      for c in 0..<3 { worst = max(worst, abs(pixels[at][c] - wanted[c])) }
    }
    #expect(worst < 1e-3, "\(worst)")
  }

  @Test("the HDR rendition is the SDR one below the shoulder, and goes on above it; amounts lie between, in order")
  func amounts() throws {
    let source = Self.source()
    let looks = try [0, 0.25, 0.5, 0.75, 1].map { try Self.light(source, amount: $0).pixels }
    let toRIMM = try #require((CameraCalibration.xyzToBT2020 * CameraCalibration.rimmToXYZ).inverse)
    var same = 0, brighter = 0
    for at in looks[0].indices {
      let (s, h) = (looks[0][at], looks[4][at])
      if (s.max() ?? 1) < 0.2 {
        same += 1
        for c in 0..<3 { #expect(abs(s[c] - h[c]) < 2e-3, "\(at)") }
      }
      if (h.max() ?? 0) > 1.2 { brighter += 1 }
      // They are mixed in RIMM.
      let mixed = looks.map { toRIMM * $0[at] }
      for c in 0..<3 {
        let row = mixed.map { $0[c] }, (s, h) = (row[0], row[4]), rises = h >= s
        if min(s, h) <= 0.001 { continue }
        for (a, b) in zip(row, row.dropFirst()) { #expect(rises ? b >= a - 1e-6 : b <= a + 1e-6, "\(at) \(row)") }
        let wanted = s * pow(h / s, 0.5)
        #expect(abs(row[2] - wanted) < 1e-4 * max(1, wanted))
      }
    }
    #expect(same > 20 && brighter > 20, "\(same) \(brighter)")
  }

  @Test("SDR is shown with amount 0, HDR with 1, bit for bit")
  func amountsByTarget() throws {
    let source = Self.source()
    #expect(try Self.light(source, .sdr).pixels == Self.light(source, amount: 0, .sdr).pixels)
    #expect(try Self.light(source).pixels == Self.light(source, amount: 1).pixels)
    #expect(try Self.light(source).pixels != Self.light(source, amount: 0).pixels)
  }

  @Test("linear light is the matrix and 2^stops alone")
  func linear() throws {
    let source = Self.source {
      $0.look.kind = .linear
      $0.look.exposure = 0.5
    }
    let (pixels, report) = try Self.light(source)
    let sensor = try #require(source.sensor), calibration = try #require(sensor.profile.calibration)
    let place = try #require(calibration.white(ofNeutral: sensor.neutral ?? []))
    let white = calibration.cameraWhite(place), toXYZ = try #require(calibration.cameraToXYZ(white: place))
    let factor = ExactMath.exp2(0.9)
    for at in pixels.indices {
      let camera = (0..<3).map { c -> Double in
        let code = source.image.channels[c].buffer.base.load(fromByteOffset: 6 * at + 2 * c, as: UInt16.self)
        return min((Double(code) - 256) / (60_000 - 256), white[c])
      }
      let wanted = ((CameraCalibration.xyzToBT2020 * toXYZ) * camera).map { $0 * factor }
      for c in 0..<3 { #expect(abs(pixels[at][c] - wanted[c]) < 1e-5) }
    }
    #expect(abs(report.contentHeadroom - factor) < 1e-9 && report.cameraLook == "linear, amount 1")
  }

  @Test("grey of the sensor, as white, stays grey, with any white that is asked for")
  func neutral() throws {
    for white in [nil, Chromaticity(0.3457, 0.3585), Chromaticity(0.44, 0.40)] {
      let source = Self.source {
        $0.look.kind = .linear
        $0.look.white = white
      }
      let sensor = try #require(source.sensor), calibration = try #require(sensor.profile.calibration)
      let place = try #require(white ?? calibration.white(ofNeutral: sensor.neutral ?? []))
      let values = calibration.cameraWhite(place)
      let base = source.image.channels[0].buffer.base
      for c in 0..<3 {
        base.storeBytes(of: UInt16(256 + 0.5 * values[c] * 59_744), toByteOffset: 2 * c, as: UInt16.self)
      }
      let pixel = try Self.light(source).pixels[0]
      #expect(pixel.allSatisfy { abs($0 - pixel[0]) < 2e-4 * pixel[0] && $0 > 0.3 }, "\(pixel)")
    }
  }
}
