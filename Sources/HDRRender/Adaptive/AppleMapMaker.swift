import HDRCore
import ImageFiles

/// Makes Apple's gain map from an ISO 21496-1 map (docs/gain-map-maths.md#apple): one grey gain `1 + (headroom - 1) *
/// D(value)`, which cannot darken. Gains of R, G and B are combined by luminance.
package struct AppleMapMaker {
  package let metadata: GainMapMetadata
  /// The matrix and range of the map's samples.
  package let color: CICP
  /// The code point of the base's primaries.
  package var primaries = CICP.Primaries.bt709

  package init(metadata: GainMapMetadata, color: CICP) { (self.metadata, self.color) = (metadata, color) }

  /// The peak of the HDR rendition, a factor.
  private var headroom: Double { ExactMath.exp2(metadata.alternateHeadroom) }

  package func item(_ map: SampleImage) -> AppleMapItem {
    AppleMapItem(picture: .samples(picture(map)), xmp: AppleMapItem.xmp(headroom: headroom))
  }

  /// Makes the picture of Apple's map; `map` is grey, or Y'CbCr or R'G'B' planes.
  package func picture(_ map: SampleImage) -> SampleImage {
    let result = SampleImage.planar(width: map.width, height: map.height, model: .grey, format: .uint8, bitDepth: 8)
    let out = result.channels[0], largest = (1 << map.bitDepth) - 1
    let gains = (0..<3).map { channel in (0...largest).map { gain(Double($0) / Double(largest), channel) } }
    let codes = codeTable
    func code(_ gain: Double) -> UInt8 {
      let share = min(max((gain - 1) / max(headroom - 1, 1e-9), 0), 1)
      return codes[Int((share.squareRoot() * 4096).rounded())]
    }
    let greys = gains[0].map(code)
    let weights = (Primaries(code: primaries) ?? .bt709).luminance
    let toRGB = Reader(map, color)
    for y in 0..<map.height {
      let row = (out.buffer.base + out.offset + y * out.rowBytes).assumingMemoryBound(to: UInt8.self)
      for x in 0..<map.width {
        if map.model == .grey {
          row[x] = greys[toRGB.sample(0, x, y)]
        } else {
          let rgb = toRGB.codes(x, y)
          row[x] = code(weights[0] * gains[0][rgb.0] + weights[1] * gains[1][rgb.1] + weights[2] * gains[2][rgb.2])
        }
      }
    }
    return result
  }

  private func gain(_ value: Double, _ channel: Int) -> Double {
    let share = ExactMath.pow(value, 1 / metadata.gamma[channel])
    return ExactMath.exp2(metadata.min[channel] + share * (metadata.max[channel] - metadata.min[channel]))
  }

  /// The codes for squares of 0...1 in 4096 steps: the curve is steep at 0.
  private var codeTable: [UInt8] {
    (0...4096).map { step in
      let root = Double(step) / 4096
      return UInt8((Transfer.bt709OETF(root * root) * 255).rounded())
    }
  }

  /// A reader of the R, G and B codes of a map's samples.
  private struct Reader {
    private let map: SampleImage
    private let largest: Double
    private let ycc: YCbCr?
    private let isGBR: Bool
    private let range: SampleRange

    init(_ map: SampleImage, _ color: CICP) {
      self.map = map
      largest = Double((1 << map.bitDepth) - 1)
      ycc = map.model == .ycc ? YCbCr(matrix: color.matrix, primaries: color.primaries) : nil
      isGBR = map.model == .ycc && color.matrix == CICP.Matrix.identity
      range = SampleRange(bits: map.bitDepth, fullRange: color.fullRange)
    }

    func sample(_ channel: Int, _ x: Int, _ y: Int) -> Int {
      let plane = map.channels[channel]
      let isHalved = channel > 0
      let at =
        plane.buffer.base + plane.offset + (y >> (isHalved ? map.chroma.verticalShift : 0)) * plane.rowBytes
        + (x >> (isHalved ? map.chroma.horizontalShift : 0)) * plane.stepBytes
      return map.format == .uint8 ? Int(at.load(as: UInt8.self)) : Int(at.load(as: UInt16.self))
    }

    func codes(_ x: Int, _ y: Int) -> (Int, Int, Int) {
      let a = sample(0, x, y), b = sample(1, x, y), c = sample(2, x, y)
      // The planes of matrix 0 are G, B, R.
      guard let ycc else { return isGBR ? (c, a, b) : (a, b, c) }
      let luma = (Double(a) - range.lumaOffset) / range.lumaScale
      let cb = (Double(b) - range.chromaOffset) / range.chromaScale
      let cr = (Double(c) - range.chromaOffset) / range.chromaScale
      let red = luma + 2 * (1 - ycc.kr) * cr, blue = luma + 2 * (1 - ycc.kb) * cb
      let green = (luma - ycc.kr * red - ycc.kb * blue) / (1 - ycc.kr - ycc.kb)
      func code(_ value: Double) -> Int { Int((min(max(value, 0), 1) * largest).rounded()) }
      return (code(red), code(green), code(blue))
    }
  }
}
