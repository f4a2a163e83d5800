import HDRCore
import Kernels

/// LUTs become stages here, with their domains and what lies outside them.
extension PlanBuilder {
  /// Adds the shaper and the cube of a LUT.
  mutating func addLUT(
    _ lut: CubeLUT, _ extrapolates: Bool, _ interpolation: LUTChoice.Interpolation
  ) {
    let isNearest = interpolation == .nearest, extrapolates = extrapolates && !isNearest
    if var shaper = lut.shaper {
      if isNearest { addNodes(shaper.size, &shaper.domainMin, &shaper.domainMax) }
      let (scale, bias) = Self.nodeUnits(shaper.size, shaper.domainMin, shaper.domainMax)
      let table = words.table(shaper.values.map(\.bitPattern))
      append(
        words.stage(
          .lut1D,
          LUT1DStage.words(offset: table, size: shaper.size, scale: scale, bias: bias, extrapolates: extrapolates)))
    }
    if var cube = lut.cube {
      if isNearest { addNodes(cube.size, &cube.domainMin, &cube.domainMax) }
      addCube(
        size: cube.size, values: cube.values, low: cube.domainMin, high: cube.domainMax, extrapolates: extrapolates,
        interpolation)
    }
  }

  /// Turns values of a table's domain into the numbers of their nearest nodes, which are its domain then: at nodes all
  /// interpolations give the node's value.
  private mutating func addNodes(_ size: Int, _ low: inout [Double], _ high: inout [Double]) {
    let (factors, offsets) = Self.nodeUnits(size, low, high), last = Double(size - 1)
    append(scale(factors, offsets))
    append(words.stage(.clamp, ClampStage.words(low: 0, high: last)))
    append(words.stage(.colorPosterize, PosterizeStage.words(levels: 1)))
    (low, high) = ([0, 0, 0], [last, last, last])
  }

  /// The distance outside the cube up to which extrapolation follows, in domain widths (docs/filter-formulas.md#luts).
  static let extrapolationLimit = 65_536.0

  mutating func addCube(
    size: Int, values: [Float], low: [Double], high: [Double], extrapolates: Bool,
    _ interpolation: LUTChoice.Interpolation = .tetrahedral
  ) {
    var nodes: [UInt32] = []
    nodes.reserveCapacity(size * size * size * 4)
    for i in 0..<(size * size * size) {
      nodes += [values[3 * i].bitPattern, values[3 * i + 1].bitPattern, values[3 * i + 2].bitPattern, 0]
    }
    let (scale, bias) = Self.nodeUnits(size, low, high)
    let limit = extrapolates ? Self.extrapolationLimit * Double(size - 1) : 0
    append(
      words.stage(
        interpolation == .trilinear ? .lut3DTrilinear : .lut3D,
        LUT3DStage.words(offset: words.table(nodes), size: size, scale: scale, bias: bias, limit: limit)))
  }

  /// Returns the scale and bias from a value in a domain to node numbers.
  static func nodeUnits(_ size: Int, _ low: [Double], _ high: [Double]) -> (scale: [Double], bias: [Double]) {
    let scale = (0..<3).map { Double(size - 1) / (high[$0] - low[$0]) }
    return (scale, (0..<3).map { -low[$0] * scale[$0] })
  }
}
