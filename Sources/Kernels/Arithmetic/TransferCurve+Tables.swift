import HDRCore

/// Transfer curves as tables of the stage `curve`.
extension TransferCurve {
  /// The table of `decode`. PQ's formula has a pole at signal 1.99: above 1.25 the curve stays constant.
  package var decodeTable: CurveTable {
    switch self {
    case .pq: Self.pqDecode
    case .hlg: Self.hlgDecode
    case .sRGB: Self.sRGBDecode
    default: CurveTable(octaves: -12..<8, k: 6, decode)
    }
  }

  /// The table of `encode`. Both tables reach as far as extrapolated LUTs do (docs/operators.md#spaces).
  package var encodeTable: CurveTable {
    switch self {
    case .pq: Self.pqEncode
    case .hlg: Self.hlgEncode
    case .sRGB: Self.sRGBEncode
    default: CurveTable(octaves: -28..<16, k: 5, encode)
    }
  }

  // The usual ones are built once: a batch makes a plan for every file.
  private static let pqDecode = CurveTable(octaves: -16..<1, k: 6) { TransferCurve.pq.decode(min($0, 1.25)) }
  private static let pqEncode = CurveTable(octaves: -30..<10, k: 4) { TransferCurve.pq.encode($0) }
  private static let hlgDecode = CurveTable(octaves: -12..<2, k: 7) { TransferCurve.hlg.decode($0) }
  private static let hlgEncode = CurveTable(octaves: -30..<15, k: 5) { TransferCurve.hlg.encode($0) }
  private static let sRGBDecode = CurveTable(octaves: -12..<7, k: 6) { TransferCurve.sRGB.decode($0) }
  private static let sRGBEncode = CurveTable(octaves: -20..<16, k: 5) { TransferCurve.sRGB.encode($0) }
}
