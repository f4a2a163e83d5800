import CPURender
import HDRCore
import HDRPlan
import HDRRender
import Testing

/// The vector loops that measure what encoders get, against one pixel after the other: any width, any rows, alpha and
/// what lies between the rows left out.
@Suite struct RenderedLightTests {
  private static func picture(_ format: SampleFormat, _ width: Int, _ height: Int, _ word: () -> UInt32) -> SampleImage
  {
    let step = 4 * format.bytes, row = width * step + 24, offset = 16
    let buffer = PixelBuffer(byteCount: offset + row * height)
    // What is not the picture is as bright as can be.
    for index in 0..<buffer.byteCount { buffer.base.storeBytes(of: 0x7b, toByteOffset: index, as: UInt8.self) }
    let planes = (0..<4).map {
      SamplePlane(
        buffer: buffer, offset: offset + $0 * format.bytes, rowBytes: row, stepBytes: step, width: width,
        height: height)
    }
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<4 {
          let place = buffer.base + offset + y * row + x * step + channel * format.bytes
          if format == .uint8 {
            place.storeBytes(of: channel == 3 ? 255 : UInt8(truncatingIfNeeded: word()), as: UInt8.self)
          } else {
            place.storeBytes(of: channel == 3 ? 0x7bff : UInt16(truncatingIfNeeded: word()), as: UInt16.self)
          }
        }
      }
    }
    return SampleImage(
      width: width, height: height, model: .rgb, format: format, bitDepth: 8 * format.bytes,
      channels: Array(planes.prefix(3)), alpha: planes[3])
  }

  /// Samples of each pixel, without alpha.
  private static func pixels(_ image: SampleImage) -> [[UInt16]] {
    (0..<image.height).flatMap { y in
      (0..<image.width).map { x in
        image.channels.map { plane in
          let place = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          return image.format == .uint8 ? UInt16(place.load(as: UInt8.self)) : place.load(as: UInt16.self)
        }
      }
    }
  }

  @Test(arguments: [SampleFormat.uint8, .float16, .uint16])
  func peakAndClippedShareAreThoseOfThePixels(format: SampleFormat) throws {
    var state: UInt32 = 1
    func random() -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return state >> 12
    }
    let pool = BandPool(threads: 2)
    defer { pool.close() }
    for width in 1...19 {
      // Codes of all values; halves below 1000 of either sign, infinite and NaN among them.
      let image = Self.picture(format, width, 70) {
        let word = random()
        guard format == .float16 else { return word }
        return [0x7c00, 0x7e01, 0xfc00].contains(word & 0xffff) ? word : (word & 0x8000) | (word & 0x7fff) % 0x63d0
      }
      var report = PlanReport()
      report.mayExceed = true
      let bound = 4.0
      report.bound = bound
      report.outputCICP =
        format == .uint8
        ? .sRGB : CICP(9, format == .float16 ? CICP.Transfer.linear : CICP.Transfer.pq, 0, full: true)
      let light = try #require(RenderedLight(image, report, pool))
      let most = Self.pixels(image).map { pixel -> Double in
        pixel.map { word in
          switch format {
          case .uint8: TransferCurve.sRGB.decode(Double(word) / 255)
          case .float16: Self.light(word)
          default: Transfer.pqEOTF(Double(word) / 65_535) / ReferenceWhite.nits
          }
        }.max() ?? 0
      }
      let peak = most.max() ?? 0, code = (Transfer.pqInverseEOTF(bound * ReferenceWhite.nits) * 65_535).rounded()
      // Light at the bound; of PQ its nearest code.
      let top =
        format == .uint8 ? 1 : format == .float16 ? bound : Transfer.pqEOTF(code / 65_535) / ReferenceWhite.nits
      #expect(abs(light.peak - max(peak, 0)) <= 1e-9 * peak || light.peak == peak, "\(width)")
      let share = Double(most.count { $0 >= top }) / Double(most.count)
      #expect(abs(light.clippedShare - share) < 1e-9, "\(width)")
    }
  }

  /// Returns the light of a half; NaN counts as 0.
  private static func light(_ half: UInt16) -> Double {
    let value = Double(Float16(bitPattern: half))
    return value.isNaN ? 0 : value
  }
}
