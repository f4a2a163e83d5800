/// An output transform of ACES 2.0 in binary64: the formulas that stages of kernels compute with.
package struct ACESTransform: Sendable {
  package let output: ACESOutput, tones: ACESTones, tables: ACESTables
  package let scene = ACESAppearance(.aces), display: ACESAppearance
  package static let acesToWorking = Primaries.aces.matrix(to: .acesWorking)!
  private static let workingToACES = acesToWorking.inverse!

  package init(_ output: ACESOutput) {
    let tones = ACESTones(peak: output.peak)
    self.init(output, tables: ACESTables(tones, limit: output.limit))
  }

  package init(_ output: ACESOutput, tables: ACESTables) {
    (self.output, self.tables) = (output, tables)
    tones = ACESTones(peak: output.peak)
    display = ACESAppearance(output.limit)
  }

  /// Returns display light as CIE XYZ, 1.0 = 100 cd/m², of a colour of ACES2065-1.
  package func callAsFunction(_ aces: [Double]) -> [Double] {
    let seen = scene.color(clamped(aces))
    let (j, m) = gamutCompressed(toned(seen), hue: seen.hue)
    let rgb = display.rgb(j: j, m: m, cosine: seen.cosine, sine: seen.sine)
    return output.toXYZ * rgb.map { min(max($0, 0), output.peak / 100) }
  }

  /// Returns the colour of ACES2065-1 that is shown as CIE XYZ, 1.0 = 100 cd/m².
  package func inverse(_ xyz: [Double]) -> [Double] {
    let rgb = (output.toXYZ.inverse! * xyz).map { min(max($0, 0), output.peak / 100) }
    let shown = display.color(rgb), hue = shown.hue
    var (j, m) = gamutExpanded(j: shown.j, m: shown.m, hue: hue)
    if j > 0 {
      let light = ACESAppearance.lightness(ofLuminance: tones.untoned(Self.luminance(ofLightness: j)))
      m = chromaExpanded(m, shown: j, scene: light, shown.cosine, shown.sine, hue: hue)
      j = light
    }
    return clamped(scene.rgb(j: j, m: m, cosine: shown.cosine, sine: shown.sine))
  }

  private static func luminance(ofLightness j: Double) -> Double {
    ACESAppearance.luminance(ofAchromatic: ACESAppearance.achromatic(ofLightness: j))
  }

  private func clamped(_ aces: [Double]) -> [Double] {
    Self.workingToACES * (Self.acesToWorking * aces).map { min(max($0, 0), tones.largest) }
  }

  /// Applies tones and chroma compression.
  package func toned(_ color: ACESAppearance.Color) -> (j: Double, m: Double) {
    let j = tones.lightness(ofAchromatic: color.achromatic)
    guard color.m > 0, color.j > 0 else { return (j, color.m) }
    let norm = tones.chromaNorm(cosine: color.cosine, sine: color.sine)
    let limit = limit(j, norm, hue: color.hue)
    let x = color.m * ExactMath.pow(j / color.j, 1 / ACESAppearance.cz) / norm
    let (first, second) = toes(j, limit)
    return (j, second(limit - first(limit - x, false), false) * norm)
  }

  private func chromaExpanded(
    _ m: Double, shown j: Double, scene: Double, _ cosine: Double, _ sine: Double, hue: Double
  ) -> Double {
    guard m > 0 else { return m }
    let norm = tones.chromaNorm(cosine: cosine, sine: sine), limit = limit(j, norm, hue: hue)
    let (first, second) = toes(j, limit)
    let x = limit - first(limit - second(m / norm, true), true)
    return x * norm * ExactMath.pow(j / scene, -1 / ACESAppearance.cz)
  }

  private func limit(_ j: Double, _ norm: Double, hue: Double) -> Double {
    ExactMath.pow(j / tones.jMax, 1 / ACESAppearance.cz) * tables.reach(hue) / norm
  }

  private typealias Toe = (_ x: Double, _ isInverse: Bool) -> Double

  /// Returns the two curves of chroma compression: of the distance from the limit, and of what is left.
  private func toes(_ j: Double, _ limit: Double) -> (Toe, Toe) {
    func toe(_ end: Double, _ k1: Double, _ least: Double) -> Toe {
      let k2 = max(least, 0.001), k = (k1 * k1 + k2 * k2).squareRoot(), k3 = (end + k) / (end + k2)
      return { x, isInverse in
        if x > end { return x }
        if isInverse { return (x * x + k * x) / (k3 * (x + k2)) }
        let b = k3 * x - k
        return (b + (b * b + 4 * k2 * k3 * x).squareRoot()) / 2
      }
    }
    let share = j / tones.jMax, rest = max(0, 1 - share)
    return (
      toe(limit - 0.001, rest * tones.saturation, (share * share + tones.saturationThreshold).squareRoot()),
      toe(limit, share * tones.compression, rest)
    )
  }

  /// Brings a colour into the display's gamut.
  package func gamutCompressed(_ color: (j: Double, m: Double), hue: Double) -> (j: Double, m: Double) {
    let (j, m) = color
    guard j > 0 else { return (0, 0) }
    guard m > 0, j <= tones.jMax else { return (j, 0) }
    let line = ACESGamutLine(tones, tables.cusp(hue), j: j, m: m, lightness: j)
    guard line.boundary > 0 else { return (j, 0) }
    let inside = line.compressed(m, reach: tables.reach(hue))
    return (line.start + inside * line.slope, inside)
  }

  private func gamutExpanded(j: Double, m: Double, hue: Double) -> (j: Double, m: Double) {
    guard j > 0 else { return (0, 0) }
    guard m > 0, j <= tones.jMax else { return (j, 0) }
    let cusp = tables.cusp(hue)
    func expanded(_ lightness: Double) -> (j: Double, m: Double) {
      let line = ACESGamutLine(tones, cusp, j: j, m: m, lightness: lightness)
      guard line.boundary > 0 else { return (j, 0) }
      let outside = line.expanded(m, reach: tables.reach(hue))
      return (line.start + outside * line.slope, outside)
    }
    let first = expanded(j)
    return j > cusp.flattening(tones) ? expanded(first.j) : first
  }
}
