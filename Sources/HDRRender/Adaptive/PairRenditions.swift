import CPURender
import GPURender
import HDRCore
import HDRPlan

/// The renditions of a pair, and the way that they were made.
struct PairRenditions {
  /// A way says where light and base are, and so where their gains are made.
  enum Way {
    /// Light, base and gains were rendered together, band by band: no memory holds the light.
    case together(RenderedPair)
    /// A device holds both and has encoded the base: gains are made there, each time that they are needed.
    case onDevice
    /// Each was rendered alone.
    case apart
  }

  let way: Way
  /// The HDR rendition as light; of a pair that was rendered together the base in its place.
  var light: SampleImage
  let measured: MeasuredLight
  /// The headroom of the light, if a tone operator of the base has to know it.
  let content: Headroom?
  let basePlan: Plan
  /// The base as R'G'B' codes, which gains are made of.
  let codes: SampleImage
  /// The base as it is encoded.
  var base: SampleImage
}

/// Light and base of a pair. Light comes first: if filters leave its headroom unknown, the headroom measured here goes to
/// the tone operator of the base.
struct PairRenditionMaker {
  let renderer: PairRenderer
  let pool: BandPool
  let isHDRBase: Bool
  /// The options of a JPEG; `nil` for other files.
  let jpeg: JPEGOptions?
  let begins: (String) -> Void

  /// Renders light and base.
  ///
  /// - Parameters:
  ///   - isUnknown: true if the base's plan needs the headroom of the light.
  ///   - planBase: makes that plan.
  ///   - gains: makes the plan of gains of light and base.
  func make(
    _ light: Plan, isUnknown: Bool, planBase: (_ content: Headroom?) throws(HDRError) -> Plan,
    gains: (SampleImage, SampleImage) throws(HDRError) -> Plan
  ) throws(HDRError) -> PairRenditions {
    // If the base does not depend on the light, all are rendered together, and nothing holds all of the light.
    let early = isUnknown ? nil : try planBase(nil)
    if let early, !isHDRBase, let pair = try renderer.together(light, early, gains) {
      return PairRenditions(
        way: .together(pair), light: pair.base, measured: MeasuredLight(pair.light), content: nil, basePlan: early,
        codes: pair.base, base: pair.base)
    }
    // The device encodes an SDR base and the gain map of a JPEG, if it holds light and base.
    let kept = jpeg == nil || isHDRBase ? nil : try renderer.keepLight(light)
    let (image, measured) = if let kept { (kept.image, kept.light) } else { try measuredLight(light) }
    let content = isUnknown ? try measured.headroom(.maximum) : nil
    begins("base")
    let plan = if let early { early } else { try planBase(content) }
    if kept != nil, let jpeg, let coding = JPEGCoding(plan, jpeg),
      let base = try renderer.keepBase(plan, coding, image)
    {
      return PairRenditions(
        way: .onDevice, light: image, measured: measured, content: content, basePlan: plan, codes: base.codes,
        base: base.base)
    }
    // Gains are made of its samples.
    let codes = try renderer.render(plan, jpeg.flatMap { JPEGCoding(plan, $0, keepsPixels: true) })
    return PairRenditions(
      way: .apart, light: image, measured: measured, content: content, basePlan: plan, codes: codes, base: codes)
  }

  private func measuredLight(_ plan: Plan) throws(HDRError) -> (SampleImage, MeasuredLight) {
    let light = try renderer.light(plan)
    begins("light statistics")
    return (light.image, MeasuredLight(light.sums ?? LightStatistics(light.image, pool)))
  }
}

extension LightStatistics {
  /// Measures interleaved halves; the pool's threads share the rows.
  init(_ image: SampleImage, _ pool: BandPool) {
    self.init()
    let parts = pool.reduce(rows: image.height) { rows, part in
      part.add(image, rows: rows)
    } start: {
      LightStatistics()
    }
    for part in parts { merge(part) }
  }
}
