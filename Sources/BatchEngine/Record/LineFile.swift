import Glibc
import HDRRender
import Threads

/// A file that grows by whole lines; each append is one `write`, so that a stopped process leaves whole lines and at
/// most one torn one at the end. One writer a file.
final class LineFile: Sendable {
  private let state: Monitor<Descriptor>

  private struct Descriptor {
    var number: Int32
    /// Opened here, so closed here; standard output is not.
    var isOwned: Bool
    var path: FilePath
    /// The first failed call; reported once at the end.
    var fault: FileFault?

    mutating func note(_ call: String, _ number: Int32) {
      if fault == nil { fault = FileFault(call: call, number: number, path: path) }
    }
  }

  /// A new file.
  ///
  /// - Throws: `FileFault`, `EEXIST` when there is one.
  init(creating path: FilePath) throws(FileFault) { state = Monitor(try Self.opened(path, O_EXCL)) }

  /// A file that replaces what was there; "-" is standard output.
  ///
  /// - Throws: `FileFault` when it cannot be made.
  init(replacing path: FilePath) throws(FileFault) {
    state = Monitor(
      path == FilePath("-")
        ? Descriptor(number: STDOUT_FILENO, isOwned: false, path: FilePath("the record"))
        : try Self.opened(path, O_TRUNC))
  }

  private static func opened(_ path: FilePath, _ flag: Int32) throws(FileFault) -> Descriptor {
    let number = path.withCString { open($0, O_WRONLY | O_CREAT | flag | O_APPEND | O_CLOEXEC, 0o666) }
    guard number >= 0 else { throw FileFault(call: "creation", number: errno, path: path) }
    return Descriptor(number: number, isOwned: true, path: path)
  }

  deinit { close() }

  func append(_ json: JSON) { append(Array((json.line + "\n").utf8)) }

  /// - Parameter isDurable: the lines are on the disk when this returns.
  func append(_ bytes: [UInt8], isDurable: Bool = false) {
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
      if isDurable { Self.sync(&state) }
    }
  }

  var fault: FileFault? { state.change { $0.fault } }

  /// A fault elsewhere that makes this file useless too.
  func note(_ fault: FileFault) { state.change { if $0.fault == nil { $0.fault = fault } } }

  private static func sync(_ state: inout Descriptor) {
    // A pipe or device has nothing to sync.
    if fdatasync(state.number) != 0, errno != EINVAL, errno != EROFS { state.note("fsync", errno) }
  }

  /// Makes the lines durable and ends the file. Lines appended later are dropped.
  @discardableResult
  func close(syncs: Bool = true) -> FileFault? {
    state.change { state in
      if state.isOwned, state.number >= 0 {
        if syncs { Self.sync(&state) }
        Glibc.close(state.number)
      }
      state.number = -1
      return state.fault
    }
  }
}
