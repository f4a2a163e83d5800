import CodecService
import Glibc
import HDRCore
import ImageFiles

extension InputFile {
  /// The endings of files that this project writes without a header.
  private static let endings = [".rgba16f", ".raw"].map { Array($0.utf8) }
  private static let maxSidecarBytes = 1 << 16

  /// Adds the JSON file beside the project's own samples to the limits, if the caller does not describe them.
  ///
  /// - Throws: an error for an existing sidecar that cannot be read.
  func withSidecar(_ limits: DecodeLimits) throws(CodecError) -> DecodeLimits {
    let name = path.name
    guard limits.reading.raw?.layout == nil, let item,
      Self.endings.contains(where: { name.suffix($0.count) == $0[...] })
    else { return limits }
    var limits = limits
    let sidecar = item.sidecar
    do throws(FileFault) {
      limits.reading.sidecar = try readWholeFile(sidecar, maxBytes: Self.maxSidecarBytes)
    } catch {
      // The decoder reports the missing description.
      if error.number == ENOENT { return limits }
      throw .decode(.io("the sidecar \(sidecar.path.display) \(Self.reason(error.number))"))
    }
    return limits
  }

  private static func reason(_ number: Int32) -> String {
    switch number {
    case EXDEV: "is a link that leads out of the folders that were given, and so not read"
    case EFBIG: "has more than \(maxSidecarBytes) bytes, which no sidecar has"
    case EINVAL: "is not a regular file"
    default: "cannot be read: \(errorText(number))"
    }
  }
}

extension InputReference {
  /// The JSON file beside the file, with the same rule for links.
  fileprivate var sidecar: InputReference {
    func beside(_ path: FilePath) -> FilePath { FilePath(bytes: path.bytes + Array(".json".utf8)) }
    return InputReference(path: beside(file), relative: beside(relative), roots: roots)
  }
}
