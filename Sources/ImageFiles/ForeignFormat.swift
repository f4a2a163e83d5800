import PlainData

/// Common formats that are not read here, recognized by their first bytes, so that the error names them.
enum ForeignFormat {
  private static let starts: [(at: Int, bytes: [UInt8], name: String)] = [
    (0, Array("GIF8".utf8), "GIF"),
    (0, Array("%PDF".utf8), "PDF"), (0, Array("%!PS".utf8), "PostScript"),
    (0, [0x53, 0x80, 0xF6, 0x34], "Softimage PIC"),
    (0, Array("P7\n".utf8), "PAM"), (0, Array("P4\n".utf8), "PBM"),
    (0, Array("DDS ".utf8), "DDS"), (1, Array("KTX".utf8), "KTX"), (0, Array("SIMPLE  =".utf8), "FITS"),
    (0, [0x57, 0x4D, 0x50], "JPEG XR without its container"),
    (4, Array("ftypqt".utf8), "a QuickTime movie"), (4, Array("ftypisom".utf8), "an MP4 movie"),
    (4, Array("ftypmp4".utf8), "an MP4 movie"), (4, Array("ftypM4V".utf8), "an MP4 movie"),
    (4, Array("moov".utf8), "a QuickTime movie"), (4, Array("mdat".utf8), "a QuickTime movie"),
    (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska or WebM movie"), (0, Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    (0, [0x1F, 0x8B], "a gzip archive"), (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive"),
    (0, [0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"), (0, [0x7F, 0x45, 0x4C, 0x46], "a program"),
    (0, Array("<svg".utf8), "SVG"), (0, Array("<?xml".utf8), "XML"), (0, Array("<!DOCTYPE".utf8), "HTML"),
    (0, Array("<html".utf8), "HTML"), (0, Array("version https://git-lfs".utf8), "a Git LFS pointer: run git lfs pull"),
    (0, [0, 0, 1, 0], "an icon (ICO)"), (0, Array("FUJIFILM".utf8), "a camera file of Fujifilm"),
  ]

  /// Returns the format of a file, or its first bytes if the format is not known.
  static func describe(_ head: ArraySlice<UInt8>) -> String {
    if head.isEmpty { return "an empty file" }
    if let found = starts.first(where: { head.dropFirst($0.at).starts(with: $0.bytes) }) { return found.name }
    if head.allSatisfy({ $0 == 0 }) { return "zeros" }
    // Printable ASCII and line ends.
    if head.allSatisfy({ (0x20..<0x7F).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }) { return "a text" }
    return "bytes " + head.prefix(8).map { hex($0, digits: 2) }.joined(separator: " ")
  }
}
