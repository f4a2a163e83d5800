import FileParts
import HDRCore

extension GainTableMap {
  /// Parses ProfileGainTableMap or, with `isSecond`, ProfileGainTableMap2. Source: DNG 1.6 and 1.7.1.
  ///
  /// - Throws: `.truncated`, `.malformed` and `.limit` for an invalid table.
  package init(
    dng bytes: ArraySlice<UInt8>, isSecond: Bool, isLittleEndian: Bool
  ) throws(DecodeError) {
    let place = isSecond ? "ProfileGainTableMap2" : "ProfileGainTableMap"
    var reader = ByteReader(bytes, place: place, isLittleEndian: isLittleEndian)
    func refusal(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
    let rows = try reader.u32(), columns = try reader.u32()
    let spacing = [try reader.double(), try reader.double()], origin = [try reader.double(), try reader.double()]
    let depth = try reader.u32(), weights = try reader.floats(5).map(Double.init)
    guard rows > 0, columns > 0, depth > 0 else { throw refusal("\(rows)x\(columns)x\(depth) points") }
    guard rows <= Self.maxPoints, columns <= Self.maxPoints, depth <= Self.maxPoints,
      rows * columns <= Self.maxPoints, rows * columns * depth <= Self.maxPoints
    else {
      throw .limit(what: "\(place): points", found: max(rows, columns, depth), allowed: Self.maxPoints)
    }
    guard spacing.allSatisfy({ $0 > 0 }) || rows * columns == 1 else { throw refusal("spacing \(spacing)") }
    var storage = Storage.float32, gamma = 1.0, least: Float = 0, most: Float = 0
    if isSecond {
      let code = try reader.u32()
      guard let found = Storage(rawValue: code) else { throw refusal("data type \(code)") }
      storage = found
      gamma = Double(try reader.float())
      guard Self.gammaRange.contains(gamma) else { throw refusal("gamma \(gamma)") }
      (least, most) = (try reader.float(), try reader.float())
      guard Self.gainRange.contains(Double(least)), Self.gainRange.contains(Double(most)), least <= most else {
        throw refusal("gains from \(least) to \(most)")
      }
    }
    let count = rows * columns * depth, size = [Storage.uint8: 1, .uint16: 2, .float16: 2][storage] ?? 4
    guard reader.remaining >= count * size else { throw .truncated(where: place) }
    var gains: [Float] = []
    gains.reserveCapacity(count)
    for _ in 0..<count {
      let gain: Float =
        switch storage {
        case .uint8: least + (most - least) * Float(try reader.u8()) / 255
        case .uint16: least + (most - least) * Float(try reader.u16()) / 65_535
        case .float16: try reader.half()
        case .float32: try reader.float()
        }
      guard Self.gainRange.contains(Double(gain)) else { throw refusal("gain \(gain)") }
      gains.append(gain)
    }
    self.init(
      rows: rows, columns: columns, depth: depth, spacing: spacing.map { $0 > 0 ? $0 : 1 }, origin: origin,
      weights: weights, gamma: gamma, storage: storage, gains: gains)
  }
}
