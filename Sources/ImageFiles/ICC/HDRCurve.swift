import HDRCore

extension ICCProfile {
  /// Transfer characteristics of PQ or HLG for a profile without `cicp` whose curves are one of them, however they are
  /// scaled and where they are cut; `nil` for others.
  static func hdrTransfer(_ curves: [ToneCurve]) -> Int? {
    let transfers = curves.map { curve in
      [CICP.Transfer.pq, CICP.Transfer.hlg].first { transfer in functions[transfer]!.contains { matches(curve, $0) } }
    }
    return Set(transfers).count == 1 ? transfers[0] : nil
  }

  /// The same for a profile of tables, which are no curves any more: by the name that libjxl and others give it.
  var namedHDRTransfer: Int? {
    let words = (description ?? "").uppercased().split { !$0.isLetter && !$0.isNumber }
    if words.contains("PEQ") || words.contains("PQ") { return CICP.Transfer.pq }
    return words.contains("HLG") ? CICP.Transfer.hlg : nil
  }

  /// Light of signals, in any unit: PQ; HLG of the scene, and with the system gamma of 1.2.
  private static let functions: [Int: [@Sendable (Double) -> Double]] = [
    CICP.Transfer.pq: [{ Transfer.pqEOTF($0) }],
    CICP.Transfer.hlg: [
      { Transfer.hlgInverseOETF($0) }, { ExactMath.pow(Transfer.hlgInverseOETF($0), Transfer.hlgGamma(peak: 1000)) },
    ],
  ]

  /// Whether a curve is a function times some number, cut at 1 or not. Samples of 16 bits are good to 8e-6.
  private static func matches(_ curve: ToneCurve, _ function: (Double) -> Double) -> Bool {
    let middle = curve.value(0.5)
    guard middle > 0.001 else { return false }
    let scale = function(0.5) / middle
    return stride(from: 0.2, through: 1, by: 0.05).allSatisfy { x in
      let expected = min(function(x) / scale, 1)
      return abs(curve.value(x) - expected) <= 0.02 * expected + 2e-5
    }
  }
}
