import BatchEngine
import Foundation
import HDRRender
import Synchronization

/// The file system of this machine, which remembers every change below a folder, and one of whose calls may fail.
final class RecordingFileSystem: FileSystem {
  /// Paths are below the folder.
  enum Change: Sendable {
    case makeFolder(String)
    case create(String, Int)
    /// The bytes that a file holds from now on.
    case content(Int, [UInt8])
    case append(Int, [UInt8])
    case sync(Int)
    case syncFolder(String)
    case syncAll
    /// The kernel has dropped the bytes that were not on the disk yet.
    case failedSync(Int)
    case failedSyncAll
    case rename(String, String)
    case remove(String)
  }

  struct Fault: Sendable {
    /// Counted from 0.
    var call: Int
    var number: Int32
    /// All calls from there on.
    var lasts = false
  }

  private struct State {
    var changes: [Change] = []
    var calls: [String] = []
    var wasHit = false
    /// The open files by the identities of their descriptors.
    var files: [ObjectIdentifier: (id: Int, file: OpenFile, known: [UInt8])] = [:]
    var next = 0
  }

  private let base: FilePath
  private let fault: Fault?
  private let beforeWriting: @Sendable (FilePath) -> Void
  private let real = LinuxFileSystem()
  private let state = Mutex(State())

  /// - Parameter beforeWriting: called with the file's path; may take its time.
  init(below base: String, fault: Fault? = nil, beforeWriting: @escaping @Sendable (FilePath) -> Void = { _ in }) {
    self.base = FilePath(base)
    self.fault = fault
    self.beforeWriting = beforeWriting
  }

  var changes: [Change] { state.withLock { $0.changes } }
  /// Names of the calls that may fail, in their order.
  var calls: [String] { state.withLock { $0.calls } }
  var wasHit: Bool { state.withLock { $0.wasHit } }

  private func below(_ path: FilePath) -> String {
    path.bytes.count <= base.bytes.count
      ? "" : String(decoding: path.bytes.dropFirst(base.bytes.count + 1), as: UTF8.self)
  }

  /// Counts the call, fails it if it is its turn, else carries it out and remembers it.
  private func call<R>(
    _ name: String, _ path: FilePath, failed: ((inout State) -> Change?)? = nil,
    done: ((inout State, R) -> [Change]) = { _, _ in [] }, _ body: () throws(FileFault) -> R
  ) throws(FileFault) -> R {
    let number = state.withLock { state -> Int32 in
      let index = state.calls.count
      state.calls.append(name)
      guard let fault, index == fault.call || fault.lasts && index > fault.call else { return 0 }
      state.wasHit = true
      if let change = failed?(&state) { state.changes.append(change) }
      return fault.number
    }
    if number != 0 { throw FileFault(call: name, number: number, path: path) }
    let result = try body()
    state.withLock { state in
      let changes = done(&state, result)
      state.changes += changes
    }
    return result
  }

  /// Records the bytes that a codec has written into the file since the last look.
  private func look(_ file: OpenFile, _ state: inout State) {
    let key = ObjectIdentifier(file)
    guard let entry = state.files[key] else { return }
    var status = stat()
    fstat(file.descriptor, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    _ = bytes.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, 0) }
    guard bytes != entry.known else { return }
    state.files[key]?.known = bytes
    state.changes.append(.content(entry.id, bytes))
  }

  private func id(_ file: OpenFile, _ state: inout State) -> Int { state.files[ObjectIdentifier(file)]?.id ?? -1 }

  func folder(_ path: FilePath) throws(FileFault) -> OpenFolder {
    try call("open", path) { () throws(FileFault) in try real.folder(path) }
  }

  func folder(_ relative: FilePath, in folder: OpenFolder) throws(FileFault) -> OpenFolder {
    try call("open", folder.path) { () throws(FileFault) in try real.folder(relative, in: folder) }
  }

  func makeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    let path = folder.path.appending(name)
    try call("mkdir", path, done: { _, _ in [.makeFolder(self.below(path))] }) { () throws(FileFault) in
      try real.makeFolder(name, in: folder)
    }
  }

  func create(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) -> OpenFile {
    let path = folder.path.appending(name)
    return try call(
      "create", path,
      done: { state, file in
        state.files[ObjectIdentifier(file)] = (state.next, file, [])
        state.next += 1
        return [.create(self.below(path), state.next - 1)]
      }
    ) { () throws(FileFault) in try real.create(name, in: folder) }
  }

  func replace(_ path: FilePath) throws(FileFault) -> OpenFile {
    try call("replace", path) { () throws(FileFault) in try real.replace(path) }
  }

  func write(_ bytes: [UInt8], to file: OpenFile, _ path: FilePath) throws(FileFault) {
    beforeWriting(path)
    try call(
      "write", path,
      done: { state, _ in
        state.files[ObjectIdentifier(file)]?.known += bytes
        return [.append(self.id(file, &state), bytes)]
      }
    ) { () throws(FileFault) in try real.write(bytes, to: file, path) }
  }

  func size(of file: OpenFile, _ path: FilePath) throws(FileFault) -> Int {
    state.withLock { look(file, &$0) }
    return try call("stat", path) { () throws(FileFault) in try real.size(of: file, path) }
  }

  func sync(_ file: OpenFile, _ path: FilePath) throws(FileFault) {
    state.withLock { look(file, &$0) }
    try call(
      "fsync", path, failed: { .failedSync(self.id(file, &$0)) }, done: { state, _ in [.sync(self.id(file, &state))] }
    ) { () throws(FileFault) in }
  }

  func sync(_ folder: OpenFolder) throws(FileFault) {
    try call("fsync of a folder", folder.path, done: { _, _ in [.syncFolder(self.below(folder.path))] }) {
      () throws(FileFault) in
    }
  }

  func syncAll(_ folder: OpenFolder) throws(FileFault) {
    try call("syncfs", folder.path, failed: { _ in .failedSyncAll }, done: { _, _ in [.syncAll] }) {
      () throws(FileFault) in
    }
  }

  func rename(
    _ name: [UInt8], to target: [UInt8], in folder: OpenFolder, existing: ExistingFile
  ) throws(FileFault) {
    let from = folder.path.appending(name), to = folder.path.appending(target)
    try call("rename", to, done: { _, _ in [.rename(self.below(from), self.below(to))] }) { () throws(FileFault) in
      try real.rename(name, to: target, in: folder, existing: existing)
    }
  }

  func remove(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    let path = folder.path.appending(name)
    try call("unlink", path, done: { _, _ in [.remove(self.below(path))] }) { () throws(FileFault) in
      try real.remove(name, in: folder)
    }
  }

  func removeFolder(_ name: [UInt8], in folder: OpenFolder) throws(FileFault) {
    try real.removeFolder(name, in: folder)
  }

  func status(_ name: [UInt8], in folder: OpenFolder) -> stat? { real.status(name, in: folder) }
  func names(in folder: OpenFolder) throws(FileFault) -> [[UInt8]] { try real.names(in: folder) }
}
