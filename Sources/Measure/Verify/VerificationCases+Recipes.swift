import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// SMPTE ST 2094-50 metadata of the general form: three alternates in P3 for headrooms 1, 2 and 9.2, each with a mix
  /// and a curve of its own, the first with slopes.
  private static let toneMetadata: [UInt8] = [
    0x00, 0x40, 0x59, 0xd8, 0x34, 0x00, 0x00, 0xf7, 0x27, 0x10, 0x3a, 0x98, 0x3a, 0x98, 0x13, 0x88,
    0x13, 0x88, 0x18, 0x01, 0xf4, 0x03, 0xe8, 0x07, 0xd0, 0x13, 0x88, 0x0b, 0xb8, 0x13, 0x88, 0x2e,
    0xe0, 0x59, 0xd8, 0x41, 0xda, 0x31, 0x8f, 0x2e, 0x1f, 0x39, 0x44, 0x27, 0x10, 0x80, 0x1c, 0x03,
    0xe8, 0x07, 0xd0, 0x0d, 0xac, 0x13, 0x88, 0x00, 0x00, 0x0f, 0xa0, 0x23, 0x28, 0x32, 0xc8, 0x7d,
    0x00, 0x00, 0x14, 0x00, 0xfa, 0x03, 0xe8, 0x13, 0x24, 0x00, 0x00, 0x07, 0xd0, 0x23, 0x28,
  ]

  static func recipes(pixels: Int) -> [VerificationCase] {
    let w = width & ~1, h = rows(pixels) + 1 & ~1
    let photo = TestPictures.photoP010(width: w, height: h, seed: 5)
    let pq = source(
      photo, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    let hlg = source(
      photo, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.hlg, matrix: CICP.Matrix.bt2020, full: false)
    let jpeg = source(
      TestPictures.randomPlanes(width: w, height: h, bits: 8, chroma: .s420, siting: .center, seed: 6),
      primaries: CICP.Primaries.p3,
      transfer: CICP.Transfer.sRGB, matrix: CICP.Matrix.bt601, full: true)
    let mono = withGainMap(jpeg, width: w / 4, height: max(1, h / 4), rgb: false, gamma: [1, 1, 1])
    let color = withGainMap(jpeg, width: w / 2, height: max(1, h / 2), rgb: true, gamma: [0.9, 1, 1.4])
    let big = withGainMap(jpeg, width: w + 9, height: h + 7, rgb: true, gamma: [1, 1, 1])
    let down = withGainMap(pq, width: w, height: h, rgb: false, gamma: [1, 1, 1], hdrBase: true)
    var curved = pq
    curved.light.toneMetadata = toneMetadata
    let lut = TestPictures.look(size: 33)
    var camera = pq, film = pq
    if let log = NamedSpace.named("ARRI LogC4"), let density = NamedSpace.named("ADX10") {
      (camera.color.encoding, film.color.encoding) = (log.encoding, density.encoding)
    }
    let two = DisplayChoice.headroom(Headroom(factor: 2))
    func to(_ encoding: OutputSignal.Encoding, _ sink: SinkKind, primaries: Int? = nil) -> OutputSignal {
      OutputSignal(primaries: primaries, encoding: encoding, sink: sink)
    }
    return [
      recipe(
        "recipe reference", withGainMap(pq, width: w / 4, height: max(1, h / 4), rgb: false, gamma: [1, 1, 1]),
        Recipes.reference(lut)),
      recipe("recipe lut-pq", pq, Recipes.lutPQ(lut)),
      recipe("recipe hlg-to-pq", hlg, Recipes.hlgToPQ),
      recipe("recipe PQ to SDR P3, 8 bit", pq, RenderRecipe(target: to(.sdr, .rgba8, primaries: CICP.Primaries.p3))),
      recipe("recipe PQ to SDR, dithered", pq, RenderRecipe(target: to(.sdr, .rgba8), dither: 1)),
      recipe(
        "recipe PQ to headroom 2, BT.2390", pq,
        RenderRecipe(target: to(.pq, .rgba16), display: two, tone: .named("bt2390"))),
      recipe(
        "recipe PQ to headroom 2, clip, sRGB primaries", pq,
        RenderRecipe(target: to(.linear, .rgba16f, primaries: CICP.Primaries.bt709), display: two, tone: .named("clip"))
      ),
      recipe("recipe PQ with ST 2094-50 curves to SDR", curved, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe(
        "recipe PQ with ST 2094-50 curves to headroom 1.5", curved,
        RenderRecipe(target: to(.pq, .rgba16), display: .headroom(Headroom(factor: 1.5)))),
      recipe(
        "recipe PQ with ST 2094-50 curves to headroom 8", curved,
        RenderRecipe(target: to(.linear, .rgba16f), display: .headroom(Headroom(factor: 8)))),
      recipe("recipe PQ to HLG 4:2:0", pq, RenderRecipe(target: to(.hlg, .planarYCC))),
      recipe("recipe HLG to SDR", hlg, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe(
        "recipe HLG LUT to PQ 4:2:0", hlg,
        RenderRecipe(target: to(.pq, .planarYCC), lut: LUTChoice(lut: lut, space: .hlg))),
      recipe(
        "recipe sRGB-space LUT, extrapolated", pq,
        RenderRecipe(target: to(.linear, .rgba16f), lut: LUTChoice(lut: lut, space: .srgb))),
      recipe(
        "recipe two LUTs, trilinear, P3", pq,
        {
          var made = RenderRecipe(target: to(.pq, .rgba16))
          made.luts = [
            LUTChoice(lut: lut, space: .init(.gamma24, .p3), interpolation: .trilinear),
            LUTChoice(lut: lut, space: .pq, extrapolates: false, interpolation: .trilinear),
          ]
          return made
        }()),
      recipe(
        "recipe LUT, nearest nodes", pq,
        RenderRecipe(
          target: to(.pq, .rgba16), lut: LUTChoice(lut: lut, space: .pq, interpolation: .nearest))),
      recipe(
        "recipe LogC4, LUT in ACEScct, to ACEScg", camera,
        {
          var made = RenderRecipe(target: to(.linear, .rgba16f), lut: LUTChoice(lut: lut, space: .srgb))
          (made.luts[0].named, made.target.space) = (NamedSpace.named("ACEScct"), NamedSpace.named("ACEScg"))
          return made
        }()),
      recipe("recipe ADX10 to SDR", film, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe("recipe gain map mono 1/4", mono, linearHalf),
      recipe("recipe gain map RGB 1/2 at headroom 2", color, RenderRecipe(target: to(.pq, .rgba16), display: two)),
      recipe("recipe gain map larger than base", big, linearHalf),
      recipe("recipe gain map, HDR base, to SDR", down, RenderRecipe(target: to(.sdr, .rgba8))),
      recipe(
        "recipe gain map then Reference White", color,
        RenderRecipe(target: to(.sdr, .rgba8), tone: .named("reference-white"))),
    ].compactMap { $0 }
  }
}
