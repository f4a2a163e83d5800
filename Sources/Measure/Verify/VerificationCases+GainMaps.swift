import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  static func withGainMap(
    _ source: SourceImage, width: Int, height: Int, rgb: Bool, gamma: [Double], hdrBase: Bool = false
  ) -> SourceImage {
    var copy = source
    let map = TestPictures.randomPlanes(
      width: width, height: height, bits: 8, chroma: rgb ? .s420 : .none, siting: .center, seed: 77)
    copy.gainMap = GainMap(
      metadata: GainMapMetadata(
        kind: .iso, baseHeadroom: hdrBase ? 2.3 : 0, alternateHeadroom: hdrBase ? 0 : 2.3,
        min: rgb ? [-0.3, -0.2, -0.1] : [0, 0, 0], max: rgb ? [2.1, 2.3, 2.2] : [2.3, 2.3, 2.3], gamma: gamma,
        isMultichannel: rgb, usesBaseColorSpace: !rgb),
      image: map, matrix: CICP.Matrix.bt601, fullRange: true,
      alternateColor: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq)),
      bindings: [])
    return copy
  }

  static func gainMaps(pixels: Int) -> [VerificationCase] {
    unevenMaps(pixels: pixels / 2) + appleMaps(pixels: pixels / 2) + ratios(pixels: pixels) + mapCodes(pixels: pixels)
  }

  /// Offsets of the channels of `unevenMaps` and of uneven ratios: no two are equal.
  private static let baseOffset = [0.015, 0.03, 0.06], alternateOffset = [0.02, 0.045, 0.09]

  /// Returns cases of maps with other values of every parameter for each channel, applied with weights of both signs.
  /// The results are binary32: halves hide the last bits of the sums.
  private static func unevenMaps(pixels: Int) -> [VerificationCase] {
    let w = width & ~1, h = rows(pixels) + 1 & ~1
    let base = source(
      TestPictures.randomPlanes(width: w, height: h, bits: 8, chroma: .s420, siting: .center, seed: 62),
      primaries: CICP.Primaries.p3, transfer: CICP.Transfer.sRGB, matrix: CICP.Matrix.bt601, full: true)
    func applied(channels: Int, hdrBase: Bool, _ name: String, _ display: DisplayChoice) -> VerificationCase? {
      var mapped = withGainMap(
        base, width: w / 2, height: max(1, h / 2), rgb: channels == 3, gamma: [0.8, 1, 1.35], hdrBase: hdrBase)
      mapped.gainMap?.metadata.min = [-0.31, -0.17, 0.05]
      mapped.gainMap?.metadata.max = [2.1, 2.4, 1.9]
      mapped.gainMap?.metadata.baseOffset = baseOffset
      mapped.gainMap?.metadata.alternateOffset = alternateOffset
      return recipe(
        "gain map of \(channels), uneven, \(hdrBase ? "HDR" : "SDR") base, \(name)", mapped,
        RenderRecipe(target: OutputSignal(encoding: .linear, sink: .floatPlanes), display: display))
    }
    let partly = DisplayChoice.headroom(Headroom(factor: 2))
    return [3, 1].flatMap { channels in
      [
        applied(channels: channels, hdrBase: false, "whole", .high),
        applied(channels: channels, hdrBase: false, "partly", partly),
        applied(channels: channels, hdrBase: true, "whole", .standard),
        applied(channels: channels, hdrBase: true, "partly", partly),
      ]
    }.compactMap { $0 }
  }

  /// Returns cases of gains of pairs of renditions.
  private static func ratios(pixels: Int) -> [VerificationCase] {
    let h = rows(pixels)
    func pair(_ format: SampleFormat, wide: Bool = false, noise: Bool = false) -> RenditionPair {
      RenditionPair(
        base: TestPictures.randomCodes(width: width, height: h, format: format, seed: 41),
        baseCurve: format == .uint8 ? .sRGB : .pq,
        baseToMath: wide ? Primaries.bt709.matrix(to: .bt2020)! : .identity,
        alternate: noise
          ? TestPictures.randomHalves(width: width, height: h, seed: 42)
          : TestPictures.lightHalves(width: width, height: h, peak: 16, seed: 43),
        luminance: Primaries.bt2020.luminance, baseIsHDR: format == .uint16)
    }
    func ratio(_ name: String, _ pair: RenditionPair, _ options: GainMapOptions) -> VerificationCase? {
      (try? GainMapPlanner.gains(pair, options)).map { VerificationCase(name: "gain map, \(name)", plan: $0) }
    }
    var uneven = GainMapOptions()
    (uneven.baseOffset, uneven.alternateOffset) = (baseOffset, alternateOffset)
    return [
      ratio("3 channels", pair(.uint8), GainMapOptions()),
      ratio("random bits", pair(.uint8, noise: true), GainMapOptions()),
      ratio("wider primaries", pair(.uint8, wide: true), GainMapOptions()),
      ratio("luminance, half size", pair(.uint8, wide: true), GainMapOptions(channels: 1, scale: 2)),
      ratio("maximum, quarter size", pair(.uint8), GainMapOptions(channels: 1, grey: .maximum, scale: 4)),
      ratio("HDR base", pair(.uint16, noise: true), GainMapOptions(scale: 2)),
      ratio("uneven offsets", pair(.uint8), uneven),
      ratio("uneven offsets, HDR base, wider primaries", pair(.uint16, wide: true), uneven),
    ].compactMap { $0 }
  }

  /// Returns cases of codes of gains.
  private static func mapCodes(pixels: Int) -> [VerificationCase] {
    let gains = TestPictures.randomGains(width: width, height: rows(pixels), seed: 44)
    let metadata = GainMapMetadata(
      kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [-3, -2, 0], max: [5, 6, 6.5], gamma: [1, 0.8, 1.2])
    return [(SinkKind.rgba8, 8, 1.0), (.rgba16, 16, 0), (.planarYCC, 10, 0)].map { sink, depth, dither in
      let target = OutputSignal(encoding: .linear, sink: sink, bitDepth: depth, chroma: .s444)
      return VerificationCase(
        name: "gain map, codes \(sink.rawValue)",
        plan: GainMapPlanner.codes(gains, metadata, target: target, dither: dither))
    }
  }
}
