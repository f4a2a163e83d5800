import CWebP
import FileParts
import HDRCore

/// The decoder of WebP, libwebp, which is opened at run time.
enum WebPLibrary {
  /// The version of the library on this machine; `nil`: there is none. A codec process reads it before it locks itself
  /// in.
  static var version: String? { hdr_webp_version().map { String(cString: $0) } }

  /// The reason why the library is missing, in one line.
  static var missing: String { String(cString: hdr_webp_missing()) }

  /// Decodes the first picture of a file to rows of R, G, B and, if it has it, alpha.
  ///
  /// - Parameter out: the place of its first sample, with `room` bytes from there on.
  /// - Throws: `.unavailable` without the library, `.truncated` or `.library` when it refuses the bit stream.
  static func decode(
    _ file: WebPContainer, hasAlpha: Bool, into out: UnsafeMutableRawPointer, rowBytes: Int, room: Int
  ) throws(DecodeError) {
    guard version != nil else { throw .unavailable(library: "libwebp", package: "libwebp7", why: missing) }
    let stream = file.frame.stream
    let code = file.plain.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { base in
        hdr_webp_decode(
          base, bytes.count, Int32(stream.width), Int32(stream.height), hasAlpha ? 1 : 0,
          out.assumingMemoryBound(to: UInt8.self), rowBytes, room)
      } ?? 0
    }
    if code == 0 { return }
    let message = String(cString: hdr_webp_message(code))
    throw message.hasSuffix("too early")
      ? .truncated(where: "WebP picture") : .library(name: "libwebp", code: Int(code), message: message)
  }
}

extension LibraryRow {
  static let webP = LibraryRow("libwebp", opened: .webP) {
    WebPLibrary.version.map { ($0, "reading WebP") } ?? (nil, "reading WebP: not there (\(WebPLibrary.missing))")
  }
}
