import COpenEXR
import HDRCore

/// The conversion of channels Y, RY, BY to R, G, B. Y is luminance, RY = R/Y - 1 and BY = B/Y - 1, usually at every
/// second column and row. Chroma lies on even columns and rows and is interpolated bilinearly between them.
///
/// Source: OpenEXR, "Technical Introduction", Luminance/Chroma Images. The library's own filter has 27 taps, so edges of
/// colours differ by some per cent.
final class EXRLumaChroma: @unchecked Sendable {
  private let header: EXRHeader
  private let luma: [Float]
  private let wanted: [Int]
  /// The planes Y, RY, BY and alpha of the whole data window; threads write different rows.
  private let planes: [PixelBuffer]
  private let shiftX: Int
  private let shiftY: Int

  /// Makes the planes.
  ///
  /// - Parameter channels: the places of Y, RY, BY, and of A if there is one.
  init(_ header: EXRHeader, _ channels: [Int]) throws(DecodeError) {
    self.header = header
    var ignored: [Warning] = []
    luma = EXRColor(header, warnings: &ignored).primaries.luminance.map(Float.init)
    wanted = channels
    let r = header.channels[channels[1]], b = header.channels[channels[2]], window = header.dataWindow
    guard r.xSampling == b.xSampling, r.ySampling == b.ySampling, r.xSampling <= 2, r.ySampling <= 2,
      window.minX % r.xSampling == 0, window.minY % r.ySampling == 0
    else {
      throw .unsupported(
        feature: "OpenEXR chroma", found: "sampling \(r.xSampling)x\(r.ySampling), \(b.xSampling)x\(b.ySampling)")
    }
    (shiftX, shiftY) = (r.xSampling - 1, r.ySampling - 1)
    let shifts = [0, 1, 1, 0], sx = shiftX, sy = shiftY
    planes = wanted.indices.map { index in
      let x = sx * shifts[index], y = sy * shifts[index]
      return PixelBuffer(byteCount: 4 * (((window.width - 1) >> x) + 1) * (((window.height - 1) >> y) + 1))
    }
  }

  private func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    let isChroma = plane == 1 || plane == 2
    let width = isChroma ? samples : header.dataWindow.width
    return planes[plane].base.assumingMemoryBound(to: Float.self) + y * width
  }

  private var samples: Int { ((header.dataWindow.width - 1) >> shiftX) + 1 }

  /// Takes the samples of a chunk.
  ///
  /// - Returns: the number of those that were NaN or infinite.
  func take(_ chunk: EXRFile.Chunk, _ bytes: UnsafePointer<UInt8>) -> Int {
    let window = header.dataWindow
    var found = 0
    EXRRows(header.channels, chunk.window).forEachRow(of: wanted) { y, offsets in
      for (plane, channel) in wanted.enumerated() where offsets[plane] >= 0 {
        let isChroma = plane == 1 || plane == 2, line = (y - window.minY) >> (isChroma ? shiftY : 0)
        let first = (chunk.window.minX - window.minX) >> (isChroma ? shiftX : 0)
        let count = ((chunk.window.width - 1) >> (isChroma ? shiftX : 0)) + 1
        found += hdr_exr_floats(
          bytes + offsets[plane], Int32(header.channels[channel].type.rawValue), count, row(plane, line) + first)
      }
    }
    return found
  }

  /// Computes R, G, B of a row's pixels and copies their alpha.
  func store(_ y: Int, x: Int, count: Int, into target: EXRSamples.Target) {
    let window = header.dataWindow, line = y - window.minY, first = x - window.minX
    let above = line >> shiftY, rows = ((window.height - 1) >> shiftY) + 1
    let isBetween = line & shiftY == 1, below = isBetween ? min(above + 1, rows - 1) : above
    var chroma = hdr_exr_chroma()
    chroma.above = (UnsafePointer(row(1, above)), UnsafePointer(row(2, above)))
    chroma.below = (UnsafePointer(row(1, below)), UnsafePointer(row(2, below)))
    chroma.samples = samples
    chroma.shift = Int32(shiftX)
    (chroma.red, chroma.blue, chroma.green_inverse) = (luma[0], luma[2], 1 / luma[1])
    var rgb: [UnsafeMutablePointer<Float>?] = (0..<3).map { target.floats($0, x, y) }
    hdr_exr_of_luma(&chroma, row(0, line), first, count, &rgb)
    if planes.count == 4 { target.floats(3, x, y).update(from: row(3, line) + first, count: count) }
  }
}
