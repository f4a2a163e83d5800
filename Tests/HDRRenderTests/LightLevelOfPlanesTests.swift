import FileParts
import HDRCore
import HDRRender
import ImageFiles
import Testing

/// Light level of Y'CbCr planes against that of the R'G'B' that they stand for.
@Suite struct LightLevelOfPlanesTests {
  @Test(
    arguments: [ChromaSubsampling.s420, .s444],
    [CICP(9, 16, 9, full: true), CICP(9, 16, 9, full: false), CICP(9, 18, 9, full: false)])
  func planesHaveTheLightLevelOfTheirRGB(chroma: ChromaSubsampling, cicp: HDRCore.CICP) throws {
    let width = 53, height = 31
    let image = SampleImage.planar(
      width: width, height: height, model: .ycc, format: .uint16, bitDepth: 10, chroma: chroma)
    var state: UInt32 = 7
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<plane.height {
        let row = (plane.buffer.base + y * plane.rowBytes).assumingMemoryBound(to: UInt16.self)
        for x in 0..<plane.width {
          state = state &* 1_664_525 &+ 1_013_904_223
          // Chroma strong enough that some channels are cut at both ends.
          row[x] = index == 0 ? UInt16(state >> 22) : UInt16(512 + Int(state >> 24) - 128)
        }
      }
    }
    let rgb = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint16, bitDepth: 16)
    let range = SampleRange(bits: 10, fullRange: cicp.fullRange), kr = 0.2627, kb = 0.0593
    for y in 0..<height {
      for x in 0..<width {
        func sample(_ channel: Int, _ hs: Int, _ vs: Int) -> Double {
          let plane = image.channels[channel]
          return Double(
            (plane.buffer.base + (y >> vs) * plane.rowBytes + 2 * (x >> hs)).load(as: UInt16.self))
        }
        let luma = (sample(0, 0, 0) - range.lumaOffset) / range.lumaScale
        let cb = (sample(1, chroma.horizontalShift, chroma.verticalShift) - range.chromaOffset) / range.chromaScale
        let cr = (sample(2, chroma.horizontalShift, chroma.verticalShift) - range.chromaOffset) / range.chromaScale
        let red = luma + 2 * (1 - kr) * cr, blue = luma + 2 * (1 - kb) * cb
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        let out = (rgb.channels[0].buffer.base + y * rgb.channels[0].rowBytes + 8 * x)
          .assumingMemoryBound(to: UInt16.self)
        for (index, value) in [red, green, blue].enumerated() {
          out[index] = UInt16((min(max(value, 0), 1) * 65_535).rounded())
        }
      }
    }
    let found = try #require(measureLightLevel(image, cicp: cicp))
    let expected = try #require(measureLightLevel(rgb, transfer: cicp.transfer))
    #expect(abs(found.maxCLL - expected.maxCLL) <= 1 && abs(found.maxFALL - expected.maxFALL) <= 1)
    // As often as one asks.
    var meter = try #require(LightMeter(transfer: cicp.transfer))
    meter.add(UnsafePointer(rgb.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)), width: width * height)
    #expect(meter.read().level == expected && meter.read().level == expected)
    #expect(found.maxCLL > 300 && found.maxFALL > 20)
  }

  @Test func blackAndSDRPlanesHaveNoLightLevel() {
    let black = SampleImage.planar(width: 8, height: 8, model: .ycc, format: .uint16, bitDepth: 10, chroma: .s420)
    for plane in black.channels.dropFirst() {
      for index in 0..<(plane.rowBytes / 2 * plane.height) {
        plane.buffer.base.assumingMemoryBound(to: UInt16.self)[index] = 512
      }
    }
    #expect(measureLightLevel(black, cicp: CICP(9, 16, 9, full: true)) == nil)
    #expect(measureLightLevel(black, cicp: CICP(1, 13, 1, full: true)) == nil)
  }
}
