import FileParts
import HDRCore

/// The predictor of written rows: integers of 16 bits become differences to the left (2), floats become planes of bytes
/// and then differences of bytes (3). Source: TIFF 6.0 section 14; Adobe technical note 3.
struct TIFFPredictor {
  private enum Samples {
    case integers(PixelRows)
    case halves(PixelRows)
    case floats(PlaneRows)
  }

  private let samples: Samples
  let width: Int
  let height: Int
  /// The number of channels: 3, or 4 with alpha.
  let channels: Int

  /// Checks the layout; throws `EncodeError.unsupported` for a picture in another layout than its kind's.
  init(_ request: EncodeRequest) throws(EncodeError) {
    let image = request.image
    (width, height, channels) = (image.width, image.height, request.hasAlpha ? 4 : 3)
    if request.kind.layout != .rgba16f {
      samples = .integers(try PixelRows(image, format: .uint16, kind: request.kind))
    } else if image.format == .float32 {
      samples = .floats(try PlaneRows(image, hasAlpha: request.hasAlpha, kind: request.kind))
    } else {
      samples = .halves(try PixelRows(image, format: .float16, kind: request.kind))
    }
  }

  var isFloat: Bool { if case .integers = samples { false } else { true } }
  /// The bits of a sample.
  var bits: Int { if case .floats = samples { 32 } else { 16 } }

  var rowBytes: Int { width * channels * bits / 8 }

  /// Writes the predicted rows of `range`. Up to 8 bytes after the last row are written too; `scratch` must hold a row
  /// and 8 more bytes.
  func predict(_ range: Range<Int>, into out: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
    var line = out
    for y in range {
      switch samples {
      case .integers(let rows): differences(rows.row(y), line)
      case .halves(let rows):
        split(halves: rows.row(y), scratch)
        differences(ofBytes: scratch, line)
      case .floats(let rows):
        split(rows, y, scratch)
        differences(ofBytes: scratch, line)
      }
      line += rowBytes
    }
  }

  /// Writes each sample minus the sample of the pixel to the left, modulo 2^16.
  private func differences(_ row: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
    let step = 2 &* channels
    var left = SIMD4<UInt16>()
    // Without alpha, a pixel also writes into the next one, which is overwritten later.
    for x in 0..<width {
      let pixel = row.loadUnaligned(fromByteOffset: 8 &* x, as: SIMD4<UInt16>.self)
      out.storeBytes(of: pixel &- left, toByteOffset: step &* x, as: SIMD4<UInt16>.self)
      left = pixel
    }
  }

  /// Writes the high bytes of all samples of the row, then the low ones.
  private func split(halves row: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
    let step = channels, plane = width * channels
    for (shift, base) in [(UInt64(8), out), (0, out + plane)] {
      for x in 0..<width {
        var bytes = row.loadUnaligned(fromByteOffset: 8 &* x, as: UInt64.self) &>> shift & 0x00FF_00FF_00FF_00FF
        bytes = (bytes | bytes &>> 8) & 0x0000_FFFF_0000_FFFF
        let four = UInt32(truncatingIfNeeded: bytes | bytes &>> 16)
        base.storeBytes(of: four, toByteOffset: step &* x, as: UInt32.self)
      }
    }
  }

  /// Writes the highest bytes of all samples of the row first, the lowest last. Zeros lose their sign, as executors may
  /// give either sign.
  private func split(_ rows: PlaneRows, _ y: Int, _ out: UnsafeMutableRawPointer) {
    let step = channels, plane = width * channels
    let r = rows.row(0, y), g = rows.row(1, y), b = rows.row(2, y), a = rows.row(step - 1, y)
    for part in 0..<4 {
      let base = out + part * plane, shift = UInt32(24 - 8 * part)
      for x in 0..<width {
        func byte(_ value: Float) -> UInt32 { (value + 0).bitPattern &>> shift & 0xFF }
        let four = (byte(r[x]) | byte(g[x]) &<< 8) | (byte(b[x]) &<< 16 | byte(a[x]) &<< 24)
        base.storeBytes(of: four, toByteOffset: step &* x, as: UInt32.self)
      }
    }
  }

  /// Writes each byte of a row minus the byte one pixel before.
  private func differences(ofBytes row: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
    let from = row.assumingMemoryBound(to: UInt8.self), to = out.assumingMemoryBound(to: UInt8.self)
    let step = channels, count = rowBytes
    for index in 0..<step { to[index] = from[index] }
    for index in step..<count { to[index] = from[index] &- from[index &- step] }
  }
}
