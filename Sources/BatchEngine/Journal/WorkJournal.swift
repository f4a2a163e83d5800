import CodecService
import Glibc
import HDRRender
import PlainData

/// The journals of work whose pieces have keys: a program that was killed and is started again goes on after them. One
/// file an attempt, in a folder, as the journals of batches (docs/farm.md#journals).
package final class WorkJournal: Sendable {
  /// The rows of earlier attempts by their keys, as text; of several the last.
  private let known: [String: String]
  /// The rows that earlier attempts have left.
  package var count: Int { known.count }
  private let file: LineFile

  /// Reads what is there, and begins a new file.
  ///
  /// - Parameter kind: begins the names of the files.
  /// - Throws: `UsageError` for journals that cannot be read; `ResultFileError` if none can be made.
  package init(in folder: FilePath, kind: String, version: String) throws {
    var found: [String: String] = [:]
    for journal in try Journal.all(in: folder).sorted(by: { ($0.unixTime, $0.name) < ($1.unixTime, $1.name) }) {
      try journal.eachItem { row in
        if let key = row["key"]?.string, let done = row["done"] { found[key] = done.line }
      }
    }
    known = found
    let files = LinuxFileSystem()
    do throws(FileFault) {
      let place = try files.makeFolders(folder, isDurable: true)
      var attempt = ((try? Journal.names(in: place, files)) ?? []).count
      while true {
        attempt += 1
        let name = "\(kind).\(attempt).\(hostName(forFiles: true)).\(getpid()).jsonl"
        do throws(FileFault) {
          file = try LineFile(creating: Array(name.utf8), in: place, files)
          break
        } catch {
          if error.number != EEXIST { throw error }
        }
      }
      try files.sync(place)
    } catch {
      throw ResultFileError(error.messageOfReport)
    }
    let header: JSON = ["type": "header", "version": .string(version), "unixTime": .int(Int(time(nil)))]
    file.append(Journal.line(header), isDurable: true)
  }

  /// Returns the row of a piece of work that is done.
  package subscript(key: String) -> JSON? { known[key].flatMap { try? JSON(parsing: Array($0.utf8)) } }

  /// Adds the row of a piece of work; it is on the disk when this returns.
  package func add(_ key: String, _ done: JSON) {
    file.append(Journal.line(["type": "item", "key": .string(key), "done": done]), isDurable: true)
  }

  /// Ends the file.
  ///
  /// - Throws: the first fault: rows may be missing.
  package func close() throws(ResultFileError) {
    if let fault = file.close() { throw ResultFileError(fault.messageOfReport) }
  }
}

extension FilePath {
  /// The size and the time of change of a file, as text; `nil` if there is none. A file that was written anew has another.
  package var stamp: String? {
    fileStatus(self).map { "\($0.st_size) \($0.st_mtim.tv_sec).\($0.st_mtim.tv_nsec)" }
  }
}
