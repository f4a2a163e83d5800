import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

/// Codes of a map that are made of a pair at once: those of its gains.
@Suite struct GainCodesTests {
  private static func pair(_ format: SampleFormat, _ width: Int, _ height: Int) -> RenditionPair {
    let base = SampleImage.interleaved(
      width: width, height: height, channelCount: 4, format: format, bitDepth: 8 * format.bytes)
    let light = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    var random = SplitMix64(seed: UInt64(width))
    for place in 0..<base.channels[0].buffer.byteCount {
      (base.channels[0].buffer.base + place).storeBytes(of: UInt8(truncatingIfNeeded: random.next()), as: UInt8.self)
    }
    let words = light.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for index in 0..<4 * width * height {
      words[index] = UInt16(E32.half(Float(random.next() % 5000) / 1000 - 0.1))
    }
    return RenditionPair(
      base: base, baseCurve: format == .uint8 ? .sRGB : .pq, baseToMath: .identity, alternate: light,
      luminance: Primaries.bt2020.luminance, baseIsHDR: format == .uint16)
  }

  @Test("codes of a pair are those of its gains", arguments: [1, 3], [1, 2, 4])
  func codesOfAPair(channels: Int, scale: Int) throws {
    let options = GainMapOptions(channels: channels, scale: scale)
    for (format, width, height) in [(SampleFormat.uint8, 61, 47), (.uint16, 130, 9), (.uint8, 1, 1)] {
      let pair = Self.pair(format, width, height), gains = renderOnCPU(try GainMapPlanner.gains(pair, options))
      for gamma in [1.0, 0.8] {
        let metadata = GainMapMetadata(
          kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [-3, -2, 0], max: [5, 6, 6.5],
          gamma: [gamma, gamma, gamma])
        for (sink, depth, dither) in [(SinkKind.rgba8, 8, 1.0), (.rgba16, 16, 0), (.planarYCC, 10, 0)] {
          let target = OutputSignal(encoding: .linear, sink: sink, bitDepth: depth, chroma: .s444)
          let expected = renderOnCPU(GainMapPlanner.codes(gains, metadata, target: target, dither: dither))
          let made = renderOnCPU(
            try GainMapPlanner.codes(of: pair, options, metadata, target: target, dither: dither))
          #expect(differingSamples(made, expected) == 0, "\(width)x\(height), \(gamma), \(sink)")
        }
      }
    }
  }
}
