import HDRCore

/// Returns the source's Exif for an output, with the values that describe pixels set to the output's.
///
/// - Orientation becomes 1, because rows were rotated (`exifResettingOrientation`); PixelXDimension and
///   PixelYDimension (0xA002, 0xA003), and ImageWidth and ImageLength (0x0100, 0x0101) of IFD0, the new size;
///   ColorSpace (0xA001) 1 for sRGB, else 0xFFFF "uncalibrated". Absent entries are not added.
/// - The thumbnail's IFD is unlinked: it shows the old rendering, in the old orientation.
/// - All values keep their places, so maker notes with their own offsets stay valid.
///
/// - Parameter exif: the TIFF structure from `II*\0` or `MM\0*` on; untrusted, every access is checked.
/// - Returns: `nil` when it is no TIFF structure.
/// - Source: Exif 2.32 clauses 4.5 and 4.6.
func exifForOutput(_ exif: [UInt8], width: Int, height: Int, cicp: CICP) -> [UInt8]? {
  guard var tiff = TIFFPatch(exif), let first = tiff.u32(at: 4) else { return nil }
  let isSRGB = cicp.primaries == CICP.Primaries.bt709 && cicp.transfer == CICP.Transfer.sRGB
  let values: [Int: Int] = [0xA001: isSRGB ? 1 : 0xFFFF, 0xA002: width, 0xA003: height]
  let size = [0x0100: width, 0x0101: height]
  guard let main = tiff.patchDirectory(at: first, values: values.merging(size) { one, _ in one }) else { return nil }
  tiff.unlinkNext(afterDirectoryAt: first)
  if let details = main[0x8769] { _ = tiff.patchDirectory(at: details, values: values) }
  // Done last, because broken directories may overlap.
  return exifResettingOrientation(tiff.bytes)
}

extension EncodeRequest {
  /// The Exif for the file of this request, or `nil` when there is none that can be read.
  var outputExif: [UInt8]? {
    exif.flatMap { exifForOutput($0, width: image.width, height: image.height, cicp: cicp) }
  }
}

/// A TIFF structure of either byte order that can be changed in place.
private struct TIFFPatch {
  private(set) var bytes: [UInt8]
  private let littleEndian: Bool

  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) {
      littleEndian = true
    } else if bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      littleEndian = false
    } else {
      return nil
    }
    self.bytes = bytes
  }

  private func integer(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var value = 0
    for index in 0..<count { value = value << 8 | Int(bytes[offset + (littleEndian ? count - 1 - index : index)]) }
    return value
  }

  func u16(at offset: Int) -> Int? { integer(at: offset, bytes: 2) }
  func u32(at offset: Int) -> Int? { integer(at: offset, bytes: 4) }

  private mutating func set(_ value: Int, at offset: Int, bytes count: Int) {
    for index in 0..<count {
      bytes[offset + (littleEndian ? index : count - 1 - index)] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  /// Sets single SHORT and LONG values of known tags. Returns the single LONG values that it finds, by tag; `nil` when
  /// the directory is not inside the structure. An offset is at most 2^32 - 1, so sums cannot overflow.
  mutating func patchDirectory(at offset: Int, values: [Int: Int]) -> [Int: Int]? {
    guard let count = u16(at: offset), offset + 2 + 12 * count <= bytes.count else { return nil }
    var longs: [Int: Int] = [:]
    for index in 0..<count {
      let entry = offset + 2 + 12 * index
      guard let tag = u16(at: entry), let type = u16(at: entry + 2), u32(at: entry + 4) == 1 else { continue }
      if type == 4 { longs[tag] = u32(at: entry + 8) }
      guard let value = values[tag], type == 3 || type == 4 else { continue }
      // A SHORT is in the first two of the four value bytes.
      if type == 3, value < 1 << 16 { set(value, at: entry + 8, bytes: 2) }
      if type == 4 { set(value, at: entry + 8, bytes: 4) }
    }
    return longs
  }

  /// Ends the chain of directories after this one.
  mutating func unlinkNext(afterDirectoryAt offset: Int) {
    guard let count = u16(at: offset), u32(at: offset + 2 + 12 * count) != nil else { return }
    set(0, at: offset + 2 + 12 * count, bytes: 4)
  }
}
