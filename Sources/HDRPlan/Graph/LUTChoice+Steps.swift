import HDRCore

extension LUTChoice {
  /// Linear BT.2020 to the LUT's space, the LUT, and back.
  ///
  /// - Parameter primaries: H.273 code of the space's primaries if neither the space nor its curve states them.
  func steps(primaries: Int) throws(PlanError) -> [Step] {
    let isHDR = space.curve == .pq || space.curve == .hlg
    let code = space.primaries ?? (isHDR ? Planner.workingPrimaries : primaries)
    guard let set = Primaries(code: code), let there = Primaries.bt2020.matrix(to: set),
      let back = set.matrix(to: .bt2020)
    else { throw .unsupportedColor(field: "primaries", code: code) }
    let curve: TransferCurve =
      switch space.curve {
      case .linear: .linear
      case .srgb: .sRGB
      case .gamma22: .gamma(2.2)
      case .gamma24: .gamma(2.4)
      case .pq: .pq
      case .hlg: .hlg
      }
    let step = Step.lut(lut, extrapolates: extrapolates, interpolation)
    let inner: [Step] = [.matrix(there), .encode(curve), step, .decode(curve), .matrix(back)]
    guard curve == .hlg else { return inner }
    let white = ReferenceWhite.nits
    return [.hlgInverseOOTF(peak: 1000, white: white)] + inner + [.hlgOOTF(peak: 1000, white: white)]
  }
}
