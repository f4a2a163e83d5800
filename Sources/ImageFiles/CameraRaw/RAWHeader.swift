import FileParts
import HDRCore

/// Checks of a camera raw file before a library sees it.
enum RAWHeader {
  /// The kind of a camera raw file.
  enum Kind: Equatable {
    /// A TIFF with DNGVersion.
    case dng
    /// A TIFF of a camera maker's format.
    case tiff
    /// Another container that LibRaw reads.
    case other
  }

  private static let magics: [(at: Int, bytes: [UInt8])] = [
    // Panasonic RW2, Olympus ORF.
    (0, [0x49, 0x49, 0x55, 0]), (0, Array("IIRO".utf8)), (0, Array("IIRS".utf8)), (0, Array("MMOR".utf8)),
    // Fujifilm RAF, Canon CRW and CR3, Minolta MRW.
    (0, Array("FUJIFILMCCD-RAW ".utf8)), (6, Array("HEAPCCDR".utf8)), (4, Array("ftypcrx ".utf8)),
    (0, [0, 0x4D, 0x52, 0x4D]),
  ]

  /// The containers that are refused by decision: Sigma's and RED's.
  private static let refused: [(at: Int, bytes: [UInt8], name: String)] = [
    (0, Array("FOVb".utf8), "Sigma X3F"), (4, Array("RED1".utf8), "RED R3D"), (4, Array("RED2".utf8), "RED R3D"),
  ]

  /// The LibRaw functions whose formats are refused.
  static let refusedDecoders: [(prefix: String, name: String)] = [
    ("x3f_load_raw", "Sigma X3F"), ("redcine_load_raw", "RED R3D"), ("phase_one_load_raw_s", "Phase One IIQ S"),
  ]

  /// True if the first bytes belong to a container that only camera raw files have.
  static func isOwn(_ head: ArraySlice<UInt8>) -> Bool {
    magics.contains { stands($0.bytes, $0.at, in: head) } || refused.contains { stands($0.bytes, $0.at, in: head) }
  }

  /// True if a TIFF holds samples of a sensor: a CR2, a directory with a filter array or linear raw, or a DNG. A DNG
  /// with a grey or R'G'B' picture in a subdirectory is a scanner's, and holds none.
  static func hasSensor(_ bytes: [UInt8]) -> Bool {
    var warnings: [Warning] = []
    guard let structure = try? TIFFStructure(bytes), let chain = try? structure.directories(warnings: &warnings) else {
      return false
    }
    if stands([0x43, 0x52], 8, in: bytes.prefix(16)) { return true }
    let below = structure.children(of: chain).map(\.child)
    func photometric(_ directory: TIFFStructure.Directory) -> Int {
      structure.integer(TIFFTag.photometric, in: directory) ?? 0
    }
    if (chain + below).contains(where: {
      [TIFFPhotometric.filterArray, TIFFPhotometric.linearRaw].contains(photometric($0))
    }) {
      return true
    }
    let isScan = below.contains { directory in
      [TIFFPhotometric.blackIsZero, TIFFPhotometric.rgb].contains(photometric(directory))
        && structure.integer(TIFFTag.newSubfileType, in: directory) ?? 0 == 0
    }
    return !isScan && chain.contains { $0.entries[TIFFTag.dngVersion] != nil }
  }

  private static func stands(_ text: [UInt8], _ at: Int, in head: ArraySlice<UInt8>) -> Bool {
    head.dropFirst(at).starts(with: text)
  }

  /// Checks the first bytes, and the directories of a TIFF.
  ///
  /// - Returns: the kind, `nil` for a file that is no camera raw, and the structure of a TIFF. A TIFF without
  ///   DNGVersion gives `.tiff`, as it may be a camera raw file.
  /// - Throws: for formats that are refused by decision, and for directories without end.
  static func check(_ bytes: [UInt8]) throws(DecodeError) -> (kind: Kind?, structure: TIFFStructure?) {
    let head = bytes.prefix(formatBytes)
    if let found = refused.first(where: { stands($0.bytes, $0.at, in: head) }) {
      throw .unsupported(feature: "camera raw of this maker", found: found.name)
    }
    if magics.contains(where: { stands($0.bytes, $0.at, in: head) }) { return (.other, nil) }
    guard TIFFStructure.recognizes(bytes.prefix(4)) else { return (nil, nil) }
    let structure = try TIFFStructure(bytes)
    var warnings: [Warning] = []
    var queue = try structure.directories(warnings: &warnings)
    if let fault = warnings.first(where: { $0.code != "tiff.directory" }) {
      throw .malformed(where: "camera raw", what: "\(fault.message)")
    }
    let isDNG = queue.contains { $0.entries[TIFFTag.dngVersion] != nil }
    var visited = Set(queue.map(\.position)), next = 0
    while next < queue.count {
      for position in structure.integers(TIFFTag.subDirectories, in: queue[next]) ?? [] {
        guard visited.insert(position).inserted else {
          throw .malformed(where: "camera raw", what: "a directory points back to one already read")
        }
        guard visited.count <= TIFFStructure.maxDirectories else {
          throw .limit(
            what: "directories of a camera raw file", found: visited.count, allowed: TIFFStructure.maxDirectories)
        }
        if let directory = try? structure.directory(at: position) { queue.append(directory) }
      }
      next += 1
    }
    return (isDNG ? .dng : .tiff, structure)
  }
}
