import HDRRender

/// The files that the journals of an output folder name as written. Folders may have been moved since: a file is known
/// by the end of its path and its size.
struct JournalOutputs {
  private var paths: [ArraySlice<UInt8>: [(path: [UInt8], byteCount: Int)]] = [:]

  /// - Returns: `nil` where no run has written journals below the folder, or they cannot be read.
  init?(of folder: FilePath) {
    let journals = FilePath.standardJournal(below: folder)
    guard fileStatus(journals)?.isFolder == true, let found = try? Journal.all(in: journals), !found.isEmpty else {
      return nil
    }
    for journal in found {
      _ = try? journal.eachRow(JournalRow.outputKeys) { row in
        guard case .item(let item) = row, item.status == .ok || item.status == .warn, let bytes = item.bytesOut,
          let path = item.output.map({ Array($0.utf8) })
        else { return }
        paths[Self.name(path), default: []].append((path, bytes))
      }
    }
  }

  /// - Parameter relative: path below the folder.
  func contain(_ relative: [UInt8], byteCount: Int) -> Bool {
    paths[Self.name(relative)]?.contains { path, bytes in
      bytes == byteCount && path.suffix(relative.count).elementsEqual(relative)
        && (path.count == relative.count || path[path.count - relative.count - 1] == UInt8(ascii: "/"))
    } == true
  }

  private static func name(_ path: [UInt8]) -> ArraySlice<UInt8> {
    path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }
}
