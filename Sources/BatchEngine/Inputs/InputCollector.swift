import Glibc
import HDRCore
import HDRRender
import ImageFiles

/// Finds the files that arguments mean: files, folders (all below them), `@list.txt`, sequences by their pattern.
package enum InputCollector {
  /// Extensions that a folder's files are taken by, lower case.
  package static let extensions = readableExtensions

  /// The files in the order of the arguments, those of a folder sorted by the bytes of their relative path. A file that
  /// is named twice comes once.
  ///
  /// - Parameters:
  ///   - excluding: a folder whose files are not taken, because the batch writes there.
  ///   - frames: of all patterns; `nil`: those in their brackets, else those that are there.
  ///   - holds: a frame that is not there is read from the file of the last one before.
  /// - Throws: `UsageError` for arguments that are not there, unreadable folders and lists, and for no file at all.
  package static func collect(
    _ arguments: [String], excluding: FilePath? = nil, frames: ItemRange? = nil, holds: Bool = false
  ) throws(UsageError) -> [InputItem] {
    var collector = Collector(excluded: excluding.flatMap { FileIdentity($0) }, frames: frames, holds: holds)
    for argument in arguments { try collector.add(argument: argument) }
    if frames != nil, !collector.items.contains(where: { $0.frame != nil }) {
      throw UsageError("--frames needs the pattern of a sequence as INPUT: shot.%04d.png")
    }
    guard !collector.items.isEmpty else {
      throw UsageError(
        "nothing to do: no pictures (\(extensions.joined(separator: ", "))) in \(arguments.joined(separator: " "))")
    }
    return collector.items.map { item in
      var item = item
      if !item.roots.isEmpty { item.roots = collector.roots }
      return item
    }
  }

  /// Whether a folder's file is taken: a known extension in any case, and not hidden.
  static func isPicture(_ name: [UInt8]) -> Bool {
    guard name.first != UInt8(ascii: "."), let found = ownExtension(name) else { return false }
    return extensions.contains(found)
  }

  /// What follows the last dot, in lower case.
  static func ownExtension(_ name: [UInt8]) -> String? {
    name.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased() }
  }
}

private struct Collector {
  var items: [InputItem] = []
  /// Folders that were given.
  private(set) var roots: [FilePath] = []
  let excluded: FileIdentity?
  private let frames: ItemRange?
  private let holds: Bool
  private var seen: Set<FilePath> = []

  init(excluded: FileIdentity?, frames: ItemRange?, holds: Bool) {
    self.excluded = excluded
    self.frames = frames
    self.holds = holds
  }

  /// Folders within folders; deeper ones are a loop or a mistake.
  static let maxDepth = 64
  /// A list with more bytes is no list.
  static let maxListBytes = 256 << 20

  mutating func add(argument: String) throws(UsageError) {
    if argument.hasPrefix("@") {
      try addList(FilePath(String(argument.dropFirst())))
    } else {
      guard fileStatus(FilePath(argument)) != nil else {
        if let pattern = try FramePattern(argument) { return try add(pattern, argument) }
        throw UsageError("\(FilePath.printable(argument)): no such file or folder")
      }
      try add(path: FilePath(argument))
    }
  }

  private mutating func add(path: FilePath) throws(UsageError) {
    if let status = fileStatus(path), status.isFolder {
      var found: [InputItem] = []
      roots.append(path)
      try walk(path, relative: [], depth: 0, into: &found)
      for item in found.sorted(by: { $0.relative < $1.relative }) { add(item) }
    } else {
      add(InputItem(path))
    }
  }

  private mutating func add(_ pattern: FramePattern, _ argument: String) throws(UsageError) {
    guard pattern.frames == nil || frames == nil else {
      throw UsageError("\(FilePath.printable(argument)) names its frames: leave out --frames")
    }
    let numbers: [Int]
    if let stated = pattern.frames ?? frames {
      numbers = stated.numbers
    } else {
      do throws(FileFault) {
        numbers = try namesInFolder(pattern.folder).compactMap { pattern.number(of: $0) }.sorted()
      } catch {
        throw UsageError("\(pattern.folder.display): \(errorText(error.number))")
      }
      if numbers.isEmpty { throw UsageError("\(FilePath.printable(argument)): no such frame is there") }
    }
    var last: FilePath?
    for number in numbers {
      var item = InputItem(pattern.path(number))
      item.frame = SequenceFrame(number: number, first: numbers.min() ?? number, text: pattern.text(number))
      if holds, fileStatus(item.path) == nil { item.frame?.held = last } else { last = item.path }
      add(item)
    }
  }

  private mutating func add(_ item: InputItem) {
    if seen.insert(item.path).inserted { items.append(item) }
  }

  /// One path a line; empty lines and lines that start with `#` are passed over. Lines mean what arguments mean, except
  /// that a missing file becomes a failed item instead of an error, because lists may be older than files.
  private mutating func addList(_ path: FilePath) throws(UsageError) {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try readWholeFile(path, maxBytes: Self.maxListBytes)
    } catch {
      throw UsageError("list \(path.display): \(errorText(error.number))")
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      guard !text.contains(0) else { throw UsageError("list \(path.display): a line has a zero byte") }
      try add(path: FilePath(bytes: Array(text)))
    }
  }

  /// Links to files are taken, and followed when they are opened if they stay within the roots. Links to folders are not:
  /// they can form loops.
  private func walk(
    _ folder: FilePath, relative: [UInt8], depth: Int, into found: inout [InputItem]
  ) throws(UsageError) {
    guard depth <= Self.maxDepth else { throw UsageError("\(folder.display): folders are nested too deep") }
    if let excluded, let here = FileIdentity(folder), here == excluded { return }
    let names: [[UInt8]]
    do throws(FileFault) {
      names = try namesInFolder(folder)
    } catch {
      throw UsageError("\(folder.display): \(errorText(error.number))")
    }
    for name in names {
      if name.first == UInt8(ascii: ".") { continue }
      let path = folder.appending(name)
      var link = stat()
      guard path.withCString({ lstat($0, &link) }) == 0 else { continue }
      let below = relative.isEmpty ? name : relative + [UInt8(ascii: "/")] + name
      if link.isFolder {
        try walk(path, relative: below, depth: depth + 1, into: &found)
      } else if InputCollector.isPicture(name), let status = fileStatus(path), status.isRegularFile {
        found.append(InputItem(path: path, relative: FilePath(bytes: below), roots: roots))
      }
    }
  }
}
