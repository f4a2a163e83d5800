import FileParts
import CTIFF
import HDRCore

/// A decoder of one picture's strips and tiles by libtiff, which is opened at run time.
final class TIFFLibrary {
  /// The version of the library on this machine; `nil`: there is none. A codec process reads it before it locks itself
  /// in.
  static var version: String? { hdr_tiff_version().map { String(cString: $0) } }

  /// The reason why the library is missing, in one line.
  static var missing: String { String(cString: hdr_tiff_missing()) }

  private let file: OpaquePointer
  private let isTiled: Bool
  private let isPacked: Bool

  /// Opens a picture.
  ///
  /// - Parameter bytes: the file; it must outlive this object.
  /// - Throws: `.unavailable` without the library, `.unsupported` without its decoder of the compression, `.library` when it
  ///   refuses the directory.
  init(_ page: TIFFPage, _ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    guard Self.version != nil else {
      throw .unavailable(library: "libtiff", package: "libtiff6", why: Self.missing)
    }
    guard hdr_tiff_decodes(UInt16(truncatingIfNeeded: page.compression)) == 1 else {
      throw .unsupported(
        feature: "this TIFF compression in this build of libtiff", found: TIFFCompression.name(page.compression))
    }
    // Compressed strips are read whole; they are the largest blocks of libtiff.
    let most = max(64 << 20, bytes.count + (1 << 20), page.blockRowBytes * 2)
    guard let base = bytes.baseAddress,
      let opened = hdr_tiff_open(base, bytes.count, UInt64(page.directory.position), Int64(most))
    else { throw .library(name: "libtiff", code: 0, message: "no memory") }
    file = opened
    (isTiled, isPacked) = (page.isTiled, page.compression != TIFFCompression.none)
    guard hdr_tiff_is_ready(file) == 1 else { throw refusal }
  }

  deinit { hdr_tiff_close(file) }

  private var refusal: DecodeError {
    let message = String(cString: hdr_tiff_error(file))
    return .library(name: "libtiff", code: 0, message: message.isEmpty ? "no reason given" : message)
  }

  /// The first warning of libtiff.
  var warning: String? {
    let text = String(cString: hdr_tiff_warning(file))
    return text.isEmpty ? nil : text
  }

  /// Makes libtiff convert JPEG in Y'CbCr to R'G'B'.
  func wantRGB() throws(DecodeError) {
    guard hdr_tiff_want_rgb(file) == 1 else { throw refusal }
  }

  /// Returns the chroma subsampling as an old JPEG's own headers say it.
  func chroma() throws(DecodeError) -> TIFFChroma {
    var horizontal: UInt16 = 0, vertical: UInt16 = 0
    guard hdr_tiff_chroma(file, &horizontal, &vertical) == 1 else { throw refusal }
    return try TIFFChroma(horizontal: Int(horizontal), vertical: Int(vertical))
  }

  /// Makes libtiff convert logarithms of luminance to floats.
  func wantFloats() throws(DecodeError) {
    guard hdr_tiff_want_floats(file) == 1 else { throw refusal }
  }

  /// The bytes of a decoded strip or tile.
  var blockBytes: Int { Int(hdr_tiff_block_bytes(file, isTiled ? 1 : 0)) }

  /// Decodes one strip or tile of exactly `count` bytes.
  func read(_ index: Int, into out: UnsafeMutableRawPointer, count: Int) throws(DecodeError) {
    // libtiff 4.5 accepts a Deflate stream that is longer than the strip, and leaves the rest of the strip unwritten.
    if isPacked { out.initializeMemory(as: UInt8.self, repeating: 0, count: count) }
    let got = hdr_tiff_read(file, isTiled ? 1 : 0, UInt32(truncatingIfNeeded: index), out, Int64(count))
    guard got >= 0 else { throw refusal }
    guard got == count else { throw .truncated(where: "TIFF \(isTiled ? "tile" : "strip") \(index)") }
  }
}

extension LibraryRow {
  static let tiff = LibraryRow("libtiff", opened: .tiff) {
    TIFFLibrary.version.map { ($0, "reading TIFF") } ?? (nil, "reading TIFF: not there (\(TIFFLibrary.missing))")
  }
}
