import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The frozen plan of a batch: JSON Lines, a head and one row an item (docs/farm.md#manifest). No clock, host or user
/// is in it; planning twice gives the same bytes.
package struct Manifest: Sendable, Hashable {
  /// The row of an item.
  package struct Row: Sendable, Hashable {
    package var index: Int
    /// The index in `roots`, and the path below that root.
    package var root: Int
    package var input: FilePath
    /// True if the input was given itself, not found in the root: its links may lead anywhere.
    package var isGiven: Bool
    /// Bytes of the input when the manifest was made.
    package var size: Int
    /// The index of the output in the recipe.
    package var variant: Int
    /// The path below the output folder.
    package var output: FilePath
    /// The frame of a sequence; a file that stands in for a missing one lies in the same folder.
    package var frame: SequenceFrame?
    /// Number, from 1, of a picture of a file with several; `nil`: its main one.
    package var image: Int?

    package init(
      index: Int, root: Int, input: FilePath, isGiven: Bool = false, size: Int, variant: Int = 0, output: FilePath,
      frame: SequenceFrame? = nil, image: Int? = nil
    ) {
      self.index = index
      self.root = root
      self.input = input
      self.isGiven = isGiven
      self.size = size
      self.variant = variant
      self.output = output
      self.frame = frame
      self.image = image
    }

    /// The input and the number of its picture, for messages.
    var display: String { input.display + (image.map { ", image \($0)" } ?? "") }
  }

  package static let format = 2
  static let maxLineBytes = 64 << 10
  /// The head holds a recipe.
  static let maxHeadBytes = 8 << 20

  /// The folder where the plan was made, absolute: every other path that is not absolute begins there.
  package var folder: FilePath
  /// Folders of the inputs, as the command line had them.
  package var roots: [FilePath]
  /// The output folder.
  package var out: FilePath
  /// The recipe for every input.
  package var recipe: Recipe
  /// The digest of the recipe and of the contents of the files that it names.
  package var recipeDigest: Digest
  package var rows: [Row]

  package init(
    folder: FilePath, roots: [FilePath], out: FilePath, recipe: Recipe, recipeDigest: Digest, rows: [Row]
  ) {
    self.folder = folder
    self.roots = roots
    self.out = out
    self.recipe = recipe
    self.recipeDigest = recipeDigest
    self.rows = rows
  }

  /// Creates the manifest of a plan's items in the order of their relative paths' bytes; with frames they keep their
  /// order. Pictures of one file and outputs of one input follow each other.
  package init(_ items: [BatchItem], folder: FilePath, out: FilePath, recipe: Recipe, recipeDigest: Digest) {
    self.init(folder: folder, roots: [], out: out, recipe: recipe, recipeDigest: recipeDigest, rows: [])
    var known: [FilePath: Int] = [:]
    let hasFrames = items.contains { $0.input.frame != nil }
    let sorted = items.sorted {
      ($0.input.relative, $0.input.path, $0.input.picture?.number ?? 0, $0.variant)
        < ($1.input.relative, $1.input.path, $1.input.picture?.number ?? 0, $1.variant)
    }
    for item in hasFrames ? items : sorted {
      let root = item.input.root
      if known[root] == nil {
        known[root] = roots.count
        roots.append(root)
      }
      rows.append(
        Row(
          index: rows.count, root: known[root]!, input: item.input.relative, isGiven: item.input.roots.isEmpty,
          size: fileStatus(item.input.file).map { Int($0.st_size) } ?? 0, variant: item.variant,
          output: item.relativeOutput, frame: item.input.frame.map { Row.frame($0) },
          image: item.input.picture?.number))
    }
  }

  /// Returns a function from a row to its file: links found in folders may lead as far as the folders that were given.
  package func inputs() -> (Row) -> InputReference {
    let found = Set(rows.filter { !$0.isGiven }.map(\.root)).sorted().map { roots[$0] }
    return { row in
      var item = InputReference(
        path: roots[row.root].appending(row.input.bytes), relative: row.input, roots: row.isGiven ? [] : found)
      item.frame = row.frame
      item.picture = row.image.map { InputPicture(number: $0) }
      if let held = row.frame?.held { item.frame?.held = item.path.parent.appending(held.bytes) }
      return item
    }
  }

  /// True if every input is a frame: shards are ranges of frames then.
  package var isSequence: Bool { !rows.isEmpty && rows.allSatisfy { $0.frame != nil } }

  /// Numbers of all frames, rising.
  package var frames: [Int] { Set(rows.compactMap(\.frame?.number)).sorted() }

  /// The stable name of an item: it depends on its place, its output and its recipe, not on its number.
  package func id(_ row: Row) -> String {
    Self.id(input: row.input, image: row.image, output: row.output, recipe: recipeDigest)
  }

  package static func id(input: FilePath, image: Int? = nil, output: FilePath, recipe: Digest) -> String {
    var hasher = Digest.Hasher()
    for path in [input, output] { hasher.add(path.bytes + [0]) }
    if let image { hasher.add("image \(image)") }
    hasher.add(recipe.bytes)
    return String(hasher.finish().hex.prefix(16))
  }

  /// The digest of the whole manifest: journals name it.
  package var digest: Digest { Digest(of: bytes) }

  // MARK: Text

  package var bytes: [UInt8] {
    let head: JSON = [
      "type": "manifest", "format": .int(Self.format), "folder": .exactPath(folder),
      "roots": .array(roots.map(JSON.exactPath)),
      "out": .exactPath(out), "recipe": recipe.value, "recipeDigest": .string(recipeDigest.hex),
      "items": .int(rows.count),
    ]
    let lines = rows.map { row -> JSON in
      let line: JSON = [
        "index": .int(row.index), "id": .string(id(row)), "root": .int(row.root), "input": .exactPath(row.input),
        "size": .int(row.size), "variant": .int(row.variant), "output": .exactPath(row.output),
      ]
      let pictured = row.image.map { line.with("image", .int($0)) } ?? line
      let given = row.isGiven ? pictured.with("given", .bool(true)) : pictured
      guard let frame = row.frame else { return given }
      let numbered = given.with("frame", .int(frame.number)).with("first", .int(frame.first))
      return frame.held.map { numbered.with("held", .exactPath($0)) } ?? numbered
    }
    return Array(([head] + lines).map { $0.line + "\n" }.joined().utf8)
  }

  /// The text, if it can be read again.
  ///
  /// - Throws: `UsageError` for what no reader takes, such as a path of more than 4096 bytes.
  package func readableBytes() throws(UsageError) -> [UInt8] {
    let bytes = bytes
    guard try Manifest(parsing: bytes, name: "the manifest").bytes == bytes else {
      throw UsageError("the manifest would be read as another one: a text of the recipe is not kept as it is")
    }
    return bytes
  }

  /// - Throws: `UsageError` with the line that is wrong: torn lines, rows twice, paths that lead out of their folder,
  ///   outputs that some file systems treat as one.
  package init(parsing bytes: [UInt8], name: String) throws(UsageError) {
    func fault(_ line: Int, _ what: String) -> UsageError { UsageError("\(name):\(line): \(what)") }
    guard bytes.last == UInt8(ascii: "\n") else {
      throw fault(bytes.count(where: { $0 == 10 }) + 1, "the line is torn")
    }
    let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    func parsed(_ index: Int) throws(UsageError) -> JSON {
      let limit = index == 0 ? Self.maxHeadBytes : Self.maxLineBytes
      guard lines[index].count <= limit else { throw fault(index + 1, "the line is longer than \(limit) bytes") }
      do throws(JSONError) {
        return try JSON(parsing: Array(lines[index]))
      } catch {
        throw fault(index + 1, "\(error)")
      }
    }
    let head = try parsed(0)
    guard head["type"]?.string == "manifest", let format = head["format"]?.integer else {
      throw fault(1, "this is no manifest; hdrbatch plan makes one")
    }
    guard format == Self.format else {
      throw fault(
        1,
        "the manifest has format \(format), and this version reads format \(Self.format): plan again with hdrbatch plan"
      )
    }
    guard let place = head["folder"].flatMap({ FilePath($0) }), place.isAbsolute else {
      throw fault(1, "the head's folder is no absolute path")
    }
    guard let roots = head["roots"]?.array?.map({ FilePath($0) }), !roots.contains(nil), let out = head["out"],
      let folder = FilePath(out), let recipe = head["recipe"],
      let digest = head["recipeDigest"]?.string.flatMap({ Digest(hex: $0) }), let count = head["items"]?.integer
    else { throw fault(1, "the head lacks roots, out, recipe, recipeDigest or items") }
    guard count == lines.count - 1 else {
      throw fault(1, "the head announces \(count) items, and \(lines.count - 1) follow")
    }
    self.init(
      folder: place, roots: roots.compactMap(\.self), out: folder,
      recipe: try RecipeText(recipe, file: name).recipe, recipeDigest: digest, rows: [])
    var owners: [String: Int] = [:]
    for index in 1..<max(1, lines.count) {
      let json = try parsed(index)
      guard let root = json["root"]?.integer, let input = json["input"].flatMap({ FilePath($0) }),
        let output = json["output"].flatMap({ FilePath($0) }), let size = json["size"]?.integer, size >= 0,
        let variant = json["variant"]?.integer, variant >= 0
      else { throw fault(index + 1, "the row lacks root, input, size, variant or output") }
      guard json["index"]?.integer == index - 1 else { throw fault(index + 1, "the row's index is not \(index - 1)") }
      guard self.roots.indices.contains(root) else { throw fault(index + 1, "there is no root \(root)") }
      for (path, what) in [(input, "input"), (output, "output")] {
        if let reason = path.leadsOut { throw fault(index + 1, "the \(what) \(path.display) \(reason)") }
      }
      if let other = owners.updateValue(index, forKey: output.folded) {
        throw fault(index + 1, "the output \(output.display) is that of line \(other + 1) too")
      }
      let row = Row(
        index: index - 1, root: root, input: input, isGiven: json["given"]?.bool == true, size: size, variant: variant,
        output: output, frame: try Row.frame(json) { fault(index + 1, $0) }, image: json["image"]?.integer)
      if let image = row.image, image < 1 { throw fault(index + 1, "there is no image \(image)") }
      // Outputs of one input count from 0, in a row.
      func isBefore(_ last: Row) -> Bool {
        last.input == input && last.root == root && last.image == row.image && last.variant == variant - 1
      }
      guard variant == 0 || rows.last.map(isBefore) == true else {
        throw fault(index + 1, "the variant \(variant) does not follow the row before")
      }
      guard json["id"]?.string == id(row) else { throw fault(index + 1, "the row's id does not fit its contents") }
      rows.append(row)
    }
  }
}

extension Manifest.Row {
  /// Returns the frame as the manifest holds it: a held file by its name alone.
  fileprivate static func frame(_ frame: SequenceFrame) -> SequenceFrame {
    SequenceFrame(
      number: frame.number, first: frame.first, held: frame.held.map { FilePath(bytes: $0.name) })
  }

  fileprivate static func frame(
    _ json: JSON, _ fault: (String) -> UsageError
  ) throws(UsageError) -> SequenceFrame? {
    guard let number = json["frame"]?.integer else { return nil }
    let first = json["first"]?.integer ?? number, held = json["held"].flatMap { FilePath($0) }
    guard (0...ItemRange.limit).contains(number), (0...number).contains(first) else {
      throw fault("there is no frame \(number) of a sequence from \(first)")
    }
    if let held, let reason = held.leadsOut ?? (held.bytes.contains(UInt8(ascii: "/")) ? "is no name" : nil) {
      throw fault("the held frame \(held.display) \(reason)")
    }
    return SequenceFrame(number: number, first: first, held: held)
  }
}

extension FilePath {
  /// The reason why a path may not be taken below a folder; `nil` when it may.
  var leadsOut: String? {
    if bytes.isEmpty { return "is empty" }
    if isAbsolute { return "is absolute" }
    if bytes.count > 4096 { return "is longer than 4096 bytes" }
    for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if part.isEmpty || part.elementsEqual(".".utf8) { return "has an empty part" }
      if part.elementsEqual("..".utf8) { return "leads out of its folder" }
      if part.count > 255 { return "has a name of more than 255 bytes" }
      if part.contains(0) { return "has a zero byte" }
    }
    return nil
  }

  /// A key that is equal for paths that some file systems treat as one.
  var folded: String {
    // Swift compares strings by canonical equivalence. Bytes that are not UTF-8 stay apart from every text by a zero,
    // which no path has, and from each other by their digits.
    text?.lowercased() ?? "\0" + bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }.hexDigits
  }

  /// Reads what `JSON.exactPath` makes; `nil` for anything else.
  init?(_ json: JSON) {
    if let text = json.string {
      self.init(text)
    } else if let bytes = json["hex"]?.string.flatMap({ [UInt8](hexDigits: $0) }) {
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }
}

extension JSON {
  /// A path that can be read back: its text, or `{"hex": "…"}` where it is not UTF-8 or has long runs of combining marks.
  static func exactPath(_ path: FilePath) -> JSON {
    if let text = path.text, isStreamSafe(utf8: path.bytes) { return .string(text) }
    return ["hex": .string(path.bytes.hexDigits)]
  }
}
