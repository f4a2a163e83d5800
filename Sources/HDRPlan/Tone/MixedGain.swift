import HDRCore
import Kernels

extension MixedGain {
  /// Joins gain curves of the same mix, with their shares of the log2 gain.
  init(_ mix: HeadroomAdaptiveMetadata.Mix, _ curves: [(ToneGainCurve, Double)]) {
    // Constant below the first control point; a first point at 0 does not bound the range in which the curve varies.
    let first = curves.map { $0.0.x[0] }.min() ?? 1
    let least = first > 0 ? Int(ExactMath.log2(first).rounded(.down)) : -14
    let octaves = min(max(least - 1, -14), 6)..<12
    // Slopes have no bound: between control points a curve may exceed possible gains.
    self.init(shares: mix.shares, octaves: octaves) { v in
      ExactMath.exp2(min(max(curves.reduce(0) { $0 + $1.1 * $1.0.evaluate(v) }, -64), 16))
    }
  }
}

extension HeadroomAdaptiveMetadata {
  /// Returns the operations from linear BT.2020 to linear BT.2020 for a display.
  package func operations(display: Headroom) -> [ToneOperation] {
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

  private func inPrimaries(_ operations: [ToneOperation]) -> [ToneOperation] {
    guard primaries != .bt2020, let there = Primaries.bt2020.matrix(to: primaries), let back = there.inverse else {
      return operations
    }
    return [.matrix(there)] + operations + [.matrix(back)]
  }
}
