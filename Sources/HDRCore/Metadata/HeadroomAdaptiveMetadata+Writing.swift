/// A gain curve of ST 2094-50 in the integers of its payload, for a display of less headroom than the picture's.
package struct CodedToneCurve: Sendable, Hashable {
  /// The most control points that 5 bits can count.
  package static let mostPoints = 32

  /// The display's headroom in 1/10000 stop.
  package var headroom: Int
  /// The positions of control points in 1/1000 of reference white, strictly ascending, at most 64 000.
  package var x: [Int]
  /// The curve takes so much light away there, in 1/10000 stop, at most 60 000.
  package var reduction: [Int]

  package init(headroom: Int, x: [Int], reduction: [Int]) {
    (self.headroom, self.x, self.reduction) = (headroom, x, reduction)
  }

  /// The curve as readers see it, with slopes by PCHIP.
  package var curve: ToneGainCurve {
    let x = x.map { Double($0) / 1000 }, gain = reduction.map { -Double($0) / 10_000 }
    return ToneGainCurve(
      headroom: Double(headroom) / 10_000, x: x, gain: gain, slope: HeadroomAdaptiveMetadata.pchipSlopes(x, gain))
  }
}

extension HeadroomAdaptiveMetadata {
  /// Returns the payload of curves for max(R, G, B) in BT.2020 with slopes by PCHIP (annex C of the second public
  /// committee draft; docs/tone-formulas.md#st-2094-50).
  ///
  /// - Parameters:
  ///   - baseline: the headroom of the picture in 1/10000 stop.
  ///   - curves: 1 to 4, by ascending headroom below the baseline's.
  package static func payload(baseline: Int, _ curves: [CodedToneCurve]) -> [UInt8] {
    // Versions 0; no reference white, adaptive.
    var bytes: [UInt8] = [0, 0x40]
    func word(_ value: Int) { bytes += [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
    word(baseline)
    // Not the default curves; their number, BT.2020, one mix for all, shapes of their own.
    bytes.append(UInt8(truncatingIfNeeded: curves.count << 4) | 2 << 2 | 2)
    for (index, curve) in curves.enumerated() {
      word(curve.headroom)
      // The largest component.
      if index == 0 { bytes.append(0) }
      bytes.append(UInt8(truncatingIfNeeded: (curve.x.count - 1) << 3) | 4)
      for x in curve.x { word(x) }
      for reduction in curve.reduction { word(reduction) }
    }
    return bytes
  }
}
