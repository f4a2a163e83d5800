import HDRCore
import HDRPlan
import Kernels

/// Deterministic pictures for verification and benchmarks: noise, ramps, edge values, image-like content.
package enum TestPictures {
  package typealias Generator = SplitMix64

  /// Halves of any bit pattern: NaN, infinities, subnormals and all, R G B A interleaved.
  package static func randomHalves(width: Int, height: Int, seed: UInt64) -> SampleImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    fill(image.channels[0].buffer, seed: seed)
    return image
  }

  /// Random codes of 8 or 16 bits, R G B A interleaved.
  package static func randomCodes(width: Int, height: Int, format: SampleFormat, seed: UInt64) -> SampleImage {
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: 4, format: format, bitDepth: 8 * format.bytes)
    fill(image.channels[0].buffer, seed: seed)
    return image
  }

  /// Three planes of gains within +-8 stops.
  package static func randomGains(width: Int, height: Int, seed: UInt64) -> SampleImage {
    let image = Sink(kind: .floatPlanes, constants: 0, channels: 3).makeImage(width: width, height: height)
    var random = Generator(seed: seed)
    for plane in image.channels {
      for y in 0..<height {
        let row = (plane.buffer.base + y * plane.rowBytes).assumingMemoryBound(to: Float.self)
        for x in 0..<width { row[x] = Float(Int32(truncatingIfNeeded: random.next())) * 0x1p-28 }
      }
    }
    return image
  }

  /// Finite halves: a ramp through all magnitudes up to `peak`, signs mixed, with colours around it.
  package static func lightHalves(width: Int, height: Int, peak: Float, seed: UInt64) -> SampleImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random = Generator(seed: seed)
    for i in 0..<(width * height) {
      let level = peak * E32.exp2(-16 * Float(i % 4099) / 4098)
      for channel in 0..<3 {
        let spread = Float(random.next() & 0xffff) / 65535 * 2 - 0.25
        words[4 * i + channel] = UInt16(truncatingIfNeeded: E32.half(level * spread))
      }
      words[4 * i + 3] = UInt16(truncatingIfNeeded: E32.half(Float(random.next() & 0xff) / 255))
    }
    return image
  }

  /// Makes halves of few values, so that many are equal, beside each other and among the channels, and many equal but
  /// for the sign.
  package static func ties(width: Int, height: Int, seed: UInt64) -> SampleImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random = Generator(seed: seed)
    for i in 0..<(width * height) {
      let r = Float(random.next() % 5) / 4, kind = random.next() % 8
      let g = kind < 3 ? -r : kind < 6 ? 1 - r : r, b = kind % 2 == 0 ? g : -g
      let a = min(Float(random.next() % 4) / 2, 1)
      for (channel, value) in [r, g, b, a].enumerated() {
        words[4 * i + channel] = UInt16(truncatingIfNeeded: E32.half(value))
      }
    }
    return image
  }

  /// Integer samples of any value in planes: Y'CbCr of a given subsampling, or grey.
  package static func randomPlanes(
    width: Int, height: Int, bits: Int, chroma: ChromaSubsampling, siting: ChromaSiting, alpha: Bool = false,
    seed: UInt64
  ) -> SampleImage {
    let model: ColorModel = chroma == .none ? .grey : .ycc
    let image = SampleImage.planar(
      width: width, height: height, model: model, format: bits == 8 ? .uint8 : .uint16, bitDepth: bits,
      chroma: chroma, siting: siting, hasAlpha: alpha)
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    for (index, plane) in planes.enumerated() {
      fill(plane.buffer, seed: seed &+ UInt64(index))
      guard bits > 8 else { continue }
      let words = plane.buffer.base.assumingMemoryBound(to: UInt16.self)
      for i in 0..<(plane.buffer.byteCount / 2) { words[i] &= UInt16((1 << bits) - 1) }
    }
    return image
  }

  /// 10-bit P010 (value at the top of 16 bits, CbCr interleaved) with content like a photo's: patches, noise, highlights.
  package static func photoP010(width: Int, height: Int, seed: UInt64) -> SampleImage {
    let chromaWidth = (width + 1) / 2, chromaHeight = (height + 1) / 2
    let luma = PixelBuffer(byteCount: width * height * 2),
      chroma = PixelBuffer(byteCount: chromaWidth * chromaHeight * 4)
    var random = Generator(seed: seed)
    let y = luma.base.assumingMemoryBound(to: UInt16.self), c = chroma.base.assumingMemoryBound(to: UInt16.self)
    for row in 0..<height {
      for column in 0..<width {
        let patch = 180 + 40 * ((column / 96 + row / 64) % 8), noise = Int(random.next() & 31)
        let highlight = (column / 11 + row / 7) % 61 == 0 ? 250 : 0
        y[row * width + column] = UInt16(min(patch + noise + highlight, 940)) << 6
      }
    }
    for i in 0..<(chromaWidth * chromaHeight) {
      let patch = (i / 48) % 5 * 8
      c[2 * i] = UInt16(496 + patch + Int(random.next() & 7)) << 6
      c[2 * i + 1] = UInt16(496 + patch + Int(random.next() & 7)) << 6
    }
    return SampleImage(
      width: width, height: height, model: .ycc, format: .uint16, bitDepth: 10, lowZeroBits: 6, chroma: .s420,
      siting: .left,
      channels: [
        SamplePlane(buffer: luma, rowBytes: width * 2, stepBytes: 2, width: width, height: height),
        SamplePlane(buffer: chroma, rowBytes: chromaWidth * 4, stepBytes: 4, width: chromaWidth, height: chromaHeight),
        SamplePlane(
          buffer: chroma, offset: 2, rowBytes: chromaWidth * 4, stepBytes: 4, width: chromaWidth,
          height: chromaHeight),
      ])
  }

  /// A cube with a smooth, curved, slightly crossed look; values leave [0, 1] a little.
  package static func look(size: Int) -> CubeLUT {
    let values = LUT3DStage.sampleNodes(size: size).map(Float.init(bitPattern:))
    return CubeLUT(
      shaper: nil, cube: CubeLUT.Table3D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
  }

  /// Curves of one dimension, another for each of R, G and B.
  package static func curves(size: Int) -> CubeLUT {
    let values = (0..<size).flatMap { i -> [Float] in
      let x = Float(i) / Float(size - 1)
      return [x * (1.2 - 0.2 * x), x * x * (0.5 + 0.5 * x), 1 - x]
    }
    return CubeLUT(
      shaper: CubeLUT.Table1D(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values), cube: nil)
  }

  private static func fill(_ buffer: PixelBuffer, seed: UInt64) {
    var random = Generator(seed: seed)
    let words = buffer.base.assumingMemoryBound(to: UInt64.self)
    for i in 0..<(buffer.byteCount / 8) { words[i] = random.next() }
  }
}
