import BatchEngine
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The folder of a page that browsers open from the disk. It holds the page's own files and no others.
struct PageFolder {
  let path: FilePath

  /// The file that a page reads first: a page without it says that it is being made.
  static let data = "data.js"
  /// The rows in one file of a list.
  static let rowsInFile = 1000

  /// Makes the folder and those in it.
  ///
  /// - Parameters:
  ///   - files: the names of the page's files.
  ///   - folders: the names of its folders.
  /// - Throws: `UsageError` for a folder with other files; `ResultFileError`.
  init(_ path: FilePath, files: [String], folders: [String]) throws {
    self.path = path
    try refuseOthers(Set(files + folders + [Self.data]))
    for name in folders { try makeFolder(path.appending(name)) }
    _ = path.appending(Self.data).withCString { unlink($0) }
  }

  private func refuseOthers(_ own: Set<String>) throws(UsageError) {
    guard fileStatus(path) != nil else { return }
    let names = (try? namesInFolder(path)) ?? []
    if let other = names.first(where: {
      !own.contains(String(decoding: $0, as: UTF8.self)) && !$0.starts(with: "hdrbatch.".utf8)
    }) {
      throw UsageError("\(path.display) holds \(printable(other)), which is of no such page: name another folder")
    }
  }

  private func makeFolder(_ path: FilePath) throws(ResultFileError) {
    do throws(FileFault) {
      _ = try LinuxFileSystem().makeFolders(path, isDurable: false)
    } catch {
      throw ResultFileError(error.messageOfReport)
    }
  }

  /// Writes a call of one of the page's functions.
  func write(_ call: String, _ arguments: [JSON], to file: String) throws(ResultFileError) {
    let text = "\(call)(\(arguments.map(\.line).joined(separator: ",")))\n"
    try writeBytes(Array(text.utf8), to: path.appending(file))
  }

  func write(_ bytes: [UInt8], to file: String) throws(ResultFileError) {
    try writeBytes(bytes, to: path.appending(file))
  }

  /// Returns a page: what all pages begin with, and what it has for itself.
  static func page(_ own: [UInt8]) -> [UInt8] { PackageResources.head_html + own }

  /// Returns the name of an item's file: its number from 1 in five digits or more.
  static func number(_ index: Int) -> String {
    let digits = "\(index + 1)"
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// Returns the local time for people.
  static func now() -> String {
    var seconds = time(nil), parts = tm(), text = [CChar](repeating: 0, count: 32)
    localtime_r(&seconds, &parts)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
