import HDRCore

/// A rendered picture in memory: R, G, B, A halves of linear light, [height][width][4], rows top-down in viewing
/// orientation, straight alpha, 1.0 = reference white (203 cd/m²).
///
/// ```swift
/// let pixels = try renderer.render(photo, headroom: 4)
/// let corner = pixels[0, 0]                                  // SIMD4<Float>
/// pixels.withUnsafeRow(10) { row in upload(row.baseAddress!, row.count) }
/// ```
public struct HDRPixels: Sendable {
  public let width: Int
  public let height: Int
  /// The ITU-T H.273 code of the primaries: 9 BT.2020, 12 Display P3, 1 BT.709.
  public let primaries: Int
  /// True if alpha can be other than 1.
  public let hasAlpha: Bool
  /// The decisions on the way, the executor, and warnings.
  public let report: HDRReport
  private let plane: SamplePlane

  init(_ image: SampleImage, _ report: HDRReport) {
    (width, height) = (image.width, image.height)
    primaries = report.facts.report?.outputCICP.primaries ?? 9
    hasAlpha = report.facts.report?.hasAlpha ?? false
    self.report = report
    plane = image.channels[0]
  }

  /// Gives access to a row of `width` pixels. The memory is the picture's: do not keep the pointer.
  public func withUnsafeRow<R>(_ y: Int, _ body: (UnsafeBufferPointer<SIMD4<Float16>>) throws -> R) rethrows -> R {
    precondition((0..<height).contains(y), "row \(y) of \(height)")
    let start = plane.buffer.base + plane.offset + y * plane.rowBytes
    return try withExtendedLifetime(plane.buffer) {
      try body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: SIMD4<Float16>.self), count: width))
    }
  }

  /// Gives access to all rows. `rowBytes` is the distance of rows; the first 8 · `width` bytes of a row are pixels.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer, _ rowBytes: Int) throws -> R) rethrows -> R {
    try withExtendedLifetime(plane.buffer) {
      let start = plane.buffer.base + plane.offset, count = (height - 1) * plane.rowBytes + 8 * width
      return try body(UnsafeRawBufferPointer(start: start, count: count), plane.rowBytes)
    }
  }

  /// Returns the pixel in column `x` of row `y`.
  public subscript(x: Int, y: Int) -> SIMD4<Float> {
    precondition((0..<width).contains(x), "column \(x) of \(width)")
    return withUnsafeRow(y) { SIMD4<Float>($0[x]) }
  }

  /// All pixels as halves, row by row.
  public var halves: [SIMD4<Float16>] {
    (0..<height).flatMap { y in withUnsafeRow(y) { Array($0) } }
  }

  /// All pixels as floats, row by row.
  public var floats: [SIMD4<Float>] {
    (0..<height).flatMap { y in withUnsafeRow(y) { $0.map { SIMD4<Float>($0) } } }
  }
}
