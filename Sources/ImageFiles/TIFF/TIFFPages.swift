import FileParts
import HDRCore

/// The pictures of a TIFF file: all IFDs of its chain except masks and gain maps. In files of film scanners and cameras
/// (TIFF/EP), a subdirectory of a reduced picture holds the full one, which is a picture too.
struct TIFFPages {
  let directories: [TIFFStructure.Directory]
  private let structure: TIFFStructure
  /// The parents of subdirectories, by the subdirectories' positions.
  private let parents: [Int: TIFFStructure.Directory]

  private static let pageName = 285
  /// The bits of NewSubfileType: a reduced version, a transparency mask, a depth or other map.
  private static let reduced = 1, masks = 4 | 32 | 64

  init(_ structure: TIFFStructure, _ all: [TIFFStructure.Directory]) {
    self.structure = structure
    var parents: [Int: TIFFStructure.Directory] = [:]
    var whole: [Int: [TIFFStructure.Directory]] = [:]
    let taken = Set(all.map(\.position))
    for (parent, child) in structure.children(of: all.filter { Self.isReduced(structure, $0) })
    where !Self.isReduced(structure, child) && !taken.contains(child.position) && parents[child.position] == nil {
      parents[child.position] = parent
      whole[parent.position, default: []].append(child)
    }
    self.parents = parents
    let found = all.flatMap { [$0] + (whole[$0.position] ?? []) }.filter { directory in
      let photometric = structure.integer(TIFFTag.photometric, in: directory)
      return Self.kind(structure, directory) & Self.masks == 0 && photometric != TIFFPhotometric.mask
        && photometric != TIFFPhotometric.gainMap
    }
    directories = found.isEmpty ? Array(all.prefix(1)) : found
  }

  private static func kind(_ structure: TIFFStructure, _ directory: TIFFStructure.Directory) -> Int {
    let isReduced = structure.integer(TIFFTag.subfileType, in: directory) == 2
    return structure.integer(TIFFTag.newSubfileType, in: directory) ?? (isReduced ? Self.reduced : 0)
  }

  private static func isReduced(_ structure: TIFFStructure, _ directory: TIFFStructure.Directory) -> Bool {
    kind(structure, directory) & reduced != 0
  }

  private func isReduced(_ directory: TIFFStructure.Directory) -> Bool { Self.isReduced(structure, directory) }

  /// Returns the reduced version whose subdirectory this is, which has the metadata of both; `nil`: there is none.
  func parent(of directory: TIFFStructure.Directory) -> TIFFStructure.Directory? { parents[directory.position] }

  /// The descriptions of all pictures; empty if the file holds one.
  var pictures: [FilePicture] { directories.count > 1 ? all : [] }

  private var all: [FilePicture] {
    directories.map { directory in
      func number(_ tag: Int, _ fallback: Int) -> Int { structure.integer(tag, in: directory) ?? fallback }
      let depth = "\(number(TIFFTag.bitsPerSample, 1)) bit"
      return FilePicture(
        name: name(of: directory), width: number(TIFFTag.width, 0), height: number(TIFFTag.height, 0),
        note: depth + (isReduced(directory) ? ", reduced" : ""), isReduced: isReduced(directory))
    }
  }

  private func name(of directory: TIFFStructure.Directory) -> String? {
    guard let text = structure.data(Self.pageName, in: directory)?.prefix(64).prefix(while: { $0 != 0 }),
      !text.isEmpty, text.allSatisfy({ (32..<127).contains($0) })
    else { return nil }
    return latin1(text)
  }

  /// Returns the number, from 1, of the page that the caller chooses, else of the first that is no reduced version.
  ///
  /// - Throws: `DecodeError.unsupported` for a choice of a missing page.
  func choose(_ reading: ReadingOptions, warnings: inout [Warning]) throws(DecodeError) -> Int {
    let whole = directories.filter { !isReduced($0) }.count
    if whole > 1, !reading.isChosen {
      warnings.append(Warning("tiff.pages", "the first of \(whole) pages is read"))
    }
    return try reading.index(among: all, main: directories.firstIndex { !isReduced($0) } ?? 0) + 1
  }
}
