import HDRCore
import HDRRecipe
import HDRRender

/// Writes a result (bench rows, reports) whole or not at all; replaces what stood there.
package func writeResultFile(_ text: String, to path: String) throws(ResultFileError) {
  try writeBytes(Array(text.utf8), to: FilePath(path))
}

/// Writes a file whole; replaces what stood there.
package func writeBytes(_ bytes: [UInt8], to path: FilePath) throws(ResultFileError) {
  do throws(FileFault) {
    try AtomicWriter(parts: PartFiles()).write(bytes, to: path, existing: .replace)
  } catch {
    throw ResultFileError(error.messageOfReport)
  }
}

/// A result that could not be written.
package struct ResultFileError: Error, Sendable, Equatable, HasMessage {
  package var message: Message
  package init(_ message: Message) { self.message = message }
}

/// Reads a report back.
///
/// - Throws: `UsageError` for a file that cannot be read.
package func readReport(_ path: FilePath) throws(UsageError) -> [UInt8] {
  do throws(FileFault) {
    return try readWholeFile(path, maxBytes: 64 << 20)
  } catch {
    throw UsageError("\(path.display): \(error.message)")
  }
}
