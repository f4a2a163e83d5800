import HDRCore

extension ICCProfile {
  /// Returns PQ or HLG for a profile without `cicp` whose curves have that shape, whatever their scale and clipping;
  /// `nil` for others.
  static func hdrTransfer(_ curves: [ToneCurve]) -> Int? {
    let transfers = curves.map { curve in
      [CICP.Transfer.pq, CICP.Transfer.hlg].first { transfer in functions[transfer]!.contains { matches(curve, $0) } }
    }
    return Set(transfers).count == 1 ? transfers[0] : nil
  }

  /// PQ or HLG by the name that libjxl and others give a profile of tables, which has no curves to compare.
  var namedHDRTransfer: Int? {
    let words = (description ?? "").uppercased().split { !$0.isLetter && !$0.isNumber }
    if words.contains("PEQ") || words.contains("PQ") { return CICP.Transfer.pq }
    return words.contains("HLG") ? CICP.Transfer.hlg : nil
  }

  /// The functions from signal to light, in any unit: PQ; HLG scene light, and HLG with the system gamma of 1.2.
  private static let functions: [Int: [@Sendable (Double) -> Double]] = [
    CICP.Transfer.pq: [{ Transfer.pqEOTF($0) }],
    CICP.Transfer.hlg: [
      { Transfer.hlgInverseOETF($0) }, { ExactMath.pow(Transfer.hlgInverseOETF($0), Transfer.hlgGamma(peak: 1000)) },
    ],
  ]

  /// True if a curve is a function times any factor, clipped at 1 or not. Samples of 16 bits are exact to 8e-6.
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
