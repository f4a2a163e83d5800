import HDRCore

/// Turns an Adaptive HDR request into the bytes of a file, in memory; reads nothing but the request.
///
/// - Throws: `EncodeError.unsupported` for pictures or signalling that the container cannot hold.
public func encodeAdaptive(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
  switch request.container {
  case .jpeg: try AdaptiveJPEGWriter.encode(request)
  case .heic, .avif: try AdaptiveHEIFWriter.encode(request)
  case .jxl: try AdaptiveJXLWriter.encode(request)
  }
}

/// The payloads of a file with a gain map, to be written again bit for bit.
public struct CodedRenditions: Sendable {
  public var base: AdaptivePicture
  /// `nil` when the file has no gain map that this project reads.
  public var map: AdaptivePicture?
  /// Apple's auxiliary map; it may be the same picture as `map`.
  public var appleMap: AppleMapItem?
  /// The whole JPEG in a camera raw file, of which the renditions are parts.
  public var preview: [UInt8]?
  public init(base: AdaptivePicture, map: AdaptivePicture?) {
    self.base = base
    self.map = map
  }
}
