import HDRCore

/// A gain that multiplies R, G, B by a curve of a mix of them.
public struct MixedGain: Sendable {
  /// The shares of R, G, B, largest, smallest, and the component itself.
  public var shares: [Double]
  public var octaves: Range<Int>
  /// The factor as a function of a positive mix; a mix of 0 or below gets the factor at the lower end of `octaves`.
  public var factor: @Sendable (Double) -> Double

  /// log2 of the table's segments an octave, as many as for the curve of `ReferenceWhiteTone`.
  public static let k = 9

  /// Joins gain curves of the same mix, with their shares of the log2 gain.
  init(_ mix: HeadroomAdaptiveMetadata.Mix, _ curves: [(ToneGainCurve, Double)]) {
    shares = mix.shares
    // Constant below the first control point; a first point at 0 does not bound the range in which the curve varies.
    let first = curves.map { $0.0.x[0] }.min() ?? 1
    let least = first > 0 ? Int(ExactMath.log2(first).rounded(.down)) : -14
    octaves = min(max(least - 1, -14), 6)..<12
    // Slopes have no bound: between control points a curve may exceed possible gains.
    factor = { v in
      ExactMath.exp2(min(max(curves.reduce(0) { $0 + $1.1 * $1.0.evaluate(v) }, -64), 16))
    }
  }

  var isEach: Bool { shares[5] != 0 }
}

extension HeadroomAdaptiveMetadata {
  /// Returns the stages from linear BT.2020 to linear BT.2020 for a display.
  public func stages(display: Headroom) -> [ToneStage] {
    let parts = shares(displayStops: display.stops)
    if parts.isEmpty { return [] }
    // Curves of the same mix become one curve.
    var curves: [MixedGain] = []
    for part in parts {
      let same = parts.filter { $0.alternate.mix == part.alternate.mix }
      if curves.contains(where: { $0.shares == part.alternate.mix.shares }) { continue }
      curves.append(MixedGain(part.alternate.mix, same.map { ($0.alternate.curve, $0.share) }))
    }
    if curves.count == 1, curves[0].shares == Mix.maximum.shares {
      return inPrimaries([.scaleByMax(octaves: curves[0].octaves, k: MixedGain.k, factor: curves[0].factor)])
    }
    return inPrimaries([.mixedGains(curves)])
  }

  private func inPrimaries(_ stages: [ToneStage]) -> [ToneStage] {
    guard primaries != .bt2020, let there = Primaries.bt2020.matrix(to: primaries), let back = there.inverse else {
      return stages
    }
    return [.matrix(there)] + stages + [.matrix(back)]
  }
}
