import Glibc
import HDRRecipe
import HDRRender

/// A file that a stream of frames is written into. It gets its name when the stream has ended and a frame is in it.
package final class StreamedResult: Sendable {
  private let writer: AtomicWriter
  private let staged: AtomicWriter.Staged
  private let existing: ExistingFile

  /// - Throws: `ResultFileError` if the file cannot be made.
  package init(_ path: FilePath, existing: OnExisting, _ durability: Durability) throws(ResultFileError) {
    writer = AtomicWriter(parts: PartFiles(), durability: durability)
    self.existing = existing == .replace ? .replace : .refuse
    do throws(FileFault) {
      let folder = try writer.files.makeFolders(path.parent, isDurable: durability == .file)
      staged = try writer.begin(path, in: folder)
    } catch {
      throw ResultFileError(error.message)
    }
  }

  /// The descriptor that frames are written to.
  package var descriptor: Int32 { staged.file.descriptor }

  /// Removes the file; it gets no name any more.
  package func abandon() { writer.parts.close() }

  /// Gives the file its name; a stream that was stopped, or has no frame, leaves none.
  ///
  /// - Throws: `ResultFileError`.
  package func finish(_ summary: StreamSummary) throws(ResultFileError) {
    guard summary.frames > 0, ![.stoppedEarly, .interrupted, .inputOutput].contains(summary.exitStatus) else {
      return writer.discard(staged)
    }
    do throws(FileFault) {
      try writer.sync(staged, byteCount: summary.bytesOut)
      try writer.commit(staged, existing: existing)
    } catch {
      throw ResultFileError(error.message)
    }
  }
}
