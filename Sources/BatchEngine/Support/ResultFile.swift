import HDRRender

/// A result that is written piece by piece, so that memory does not grow with it. It gets its name when it is whole and
/// replaces what stood there.
package struct ResultFile {
  private static let pieceBytes = 1 << 16

  private let path: FilePath
  private let writer = AtomicWriter(parts: PartFiles())
  private var staged: AtomicWriter.Staged?
  private var piece: [UInt8] = []
  private var byteCount = 0
  /// The first failure; nothing is written after it.
  private var fault: FileFault?

  package init(_ path: String) { self.path = FilePath(path) }

  /// Adds text. A failure is told by `finish`.
  package mutating func add(_ text: String) {
    guard fault == nil else { return }
    piece += Array(text.utf8)
    if piece.count >= Self.pieceBytes { write() }
  }

  private mutating func write() {
    do throws(FileFault) {
      if staged == nil { staged = try writer.begin(path, in: try writer.folder(of: path)) }
      guard let file = staged else { return }
      try writer.files.write(piece, to: file.file, file.part)
      byteCount += piece.count
      piece.removeAll(keepingCapacity: true)
    } catch {
      fault = error
    }
  }

  /// Gives the file its name, or removes it if a piece could not be written.
  package mutating func finish() throws(ResultFileError) {
    if fault == nil { write() }
    if let fault {
      if let staged { writer.discard(staged) }
      throw ResultFileError(fault.message)
    }
    guard let staged else { return }
    do throws(FileFault) {
      try writer.sync(staged, byteCount: byteCount)
      try writer.commit(staged, existing: .replace)
    } catch {
      throw ResultFileError(error.message)
    }
  }
}
