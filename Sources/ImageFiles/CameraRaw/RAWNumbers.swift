import FileParts
import CRaw
import HDRCore

/// Conversions of LibRaw's numbers, for a file that is no DNG, to this project's types.
enum RAWNumbers {
  private static let side = Int(HDR_RAW_PATTERN_ROWS)

  /// Returns the filter array; `nil`: each sample has all its colours.
  ///
  /// - Throws: `.unsupported` for patterns of other colours than red, green and blue.
  static func filters(_ facts: hdr_raw_facts) throws(DecodeError) -> ColorFilterArray? {
    let rows = Int(facts.pattern_rows)
    if rows == 0 {
      guard facts.colors == 1 || facts.colors == 3 else {
        throw .unsupported(feature: "camera raw of these colours", found: "\(facts.colors) colours")
      }
      return nil
    }
    let letters = withUnsafeBytes(of: facts.pattern) { Array($0.prefix(max(0, rows * rows))) }
    let colors = letters.compactMap { [0x52: 0, 0x47: 1, 0x42: 2][$0] }.map { UInt8($0) }
    // 8 rows and columns hold every pattern of LibRaw except X-Trans; most patterns have two.
    func repeats(_ size: Int) -> Bool {
      colors.indices.allSatisfy { colors[$0] == colors[$0 / rows % size * rows + $0 % rows % size] }
    }
    let size = rows > 0 && colors.count == rows * rows && repeats(2) ? 2 : rows
    guard rows > 0, colors.count == rows * rows,
      let filters = ColorFilterArray(
        rows: size, columns: size, colors: (0..<size * size).map { colors[$0 / size * rows + $0 % size] })
    else {
      throw .unsupported(feature: "filters other than red, green and blue", found: latin1(letters.prefix(16)))
    }
    return filters
  }

  static func levels(_ facts: hdr_raw_facts, _ filters: ColorFilterArray?) throws(DecodeError) -> SensorLevels {
    let all = withUnsafeBytes(of: facts.black) { Array($0.bindMemory(to: UInt32.self)) }
    let more = withUnsafeBytes(of: facts.more_black) { Array($0.bindMemory(to: UInt32.self)) }
    let rows = Int(facts.more_rows), columns = Int(facts.more_columns), stride = Int(facts.pattern_rows)
    var levels = SensorLevels(black: [0], white: [Double(facts.white)])
    guard rows >= 0 else { throw .unsupported(feature: "camera raw with this pattern of black", found: "over 8x8") }
    if let filters {
      // The smallest pattern in which both repeat.
      func common(_ a: Int, _ b: Int) -> Int { b == 0 ? a : (1...b).first { a * $0 % b == 0 }! * a }
      levels.repeatRows = common(filters.rows, rows)
      levels.repeatColumns = common(filters.columns, columns)
      levels.black = (0..<levels.repeatRows * levels.repeatColumns).map { index in
        let y = index / levels.repeatColumns, x = index % levels.repeatColumns
        let base = Double(all[y % stride * stride + x % stride])
        return base + (rows > 0 && columns > 0 ? Double(more[y % rows * columns + x % columns]) : 0)
      }
    } else {
      levels.black = all.prefix(facts.colors == 1 ? 1 : 3).map { Double($0) + (rows > 0 ? Double(more[0]) : 0) }
    }
    guard levels.white[0] > levels.largestBlack() else {
      throw .malformed(where: "camera raw", what: "white \(facts.white) is not above black")
    }
    return levels
  }

  /// Returns the camera values of the scene's white: the reciprocals of the gains, scaled to a largest value of 1.
  static func neutral(_ facts: hdr_raw_facts) -> [Double]? {
    let gains = [facts.gains.0, facts.gains.1, facts.gains.2].map { Double($0) }
    guard gains.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
    let least = gains.min() ?? 1
    return gains.map { least / $0 }
  }

  static func calibration(_ facts: hdr_raw_facts) -> CameraCalibration? {
    let rows = withUnsafeBytes(of: facts.xyz_to_camera) { $0.bindMemory(to: Float.self).map { Double($0) } }
    let matrix = Matrix3(rows)
    guard rows.allSatisfy(\.isFinite), abs(matrix.determinant) > 1e-8 else { return nil }
    return CameraCalibration(first: CameraCalibration.Illuminant(temperature: 6500, color: matrix))
  }
}
