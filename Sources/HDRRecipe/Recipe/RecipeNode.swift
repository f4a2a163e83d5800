import CYAML
import HDRCore
import HDRPlan
import PlainData

/// A value of a recipe file with its place, in YAML, which includes JSON.
package struct RecipeNode: Sendable {
  package indirect enum Content: Sendable {
    /// A text; plain if it has no quotes in the file.
    case scalar(String, isPlain: Bool)
    case list([RecipeNode])
    /// Pairs with text as keys, in the order of the file; each key is unique.
    case map([(key: RecipeNode, value: RecipeNode)])
  }
  package var content: Content
  package var place: RecipePlace
}

/// A place in a recipe file, for messages. Lines and columns count from 1.
package struct RecipePlace: Sendable, Hashable {
  package var file: String
  package var line: Int
  package var column: Int

  /// Returns an error with its place: `FILE:LINE:COLUMN: message`.
  package func error(_ message: Message) -> UsageError {
    UsageError("\(file):\(line):\(column): \(printable(message))")
  }
}

extension RecipeNode {
  /// The largest size of a recipe in bytes.
  package static let maxBytes = 1 << 20
  /// The largest nesting depth of lists and maps.
  package static let maxDepth = 32

  /// Returns another text at the same place.
  func renamed(_ text: String) -> RecipeNode { RecipeNode(content: .scalar(text, isPlain: true), place: place) }

  package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// True if a plain scalar is empty, `~` or `null`.
  package var isNull: Bool {
    if case .scalar(let text, true) = content { ["", "~", "null"].contains(text) } else { false }
  }

  /// Reads one document.
  ///
  /// - Throws: `UsageError` with line and column if the text is not YAML, is too large or too deep, repeats a key, or
  ///   uses aliases or tags: a few bytes of them can stand for any size and type.
  package init(parsing bytes: [UInt8], file: String) throws(UsageError) {
    guard bytes.count <= Self.maxBytes else {
      throw UsageError("\(file): the recipe has \(bytes.count) bytes, \(Self.maxBytes) is the limit")
    }
    var reader = EventReader(bytes, file: file)
    defer { reader.close() }
    self = try reader.document()
  }
}

/// Turns libyaml's events into nodes.
private struct EventReader {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The input, which libyaml reads while the parser lives.
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let file: String

  private enum Event {
    case scalar(String, isPlain: Bool)
    case list, map, end, documentStart, documentEnd, streamStart, streamEnd
  }

  init(_ bytes: [UInt8], file: String) {
    self.file = file
    input = .allocate(capacity: max(1, bytes.count))
    _ = input.initialize(from: bytes)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    // It fails only without memory; then the first event fails too.
    _ = yaml_parser_initialize(parser)
    yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
  }

  func close() {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  mutating func document() throws(UsageError) -> RecipeNode {
    var (event, place) = try next()
    while case .streamStart = event { (event, place) = try next() }
    guard case .documentStart = event else { throw place.error("the recipe is empty") }
    let root = try node(try next(), depth: 0)
    // Reads the document's end, then the stream's.
    _ = try next()
    (event, place) = try next()
    guard case .streamEnd = event else { throw place.error("a recipe is one document") }
    return root
  }

  private mutating func node(
    _ start: (event: Event, place: RecipePlace), depth: Int
  ) throws(UsageError) -> RecipeNode {
    let place = start.place
    guard depth < RecipeNode.maxDepth else {
      throw place.error("lists and maps are nested deeper than \(RecipeNode.maxDepth)")
    }
    switch start.event {
    case .scalar(let text, let isPlain): return RecipeNode(content: .scalar(text, isPlain: isPlain), place: place)
    case .list:
      var list: [RecipeNode] = []
      while true {
        let next = try next()
        if case .end = next.event { return RecipeNode(content: .list(list), place: place) }
        list.append(try node(next, depth: depth + 1))
      }
    case .map:
      var map: [(key: RecipeNode, value: RecipeNode)] = []
      var lines: [String: Int] = [:]
      while true {
        let next = try next()
        if case .end = next.event { return RecipeNode(content: .map(map), place: place) }
        let key = try node(next, depth: depth + 1)
        guard let name = key.text else { throw key.place.error("a key is a word, not a list or a map") }
        if let line = lines.updateValue(key.place.line, forKey: name) {
          throw key.place.error("\"\(name)\" stands in line \(line) already")
        }
        map.append((key, try node(try self.next(), depth: depth + 1)))
      }
    case .end, .documentStart, .documentEnd, .streamStart, .streamEnd: throw place.error("a value is missing")
    }
  }

  private mutating func next() throws(UsageError) -> (event: Event, place: RecipePlace) {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else {
      let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
      let isCharacter = parser.pointee.error == YAML_READER_ERROR
      throw (isCharacter ? self.place(ofByte: parser.pointee.problem_offset) : place(parser.pointee.problem_mark))
        .error("this is not YAML: \(problem)")
    }
    defer { yaml_event_delete(&event) }
    let place = place(event.start_mark)
    switch event.type {
    case YAML_STREAM_START_EVENT: return (.streamStart, place)
    case YAML_STREAM_END_EVENT: return (.streamEnd, place)
    case YAML_DOCUMENT_START_EVENT: return (.documentStart, place)
    case YAML_DOCUMENT_END_EVENT: return (.documentEnd, place)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      try refuse(start.anchor, start.tag, place)
      return (.list, place)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      try refuse(start.anchor, start.tag, place)
      return (.map, place)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return (.end, place)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      try refuse(scalar.anchor, scalar.tag, place)
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.value == nil ? 0 : scalar.length),
        as: UTF8.self)
      guard isStreamSafe(utf8: text.utf8) else { throw place.error("more than 30 combining marks in a row") }
      return (.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), place)
    default: throw place.error("aliases (*name) are not taken in recipes: write the value again")
    }
  }

  private func refuse(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?, _ place: RecipePlace
  ) throws(UsageError) {
    if anchor != nil { throw place.error("anchors (&name) are not taken in recipes: write the value again") }
    if tag != nil { throw place.error("tags (!name) are not taken in recipes") }
  }

  private func place(_ mark: yaml_mark_t) -> RecipePlace {
    RecipePlace(file: file, line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  private func place(ofByte offset: Int) -> RecipePlace {
    let before = input.prefix(max(0, offset))
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return RecipePlace(
      file: file, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - start + 1)
  }
}
