import Glibc

/// Appends lines to one JSON Lines file; each line is one `write`, so that a stopped process leaves whole lines and at
/// most one torn one at the end. One writer a file.
final class RecordWriter: Sendable {
  private let state: Monitor<Descriptor>

  private struct Descriptor {
    var number: Int32
    /// Opened here, so closed here; standard output is not.
    var isOwned: Bool
    /// The first failed write; reported once at the end.
    var fault: FileFault?

    mutating func note(_ call: String, _ number: Int32) {
      if fault == nil { fault = FileFault(call: call, number: number, path: FilePath("the record")) }
    }
  }

  /// - Parameter path: replaced when it exists; "-" is standard output.
  /// - Throws: `FileFault` when it cannot be made.
  init(path: FilePath) throws(FileFault) {
    if path == FilePath("-") {
      state = Monitor(Descriptor(number: STDOUT_FILENO, isOwned: false))
      return
    }
    let number = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o666) }
    guard number >= 0 else { throw FileFault(call: "creation", number: errno, path: path) }
    state = Monitor(Descriptor(number: number, isOwned: true))
  }

  deinit { close() }

  func append(_ json: JSON) {
    let bytes = Array((json.line + "\n").utf8)
    state.change { state in
      guard state.number >= 0 else { return }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { Glibc.write(state.number, $0.baseAddress! + written, $0.count - written) }
        if count < 0 && errno == EINTR { continue }
        if count < 0 {
          state.note("writing", errno)
          return
        }
        written += count
      }
    }
  }

  /// Makes the lines durable and ends the file. Lines appended later are dropped.
  @discardableResult
  func close() -> FileFault? {
    state.change { state in
      if state.isOwned, state.number >= 0 {
        // A pipe or device has nothing to sync.
        if fdatasync(state.number) != 0, errno != EINVAL, errno != EROFS { state.note("fsync", errno) }
        Glibc.close(state.number)
      }
      state.number = -1
      return state.fault
    }
  }
}
