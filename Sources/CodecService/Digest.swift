import CNettle
import Glibc
import PlainData

/// A SHA-256 digest (FIPS 180-4), computed by nettle.
package struct Digest: Sendable, Hashable {
  /// The 32 bytes of the digest.
  package let bytes: [UInt8]

  package init(of data: [UInt8]) {
    var hasher = Hasher()
    hasher.add(data)
    self = hasher.finish()
  }

  /// Makes a digest of 32 bytes; `nil` for any other count.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The digest as 64 lower-case hexadecimal digits.
  package var hex: String { bytes.hexDigits }

  /// Parses 64 lower-case hexadecimal digits; `nil` for any other text.
  package init?(hex: String) {
    guard let bytes = [UInt8](hexDigits: hex), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A hasher that takes data in parts.
  package struct Hasher {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    package mutating func add(_ data: [UInt8]) {
      data.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }

    package mutating func add(_ data: UnsafeRawBufferPointer) {
      nettle_sha256_update(&context, data.count, data.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    package mutating func add(_ data: Slice<UnsafeBufferPointer<UInt8>>) {
      let data = UnsafeBufferPointer(rebasing: data)
      nettle_sha256_update(&context, data.count, data.baseAddress)
    }

    package mutating func add(_ text: String) {
      // The length comes first, so that different lists of texts never give the same bytes.
      let bytes = Array(text.utf8)
      add(withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) })
      add(bytes)
    }

    package mutating func finish() -> Digest {
      var digest = [UInt8](repeating: 0, count: 32)
      nettle_sha256_digest(&context, digest.count, &digest)
      return Digest(digest)
    }
  }
}
