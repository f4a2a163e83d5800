import HDRCore
import HDRPlan
import TestPlans

/// A picture, what to make of it, and a name: what the bit-equality tests run.
struct Case: Sendable {
  var name: String
  var plan: Plan
}

/// Some twenty recipes on pictures of any size: one pixel, one column, several bands.
///
/// `verify`'s cases are not these: they are hundreds of plans, most of them 1021 pixels wide, and VerificationTests runs
/// each once. Tests here run the whole list at many sizes and on new devices, which compile every kernel again.
enum Recipes {
  static let target16f = OutputSignal(encoding: .linear, sink: .rgba16f)

  static func plan(
    _ image: SampleImage, transfer: Int = 16, primaries: Int = 9, orientation: Orientation = .up,
    gainMap: GainMap? = nil, _ recipe: RenderRecipe
  ) -> Plan {
    try! Planner.plan(
      source(image, primaries: primaries, transfer: transfer, orientation: orientation, gainMap: gainMap), recipe)
  }

  static func gainMap(width: Int, height: Int, grey: Bool, gamma: Double = 1) -> GainMap {
    let image = SampleImage.planar(
      width: width, height: height, model: grey ? .grey : .rgb, format: .uint8, bitDepth: 8
    ).randomized(77)
    return GainMap(
      metadata: GainMapMetadata(
        kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [-0.5, -0.25, 0], max: [3, 2.5, 2.75],
        gamma: [gamma, 0.9 * gamma, 1.3 * gamma], baseOffset: [0.015, 0.03, 0.06],
        alternateOffset: [0.02, 0.045, 0.09], isMultichannel: !grey),
      image: image, matrix: 0, fullRange: true, alternateColor: nil, bindings: ["tmap"])
  }

  static func appleMap(width: Int, height: Int) -> GainMap {
    var map = gainMap(width: width, height: height, grey: true)
    map.metadata = GainMapMetadata(AppleGainMap(xmpHeadroom: 4.663514))
    return map
  }

  /// A cube that bends and mixes a little.
  static func cube(_ size: Int) -> CubeLUT {
    var values: [Float] = []
    for b in 0..<size {
      for g in 0..<size {
        for r in 0..<size {
          let v = [r, g, b].map { Float($0) / Float(size - 1) }
          values += [v[0] * v[0] * 0.9 + 0.05 * v[1], v[1] * 0.8 + 0.2 * v[2], 1 - v[0] * 0.5 - v[2] * 0.5]
        }
      }
    }
    return CubeLUT(
      shaper: nil,
      cube: CubeLUT.Table3D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
  }

  static func p010(_ w: Int, _ h: Int) -> SampleImage { SampleImage.p010(width: w, height: h).randomized(5) }

  static func planar(_ w: Int, _ h: Int, _ chroma: ChromaSubsampling, bits: Int, alpha: Bool = false) -> SampleImage {
    SampleImage.planar(
      width: w, height: h, model: .ycc, format: bits > 8 ? .uint16 : .uint8, bitDepth: bits, chroma: chroma,
      siting: chroma == .s420 ? .left : .center, hasAlpha: alpha
    ).randomized(UInt64(bits))
  }

  static func interleaved(_ w: Int, _ h: Int, channels: Int, bits: Int) -> SampleImage {
    SampleImage.interleaved(
      width: w, height: h, channelCount: channels, format: bits == 8 ? .uint8 : .uint16, bitDepth: bits
    ).randomized(UInt64(channels))
  }

  static func halves(_ w: Int, _ h: Int) -> SampleImage {
    SampleImage.interleaved(width: w, height: h, channelCount: 4, format: .float16, bitDepth: 16).randomized(9)
  }

  /// Cases for pictures of about w by h pixels.
  static func all(_ w: Int, _ h: Int) -> [Case] {
    let lut = LUTChoice(lut: cube(9), space: .pq)
    let sdr8 = OutputSignal(encoding: .sdr, sink: .rgba8), pq16 = OutputSignal(encoding: .pq, sink: .rgba16)
    func planar10(_ chroma: ChromaSubsampling, bits: Int = 10) -> OutputSignal {
      OutputSignal(encoding: .pq, sink: .planarYCC, bitDepth: bits, chroma: chroma, fullRange: chroma == .s444)
    }
    return [
      Case(name: "p010 pq to half", plan: plan(p010(w, h), RenderRecipe(target: target16f))),
      Case(
        name: "p010 pq to sdr, dither",
        plan: plan(p010(w, h), RenderRecipe(target: sdr8, dither: 0.5))),
      Case(name: "p010 hlg to pq", plan: plan(p010(w, h), transfer: 18, RenderRecipe(target: pq16))),
      Case(
        name: "yuv 4:2:0 8 bit sdr to pq planes",
        plan: plan(planar(w, h, .s420, bits: 8), transfer: 1, primaries: 1, RenderRecipe(target: planar10(.s420)))),
      Case(
        name: "yuv 4:2:2 12 bit pq, lut",
        plan: plan(planar(w, h, .s422, bits: 12), RenderRecipe(target: target16f, lut: lut))),
      Case(
        name: "yuv 4:4:0 10 bit hlg to hlg 4:2:2",
        plan: plan(
          planar(w, h, .s440, bits: 10), transfer: 18,
          RenderRecipe(
            target: OutputSignal(encoding: .hlg, sink: .planarYCC, chroma: .s422, fullRange: false)))),
      Case(
        name: "yuv 4:4:4 10 bit with alpha to pq 16",
        plan: plan(planar(w, h, .s444, bits: 10, alpha: true), RenderRecipe(target: pq16))),
      Case(
        name: "yuv 4:1:1 8 bit to 4:4:4 planes",
        plan: plan(planar(w, h, .s411, bits: 8), RenderRecipe(target: planar10(.s444, bits: 12)))),
      Case(
        name: "rgb 8 to sdr",
        plan: plan(interleaved(w, h, channels: 3, bits: 8), transfer: 13, primaries: 12, RenderRecipe(target: sdr8))),
      Case(
        name: "rgba 16 pq, bt2390",
        plan: plan(
          interleaved(w, h, channels: 4, bits: 16),
          RenderRecipe(target: sdr8, display: .headroom(Headroom(stops: 1)), tone: .named("bt2390")))),
      Case(
        name: "grey and alpha 8",
        plan: plan(interleaved(w, h, channels: 2, bits: 8), transfer: 13, primaries: 1, RenderRecipe(target: target16f))
      ),
      Case(
        name: "halves of any bits", plan: plan(halves(w, h), transfer: 8, RenderRecipe(target: pq16))),
      Case(
        name: "gain map, small grey",
        plan: plan(
          planar(w, h, .s420, bits: 8), transfer: 13, primaries: 12,
          gainMap: gainMap(width: max(1, w / 4), height: max(1, h / 4), grey: true),
          RenderRecipe(target: target16f, display: .high))),
      Case(
        name: "gain map, rgb of full size with gamma, to pq",
        plan: plan(
          planar(w, h, .s444, bits: 8), transfer: 13, primaries: 12,
          gainMap: gainMap(width: w, height: h, grey: false, gamma: 0.7),
          RenderRecipe(target: pq16, display: .headroom(Headroom(stops: 2))))),
      Case(
        name: "Apple's map, capped",
        plan: plan(
          planar(w, h, .s420, bits: 8), transfer: 13, primaries: 12,
          gainMap: appleMap(width: max(1, w / 2), height: max(1, h / 2)),
          RenderRecipe(target: target16f, display: .headroom(Headroom(stops: 1))))),
      Case(
        name: "Apple's map, geometric, as sRGB",
        plan: plan(
          planar(w, h, .s444, bits: 8), transfer: 13, primaries: 12, gainMap: appleMap(width: w, height: h),
          RenderRecipe(
            target: pq16, display: .headroom(Headroom(stops: 1)), appleMapTransfer: .srgb,
            applePartialHeadroom: .geometric))),
      Case(
        name: "float planes",
        plan: plan(p010(w, h), RenderRecipe(target: OutputSignal(encoding: .linear, sink: .floatPlanes)))),
    ] + cameras(w, h)
  }
}
