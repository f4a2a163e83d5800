import HDRCore

/// Turns an Adaptive HDR request into the bytes of a file, in memory; reads nothing but the request.
///
/// - Throws: `EncodeError.unsupported` for pictures or signalling that the container cannot hold.
package func encodeAdaptive(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
  switch request.container {
  case .jpeg: try AdaptiveJPEGWriter.encode(request)
  case .heic, .avif: try AdaptiveHEIFWriter.encode(request)
  case .jxl: try AdaptiveJXLWriter.encode(request)
  case .png: try AdaptivePNGWriter.encode(request)
  }
}

/// The payloads of a file with a gain map, to be written again bit for bit.
package struct CodedRenditions: Sendable {
  package var base: AdaptivePicture
  /// `nil` when the file has no gain map that this project reads.
  package var map: AdaptivePicture?
  /// Apple's auxiliary map; it may be the same picture as `map`.
  package var appleMap: AppleMapItem?
  /// Depth, mattes and others of a HEIF file.
  package var auxiliaries: [AuxiliaryItem] = []
  /// The whole JPEG in a camera raw file, of which the renditions are parts.
  package var preview: [UInt8]?
  package init(base: AdaptivePicture, map: AdaptivePicture?) {
    self.base = base
    self.map = map
  }
}
