import CNettle
import Glibc
import PlainData

/// A SHA-256 digest (FIPS 180-4), computed by nettle.
public struct Digest: Sendable, Hashable {
  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  public init(of data: [UInt8]) {
    var hasher = Hasher()
    hasher.add(data)
    self = hasher.finish()
  }

  /// Makes a digest of 32 bytes; `nil` for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hex: String { bytes.hexDigits }

  /// Parses 64 lower-case hexadecimal digits; `nil` for any other text.
  public init?(hex: String) {
    guard let bytes = [UInt8](hexDigits: hex), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A hasher that takes data in parts.
  public struct Hasher {
    private var context = sha256_ctx()

    public init() { nettle_sha256_init(&context) }

    public mutating func add(_ data: [UInt8]) {
      data.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }

    package mutating func add(_ data: Slice<UnsafeBufferPointer<UInt8>>) {
      let data = UnsafeBufferPointer(rebasing: data)
      nettle_sha256_update(&context, data.count, data.baseAddress)
    }

    public mutating func add(_ text: String) {
      // The length comes first, so that different lists of texts never give the same bytes.
      let bytes = Array(text.utf8)
      add(withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) })
      add(bytes)
    }

    public mutating func finish() -> Digest {
      var digest = [UInt8](repeating: 0, count: 32)
      nettle_sha256_digest(&context, digest.count, &digest)
      return Digest(digest)
    }
  }
}
