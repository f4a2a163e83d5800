import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The segments of a clip that are done: their files in the folder `.NAME.hdrbatch` beside the output NAME, and a row of a
/// journal there for each. A name has digits of its file's digest, so that two runs of one shard never share a file.
final class SegmentStore: Sendable {
  /// The folder, open.
  let folder: OpenFolder
  private let parent: OpenFolder
  private let name: [UInt8]
  private let writer: AtomicWriter
  private let journal: WorkJournal
  /// The digest of all that decides the bytes of segments.
  private let key: String

  /// Returns the name of the folder for an output.
  static func name(for output: FilePath) -> [UInt8] {
    // A name has 255 bytes at most.
    [UInt8(ascii: ".")] + output.name.prefix(240) + Array(".hdrbatch".utf8)
  }

  init(_ item: ClipJob.Item, key: Digest, _ writer: AtomicWriter) throws(HDRError) {
    (self.writer, self.key, name) = (writer, key.hex, Self.name(for: item.output))
    do throws(FileFault) {
      parent = try writer.folder(of: item.output, relative: item.relative)
      folder = try writer.files.makeFolders(
        FilePath(bytes: name), in: parent, isDurable: writer.durability != .none)
    } catch {
      throw HDRError(writing: error)
    }
    do {
      journal = try WorkJournal(in: folder.path, kind: "segments", version: hdrbatchVersion)
    } catch {
      throw HDRError(
        code: "io.write", message: "the journal of segments: \(printable("\(error)"))", kind: .output)
    }
  }

  /// Returns a segment whose file is there and is what its row says.
  func finished(_ number: Int) -> SegmentRow? {
    guard let row = journal["\(key) \(number)"].flatMap({ SegmentRow($0) }), let file = try? file(of: row),
      file.byteCount == row.byteCount, Digest(reading: file.descriptor) == row.digest
    else { return nil }
    return row
  }

  /// Opens the file of a segment.
  func file(of row: SegmentRow) throws(HDRError) -> InputFile {
    do throws(FileFault) {
      // The name is a journal's: it leads to no other folder.
      return try InputFile(
        InputReference(
          path: folder.path.appending(Array(row.file.utf8)), relative: FilePath(row.file), roots: [folder.path]),
        maxBytes: Int.max)
    } catch {
      throw HDRError(reading: error, limit: Int.max)
    }
  }

  /// The error with which a segment has failed, if no later run has tried again.
  func failure(_ number: Int) -> HDRError? {
    guard let row = journal["\(key) \(number) failed"], let code = row["code"]?.string,
      let message = row["message"]?.string
    else { return nil }
    return HDRError(code: code, message: "segment \(number): \(message)", kind: .source)
  }

  func add(_ number: Int, _ row: SegmentRow) { journal.add("\(key) \(number)", row.json) }

  /// Notes an error that another run would meet, too.
  func add(_ number: Int, failed error: HDRError) {
    guard error.status == .failedItems, error.kind != .cancelled else { return }
    journal.add(
      "\(key) \(number) failed",
      ["code": .string(error.code), "message": .string(error.message.text(dashes: false))])
  }

  /// - Throws: `HDRError` if rows may be missing.
  func close() throws(HDRError) {
    do throws(ResultFileError) {
      try journal.close()
    } catch {
      throw HDRError(code: "io.write", message: "the journal of segments: \(error.message)", kind: .output)
    }
  }

  /// Removes all segments: the clip has its name.
  func remove() {
    try? journal.close()
    Self.remove(name, in: parent, writer)
  }

  /// Removes the segments of an output that is done; none may be there.
  static func remove(_ item: ClipJob.Item, _ writer: AtomicWriter) {
    guard let parent = try? writer.files.folder(item.output.parent) else { return }
    remove(name(for: item.output), in: parent, writer)
  }

  private static func remove(_ name: [UInt8], in parent: OpenFolder, _ writer: AtomicWriter) {
    guard let folder = try? writer.files.folder(FilePath(bytes: name), in: parent) else { return }
    try? writer.files.removeAll(in: folder)
    try? writer.files.removeFolder(name, in: parent)
  }
}
