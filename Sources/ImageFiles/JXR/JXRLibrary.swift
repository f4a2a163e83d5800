import CJXR
import FileParts
import HDRCore

/// A picture that libjxr has decoded, in its own memory. The library is opened at run time.
///
/// Damaged code streams crash it. It sees a container made of what was checked, and runs in locked-in processes alone
/// unless a caller says otherwise.
final class JXRLibrary {
  /// The version of the library's interface on this machine; `nil`: there is none. A codec process reads it before it
  /// locks itself in.
  static var version: String? { hdr_jxr_version().map { String(cString: $0) } }

  /// The reason why the library is missing, in one line.
  static var missing: String { String(cString: hdr_jxr_missing()) }

  /// The samples as the file's format lays them out, and the bytes from a row to the next.
  let samples: UnsafeMutablePointer<UInt8>
  let rowBytes: Int

  /// Decodes a picture.
  ///
  /// - Throws: `.unavailable` without the library, `.library` when it refuses the code stream.
  init(_ file: JXRContainer) throws(DecodeError) {
    guard Self.version != nil else {
      throw .unavailable(library: "libjxr", package: "libjxr0", why: Self.missing)
    }
    let alpha = file.hasInterleavedAlpha ? HDR_JXR_INTERLEAVED : file.alpha == nil ? HDR_JXR_OPAQUE : HDR_JXR_PLANAR
    var stride = 0, code = 0, message = [CChar](repeating: 0, count: 160)
    let decoded = file.plain.withUnsafeBufferPointer { bytes -> UnsafeMutablePointer<UInt8>? in
      guard let base = bytes.baseAddress else { return nil }
      var request = hdr_jxr_request(
        bytes: base, count: bytes.count, width: UInt32(file.width), height: UInt32(file.height),
        pixel_bytes: UInt32(file.format.bytes), alpha: Int32(alpha))
      return hdr_jxr_decode(&request, &stride, &code, &message)
    }
    guard let decoded else {
      throw .library(
        name: "libjxr", code: code,
        message: String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    (samples, rowBytes) = (decoded, stride)
  }

  deinit { hdr_jxr_free(samples) }
}

extension LibraryRow {
  static let jxr = LibraryRow("libjxr", opened: .jxr) {
    JXRLibrary.version.map { ($0, "reading JPEG XR") } ?? (nil, "reading JPEG XR: not there (\(JXRLibrary.missing))")
  }
}
