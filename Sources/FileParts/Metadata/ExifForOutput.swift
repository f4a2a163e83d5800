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
package func exifForOutput(_ exif: [UInt8], width: Int, height: Int, cicp: CICP) -> [UInt8]? {
  guard var tiff = TIFFBytes(exif), let first = tiff.first else { return nil }
  let isSRGB = cicp.primaries == CICP.Primaries.bt709 && cicp.transfer == CICP.Transfer.sRGB
  let values: [Int: Int] = [0xA001: isSRGB ? 1 : 0xFFFF, 0xA002: width, 0xA003: height]
  let size = [0x0100: width, 0x0101: height]
  guard let main = tiff.patchDirectory(at: first, values: values.merging(size) { one, _ in one }) else { return nil }
  tiff.unlinkNext(afterDirectoryAt: first)
  if let details = main[0x8769] { _ = tiff.patchDirectory(at: details, values: values) }
  // Done last, because broken directories may overlap.
  return exifResettingOrientation(tiff.bytes)
}

extension TIFFBytes {
  /// Sets single SHORT and LONG values of known tags. Returns the single LONG values that it finds, by tag; `nil` when
  /// the directory is not inside the structure.
  fileprivate mutating func patchDirectory(at position: Int, values: [Int: Int]) -> [Int: Int]? {
    guard let (entries, _) = directory(at: position) else { return nil }
    var longs: [Int: Int] = [:]
    for entry in entries where entry.count == 1 {
      if entry.type == 4 { longs[entry.tag] = number(entry.field, 4) }
      guard let value = values[entry.tag] else { continue }
      // A SHORT is in the first two of the four value bytes.
      if entry.type == 3, value < 1 << 16 { set(value, entry.field, 2) }
      if entry.type == 4 { set(value, entry.field, 4) }
    }
    return longs
  }

  /// Ends the chain of directories after this one.
  fileprivate mutating func unlinkNext(afterDirectoryAt position: Int) {
    guard let (_, end) = directory(at: position), number(end, 4) != nil else { return }
    set(0, end, 4)
  }
}
