import FileParts
import HDRCore

/// The Exif and XMP items (ISO/IEC 23008-12 Annex A).
extension HEIFFile {
  /// The limits of docs/isolation.md#limits.
  private static let exifLimit = 16 << 20
  private static let xmpLimit = 8 << 20

  /// Returns the TIFF-structured Exif of the picture, without the offset and any "Exif\0\0".
  func exif(of picture: Int, limits: DecodeLimits, warnings: inout [Warning]) -> [UInt8]? {
    for item in metadataItems(of: picture, like: { $0.type == "Exif" }) {
      do throws(DecodeError) {
        let data = try data(of: item.id)
        guard data.count <= min(Self.exifLimit, limits.maxMetadataBytes) else {
          warnings.append(Warning("exif.size", "Exif of \(data.count) bytes is left out"))
          return nil
        }
        var reader = ByteReader(data, place: "Exif item")
        try reader.skip(try reader.u32())
        if let tiff = Self.tiff(in: data, at: reader.position) { return Array(tiff) }
        warnings.append(Warning("exif.malformed", "the Exif item holds no TIFF header"))
      } catch {
        warnings.append(Warning("exif.malformed", "\(error)"))
      }
    }
    return nil
  }

  /// Returns the bytes from the TIFF header on. Some writers store a wrong offset; then the header is searched near the
  /// start.
  private static func tiff(in data: ArraySlice<UInt8>, at position: Int) -> ArraySlice<UInt8>? {
    func isHeader(_ at: Int) -> Bool {
      let four = data[at...].prefix(4)
      return four.elementsEqual([0x49, 0x49, 0x2A, 0]) || four.elementsEqual([0x4D, 0x4D, 0, 0x2A])
    }
    if isHeader(position) { return data[position...] }
    return (data.startIndex..<min(data.startIndex + 16, data.endIndex)).first(where: isHeader).map { data[$0...] }
  }

  /// Returns the XMP packet of the picture.
  func xmp(of picture: Int, limits: DecodeLimits, warnings: inout [Warning]) -> [UInt8]? {
    for item in metadataItems(
      of: picture, like: { $0.type == "mime" && $0.contentType == "application/rdf+xml" })
    {
      guard item.contentEncoding.isEmpty else {
        warnings.append(Warning("xmp.encoding", "XMP compressed as \(item.contentEncoding) is left out"))
        continue
      }
      do throws(DecodeError) {
        let data = try data(of: item.id)
        guard data.count <= min(Self.xmpLimit, limits.maxMetadataBytes) else {
          warnings.append(Warning("xmp.size", "XMP of \(data.count) bytes is left out"))
          return nil
        }
        return Array(data)
      } catch {
        warnings.append(Warning("xmp.malformed", "\(error)"))
      }
    }
    return nil
  }

  /// Returns the first items that describe the picture; an item without any `cdsc` describes the primary picture. Items
  /// that describe only a tone map of the picture, as in newer Apple files, come after its own.
  private func metadataItems(of picture: Int, like isWanted: (Item) -> Bool) -> ArraySlice<Item> {
    let described = Set(references.lazy.filter { $0.type == "cdsc" }.map(\.from))
    let own = Set(sources("cdsc", to: picture))
    let shared = Set(toneMaps(of: picture).flatMap { sources("cdsc", to: $0) })
    return items.values.filter { item in
      guard isWanted(item) else { return false }
      return own.contains(item.id) || shared.contains(item.id)
        || (picture == primaryID && !described.contains(item.id))
    }.sorted { (own.contains($0.id) ? 0 : 1, $0.id) < (own.contains($1.id) ? 0 : 1, $1.id) }
      .prefix(BoxLimits.metadataItems)
  }
}
