import Glibc
import HDRRender
import PlainData
import Threads

/// A file that grows by whole lines; each append is one `write`, so that a stopped process leaves whole lines and at
/// most one torn one at the end. One writer a file.
package final class LineFile: Sendable {
  private struct State {
    /// `nil` once closed.
    var file: OpenFile?
    /// The first failed call; reported once at the end.
    var fault: FileFault?
    /// A write failed in the middle of a line.
    var isTorn = false
  }

  let path: FilePath
  private let files: any FileSystem
  private let state: Monitor<State>

  /// Creates a new file.
  ///
  /// - Throws: `FileFault`, `EEXIST` when there is one.
  init(creating name: [UInt8], in folder: OpenFolder, _ files: any FileSystem) throws(FileFault) {
    path = folder.path.appending(name)
    self.files = files
    state = Monitor(State(file: try files.create(name, in: folder)))
  }

  /// Creates a file that replaces what was there; "-" is standard output.
  ///
  /// - Throws: `FileFault` when it cannot be made.
  package init(replacing path: FilePath, _ files: any FileSystem) throws(FileFault) {
    self.files = files
    if path == FilePath("-") {
      self.path = FilePath("the record")
      let output = dup(STDOUT_FILENO)
      guard output >= 0 else { throw FileFault(call: "opening", number: errno, path: self.path) }
      state = Monitor(State(file: OpenFile(output)))
    } else {
      self.path = path
      state = Monitor(State(file: try files.replace(path)))
    }
  }

  package func append(_ json: JSON) { append(Array((json.line + "\n").utf8)) }

  /// - Parameter isDurable: the lines are on the disk when this returns.
  func append(_ bytes: [UInt8], isDurable: Bool = false) {
    state.change { state in
      guard let file = state.file else { return }
      do throws(FileFault) {
        let start = state.isTorn ? [UInt8(ascii: "\n")] : []
        state.isTorn = true
        try files.write(start + bytes, to: file, path)
        state.isTorn = false
        if isDurable { try files.sync(file, path) }
      } catch {
        if state.fault == nil { state.fault = error }
      }
    }
  }

  var fault: FileFault? { state.change { $0.fault } }

  /// Notes a fault elsewhere that makes this file useless too.
  func note(_ fault: FileFault) { state.change { if $0.fault == nil { $0.fault = fault } } }

  /// Makes the lines durable and ends the file. Lines appended later are dropped.
  @discardableResult
  package func close(syncs: Bool = true) -> FileFault? {
    state.change { state in
      if let file = state.file, syncs {
        do throws(FileFault) {
          try files.sync(file, path)
        } catch {
          if state.fault == nil { state.fault = error }
        }
      }
      state.file = nil
      return state.fault
    }
  }
}
