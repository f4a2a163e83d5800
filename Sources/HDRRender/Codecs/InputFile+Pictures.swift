import CodecService
import HDRCore
import ImageFiles

extension InputFile {
  /// Returns the pictures of a file, by its head; empty for a file of one picture. For single-picture formats, the
  /// first bytes are enough.
  ///
  /// - Throws: an error for a head that cannot be read.
  package func pictures(_ codecs: any CodecBorder, limits: DecodeLimits) throws(CodecError) -> [FilePicture] {
    var limits = try withSidecar(limits)
    do throws(DecodeError) {
      guard try decoder(of: start(formatBytes), limits.reading).hasPictures else { return [] }
    } catch {
      throw .decode(error)
    }
    do throws(CodecError) {
      return try codecs.decode(self, request: .metadata, limits: limits).value.pictures
    } catch {
      // If the main picture is not supported or missing, the first one may be supported.
      guard case .decode(.unsupported) = error else { throw error }
      limits.reading.number = 1
      return try codecs.decode(self, request: .metadata, limits: limits).value.pictures
    }
  }
}
