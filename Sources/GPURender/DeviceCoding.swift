import HDRCore
import HDRPlan
import Kernels

/// A coding says what a device makes of the pixels of a picture.
package enum DeviceCoding: Sendable {
  /// The scan of a JPEG.
  case jpeg(JPEGCoding)
  /// The rows of a PNG, a TIFF or an OpenEXR file.
  case deflate(DeflateCoding)

  /// The kernels that run on each band, in order.
  package var kernels: [BandKernel] {
    switch self {
    case .jpeg(let coding): coding.kernels
    case .deflate(let coding): coding.kernels
    }
  }

  /// The names of all kernels that one picture needs.
  package var kernelNames: Set<String> {
    var kernels = kernels
    if case .jpeg(let coding) = self, coding.isOptimized { kernels += coding.counting.kernels }
    return Set(kernels.map(\.rawValue))
  }

  /// The rows that are encoded together: a band has whole groups of them.
  var rows: Int {
    switch self {
    case .jpeg(let coding): coding.layout.mcuHeight
    case .deflate(let coding): coding.layout.chunkRows
    }
  }

  /// True if the samples are wanted, too.
  var keepsPixels: Bool { if case .jpeg(let coding) = self { coding.keepsPixels } else { false } }

  /// True if a pass makes the pixels that are encoded.
  func suits(_ pass: Pass) -> Bool {
    switch self {
    case .jpeg(let coding):
      (.rgba8, coding.layout.width, coding.layout.height) == (pass.sink.kind, pass.width, pass.height)
    case .deflate(let coding): coding.suits(pass)
    }
  }

  /// True if a picture that is encoded so can be measured, too, by itself: what is measured of a JPEG is always the same.
  func allows(_ measurement: Measurement?) -> Bool {
    if case .jpeg = self { measurement == nil } else { true }
  }
}

/// An encoded band lies in the band's output: a head, which says how long the rest is, and that.
package enum EncodedBand: Sendable {
  case jpeg(JPEGBand)
  case deflate(DeflateBand)

  /// The bytes of the head; samples lie before it, if they are kept.
  var head: Range<Int> {
    switch self {
    case .jpeg(let band): band.start..<band.headEnd
    case .deflate(let band): 0..<band.headEnd
    }
  }

  /// The bytes of the band's output.
  var byteCount: Int {
    switch self {
    case .jpeg(let band): band.byteCount
    case .deflate(let band): band.byteCount
    }
  }
}
