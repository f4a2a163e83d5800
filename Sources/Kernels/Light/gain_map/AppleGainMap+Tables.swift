import HDRCore

/// Apple's map as tables of the stage `curve`.
extension AppleGainMap {
  /// Returns `log2Gain` as a table for the stage `curve`: map value 0...1 in, stops out.
  package func log2GainTable(transfer: AppleMapTransfer = .bt709, headroom: Double? = nil) -> CurveTable {
    CurveTable(octaves: -16..<1, k: 6) { log2Gain($0, transfer: transfer, headroom: headroom) }
  }

  /// Returns `isoValue` as a table for the stage `curve`.
  package func isoTable(transfer: AppleMapTransfer = .bt709) -> CurveTable {
    CurveTable(octaves: -16..<1, k: 6) { isoValue($0, transfer: transfer) }
  }
}
