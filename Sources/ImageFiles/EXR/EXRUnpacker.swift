import FileParts
import CDeflate
import COpenEXR
import HDRCore

/// OpenEXR's library, used only for chunks that are not decoded here. It is opened once; a codec process does so before
/// it locks itself in.
enum EXRLibrary {
  static let package = "libopenexr-3-1-30"

  /// The reason why the library is missing, in one line; `nil`: it is there.
  static var missing: String? { hdr_exr_missing().map { String(cString: $0) } }

  static var version: String {
    var numbers: [Int32] = [0, 0, 0]
    hdr_exr_version(&numbers)
    return numbers.map { "\($0)" }.joined(separator: ".")
  }
}

extension LibraryRow {
  static let openEXR = LibraryRow("OpenEXR", opened: .openEXR) {
    let role = "reading PIZ, PXR24 and B44 of OpenEXR"
    return EXRLibrary.missing.map { (nil, "\(role): not there (\($0))") } ?? (EXRLibrary.version, role)
  }
}

/// A decoder of one part's chunks, one after another. For one thread.
final class EXRUnpacker {
  private let header: EXRHeader
  private let inflater: OpaquePointer?
  private let library: OpaquePointer?
  /// The header that the library reads; it keeps the address.
  private let libraryHeader: PixelBuffer
  private let packed: PixelBuffer
  private let decoded: PixelBuffer

  /// Makes a decoder.
  ///
  /// - Parameter maxBytes: the largest size of a decoded chunk.
  init(_ header: EXRHeader, maxBytes: Int) throws(DecodeError) {
    self.header = header
    decoded = PixelBuffer(uninitializedByteCount: maxBytes)
    let coding = header.coding
    switch coding {
    // Differences are summed up in one block and merged in another.
    case .rle, .zips, .zip: packed = PixelBuffer(uninitializedByteCount: maxBytes)
    // Two sections have eight bytes each before them.
    case .zstd: packed = PixelBuffer(uninitializedByteCount: maxBytes + 16)
    default: packed = PixelBuffer(byteCount: 0)
    }
    let isDeflate = [.zips, .zip, .dwaa, .dwab].contains(coding)
    inflater = isDeflate ? libdeflate_alloc_decompressor() : nil
    guard !isDeflate || inflater != nil else {
      throw .library(name: "libdeflate", code: 0, message: "no memory for the decompressor")
    }
    if coding == .zstd, let missing = ZstdLibrary.missing {
      throw .unavailable(library: "libzstd", package: ZstdLibrary.package, why: missing)
    }
    guard header.coding.needsLibrary else {
      (libraryHeader, library) = (packed, nil)
      return
    }
    if let missing = EXRLibrary.missing {
      throw .unavailable(library: "libOpenEXRCore", package: EXRLibrary.package, why: missing)
    }
    let bytes = EXRHeaderWriter.plain(header)
    let memory = PixelBuffer(byteCount: bytes.count)
    bytes.withUnsafeBytes { memory.base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    libraryHeader = memory
    var message = [CChar](repeating: 0, count: 160)
    // PIZ keeps tables of 65 536 codes beside the samples.
    library = hdr_exr_open(memory.base, bytes.count, 64 << 20 + 16 * maxBytes, &message)
    guard library != nil else { throw Self.refusal(0, message) }
  }

  deinit {
    if let inflater { libdeflate_free_decompressor(inflater) }
    if let library { hdr_exr_close(library) }
  }

  /// Returns the samples of a chunk in the layout of `EXRRows`; they are valid until the next call.
  ///
  /// - Parameter data: the bytes of the file; as large as the samples if they are not compressed.
  func unpack(
    _ chunk: EXRFile.Chunk, _ data: UnsafeRawBufferPointer
  ) throws(DecodeError) -> UnsafePointer<UInt8> {
    let size = chunk.byteCount, out = decoded.base.assumingMemoryBound(to: UInt8.self)
    if data.count == size { return data.baseAddress!.assumingMemoryBound(to: UInt8.self) }
    switch header.coding {
    case .none, .rle, .zips, .zip: return try unpack(data, byteCount: size, row: chunk.window.minY)
    case .zstd:
      let scratch = packed.base.assumingMemoryBound(to: UInt8.self)
      try EXRZstd.unpack(data, EXRRows(header.channels, chunk.window), scratch: scratch, into: out)
    case .dwaa, .dwab:
      decoded.base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      try EXRDWA.unpack(data, header.channels, chunk.window, inflater: inflater, into: out)
    case .htj2k256, .htj2k32, .lj2k:
      try EXRHTJ2K(header.coding, header.channels, chunk.window).unpack(data, into: out)
    case .piz, .pxr24, .b44, .b44a: try decodeByLibrary(chunk, data)
    }
    return UnsafePointer(out)
  }

  /// Returns bytes that are stored as they are, as runs or as a zlib stream; they are valid until the next call.
  func unpack(
    _ data: UnsafeRawBufferPointer, byteCount size: Int, row: Int
  ) throws(DecodeError) -> UnsafePointer<UInt8> {
    let from = data.baseAddress!.assumingMemoryBound(to: UInt8.self)
    if data.count == size { return from }
    func fault(_ what: String) -> DecodeError { .malformed(where: "OpenEXR chunk at row \(row)", what: what) }
    let scratch = packed.base.assumingMemoryBound(to: UInt8.self)
    let out = decoded.base.assumingMemoryBound(to: UInt8.self)
    switch header.coding {
    case .rle:
      guard hdr_exr_runs_read(from, data.count, scratch, size) == size else { throw fault("its runs are damaged") }
    case .zips, .zip:
      guard libdeflate_zlib_decompress(inflater, from, data.count, scratch, size, nil) == LIBDEFLATE_SUCCESS else {
        throw fault("its zlib stream is damaged")
      }
    default: throw fault("\(data.count) bytes, \(size) expected")
    }
    hdr_exr_merge(scratch, size, out)
    return UnsafePointer(out)
  }

  private func decodeByLibrary(_ chunk: EXRFile.Chunk, _ data: UnsafeRawBufferPointer) throws(DecodeError) {
    let window = chunk.window, isTiled = header.kind.isTiled, size = chunk.byteCount
    var place = hdr_exr_chunk(
      is_tile: isTiled ? 1 : 0, x: Int32(isTiled ? chunk.tileX : window.minX),
      y: Int32(isTiled ? chunk.tileY : window.minY), width: Int32(window.width), height: Int32(window.height),
      compression: Int32(header.coding.rawValue))
    var message = [CChar](repeating: 0, count: 160)
    // Cleared, so that samples which the decoder leaves out are not those of another chunk.
    decoded.base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let from = data.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let out = decoded.base.assumingMemoryBound(to: UInt8.self)
    let code = hdr_exr_unpack(library, &place, from, data.count, out, size, &message)
    guard code == 0 else { throw Self.refusal(Int(code), message) }
  }

  private static func refusal(_ code: Int, _ message: [CChar]) -> DecodeError {
    .library(
      name: "OpenEXR", code: code,
      message: String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
