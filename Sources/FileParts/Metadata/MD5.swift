import CNettle
import PlainData

/// The MD5 digest (RFC 1321), which names extended XMP. It is not used for security.
package enum MD5 {
  /// Returns the digest as 32 upper-case hexadecimal digits.
  package static func hexadecimal(_ message: [UInt8]) -> String {
    var context = md5_ctx(), digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_SIZE))
    nettle_md5_init(&context)
    nettle_md5_update(&context, message.count, message)
    nettle_md5_digest(&context, digest.count, &digest)
    return digest.hexDigits.uppercased()
  }
}
