import BatchEngine
import Foundation

/// The possible states of a disk after a power cut, by the changes until then.
///
/// POSIX promises only synced data: bytes of a file by its own sync, names by that of their folder, both by that of the
/// file system. Other data may be there, not, or in part, in any order.
struct CrashedDisk {
  private struct File {
    var bytes: [UInt8] = []
    var synced: [UInt8] = []
    /// True after a failed sync: the bytes that it lost are on no disk, whatever is synced later.
    var isLost = false
  }

  private enum Entry: Hashable {
    case file(Int)
    case folder
  }

  private struct Renaming {
    var folder: String
    /// New meanings of names; `nil`: gone.
    var names: [(String, Entry?)]
  }

  /// The fate of bytes that were not synced.
  enum Bytes: CaseIterable {
    case kept, lost, half, zeros
  }

  /// Files and folders by their paths.
  struct State: Hashable {
    var folders: Set<String> = []
    var files: [String: [UInt8]] = [:]
  }

  private var files: [Int: File] = [:]
  /// Names that are on the disk, by folder.
  private var synced: [String: [String: Entry]] = ["": [:]]
  private var pending: [Renaming] = []

  mutating func apply(_ change: RecordingFileSystem.Change) {
    switch change {
    case .makeFolder(let path): name(path, .folder)
    case .create(let path, let id):
      files[id] = File()
      name(path, .file(id))
    case .content(let id, let bytes): files[id]?.bytes = bytes
    case .append(let id, let bytes): files[id]?.bytes += bytes
    case .sync(let id): sync(id)
    case .syncFolder(let folder): syncNames { $0 == folder }
    case .syncAll:
      for id in files.keys { sync(id) }
      syncNames { _ in true }
    case .failedSync(let id): files[id]?.isLost = true
    case .failedSyncAll: for (id, file) in files where file.bytes != file.synced { files[id]?.isLost = true }
    case .rename(let from, let to):
      let entry = entry(from)
      pending.append(Renaming(folder: parent(from), names: [(last(from), nil), (last(to), entry)]))
    case .remove(let path): name(path, nil)
    }
  }

  private mutating func sync(_ id: Int) {
    guard let file = files[id], !file.isLost else { return }
    files[id]?.synced = file.bytes
  }

  private mutating func name(_ path: String, _ entry: Entry?) {
    pending.append(Renaming(folder: parent(path), names: [(last(path), entry)]))
  }

  private mutating func syncNames(_ isMeant: (String) -> Bool) {
    for renaming in pending where isMeant(renaming.folder) { Self.carryOut(renaming, &synced) }
    pending.removeAll { isMeant($0.folder) }
  }

  private static func carryOut(_ renaming: Renaming, _ names: inout [String: [String: Entry]]) {
    for (name, entry) in renaming.names { names[renaming.folder, default: [:]][name] = entry }
  }

  private func entry(_ path: String) -> Entry? {
    var names = synced
    for renaming in pending { Self.carryOut(renaming, &names) }
    return names[parent(path)]?[last(path)]
  }

  private func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
  private func last(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The state with some of the names that are not synced, and with such bytes.
  ///
  /// - Parameter bytes: `nil`: the kernel has them all, even what a failed sync lost.
  private func state(_ isKept: (Int) -> Bool, _ bytes: ((_ path: String) -> Bytes)?) -> State {
    var names = synced
    for (index, renaming) in pending.enumerated() where isKept(index) { Self.carryOut(renaming, &names) }
    var state = State()
    func walk(_ folder: String) {
      for (name, entry) in names[folder] ?? [:] {
        let path = folder.isEmpty ? name : folder + "/" + name
        switch entry {
        case .folder:
          state.folders.insert(path)
          walk(path)
        case .file(let id):
          let file = files[id] ?? File()
          state.files[path] = bytes.map { content(file, $0(path)) } ?? file.bytes
        }
      }
    }
    walk("")
    return state
  }

  private func content(_ file: File, _ rule: Bytes) -> [UInt8] {
    guard file.bytes != file.synced else { return file.bytes }
    if file.isLost { return file.synced }
    let kept = file.bytes.starts(with: file.synced) ? file.synced.count : 0, more = file.bytes.count - kept
    switch rule {
    case .kept: return file.bytes
    case .lost: return file.synced
    case .half: return Array(file.bytes.prefix(kept + more / 2))
    case .zeros: return file.bytes.prefix(kept) + [UInt8](repeating: 0, count: more)
    }
  }

  /// The state after a process was killed: the kernel still has everything.
  var killed: State { state({ _ in true }, nil) }

  /// Returns states of all kinds of power cuts: names kept, lost, one kept, one lost; bytes kept, lost, in part, those
  /// of journals alone, those of all else alone.
  ///
  /// - Parameter single: the number of latest names of which one alone is kept or lost.
  func states(single: Int) -> Set<State> {
    var names: [(Int) -> Bool] = [{ _ in true }, { _ in false }]
    for index in pending.indices.suffix(single) { names += [{ $0 == index }, { $0 != index }] }
    func isJournal(_ path: String) -> Bool { path.hasSuffix(".jsonl") }
    let bytes: [(String) -> Bytes] =
      Bytes.allCases.map { rule in { _ in rule } } + [
        { isJournal($0) ? .kept : .lost }, { isJournal($0) ? .lost : .kept }, { isJournal($0) ? .kept : .zeros },
        { isJournal($0) ? .half : .kept },
      ]
    var states: Set<State> = []
    for rule in names { for content in bytes { states.insert(state(rule, content)) } }
    return states
  }
}

extension CrashedDisk.State {
  /// Makes it so below a folder, and nothing else there.
  func make(in folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in folders {
      try FileManager.default.createDirectory(atPath: folder + "/" + path, withIntermediateDirectories: true)
    }
    for (path, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + path)) }
  }
}
