import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import TestSupport
import Testing

/// Samples that a codec process may have put anything into: only numbers to the executors, whatever they are.
@Suite struct WildSamplesTests {
  @Test(arguments: [ColorModel.ycc, .rgb, .grey], [9, 10, 12])
  func promise10_samplesBeyondTheirDepthAreHarmless(model: ColorModel, bits: Int) throws {
    var random = XorShift(state: 0x1234_5678_9ABC_DEF1)
    func wild(_ width: Int, _ height: Int, _ model: ColorModel) -> SampleImage {
      let image = SampleImage.planar(
        width: width, height: height, model: model, format: .uint16, bitDepth: bits,
        chroma: model == .ycc ? .s420 : .s444)
      for plane in image.channels {
        let words = plane.buffer.base.assumingMemoryBound(to: UInt16.self)
        for index in 0..<plane.buffer.byteCount / 2 {
          words[index] = random.below(3) == 0 ? 0xFFFF : UInt16(truncatingIfNeeded: random.next())
        }
      }
      return image
    }
    for transfer in [13, 16, 18] {
      var source = SourceImage(
        format: .heic, image: wild(61, 43, model),
        color: SourceColor(matrix: 9, fullRange: transfer == 13, encoding: .cicp(primaries: 9, transfer: transfer)),
        geometry: Geometry(width: 61, height: 43, orientation: .left))
      if transfer == 13 {
        source.gainMap = GainMap(
          metadata: GainMapMetadata(
            kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [-1, 0, 0], max: [3, 3, 9]),
          image: wild(31, 22, .grey), matrix: 6, fullRange: true, alternateColor: nil, bindings: [])
      }
      for kind in OutputKind.allCases {
        let plan = try Planner.plan(source, RenditionOptions(kind: kind).recipe)
        let picture = CPUBackend.best.render(plan, threads: 1)
        #expect(picture.width == 43 && picture.height == 61)
      }
    }
  }
}
