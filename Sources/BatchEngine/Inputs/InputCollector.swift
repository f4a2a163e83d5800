import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// Finds the files that arguments mean: files, folders (all below them), `@list.txt` or `@-`, sequences by their pattern.
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
  ///   - zeroEnds: zero bytes end the paths of lists, and nothing else does; else where a list has some.
  ///   - kind: what a folder's files are taken by.
  ///   - note: gets a line about files of folders that are not taken.
  /// - Throws: `UsageError` for arguments that are not there, unreadable folders and lists, and for no file at all.
  package static func collect(
    _ arguments: [String], excluding: FilePath? = nil, frames: ItemRange? = nil, holds: Bool = false,
    zeroEnds: Bool = false, kind: Kind = .pictures, note: (String) -> Void = { _ in }
  ) throws(UsageError) -> [InputReference] {
    var collector = Collector(
      excluded: Set([excluding].compactMap { $0.flatMap { FileIdentity($0) } }), frames: frames, holds: holds,
      zeroEnds: zeroEnds, kind: kind)
    for argument in arguments { try collector.add(argument: argument) }
    if frames != nil, !collector.items.contains(where: { $0.frame != nil }) {
      throw UsageError("--frames needs the pattern of a sequence as INPUT: shot.%04d.png")
    }
    guard !collector.items.isEmpty else {
      if collector.metExcluded, let excluding {
        throw UsageError(
          "nothing to do: \(excluding.display) is where outputs go, and its \(kind.noun) are not taken; "
            + "name another folder with --out")
      }
      if let note = collector.rejectedNote { throw UsageError("nothing to do: \(note)") }
      throw UsageError(
        "nothing to do: no \(kind.noun) (\(kind.extensions.joined(separator: ", "))) in \(arguments.joined(separator: " "))"
      )
    }
    for line in collector.notes { note(line) }
    return collector.found
  }

  /// Returns the pictures below a folder in the order of their paths, outputs of earlier runs among them; an empty list
  /// is no fault.
  ///
  /// - Parameters:
  ///   - excluding: folders whose files are not taken, because the caller writes there.
  ///   - note: gets a line about files that are not taken.
  /// - Throws: `UsageError` for an unreadable folder.
  package static func pictures(
    below folder: FilePath, excluding: [FilePath] = [], note: (String) -> Void = { _ in }
  ) throws(UsageError) -> [InputReference] {
    var collector = Collector(excluded: Set(excluding.compactMap { FileIdentity($0) }), takesOutputs: true)
    try collector.add(path: folder)
    for line in collector.notes { note(line) }
    return collector.found
  }

  /// Files that are taken of folders.
  package struct Kind: Sendable {
    /// The word for several of them.
    package var noun: String
    /// Their extensions, lower case.
    package var extensions: [String]

    package init(noun: String, extensions: [String]) { (self.noun, self.extensions) = (noun, extensions) }

    package static let pictures = Kind(noun: "pictures", extensions: InputCollector.extensions)

    /// Returns true if a folder's file is taken: it has a known extension in any case, and is not hidden.
    func takes(_ name: [UInt8]) -> Bool {
      guard name.first != UInt8(ascii: "."), let found = ownExtension(name) else { return false }
      return extensions.contains(found)
    }
  }

  /// Returns true for a file that a run has made, not accepted and kept, wherever it is now.
  static func isRejected(_ name: [UInt8]) -> Bool { name.suffix(ending.count) == ending[...] }
  private static let ending = Array(OutputDestination.rejectedEnding.utf8)

  /// Returns true if a file's extension is one that is read.
  package static func isReadable(_ path: FilePath) -> Bool { ownExtension(path.name).map(extensions.contains) ?? false }

  /// Returns the part after the last dot, in lower case.
  package static func ownExtension(_ name: [UInt8]) -> String? {
    name.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased() }
  }
}

private struct Collector {
  var items: [InputReference] = []
  /// Folders that were given.
  private(set) var roots: [FilePath] = []
  let excluded: Set<FileIdentity>
  /// True if one of `excluded` was among the folders.
  private(set) var metExcluded = false
  /// Files of folders that have another extension or none, and outputs of earlier runs; files that a run has rejected and
  /// kept.
  private var others = 0, ownOutputs = 0, rejected = 0
  private let frames: ItemRange?
  private let holds: Bool
  private let zeroEnds: Bool
  private let kind: InputCollector.Kind
  /// True to take outputs of earlier runs below folders too.
  private let takesOutputs: Bool
  private var seen: Set<FilePath> = []

  init(
    excluded: Set<FileIdentity>, frames: ItemRange? = nil, holds: Bool = false, zeroEnds: Bool = false,
    takesOutputs: Bool = false, kind: InputCollector.Kind = .pictures
  ) {
    self.kind = kind
    self.excluded = excluded
    self.takesOutputs = takesOutputs
    self.frames = frames
    self.holds = holds
    self.zeroEnds = zeroEnds
  }

  /// Folders within folders; deeper ones are a loop or a mistake.
  static let maxDepth = 64
  /// A list with more bytes is no list.
  static let maxListBytes = 256 << 20

  /// The files, each with all folders that were given.
  var found: [InputReference] {
    items.map { item in
      var item = item
      if !item.roots.isEmpty { item.roots = roots }
      return item
    }
  }

  /// Messages about the files of folders that were left out.
  var notes: [String] {
    var notes: [String] = []
    if others > 0 { notes.append("\(others) file\(others == 1 ? "" : "s") of other kinds left out") }
    if ownOutputs > 0 {
      notes.append(
        "\(ownOutputs) output\(ownOutputs == 1 ? "" : "s") of earlier runs left out; name \(ownOutputs == 1 ? "its" : "their") "
          + "folder to take \(ownOutputs == 1 ? "it" : "them")")
    }
    if let note = rejectedNote { notes.append(note) }
    return notes
  }

  /// The message about files that a run has not accepted; `nil` if there are none.
  var rejectedNote: String? {
    if rejected == 0 { return nil }
    let (were, them) =
      rejected == 1
      ? (" of earlier runs left out, as it was", "it") : ("s of earlier runs left out, as they were", "them")
    return "\(rejected) file\(were) not accepted; give \(them) another name to take \(them)"
  }

  mutating func add(argument: String) throws(UsageError) {
    if argument == "@-" {
      try addList(try Self.standardInput())
    } else if argument.hasPrefix("@") {
      let path = FilePath(String(argument.dropFirst())), list: [UInt8]
      do throws(FileFault) {
        list = try readWholeFile(path, maxBytes: Self.maxListBytes)
      } catch {
        throw UsageError("list \(path.display): \(errorText(error.number))")
      }
      try addList(list)
    } else {
      guard fileStatus(FilePath(argument)) != nil else {
        if let pattern = try FramePattern(argument) { return try add(pattern, argument) }
        // The command line does not keep bytes that are not UTF-8.
        let isRepaired = argument.contains("\u{FFFD}")
        let hint =
          isRepaired
          ? "; give names that are not UTF-8 by their folder or in a list (@FILE)"
          : argument.contains("://")
            ? "; inputs are files: fetch it first, and - reads a pipe"
            : argument.contains("*") ? "; no quotes: the shell says what * is, or give the folder" : ""
        throw UsageError("\(printable(argument)): no such file or folder\(hint)")
      }
      try add(path: FilePath(argument))
    }
  }

  mutating func add(path: FilePath) throws(UsageError) {
    if let status = fileStatus(path), status.isFolder {
      var found: [InputReference] = []
      roots.append(path)
      try walk(path, relative: [], depth: 0, written: [], into: &found)
      for item in found.sorted(by: { $0.relative < $1.relative }) { add(item) }
    } else if InputCollector.isRejected(path.name) {
      rejected += 1
    } else {
      add(InputReference(path))
    }
  }

  private mutating func add(_ pattern: FramePattern, _ argument: String) throws(UsageError) {
    guard pattern.frames == nil || frames == nil else {
      throw UsageError("\(printable(argument)) names its frames: leave out --frames")
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
      if numbers.isEmpty { throw UsageError("\(printable(argument)): no such file, and no such frame is there") }
    }
    var last: FilePath?
    for number in numbers {
      var item = InputReference(pattern.path(number))
      item.frame = SequenceFrame(number: number, first: numbers.min() ?? number, text: pattern.text(number))
      if holds, fileStatus(item.path) == nil { item.frame?.held = last } else { last = item.path }
      add(item)
    }
  }

  private mutating func add(_ item: InputReference) {
    if seen.insert(item.path).inserted { items.append(item) }
  }

  private static func standardInput() throws(UsageError) -> [UInt8] {
    var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw UsageError("the list on standard input: \(errorText(errno))") }
      if count == 0 { return bytes }
      bytes += part.prefix(count)
      guard bytes.count <= maxListBytes else {
        throw UsageError("the list on standard input has more than \(maxListBytes) bytes")
      }
    }
  }

  /// Adds the paths of a list, one a line; empty lines and lines that start with `#` are skipped. If there are zero
  /// bytes, as `find -print0` writes them, they end paths, and nothing else does. Paths mean what arguments mean,
  /// except that a missing file becomes a failed item instead of an error, because lists may be older than files.
  private mutating func addList(_ bytes: [UInt8]) throws(UsageError) {
    if zeroEnds || bytes.contains(0) {
      for text in bytes.split(separator: 0) { try add(path: FilePath(bytes: Array(text))) }
      return
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      try add(path: FilePath(bytes: Array(text)))
    }
  }

  private static let pageFiles = [["gallery.html", "data.js", "thumbs"], ["compare.html", "data.js", "maps"]]

  /// Links to files are taken, and followed when they are opened if they stay within the roots. Links to folders are not:
  /// they can form loops.
  private mutating func walk(
    _ folder: FilePath, relative: [UInt8], depth: Int, written: [(outputs: JournalOutputs, below: Int)],
    into found: inout [InputReference]
  ) throws(UsageError) {
    guard depth <= Self.maxDepth else { throw UsageError("\(folder.display): folders are nested too deep") }
    if !excluded.isEmpty, let here = FileIdentity(folder), excluded.contains(here) {
      metExcluded = true
      return
    }
    let names: [[UInt8]]
    do throws(FileFault) {
      names = try namesInFolder(folder)
    } catch {
      throw UsageError("\(folder.display): \(errorText(error.number))")
    }
    var written = written
    // A folder of outputs that is named itself is taken.
    if depth > 0, !takesOutputs, let outputs = JournalOutputs(of: folder) {
      written.append((outputs, relative.count + 1))
    }
    // A page's pictures are small ones of other pictures.
    let isPage = Self.pageFiles.contains { files in
      files.allSatisfy { name in names.contains { $0.elementsEqual(name.utf8) } }
    }
    if depth > 0, isPage { return }
    for name in names {
      if name.first == UInt8(ascii: ".") { continue }
      let path = folder.appending(name)
      var link = stat()
      guard path.withCString({ lstat($0, &link) }) == 0 else { continue }
      let below = relative.isEmpty ? name : relative + [UInt8(ascii: "/")] + name
      if link.isFolder {
        try walk(path, relative: below, depth: depth + 1, written: written, into: &found)
      } else if let status = fileStatus(path), status.isRegularFile {
        let isOutput = written.contains {
          $0.outputs.contain(Array(below.dropFirst($0.below)), byteCount: Int(status.st_size))
        }
        if InputCollector.isRejected(name) {
          rejected += 1
        } else if isOutput {
          ownOutputs += 1
        } else if kind.takes(name) {
          found.append(InputReference(path: path, relative: FilePath(bytes: below), roots: roots))
        } else {
          others += 1
        }
      }
    }
  }
}
