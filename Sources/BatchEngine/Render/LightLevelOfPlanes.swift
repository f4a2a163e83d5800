import HDRCore
import ImageFiles

/// Light level of a rendered picture in any layout of an HDR encoder.
///
/// Interleaved R'G'B'A 16 bit goes to `measureLightLevel` as it is. Planar Y'CbCr is turned into that first, with each
/// chroma sample standing for all its pixels: what is measured is what the file says, before its lossy coding.
///
/// - Parameter cicp: code points of the picture; matrices of the Kr/Kb kind only.
/// - Returns: cd/m²; `nil` for black pictures and other layouts.
func measureLightLevel(_ image: SampleImage, cicp: CICP) -> ContentLightLevel? {
  guard image.model == .ycc else { return measureLightLevel(image, transfer: cicp.transfer) }
  guard let coefficients = YCbCr(matrix: cicp.matrix, primaries: cicp.primaries), image.channels.count == 3,
    image.format == .uint16
  else { return nil }
  let rgb = SampleImage.interleaved(
    width: image.width, height: image.height, channelCount: 4, format: .uint16, bitDepth: 16)
  let toRGB = CodesToRGB(coefficients, SampleRange(bits: image.bitDepth, fullRange: cicp.fullRange))
  let hs = image.chroma.horizontalShift, vs = image.chroma.verticalShift
  func row(_ channel: Int, _ y: Int) -> UnsafePointer<UInt16> {
    let plane = image.channels[channel]
    return UnsafePointer(
      (plane.buffer.base + plane.offset + y * plane.rowBytes).assumingMemoryBound(to: UInt16.self))
  }
  for y in 0..<image.height {
    let out = (rgb.channels[0].buffer.base + y * rgb.channels[0].rowBytes).assumingMemoryBound(to: UInt16.self)
    let luma = row(0, y), cb = row(1, y >> vs), cr = row(2, y >> vs)
    for x in 0..<image.width { toRGB.store(luma[x], cb[x >> hs], cr[x >> hs], at: out + 4 * x) }
  }
  return measureLightLevel(rgb, transfer: cicp.transfer)
}

/// Codes of Y', Cb, Cr to R', G', B' of 16 bits, clamped.
private struct CodesToRGB {
  let lumaScale: Float, lumaOffset: Float, chromaOffset: Float
  let crToRed: Float, cbToGreen: Float, crToGreen: Float, cbToBlue: Float

  /// Scales go to 65535 at once.
  init(_ c: YCbCr, _ range: SampleRange) {
    let kg = 1 - c.kr - c.kb, chroma = 65_535 / range.chromaScale
    lumaScale = Float(65_535 / range.lumaScale)
    lumaOffset = Float(range.lumaOffset)
    chromaOffset = Float(range.chromaOffset)
    crToRed = Float(2 * (1 - c.kr) * chroma)
    cbToBlue = Float(2 * (1 - c.kb) * chroma)
    cbToGreen = Float(-2 * c.kb * (1 - c.kb) / kg * chroma)
    crToGreen = Float(-2 * c.kr * (1 - c.kr) / kg * chroma)
  }

  @inline(__always)
  func store(_ luma: UInt16, _ cb: UInt16, _ cr: UInt16, at out: UnsafeMutablePointer<UInt16>) {
    let y = (Float(luma) - lumaOffset) * lumaScale + 0.5, b = Float(cb) - chromaOffset, r = Float(cr) - chromaOffset
    @inline(__always) func code(_ x: Float) -> UInt16 { UInt16(truncatingIfNeeded: Int32(min(max(x, 0), 65_535))) }
    out[0] = code(y + r * crToRed)
    out[1] = code(y + b * cbToGreen + r * crToGreen)
    out[2] = code(y + b * cbToBlue)
  }
}
