import FileParts
import HDRCore

extension TIFFStructure {
  /// The tags that state samples, their layout and colours, or that are read as metadata, by their ranges.
  ///
  /// TIFF 6.0, its supplements, and those of Exif that stand in the main directory. The rest of resolution, pages and
  /// halftones describes prints.
  private static let known: [ClosedRange<Int>] = [
    254...259, 262...268, 270...284, 286...293, 296...297, 301...301, 305...306, 315...334, 336...336, 338...347,
    512...532,
    559...559, 0x4746...0x4749, 33432...33432, 0x9C9B...0x9C9F, 50674...50674,
  ]
  private static let others: Set<Int> = [
    TIFFTag.xmp, TIFFTag.iptc, TIFFTag.photoshop, TIFFTag.exifDirectory, TIFFTag.icc, TIFFTag.gpsDirectory,
    TIFFTag.stoNits, TIFFTag.provenance,
  ]
  private static let documentName = 269

  /// The texts of a directory that Exif has no tag for.
  func texts(of directory: Directory) -> TextStatements {
    var texts = TextStatements()
    if let name = data(Self.documentName, in: directory) { texts.add("Title", bytes: name) }
    return texts
  }

  /// Lists the tags of a directory that nothing reads, and the paths among its image resources. A DNG has tags of its
  /// own.
  ///
  /// - Parameter own: the tags that the format reads besides those of TIFF.
  func unknownTags(of directory: Directory, resources: [UInt8]?, own: Set<Int> = []) -> UnknownParts {
    var unknown = UnknownParts()
    if directory.entries[TIFFTag.dngVersion] != nil { return unknown }
    let read = Self.others.union(own).union([Self.documentName])
    for entry in directory.entries.values.sorted(by: { $0.tag < $1.tag }) {
      let tag = entry.tag
      if read.contains(tag) || Self.known.contains(where: { $0.contains(tag) }) { continue }
      unknown.add("tag \(tag)", byteCount: value(of: entry).count)
    }
    unknown.add(pathsOf: resources)
    return unknown
  }
}
