import COpenEXR
import FileParts
import HDRCore

/// The library of Zstandard, which is opened at run time for chunks of OpenEXR.
enum ZstdLibrary {
  static let package = "libzstd1"

  /// The reason why the library is missing, in one line; `nil`: it is there.
  static var missing: String? { hdr_exr_zstd_missing().map { String(cString: $0) } }
}

extension LibraryRow {
  static let zstd = LibraryRow("libzstd", opened: .openEXR) {
    let role = "reading ZSTD of OpenEXR"
    return ZstdLibrary.missing.map { (nil, "\(role): not there (\($0))") }
      ?? (String(cString: hdr_exr_zstd_version()), role)
  }
}

/// A decoder of ZSTD chunks. A frame holds a section of the 16-bit channels, then one of the 32-bit channels. In each,
/// every channel's row is stored as differences of neighbours, and the bytes of all differences as planes, lowest first.
///
/// Source: OpenEXR 3.5.3's files, of which each word was compared.
enum EXRZstd {
  private static let head = 24

  private static func fault(_ what: String) -> DecodeError { .malformed(where: "OpenEXR ZSTD chunk", what: what) }

  /// Decodes one chunk to samples in the layout of `EXRRows`.
  ///
  /// - Parameter scratch: 16 bytes more than the samples take.
  static func unpack(
    _ data: UnsafeRawBufferPointer, _ rows: EXRRows, scratch: UnsafeMutablePointer<UInt8>,
    into out: UnsafeMutablePointer<UInt8>
  ) throws(DecodeError) {
    guard data.count > head, data.prefix(8).elementsEqual("zstd-exr".utf8) else {
      throw fault("it does not begin with zstd-exr")
    }
    func number(_ at: Int) -> Int { Int(UInt32(littleEndian: data.loadUnaligned(fromByteOffset: at, as: UInt32.self))) }
    let (version, frames, size) = (number(8), number(12), number(16))
    guard version == 2, frames == 1 else {
      throw .unsupported(feature: "OpenEXR ZSTD chunk", found: "version \(version), \(frames) frames")
    }
    guard size == data.count - head else { throw fault("its frame has \(data.count - head) bytes, \(size) are stated") }
    let total = rows.byteCount + 16
    let made = hdr_exr_zstd(data.baseAddress!.assumingMemoryBound(to: UInt8.self) + head, size, scratch, total)
    guard made <= total else { throw fault("its frame is damaged") }
    var at = 0
    for bytes in [2, 4] {
      let expected = rows.byteCount(ofSamplesOf: bytes)
      if expected == 0 { continue }
      guard made - at >= 8 + expected, section(scratch + at) == expected else {
        throw fault("a section has not \(expected) bytes")
      }
      var first = scratch + at + 8
      rows.forEachRun { type, offset, count in
        guard type.bytes == bytes else { return }
        hdr_exr_sums(first, expected / bytes, count, Int32(bytes), out + offset)
        first += count
      }
      at += 8 + expected
    }
    guard at == made else { throw fault("\(made - at) bytes follow its sections") }
  }

  private static func section(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}
