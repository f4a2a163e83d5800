import FileParts
import HDRCore

extension TIFFLine {
  /// The line of the strips of a request's picture.
  init(_ request: EncodeRequest) {
    let image = request.image
    let samples: Samples =
      request.kind.layout != .rgba16f ? .integers : image.format == .float32 ? .floats : .halves
    self.init(samples, width: image.width, channels: request.hasAlpha ? 4 : 3)
  }
}

/// The samples of a picture, of which strips are predicted.
struct TIFFPredictor {
  private enum Samples {
    case interleaved(PixelRows)
    case planes(PlaneRows)
  }

  private let samples: Samples
  private let line: TIFFLine

  /// Checks the layout; throws `EncodeError.unsupported` for a picture in another layout than its kind's.
  init(_ request: EncodeRequest, _ line: TIFFLine) throws(EncodeError) {
    self.line = line
    let image = request.image
    switch line.samples {
    case .integers: samples = .interleaved(try PixelRows(image, format: .uint16, kind: request.kind))
    case .halves: samples = .interleaved(try PixelRows(image, format: .float16, kind: request.kind))
    case .floats: samples = .planes(try PlaneRows(image, hasAlpha: line.channels == 4, kind: request.kind))
    }
  }

  /// Writes the predicted rows of `range`, and up to 8 bytes after them.
  func predict(_ range: Range<Int>, into out: UnsafeMutableRawPointer) {
    switch samples {
    case .interleaved(let rows): line.fill(range, into: out) { _, y in rows.row(y) }
    case .planes(let rows): line.fill(range, into: out) { UnsafeRawPointer(rows.row($0, $1)) }
    }
  }
}
