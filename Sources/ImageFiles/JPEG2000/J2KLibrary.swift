import COpenJPEG
import FileParts
import HDRCore

/// A picture that OpenJPEG has decoded, in its own memory. The library is opened at run time, and sees code streams whose
/// heads were checked.
final class J2KLibrary {
  /// The version of the library on this machine; `nil`: there is none. A codec process reads it before it locks itself
  /// in.
  static var version: String? { hdr_opj_version().map { String(cString: $0) } }

  /// The reason why the library is missing, in one line.
  static var missing: String { String(cString: hdr_opj_missing()) }

  private let picture: OpaquePointer

  /// Decodes a code stream.
  ///
  /// - Throws: `.unavailable` without the library, `.library` when it refuses the code stream.
  convenience init(_ stream: J2KCodestream, _ bytes: ArraySlice<UInt8>) throws(DecodeError) {
    try self.init(width: stream.width, height: stream.height, components: stream.components.count, bytes)
  }

  /// Decodes a code stream of which the caller has read the sizes.
  ///
  /// - Parameter isSigned: true if its samples are signed.
  /// - Throws: as above.
  init(
    width: Int, height: Int, components: Int, isSigned: Bool = false, _ bytes: ArraySlice<UInt8>
  ) throws(DecodeError) {
    guard Self.version != nil else {
      throw .unavailable(library: "OpenJPEG", package: "libopenjp2-7", why: Self.missing)
    }
    var message = [CChar](repeating: 0, count: 160)
    let decoded = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      guard let base = bytes.baseAddress else { return nil }
      var request = hdr_opj_request(
        bytes: base, count: bytes.count, width: UInt32(width), height: UInt32(height), components: Int32(components),
        is_signed: isSigned ? 1 : 0)
      return hdr_opj_decode(&request, &message)
    }
    guard let decoded else {
      throw .library(
        name: "OpenJPEG", code: 0,
        message: String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    picture = decoded
  }

  deinit { hdr_opj_close(picture) }

  /// Returns the samples of a component, row by row; they are valid as long as this object.
  func samples(of component: Int) -> UnsafePointer<Int32> {
    var bits: UInt32 = 0
    return hdr_opj_samples(picture, Int32(component), &bits)
  }
}

extension LibraryRow {
  static let openJPEG = LibraryRow("OpenJPEG", opened: .openJPEG) {
    J2KLibrary.version.map { ($0, "reading JPEG 2000") }
      ?? (nil, "reading JPEG 2000: not there (\(J2KLibrary.missing))")
  }
}
