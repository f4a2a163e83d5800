/// Writes a result (bench rows, reports) whole or not at all; replaces what stood there.
public func writeResultFile(_ text: String, to path: String) throws(ResultFileError) {
  do throws(FileFault) {
    try AtomicWriter(parts: PartFiles()).write(Array(text.utf8), to: FilePath(path), existing: .replace)
  } catch {
    throw ResultFileError(description: error.message)
  }
}

/// A result that could not be written.
public struct ResultFileError: Error, Sendable, Equatable, CustomStringConvertible {
  public var description: String
}
