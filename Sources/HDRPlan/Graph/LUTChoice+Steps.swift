import HDRCore

extension LUTChoice {
  /// The name of its space if that is a curve of HDR or of a scene, which SDR pictures do not fill.
  var wideSpace: String? {
    if let named { return named.kind == .log ? named.name : nil }
    return [.pq, .hlg].contains(space.curve) ? space.name : nil
  }

  /// The steps from linear BT.2020 to the LUT's space, the LUT, and back.
  var steps: [PixelOperation] {
    let curve = space.curve.transfer, table = lut.steps(extrapolates: extrapolates, interpolation)
    if let named { return named.encodeSteps + table + named.decodeSteps }
    let inner: [PixelOperation] =
      [.matrix(space.fromBT2020), .encode(curve)] + table + [.decode(curve), .matrix(space.toBT2020)]
    guard curve == .hlg else { return inner }
    let white = ReferenceWhite.nits
    return [.hlgInverseOOTF(peak: 1000, white: white, isOpen: true)] + inner
      + [.hlgOOTF(peak: 1000, white: white, isOpen: true)]
  }
}
