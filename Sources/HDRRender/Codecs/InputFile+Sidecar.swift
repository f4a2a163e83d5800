import HDRCore
import ImageFiles

extension InputFile {
  /// Endings of the files that this project writes without a header.
  private static let endings = [".rgba16f", ".raw"].map { Array($0.utf8) }

  /// Limits with the JSON file beside samples of ours, where the caller does not describe them.
  func withSidecar(_ limits: DecodeLimits) -> DecodeLimits {
    let name = path.name
    guard limits.reading.raw?.layout == nil, Self.endings.contains(where: { name.suffix($0.count) == $0[...] })
    else { return limits }
    var limits = limits
    limits.reading.sidecar = try? readWholeFile(FilePath(bytes: path.bytes + Array(".json".utf8)), maxBytes: 1 << 16)
    return limits
  }
}
