import Glibc

/// Takes away a folder of our own with all that is in it; links are taken away, never followed.
func removeTree(_ folder: FilePath) {
  for name in (try? namesInFolder(folder)) ?? [] {
    let path = folder.appending(name)
    if path.withCString({ unlink($0) }) != 0 { removeTree(path) }
  }
  _ = folder.withCString { rmdir($0) }
}

/// Writes a file whole; replaces what stood there.
func writeBytes(_ bytes: [UInt8], to path: FilePath) throws(ResultFileError) {
  do throws(FileFault) {
    try AtomicWriter(parts: PartFiles()).write(bytes, to: path, existing: .replace)
  } catch {
    throw ResultFileError(description: error.message)
  }
}
