import HDRCore

/// The list of writers by kind of output.
private func writer(for kind: OutputKind) -> (EncodeRequest) throws(EncodeError) -> EncodedFiles {
  switch kind {
  case .pqPNG, .hlgPNG, .sdrPNG: PNGWriter.encode
  case .sdrJPEG: JPEGWriter.encode
  case .pqHEIC, .hlgHEIC: HEICWriter.encode
  case .rgba16f: RawHalfWriter.encode
  }
}

/// Turns pixels and their meaning into the bytes of a file, in memory.
///
/// - Parameter request: pixels in the layout that `EncodeRequest` names for its kind, already oriented.
/// - Returns: the file, for `rgba16f` with its sidecar. The same request gives the same bytes for any `threads`.
/// - Throws: `EncodeError.unsupported` for a layout, size or signalling that the kind cannot hold, `.library` when a
///   codec fails.
public func encodeImage(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
  try writer(for: request.kind)(request)
}
