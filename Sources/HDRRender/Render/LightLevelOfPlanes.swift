import FileParts
import CPURender
import HDRCore
import ImageFiles

/// Measures the light level of a rendered picture in any layout of an HDR encoder.
///
/// Interleaved R'G'B'A 16 bit goes to `measureLightLevel` directly. Planar Y'CbCr is converted to that row by row, with
/// each chroma sample applied to all its pixels: this measures the codes of the file before lossy coding.
///
/// - Parameter cicp: the code points of the picture; only matrices of the Kr/Kb kind.
/// - Returns: the level in cd/m²; `nil` for black pictures and other layouts.
package func measureLightLevel(_ image: SampleImage, cicp: CICP) -> ContentLightLevel? {
  readLight(image, cicp: cicp, bound: .infinity)?.level
}

/// Measures also the largest component and the share of pixels that have one at `bound` (cd/m²) or above.
///
/// - Parameters:
///   - isScene: true for scene light, as in `LightMeter`.
///   - pool: shares the rows; any number of threads gives the same numbers.
package func readLight(
  _ image: SampleImage, cicp: CICP, isScene: Bool = false, bound: Double, _ pool: BandPool? = nil
) -> LightReading? {
  guard let rows = LightRows(image, cicp: cicp, isScene: isScene, bound: bound) else { return nil }
  var whole = rows.start()
  if let pool {
    let parts = pool.reduce(rows: image.height) {
      rows.add(image, $0, &$1)
    } start: {
      rows.start()
    }
    for part in parts {
      guard let part else { return nil }
      whole?.merge(part)
    }
  } else {
    rows.add(image, 0..<image.height, &whole)
  }
  return whole?.read()
}

/// Reads rows of a rendered picture for a light meter, in the layout of any HDR encoder. A meter becomes `nil` with a
/// layout that it cannot read.
struct LightRows: Sendable {
  /// The conversion of planes; `nil` for interleaved R'G'B'A.
  let conversion: CodeConversion?
  /// Makes a meter.
  let start: @Sendable () -> LightMeter?

  /// Takes the layout of a picture; `nil` for other layouts and curves. Parameters are those of `readLight`.
  init?(_ image: SampleImage, cicp: CICP, isScene: Bool, bound: Double) {
    let coefficients = image.model == .ycc ? YCbCr(matrix: cicp.matrix, primaries: cicp.primaries) : nil
    let isPlanar = coefficients != nil && image.channels.count == 3 && image.format == .uint16
    guard isPlanar || image.model == .rgb, LightMeter(transfer: cicp.transfer) != nil else { return nil }
    let range = SampleRange(bits: image.bitDepth, fullRange: cicp.fullRange)
    conversion = coefficients.map { CodeConversion($0, range) }
    start = { LightMeter(transfer: cicp.transfer, isScene: isScene, bound: bound) }
  }

  func add(_ image: SampleImage, _ rows: Range<Int>, _ meter: inout LightMeter?) {
    guard meter != nil else { return }
    if let conversion {
      var row = CodesToRGB(conversion, image)
      for y in rows { meter?.add(row.convert(y), width: image.width) }
    } else if meter?.add(image, rows: rows) != true {
      meter = nil
    }
  }
}

/// A converter of rows of Y', Cb, Cr codes to R', G', B', A of 16 bits, clamped; alpha is arbitrary.
private struct CodesToRGB {
  private let image: SampleImage
  private let factors: CodeConversion
  private let pixels: PixelBuffer
  /// The chroma part of R, G, B, A, in two parts, equal for all pixels of a chroma sample.
  private let added: PixelBuffer
  private var chromaRow = -1

  init(_ factors: CodeConversion, _ image: SampleImage) {
    self.image = image
    self.factors = factors
    pixels = PixelBuffer(byteCount: 8 * image.width)
    added = PixelBuffer(byteCount: 32 * image.channels[1].width)
  }

  private func samples(_ channel: Int, _ y: Int) -> UnsafePointer<UInt16> {
    let plane = image.channels[channel]
    return UnsafePointer((plane.buffer.base + plane.offset + y * plane.rowBytes).assumingMemoryBound(to: UInt16.self))
  }

  /// Returns row `y`; valid until the next call.
  mutating func convert(_ y: Int) -> UnsafePointer<UInt16> {
    let terms = added.base.assumingMemoryBound(to: SIMD4<Float>.self)
    if chromaRow != y >> image.chroma.verticalShift {
      chromaRow = y >> image.chroma.verticalShift
      let cb = samples(1, chromaRow), cr = samples(2, chromaRow), f = factors
      for x in 0..<image.channels[1].width {
        let b = Float(cb[x]) - f.chromaOffset, r = Float(cr[x]) - f.chromaOffset
        terms[2 &* x] = SIMD4(r * f.crToRed, b * f.cbToGreen, b * f.cbToBlue, 0)
        terms[2 &* x &+ 1] = SIMD4(0, r * f.crToGreen, 0, 0)
      }
    }
    let luma = samples(0, y), shift = image.chroma.horizontalShift, out = pixels.base
    let black = SIMD4<Float>(repeating: 0), white = SIMD4<Float>(repeating: 65_535)
    let integers = SIMD4<Float>(repeating: 8_388_608), f = factors
    for x in 0..<image.width {
      let y = SIMD4(repeating: (Float(luma[x]) - f.lumaOffset) * f.lumaScale), at = 2 &* (x &>> shift)
      var codes = y + terms[at] + terms[at &+ 1]
      codes.replace(with: black, where: codes .< black)
      codes.replace(with: white, where: codes .> white)
      // A Float of at least 2^23 has no fraction, and its low bits are the nearest integer.
      let words = unsafeBitCast(codes + integers, to: SIMD4<UInt32>.self)
      (out + 8 &* x).storeBytes(of: SIMD4<UInt16>(truncatingIfNeeded: words), as: SIMD4<UInt16>.self)
    }
    return UnsafePointer(out.assumingMemoryBound(to: UInt16.self))
  }
}
