import HDRCore
import HDRPlan

/// The signals of a pair: what its light and its base are rendered to, and how the arithmetic of gains reads both.
struct PairSignals {
  let isHDRBase: Bool
  let basePrimaries: Int
  /// The primaries of the other rendition before it is brought into those of the arithmetic.
  let otherPrimaries: Int
  /// The primaries of the arithmetic, which are the light's.
  let math: Int
  /// The bits of the base in its encoder's layout.
  let depth: Int
  /// Light in the primaries of the arithmetic. Transparent pixels lie on black: a file with a map has no alpha.
  let light: OutputSignal
  /// The base as R'G'B' codes, which the ratio is made of.
  let codes: OutputSignal
  private let baseToMath: Matrix3
  private let luminance: [Double]
  private let cutsNegativeLight: Bool

  /// - Throws: `.unsupportedColor` for primaries that are not known.
  init(
    _ options: AdaptiveOptions, _ rendition: RenditionOptions, sdr: SourceImage, hdr: SourceImage
  ) throws(HDRError) {
    isHDRBase = options.base == .hdr
    basePrimaries =
      rendition.recipe.target.primaries
      ?? (isHDRBase ? CICP.Primaries.bt2020 : rendition.recipe.view?.view.primaries ?? Planner.sdrPrimaries(sdr))
    otherPrimaries = rendition.hdrView?.view.primaries ?? Planner.declaredPrimaries(hdr) ?? basePrimaries
    math =
      options.space == .wider && Self.isWider(otherPrimaries, than: basePrimaries) ? otherPrimaries : basePrimaries
    depth = isHDRBase ? 10 : options.baseDepth
    light = OutputSignal(
      primaries: math, encoding: .linear, sink: .rgba16f, bitDepth: 16, chroma: .s444, isOpaque: true)
    let isDeep = depth > 8
    codes = OutputSignal(
      primaries: basePrimaries, encoding: isHDRBase ? .pq : .sdr, sink: isDeep ? .rgba16 : .rgba8,
      bitDepth: isDeep ? 16 : 8, chroma: .s444, isOpaque: true)
    guard let space = Primaries(code: math), let own = Primaries(code: basePrimaries), let there = own.matrix(to: space)
    else { throw HDRError(.unsupportedColor(field: "primaries", code: math)) }
    (baseToMath, luminance) = (math == basePrimaries ? .identity : there, space.luminance)
    let hasMap = hdr.gainMap?.metadata.isComplete == true
    let steps = rendition.recipe.edits + (rendition.ownEdits.map { $0.sdr + $0.hdr } ?? [])
    cutsNegativeLight = hasMap ? rendition.isEdited : !steps.movesPixelsOnly
  }

  /// Returns the base in the layout of an encoder of planes.
  func planar(_ chroma: ChromaSubsampling) -> OutputSignal {
    OutputSignal(
      primaries: basePrimaries, encoding: codes.encoding, sink: .planarYCC, bitDepth: depth, chroma: chroma,
      isOpaque: true)
  }

  /// Returns the pair that gains are made of.
  func pair(light: SampleImage, base: SampleImage) -> RenditionPair {
    var pair = RenditionPair(
      base: base, baseCurve: isHDRBase ? .pq : .sRGB, baseToMath: baseToMath, alternate: light, luminance: luminance,
      baseIsHDR: isHDRBase)
    pair.cutsNegativeLight = cutsNegativeLight
    return pair
  }

  /// True if the other rendition has lost colours outside the primaries of the arithmetic, if it has any there.
  var cutsColors: Bool { math == basePrimaries && Self.isWider(otherPrimaries, than: basePrimaries) }

  private static func isWider(_ a: Int, than b: Int) -> Bool {
    let order = [CICP.Primaries.bt709: 0, CICP.Primaries.p3: 1, CICP.Primaries.bt2020: 2]
    return (order[a] ?? 0) > (order[b] ?? 0)
  }
}
