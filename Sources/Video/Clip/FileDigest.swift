import CodecService
import Glibc
import HDRRender

extension Digest {
  /// Hashes a file from its start, in parts.
  ///
  /// - Returns: `nil` if it cannot be read.
  init?(reading file: OpenFile) { self.init(reading: file.descriptor) }

  init?(reading descriptor: Int32) {
    var hasher = Hasher(), part = [UInt8](repeating: 0, count: 1 << 20), place = 0
    while true {
      let count = pread(descriptor, &part, part.count, place)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      part.withUnsafeBytes { hasher.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      place += count
    }
    self = hasher.finish()
  }

  /// Hashes the samples of a frame.
  init(_ frame: VideoFrame) {
    var hasher = Hasher()
    hasher.add(UnsafeRawBufferPointer(start: frame.samples.base, count: frame.samples.byteCount))
    self = hasher.finish()
  }
}
