import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Numbers of camera raw pictures against the vectors of more-formats-vectors.json.
@Suite(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
struct CameraVectorTests {
  let vectors = SharedData.json("specs/more-formats-vectors.json") ?? [:]

  func rows(_ name: String) -> [[String: Any]] { vectors[name] as? [[String: Any]] ?? [] }

  static func numbers(_ value: Any?) -> [Double] {
    if let list = value as? [Any] { return list.flatMap(numbers) }
    return (value as? Double).map { [$0] } ?? []
  }

  static func number(_ row: [String: Any], _ key: String) -> Double { numbers(row[key]).first ?? .nan }

  static func cases(_ row: [String: Any]) -> [[String: Any]] { row["cases"] as? [[String: Any]] ?? [] }

  static func close(_ found: [Double], _ wanted: [Double], _ tolerance: Double = 1e-12, _ what: String = "") {
    #expect(found.count == wanted.count && !wanted.isEmpty, "\(what)")
    for (a, b) in zip(found, wanted) {
      #expect(abs(a - b) <= tolerance * max(1, abs(b)), "\(what): \(a) where \(b) is expected")
    }
  }

  @Test("temperatures follow Robertson's isotherms")
  func temperature() {
    #expect(rows("dng_temperature").count == 4)
    for row in rows("dng_temperature") {
      let xy = Self.numbers(row["xy"])
      let kelvins = CorrelatedTemperature.kelvins(of: Chromaticity(xy[0], xy[1]))
      Self.close([kelvins], [Self.number(row, "cct")], 1e-12)
    }
  }

  @Test(
    "a camera's white and matrices follow from its file",
    .enabled(if: SharedData.url("data/images/raw/canon_eos_6d.dng") != nil, "skipped: no data"))
  func color() throws {
    let bytes = try #require(SharedData.bytes("data/images/raw/canon_eos_6d.dng"))
    let description = try DNGDescription(bytes)
    var calibration = try #require(description.profile.calibration)
    let all = rows("dng_color")
    #expect(all.count == 3)
    // The third camera's matrices are in no file here.
    for row in all.prefix(2) {
      let name = row["name"] as? String ?? ""
      if name.contains("without forward") {
        calibration.first.forward = nil
        calibration.second?.forward = nil
      }
      let neutral = try #require(description.neutral)
      Self.close(neutral, Self.numbers(row["neutral"]), 1e-12, name)
      let white = try #require(calibration.white(ofNeutral: neutral))
      Self.close([white.x, white.y], Self.numbers(row["white_xy"]), 1e-12, name)
      Self.close([CorrelatedTemperature.kelvins(of: white)], [Self.number(row, "cct")], 1e-12, name)
      Self.close([calibration.weightOfFirst(at: white)], [Self.number(row, "weight_first")], 1e-12, name)
      Self.close(calibration.cameraWhite(white), Self.numbers(row["camera_white"]), 1e-12, name)
      let matrix = try #require(calibration.cameraToXYZ(white: white))
      Self.close(matrix.rows, Self.numbers(row["camera_to_xyz_d50"]), 1e-12, name)
      let toRIMM = try #require(CameraCalibration.rimmToXYZ.inverse) * matrix
      Self.close(toRIMM.rows, Self.numbers(row["camera_to_rimm"]), 1e-12, name)
      let toBT2020 = CameraCalibration.xyzToBT2020 * matrix
      Self.close(toBT2020.rows, Self.numbers(row["camera_to_bt2020"]), 1e-12, name)
      let pixels = row["pixels"] as? [[String: Any]] ?? []
      #expect(!pixels.isEmpty)
      for pixel in pixels {
        let camera = Self.numbers(pixel["camera"])

        Self.close(toRIMM * camera, Self.numbers(pixel["rimm"]), 1e-12, name)
        Self.close(toBT2020 * camera, Self.numbers(pixel["bt2020"]), 1e-12, name)
      }
    }
  }

  @Test("levels follow a table clamped at its end, black of the place and white over the largest black")
  func levels() {
    let all = rows("dng_levels")
    #expect(!all.isEmpty)
    for row in all {
      let levels = SensorLevels(
        linearization: Self.numbers(row["table"]).map { UInt16($0) }, repeatRows: 2, repeatColumns: 2,
        black: Self.numbers(row["black"]), white: [Self.number(row, "white")])
      for one in Self.cases(row) {
        let position = Int(Self.number(one, "position"))
        let value = levels.value(Int(Self.number(one, "raw")), x: position % 2, y: position / 2)
        Self.close([value], [Self.number(one, "value")])
      }
    }
  }

  @Test("overrange encoding is f, and decoding is its inverse")
  func overrange() {
    let all = rows("dng_overrange")
    #expect(!all.isEmpty)
    for one in all.flatMap(Self.cases) {
      let x = Self.number(one, "x")
      Self.close([Overrange.encode(x)], [Self.number(one, "f")])
      Self.close([Overrange.decode(Overrange.encode(x))], [x], 1e-13)
    }
  }

  private func curve() throws -> ProfileToneCurve {
    let row = try #require(rows("dng_tone_curve").first)
    let points = zip(Self.numbers(row["x"]), Self.numbers(row["y"])).map { ProfileToneCurve.Point($0, $1) }
    return try #require(ProfileToneCurve(points))
  }

  @Test("a tone curve is a spline that is straight at its ends")
  func toneCurve() throws {
    let row = try #require(rows("dng_tone_curve").first), curve = try curve()
    Self.close(curve.slopes, Self.numbers(row["slopes"]))
    for one in Self.cases(row) { Self.close([curve.value(Self.number(one, "x"))], [Self.number(one, "y")]) }
  }

  @Test("the curve works on the largest and smallest; the middle keeps its share")
  func rgbTone() throws {
    let curve = try curve(), all = rows("dng_rgb_tone")
    #expect(all.count == 2)
    for row in all {
      let isHDR = (row["name"] as? String ?? "").hasPrefix("HDR")
      for one in Self.cases(row) {
        let rgb = Self.numbers(one["rgb"])
        Self.close(isHDR ? curve.applyOverrange(rgb) : curve.apply(rgb), Self.numbers(one["out"]), 1e-12)
      }
    }
  }

  @Test("a map of hue and saturation is interpolated and goes round")
  func hueSatMap() throws {
    let all = rows("dng_hue_sat_map")
    #expect(!all.isEmpty)
    for row in all {
      let map = try #require(
        HueSatMap(
          hues: Int(Self.number(row, "hue_divisions")), saturations: Int(Self.number(row, "sat_divisions")),
          values: Int(Self.number(row, "val_divisions")), data: Self.numbers(row["data"]).map { Float($0) }))
      // Its numbers are binary32, as in files.
      for one in Self.cases(row) { Self.close(map.apply(Self.numbers(one["rimm"])), Self.numbers(one["out"]), 1e-7) }
    }
  }

  @Test("exposure is a ramp with a toe when it brightens and a parabola when it darkens")
  func exposure() throws {
    let all = rows("dng_exposure")
    #expect(all.count == 2)
    for (row, stops) in zip(all, [0.5, -0.302217]) {
      // The name has the stops to six places, the numbers come from more.
      let curves = ExposureCurves(stops: stops == 0.5 ? stops : -0.30221677, black: 0.005)
      for one in Self.cases(row) {
        let x = Self.number(one, "x"), tolerance = stops == 0.5 ? 1e-12 : 1e-6
        Self.close([curves.ramp(x, isHDR: false)], [Self.number(one, "ramp_sdr")], 1e-12)
        Self.close([curves.ramp(x, isHDR: true)], [Self.number(one, "ramp_hdr")], 1e-12)
        Self.close([curves.darker(x)], [Self.number(one, "darker")], tolerance)
      }
    }
  }

  @Test("gains of a table map are bilinear in place and weight, and read from its bytes in both orders")
  func gainTableMap() throws {
    let all = rows("dng_pgtm")
    let row = try #require(all.first), points = Self.numbers(row["points"]).map { Int($0) }
    var hex = Array((all[1]["hex"] as? String ?? "").utf8), bytes: [UInt8] = []
    #expect(!hex.isEmpty)
    while hex.count >= 2 {
      bytes.append(UInt8(String(decoding: hex.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      hex.removeFirst(2)
    }
    let read = try GainTableMap(dng: bytes[...], isSecond: false, isLittleEndian: false)
    #expect([read.rows, read.columns, read.depth] == points)
    #expect(read.spacing == Self.numbers(row["spacing"]) && read.origin == Self.numbers(row["origin"]))
    #expect(read.weights == Self.numbers(row["weights"]).map { Double(Float($0)) })
    #expect(read.gains == Self.numbers(row["gains"]).map { Float($0) })
    let exact = GainTableMap(
      rows: points[0], columns: points[1], depth: points[2], spacing: read.spacing, origin: read.origin,
      weights: Self.numbers(row["weights"]), gains: read.gains)
    let cases = Self.cases(row)
    #expect(cases.count == 5)
    for one in cases {
      let rgb = Self.numbers(one["rgb"])
      let gain = exact.gain(
        rgb, x: Int(Self.number(one, "x")), y: Int(Self.number(one, "y")), width: Int(Self.number(row, "width")),
        height: Int(Self.number(row, "height")), exposure: Self.number(row, "exposure_gain"))
      // Gains are binary32, as in files.
      Self.close([gain], [Self.number(one, "gain")], 1e-7)
      Self.close(rgb.map { $0 * gain }, Self.numbers(one["out"]), 1e-6)
    }
    #expect(throws: DecodeError.self) {
      try GainTableMap(dng: bytes.dropLast(), isSecond: false, isLittleEndian: false)
    }
    #expect(throws: DecodeError.self) { try GainTableMap(dng: bytes[...], isSecond: false, isLittleEndian: true) }
  }

  @Test("Malvar's weights and borders give the vector's words")
  func malvar() throws {
    let row = try #require(rows("demosaic_malvar").first)
    let filters = try #require(ColorFilterArray(rows: 2, columns: 2, colors: [0, 1, 1, 2]))
    let demosaic = LinearDemosaic(filters), samples = Self.numbers(row["cfa"])
    let places = row["weights_eighths"] as? [String: Any] ?? [:]
    for (index, name) in ["R", "Gr", "Gb", "B"].enumerated() {
      let found = (0..<3).flatMap { demosaic.weights(x: index % 2, y: index / 2, color: $0).map { $0 * 8 } }
      #expect(found == Self.numbers(places[name]), "\(name)")
    }
    #expect(Self.cases(row).count == 9)
    for one in Self.cases(row) {
      let rgb = demosaic.rgb(
        samples, width: 8, height: 8, x: Int(Self.number(one, "x")), y: Int(Self.number(one, "y")))
      #expect(rgb == Self.numbers(one["rgb"]))
    }
  }

  @Test("X-Trans: every colour is in every window, and weights fall with the distance")
  func xtrans() throws {
    let row = try #require(rows("demosaic_xtrans").first)
    let letters = (row["pattern"] as? [String] ?? []).joined()
    let colors = letters.map { UInt8("RGB".distance(from: "RGB".startIndex, to: "RGB".firstIndex(of: $0)!)) }
    let filters = try #require(ColorFilterArray(rows: 6, columns: 6, colors: colors))
    let demosaic = LinearDemosaic(filters)
    #expect(demosaic.isComplete && !filters.isBayer && filters.letters == letters)
    let phases = row["phase_0_0"] as? [Any] ?? []
    #expect(phases.count == 3)
    for (color, list) in phases.enumerated() {
      var wanted = [Double](repeating: 0, count: 25)
      for entry in list as? [Any] ?? [] {
        let three = Self.numbers(entry)
        // Down, across, weight.
        wanted[(Int(three[0]) + 2) * 5 + Int(three[1]) + 2] = three[2]
      }
      Self.close(Array(demosaic.weights(x: 0, y: 0, color: color)), wanted, 1e-15, "colour \(color)")
    }
    let grey = [Double](repeating: 0.5, count: 144)
    for x in [0, 1, 5, 11] {
      Self.close(demosaic.rgb(grey, width: 12, height: 12, x: x, y: 11 - x), [0.5, 0.5, 0.5], 1e-15)
    }
  }
}
