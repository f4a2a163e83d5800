import BatchEngine
import Gallery
import HDRComparison
import HDRCore
import HDRRender
import ImageFiles
import PlainData

/// All that `compare` draws of pairs: maps, worst parts, light for other programs, and the page. An error is one line,
/// and does not end the comparison.
final class PairDrawings {
  /// The page; `nil` where none is asked for, and once it lacks a pair.
  var page: ComparisonPage?
  /// The outcomes of writing so far.
  private(set) var statuses: Set<ExitStatus> = []
  /// True if all that belongs to the pair at hand is written.
  private(set) var areWhole = true

  private let maps: FilePath?
  private let exports: FilePath?
  /// The files of the pair at hand: the ends of their names with their stamps.
  private var mapEnds: [JSON.Field] = [], exportEnds: [JSON.Field] = []
  private var entry: ComparisonPage.Entry?

  init(_ invocation: Invocation) throws {
    let options = CompareCommand.options
    (maps, exports) = (
      invocation[options.map].map { FilePath($0) }, invocation[options.export].map { FilePath($0) }
    )
    page = try invocation[options.html].map { try ComparisonPage(in: FilePath($0)) }
  }

  /// Begins a pair, and returns what takes its light.
  func begin(_ pair: FilePair) -> LightExport? {
    (mapEnds, exportEnds, entry, areWhole) = ([], [], nil, true)
    guard let exports else { return nil }
    return { [self] end, encode in
      // After one that cannot be written none is tried.
      if areWhole { exportEnds.append(write(exports, pair, end, encode)) }
    }
  }

  /// Writes the maps of a pair, named by its B and the rendition, `day/photo.avif@full.png`, and its worst parts, which
  /// have a number too: `day/photo.avif@full-worst1.png`. Then adds the pair to the page.
  func draw(_ report: PairReport, _ pair: FilePair) {
    for rendition in report.comparison?.renditions ?? [] where maps != nil {
      let name = "@\(rendition.selector.text)"
      if let map = rendition.map { draw(pair, name + ".png") { () throws(EncodeError) in try map.png() } }
      for (index, crop) in rendition.crops.enumerated() {
        draw(pair, "\(name)-worst\(index + 1).png") { () throws(EncodeError) in try crop.png() }
      }
    }
    note { () throws(ResultFileError) in entry = try page?.add(report, pair) }
  }

  private func draw(_ pair: FilePair, _ end: String, _ encode: () throws(EncodeError) -> [UInt8]) {
    guard let maps, areWhole else { return }
    mapEnds.append(write(maps, pair, end, encode))
  }

  private func write(
    _ folder: FilePath, _ pair: FilePair, _ end: String, _ encode: () throws(EncodeError) -> [UInt8]
  ) -> JSON.Field {
    let path = folder.appending(pair.drawingName + Array(end.utf8))
    let status = CompareCommand.noting { () throws(ResultFileError) in
      let bytes: [UInt8]
      do throws(EncodeError) {
        bytes = try encode()
      } catch {
        throw ResultFileError("\(path.display): \(printable("\(error)"))")
      }
      do throws(FileFault) {
        _ = try LinuxFileSystem().makeFolders(path.parent, isDurable: false)
      } catch {
        throw ResultFileError(error.messageOfReport)
      }
      try writeBytes(bytes, to: path)
    }
    take(status)
    return JSON.Field(end, .maybe(path.stamp))
  }

  /// Changes the page. One that lacks a pair is none.
  private func note(_ change: () throws(ResultFileError) -> Void) {
    let status = CompareCommand.noting(change)
    if status != .success { page = nil }
    take(status)
  }

  private func take(_ status: ExitStatus) {
    statuses.insert(status)
    if status != .success { areWhole = false }
  }

  // MARK: The journal

  /// The pair at hand as a value of a journal.
  var json: JSON {
    [
      "maps": .object(mapEnds), "exports": .object(exportEnds), "page": entry?.json ?? .null,
    ]
  }

  /// Takes a pair whose files an earlier command has drawn.
  ///
  /// - Returns: `false` if one of them is not there, or is another now.
  func restore(_ json: JSON, _ row: PairRow, _ pair: FilePair) -> Bool {
    func areThere(_ folder: FilePath?, _ files: JSON?) -> Bool {
      guard let folder else { return true }
      guard case .object(let files)? = files else { return false }
      return files.allSatisfy { file in
        file.value.string != nil
          && folder.appending(pair.drawingName + Array(file.key.utf8)).stamp == file.value.string
      }
    }
    guard areThere(maps, json["maps"]), areThere(exports, json["exports"]) else { return false }
    guard page != nil else { return true }
    var isThere = false
    note { () throws(ResultFileError) in
      isThere =
        try json["page"].map { (entry) throws(ResultFileError) in
          try page?.restore(entry, row.verdict, pair) ?? false
        } ?? false
    }
    return isThere
  }
}
