import CPUReference
import HDRCore
import HDRPlan
import Kernels
import Testing

/// Loads that take a pixel as one word give what loads of single samples give, and renditions that are in place already
/// are rendered to themselves: `RenditionPairMaker` does not render those.
struct InterleavedLoadTests {
  /// Renders with the build for every machine; `verify` compares the others with it.
  static func render(_ plan: Plan) -> SampleImage {
    let output = CPUReference.CPURenderer.makeOutput(plan.passes[0])
    CPUReference.CPURenderer.render(
      plan, pass: 0, rows: 0..<plan.passes[0].height, outputs: [nil], into: output,
      workspace: CPUReference.CPURenderer.Workspace())
    return output
  }

  static func source(_ image: SampleImage, transfer: Int) -> SourceImage {
    SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 1, transfer: transfer)),
      geometry: Geometry(width: image.width, height: image.height))
  }

  @Test("every half comes back sanitised and else as it is")
  func halves() throws {
    let width = 1009, height = 65
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for i in 0..<(width * height) {
      for channel in 0..<3 { words[4 * i + channel] = UInt16(truncatingIfNeeded: i &* 3 &+ channel &* 21_845) }
      words[4 * i + 3] = 0x3c00
    }
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 1, encoding: .linear, sink: .rgba16f, bitDepth: 16, chroma: .s444))
    recipe.display = .high
    recipe.gamut = .none
    let plan = try Planner.plan(Self.source(image, transfer: 8), recipe)
    #expect(plan.passes.count == 1 && plan.passes[0].stages.map(\.kind) == [.loadHalf])
    let output = Self.render(plan).channels[0].buffer
    let differing = (0..<(width * height * 4)).count { i in
      let expected = E32.half(E32.sanitize(E32.float(half: UInt32(words[i]))))
      return UInt32(output.base.load(fromByteOffset: 2 * i, as: UInt16.self)) != expected
    }
    #expect(differing == 0)
    withExtendedLifetime(image) {}
  }

  @Test("sRGB codes of 8 bits come back as they are")
  func codes() throws {
    let width = 515, height = 3
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint8, bitDepth: 8)
    let bytes = image.channels[0].buffer.base.assumingMemoryBound(to: UInt8.self)
    for i in 0..<(width * height * 4) { bytes[i] = UInt8(truncatingIfNeeded: i &* 167 &+ i / 4) }
    let recipe = RenderRecipe(
      target: OutputSignal(primaries: 1, encoding: .sdr, sink: .rgba8, bitDepth: 8, chroma: .s444))
    let plan = try Planner.plan(Self.source(image, transfer: 13), recipe)
    let output = Self.render(plan).channels[0].buffer
    let differing = (0..<(width * height * 4)).count {
      output.base.load(fromByteOffset: $0, as: UInt8.self) != bytes[$0]
    }
    #expect(differing == 0)
    withExtendedLifetime(image) {}
  }

  @Test("gains from codes side by side are those from planes", arguments: [1, 3, 4, 511, 514])
  func gains(width: Int) throws {
    let height = 3
    let packed = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint8, bitDepth: 8)
    let planes = SampleImage.planar(width: width, height: height, model: .rgb, format: .uint8, bitDepth: 8)
    let light = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let halves = light.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          let code = UInt8(truncatingIfNeeded: x &* 31 &+ y &* 77 &+ channel &* 101)
          for plane in [packed.channels[channel], planes.channels[channel]] {
            plane.buffer.base.storeBytes(
              of: code, toByteOffset: plane.offset + y * plane.rowBytes + x * plane.stepBytes, as: UInt8.self)
          }
          halves[4 * (y * width + x) + channel] = UInt16(truncatingIfNeeded: E32.half(Float(x + channel) / 16))
        }
      }
    }
    withExtendedLifetime(light) {}
    for channels in [1, 3] {
      let results = try [packed, planes].map { base in
        let pair = RenditionPair(
          base: base, baseCurve: .sRGB, baseToMath: .identity, alternate: light, luminance: [0.2126, 0.7152, 0.0722],
          baseIsHDR: false)
        return Self.render(try GainMapPlanner.gains(pair, GainMapOptions(channels: channels)))
      }
      for (a, b) in zip(results[0].channels, results[1].channels) {
        for y in 0..<height {
          for x in 0..<width {
            let at = y * a.rowBytes + x * 4
            let first = a.buffer.base.load(fromByteOffset: at, as: UInt32.self)
            #expect(first == b.buffer.base.load(fromByteOffset: at, as: UInt32.self))
          }
        }
      }
    }
  }
}
