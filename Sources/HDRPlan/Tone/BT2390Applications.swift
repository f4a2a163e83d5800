import HDRCore

/// The EETF on luminance, R, G, B scaled alike: annex 5 of Report ITU-R BT.2408. Saturated highlights can exceed the
/// display; gamut mapping brings them in.
package enum BT2390Luminance: ToneOperator {
  package static let name = "bt2390-luminance"
  package static let summary = "BT.2390 EETF on luminance (BT.2408 annex 5)"
  package static let space = "linear BT.2020, luminance in PQ"
  package static let parameters = BT2390.parameters
  package static let staysInside = false

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let curve = BT2390.Curve(content, display, values)
    return [.scaleByLuminance(octaves: curve.octaves, k: 9) { curve.factor($0) }]
  }
}

/// The EETF on each channel, as simple hardware does it; hues shift.
package enum BT2390Channel: ToneOperator {
  package static let name = "bt2390-channel"
  package static let summary = "BT.2390 EETF on each channel"
  package static let space = "linear BT.2020, each channel in PQ"
  package static let parameters = BT2390.parameters

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let curve = BT2390.Curve(content, display, values)
    return [.curve(octaves: -18..<12, k: 8) { curve.light($0) }]
  }
}

/// The EETF on the intensity of ICtCp; colour differences shrink with it (docs/tone-formulas.md#bt2390).
package enum BT2390ICtCp: ToneOperator {
  package static let name = "bt2390-ictcp"
  package static let summary = "BT.2390 EETF on I of ICtCp, Ct and Cp less as I changes"
  package static let space = "ICtCp with PQ (BT.2100), I"
  package static let parameters = BT2390.parameters
  package static let staysInside = false

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let curve = BT2390.Curve(content, display, values)
    // The curve in PQ signals: I of a grey is its PQ signal.
    let ratio: @Sendable (Double) -> Double = { i in
      let nits = Transfer.pqEOTF(min(i, 1))
      return Transfer.pqInverseEOTF(curve.light(nits / ReferenceWhite.nits) * ReferenceWhite.nits) / min(i, 1)
    }
    let back = ICtCp.lmsToICtCpPQ.inverse!
    return [
      .matrix(ICtCp.rgbToLMS),
      .curve(octaves: -30..<12, k: 5) { TransferCurve.pq.encode($0) },
      .matrix(ICtCp.lmsToICtCpPQ),
      .scaleByFirst(octaves: -12..<1, k: 9, first: ratio) { i in
        let r = ratio(i)
        return min(r, 1 / r)
      },
      .matrix(back),
      .curve(octaves: -16..<1, k: 7) { TransferCurve.pq.decode(min($0, 1.25)) },
      .matrix(ICtCp.rgbToLMS.inverse!),
    ]
  }
}
