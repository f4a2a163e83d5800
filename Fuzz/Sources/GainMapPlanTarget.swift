import HDRCore
import HDRPlan
import ImageFiles
import Kernels

extension Target {
  /// Plans with a gain map's numbers: no table, weight or matrix may trap. Inputs are payloads of ISO 21496-1; any
  /// other input is four numbers of Apple's.
  static let gainMapPlan = Target("gainmap-plan", maxLength: 256) { bytes in
    var warnings: [Warning] = []
    let metadata = parseISO21496(jpegPayload: bytes[...], warnings: &warnings) ?? apple(bytes)
    guard let metadata else { return }
    demandFormula(metadata)
    var source = SourceImage.small
    source.gainMap = GainMap(
      metadata: metadata,
      image: .planar(width: 4, height: 4, model: metadata.isMultichannel ? .rgb : .grey, format: .uint8, bitDepth: 8),
      matrix: 0, fullRange: true, alternateColor: bytes.count % 2 == 0 ? source.color : nil, bindings: ["app2-iso"])
    let recipes = [
      RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16), display: .high),
      RenderRecipe(target: OutputSignal(encoding: .sdr, sink: .rgba8), display: .standard),
      RenderRecipe(target: OutputSignal(encoding: .hlg, sink: .planarYCC), display: .headroom(Headroom(stops: 0.7))),
      RenderRecipe(
        target: OutputSignal(encoding: .linear, sink: .rgba16f), contentHeadroom: Headroom(stops: 2),
        appleMapTransfer: .srgb, applePartialHeadroom: .geometric),
    ]
    for recipe in recipes { demandPasses(try? Planner.plan(source, recipe)) }
    if let picture = source.auxiliaryGainMap { demandPasses(try? Planner.plan(picture, recipes[1])) }
    demandMapPlans(source, metadata)
  }

  private static func demandPasses(_ plan: Plan?) { demand(plan?.passes.isEmpty != true, "a plan of nothing") }

  /// Headrooms in XMP and two tags, which may be any numbers.
  private static func apple(_ bytes: [UInt8]) -> GainMapMetadata? {
    guard bytes.count >= 24 else { return nil }
    let numbers = (0..<3).map { Double(bitPattern: UInt64(bitPattern: Int64(bytes.number(8 * $0, 8)))) }
    guard numbers.allSatisfy(\.isFinite) else { return nil }
    func given(_ index: Int) -> Double? { numbers[index] == 0 ? nil : numbers[index] }
    let apple = AppleGainMap(version: Int(bytes[0]), xmpHeadroom: given(0), tag33: given(1), tag48: given(2))
    demand(apple.headroom.map { $0.isFinite && $0 >= 0 } != false, "a headroom of no number")
    for value in [0, 0.3, 1] {
      for transfer in AppleMapTransfer.allCases {
        demand(apple.log2Gain(value, transfer: transfer).isFinite, "a gain of no number")
        for partial in [ApplePartialHeadroom.capped, .geometric] {
          let light = apple.applied(
            to: 0.5, value: value, display: Headroom(stops: 1), transfer: transfer, partial: partial)
          demand(light.isFinite, "light of no number")
        }
      }
      demand((0...1023).contains(apple.isoCode(Int(value * 255))), "a code out of range")
    }
    return GainMapMetadata(apple)
  }

  private static func demandFormula(_ metadata: GainMapMetadata) {
    for display in [0.0, 1, 40] {
      let weight = GainMapWeight.weight(
        base: metadata.baseHeadroom, alternate: metadata.alternateHeadroom, display: display)
      demand((-1...1).contains(weight), "a weight of \(weight)")
      let result = GainMapWeight.resultHeadroom(
        base: metadata.baseHeadroom, alternate: metadata.alternateHeadroom, weight: weight)
      demand(result.isFinite, "a headroom of no number")
      for value in [0, 0.4, 1] {
        let gain = metadata.log2Gain(value, channel: 2)
        demand(!gain.isNaN && !metadata.applied(to: 0, log2Gain: 0, weight: weight, channel: 1).isNaN, "a gain of NaN")
      }
    }
  }

  /// Plans that make, code and edit maps.
  private static func demandMapPlans(_ source: SourceImage, _ metadata: GainMapMetadata) {
    guard let map = source.gainMap else { return }
    let picture = source.auxiliaryGainMap ?? source
    for (sink, depth) in [(SinkKind.rgba8, 8), (.planarYCC, 10)] {
      let target = OutputSignal(encoding: .linear, sink: sink, bitDepth: depth, chroma: .s444)
      demandPasses(GainMapPlanner.codes(map.image, metadata, target: target, dither: sink == .rgba8 ? 1 : 0))
      demandPasses(GainMapPlanner.recoded(picture, target: target))
      var recipe = RenderRecipe(target: target)
      let content = Headroom(stops: metadata.alternateHeadroom)
      for steps in [
        [FilterStep("crop", ["rect": .numbers([0, 0, 2, 3])]), FilterStep("flip")],
        [FilterStep("resize", ["size": .number(5)]), FilterStep("thumbnail", ["size": .number(3)])],
      ] {
        recipe.edits = steps
        demandPasses(
          try? GainMapPlanner.edited(
            map: picture, recipe, table: nil, base: PictureSize(8, 8), content: content, target: target))
        demandPasses(try? GainMapPlanner.edited(base: source, recipe, content: content, target: target))
      }
    }
    let light = SampleImage.interleaved(width: 8, height: 8, channelCount: 4, format: .float16, bitDepth: 16)
    let codes = SampleImage.interleaved(width: 8, height: 8, channelCount: 4, format: .uint8, bitDepth: 8)
    for channels in [1, 3] {
      let pair = RenditionPair(
        base: codes, baseCurve: .sRGB, baseToMath: .identity, alternate: light, luminance: [0.3, 0.6, 0.1],
        baseIsHDR: metadata.baseIsHDR)
      demandPasses(try? GainMapPlanner.gains(pair, GainMapOptions(channels: channels, scale: 1 + channels / 3)))
    }
  }
}
