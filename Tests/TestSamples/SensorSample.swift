import HDRCore

extension SensorPicture {
  /// Samples of a sensor with every kind of number that a file may have. Tests and fuzz targets share this file.
  package static var sample: SensorPicture {
    var sensor = SensorPicture(
      width: 12, height: 9, filters: ColorFilterArray(rows: 2, columns: 2, colors: [0, 1, 1, 2]),
      activeArea: SensorArea(left: 1, top: 1, right: 11, bottom: 9),
      crop: SensorArea(left: 0, top: 2, right: 8, bottom: 6),
      levels: SensorLevels(
        repeatRows: 2, repeatColumns: 2, black: [64, 65, 66, 67], deltaRows: [Double](repeating: 0.5, count: 8),
        deltaColumns: [Double](repeating: 0.25, count: 10), white: [4000]), orientation: .right, decoder: "a library")
    let area = SensorOpcode.Area(
      top: 0, left: 0, bottom: 8, right: 10, plane: 0, planes: 1, rowPitch: 1, columnPitch: 2)
    let gains = SensorOpcode.GainMap(
      rows: 2, columns: 2, planes: 1, spacing: [1, 1], origin: [0, 0], gains: [1, 1.5, 2, 2.5])
    sensor.opcodes = [
      [.trimBounds(top: 0, left: 0, bottom: 8, right: 10), .mapTable(area, [1, 2, 3])],
      [
        .gainMap(area, gains), .deltaPerRow(area, [Float](repeating: 1, count: 8)),
        .deltaPerColumn(area, [Float](repeating: 1, count: 5)), .scalePerRow(area, [Float](repeating: 1, count: 8)),
        .scalePerColumn(area, [Float](repeating: 1, count: 5)),
      ],
      [.vignette(coefficients: [1, 2, 3, 4, 5], center: [0.5, 0.5]), .mapPolynomial(area, [0, 1, 0.5])],
    ]
    let matrix = Matrix3([0.9, -0.3, -0.1, -0.4, 1.2, 0.2, 0, 0.1, 0.6])
    let illuminant = CameraCalibration.Illuminant(temperature: 2850, color: matrix, forward: matrix)
    sensor.profile = CameraProfile(calibration: CameraCalibration(first: illuminant, second: illuminant))
    sensor.profile.hueSatMaps = [
      HueSatMap(hues: 1, saturations: 2, values: 1, data: [0, 1, 1, 5, 1.25, 1], isEncoded: true)
    ].compactMap(\.self)
    sensor.profile.toneCurve = ProfileToneCurve([.init(0, 0), .init(0.5, 0.75), .init(1, 1)])
    sensor.profile.gainTableMap = GainTableMap(
      rows: 1, columns: 1, depth: 3, spacing: [1, 1], origin: [0, 0], weights: [0.25, 0.25, 0.25, 0, 0.25],
      gains: [3, 2, 1])
    sensor.profile.dynamicRange = CameraProfile.DynamicRange(isHDR: false, peak: 1)
    (sensor.profile.name, sensor.profile.group) = ("a profile", "a group")
    sensor.hdrProfile = sensor.profile
    (sensor.neutral, sensor.white, sensor.noise) = ([0.5, 1, 0.6], Chromaticity(0.3457, 0.3585), [1e-5, 1e-6])
    (sensor.exposure, sensor.shadowScale, sensor.make, sensor.model) = (0.5, 2, "maker", "model")
    return sensor
  }
}
