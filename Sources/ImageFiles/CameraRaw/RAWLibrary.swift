import FileParts
import CRaw
import HDRCore

/// A file opened by LibRaw, which is itself loaded at run time. It gives samples and numbers, and renders nothing.
final class RAWLibrary {
  /// The version of the library on this machine; `nil`: there is none. A codec process reads it before it locks itself
  /// in.
  static var version: String? { hdr_raw_version().map { String(cString: $0) } }

  /// The reason why the library is missing, in one line.
  static var missing: String { String(cString: hdr_raw_missing()) }

  /// False for LibRaw below 0.21, which takes uncompressed tiles for rows of the picture, without a word.
  static var readsPlainTiles: Bool {
    let numbers = (version ?? "").split(separator: ".").prefix(2).compactMap { Int($0) }
    return !numbers.lexicographicallyPrecedes([0, 21])
  }

  /// The library's name and version, for records.
  static var label: String { "LibRaw" + (version.map { " " + $0 } ?? "") }

  /// The memory that LibRaw may take for samples, in MiB.
  static let memory: UInt32 = 1024

  private let file: OpaquePointer
  /// LibRaw's numbers of the file; sizes are valid from the start, levels and gains once samples are unpacked.
  private(set) var facts: hdr_raw_facts

  /// Opens a file.
  ///
  /// - Parameter bytes: the file; it must outlive this object.
  /// - Throws: `.unavailable` without the library, `.unsupported` for a file that it cannot read; `.library`.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    guard Self.version != nil else {
      throw .unavailable(library: "LibRaw", package: "libraw20", why: Self.missing)
    }
    guard let base = bytes.baseAddress, let opened = hdr_raw_open(base, bytes.count, Self.memory) else {
      throw .library(name: "LibRaw", code: 0, message: "no memory")
    }
    file = opened
    var found = hdr_raw_facts()
    let status = hdr_raw_status(opened)
    if status == 0 { hdr_raw_describe(opened, &found) }
    facts = found
    guard status == 0 else { throw Self.refusal(opened) }
  }

  deinit { hdr_raw_close(file) }

  private static func refusal(_ file: OpaquePointer) -> DecodeError {
    let status = Int(hdr_raw_status(file)), message = String(cString: hdr_raw_error(file))
    switch status {
    // LIBRAW_FILE_UNSUPPORTED, LIBRAW_NOT_IMPLEMENTED.
    case -2, -8: return .unsupported(feature: "this kind of camera raw", found: "\(label): \(message)")
    // LIBRAW_DATA_ERROR, LIBRAW_IO_ERROR.
    case -100_008: return .malformed(where: "camera raw samples", what: message)
    case -100_009: return .truncated(where: "camera raw samples")
    // LIBRAW_TOO_BIG.
    case -100_012:
      return .limit(
        what: "MiB of camera raw samples", found: Int(memory) + 1, allowed: Int(memory))
    default: return .library(name: "LibRaw", code: status, message: message)
    }
  }

  /// The name of LibRaw's function for this kind of samples.
  var decoder: String { facts.decoder.map { String(cString: $0) } ?? "" }

  var make: String? { text(facts.make) }
  var model: String? { text(facts.model) }

  private func text<Characters>(_ characters: Characters) -> String? {
    withUnsafeBytes(of: characters) { bytes in
      let found = bytes.prefix { $0 != 0 }
      return found.isEmpty ? nil : String(decoding: found, as: UTF8.self)
    }
  }

  /// Returns the JPEG that the camera rendered; `nil`: there is none.
  func preview() -> [UInt8]? {
    var count = 0
    guard let base = hdr_raw_preview(file, &count), count > 0 else { return nil }
    return Array(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Samples of one format, in LibRaw's own memory.
  struct Samples {
    var base: UnsafeRawPointer
    var rowBytes: Int
    /// The number of interleaved values of a pixel; the fourth of four is unused.
    var together: Int
    var format: SampleFormat
  }

  /// Unpacks the samples; their memory is valid as long as this object.
  func unpack(warnings: inout [Warning]) throws(DecodeError) -> Samples {
    guard hdr_raw_unpack(file) == 0 else { throw Self.refusal(file) }
    let (width, height) = (facts.raw_width, facts.raw_height)
    hdr_raw_describe(file, &facts)
    guard facts.raw_width == width, facts.raw_height == height else {
      throw .malformed(where: "camera raw", what: "other sizes once it is unpacked")
    }
    let damage = hdr_raw_damage(file)
    if damage > 0 {
      warnings.append(Warning("raw.damaged", "samples are damaged at \(damage) places"))
    }
    var kind: Int32 = 0, pitch = 0
    guard let base = hdr_raw_samples(file, &kind, &pitch) else {
      throw .library(name: "LibRaw", code: 0, message: "no samples")
    }
    let (together, format): (Int, SampleFormat) =
      switch Int(kind) {
      case HDR_RAW_U16: (1, .uint16)
      case HDR_RAW_U16X3: (3, .uint16)
      case HDR_RAW_U16X4: (4, .uint16)
      case HDR_RAW_F32: (1, .float32)
      case HDR_RAW_F32X3: (3, .float32)
      default: (4, .float32)
      }
    return Samples(base: base, rowBytes: pitch, together: together, format: format)
  }
}

/// Returns the reason why camera raw files cannot be read; `nil`: they can.
package func rawMissing() -> String? { RAWLibrary.version == nil ? RAWLibrary.missing : nil }

extension LibraryRow {
  static let raw = LibraryRow("LibRaw", opened: .raw) {
    RAWLibrary.version.map { ($0, "samples of camera raw") }
      ?? (nil, "camera raw: not there (\(RAWLibrary.missing))")
  }
}
