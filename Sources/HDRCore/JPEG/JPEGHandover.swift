/// A decoder that was asked to hand over a JPEG's scan answers so.
package enum JPEGHandover: Sendable, Hashable {
  /// The scan, in the place of samples.
  case scan(JPEGSourceScan)
  /// Why there are samples.
  case refused(JPEGRefusal)
}

/// Why a stream is decoded by the library and not by kernels.
package enum JPEGRefusal: String, Error, Sendable, CaseIterable {
  /// Progressive or arithmetic coding, or more than 8 bits.
  case process
  /// R'G'B', or chroma of unusual sampling.
  case layout
  /// A header that the library reads with a complaint, or that is unlike those that encoders write.
  case header
  /// Tables that are missing or impossible.
  case tables
  /// Luma and chroma have the same codes: a decoder that starts inside the stream never learns where it is.
  case sharedCodes
  /// More than one scan, or segments behind it.
  case scans
  /// A restart that is missing, or comes where none is due; fill bytes.
  case restarts
  /// A stream that is too long.
  case size
}
