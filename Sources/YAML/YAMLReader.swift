import CYAML
import PlainData

/// Rules say what a kind of file may hold.
package struct YAMLRules: Sendable {
  /// The word for such a file in messages, as `recipe`.
  package var noun: String
  /// The largest size in bytes.
  package var maxBytes: Int
  /// The largest nesting depth of lists and maps.
  package var maxDepth: Int
  /// True if values may have tags (`!<View>`), which nodes then hold.
  package var takesTags: Bool

  package init(noun: String, maxBytes: Int, maxDepth: Int, takesTags: Bool = false) {
    (self.noun, self.maxBytes, self.maxDepth, self.takesTags) = (noun, maxBytes, maxDepth, takesTags)
  }
}

extension YAMLNode {
  /// Reads one document.
  ///
  /// - Throws: `YAMLError` with line and column if the text is not YAML, is too large or too deep, repeats a key, or
  ///   uses aliases, or tags where the rules take none: a few bytes of them can stand for any size and type.
  package init(parsing bytes: [UInt8], file: String, _ rules: YAMLRules) throws(YAMLError) {
    guard bytes.count <= rules.maxBytes else {
      throw YAMLError(
        file: file, reason: "the \(rules.noun) has \(bytes.count) bytes, \(rules.maxBytes) is the limit")
    }
    var reader = EventReader(bytes, file: file, rules)
    defer { reader.close() }
    self = try reader.document()
  }
}

extension YAMLPlace {
  fileprivate func error(_ reason: String) -> YAMLError { YAMLError(file: file, place: self, reason: reason) }
}

/// Turns libyaml's events into nodes.
private struct EventReader {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The input, which libyaml reads while the parser lives.
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let file: String
  private let rules: YAMLRules

  private enum Event {
    case scalar(String, isPlain: Bool, tag: String?)
    case list(tag: String?), map(tag: String?)
    case end, documentStart, documentEnd, streamStart, streamEnd
  }

  init(_ bytes: [UInt8], file: String, _ rules: YAMLRules) {
    (self.file, self.rules) = (file, rules)
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

  mutating func document() throws(YAMLError) -> YAMLNode {
    var (event, place) = try next()
    while case .streamStart = event { (event, place) = try next() }
    guard case .documentStart = event else { throw place.error("the \(rules.noun) is empty") }
    let root = try node(try next(), depth: 0)
    // Reads the document's end, then the stream's.
    _ = try next()
    (event, place) = try next()
    guard case .streamEnd = event else { throw place.error("a \(rules.noun) is one document") }
    return root
  }

  private mutating func node(
    _ start: (event: Event, place: YAMLPlace), depth: Int
  ) throws(YAMLError) -> YAMLNode {
    let place = start.place
    guard depth < rules.maxDepth else {
      throw place.error("lists and maps are nested deeper than \(rules.maxDepth)")
    }
    switch start.event {
    case .scalar(let text, let isPlain, let tag):
      return YAMLNode(content: .scalar(text, isPlain: isPlain), tag: tag, place: place)
    case .list(let tag):
      var list: [YAMLNode] = []
      while true {
        let next = try next()
        if case .end = next.event { return YAMLNode(content: .list(list), tag: tag, place: place) }
        list.append(try node(next, depth: depth + 1))
      }
    case .map(let tag):
      var map: [(key: YAMLNode, value: YAMLNode)] = []
      var lines: [String: Int] = [:]
      while true {
        let next = try next()
        if case .end = next.event { return YAMLNode(content: .map(map), tag: tag, place: place) }
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

  private mutating func next() throws(YAMLError) -> (event: Event, place: YAMLPlace) {
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
      return (.list(tag: try tag(start.anchor, start.tag, place)), place)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return (.map(tag: try tag(start.anchor, start.tag, place)), place)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return (.end, place)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let tag = try tag(scalar.anchor, scalar.tag, place)
      let text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.value == nil ? 0 : scalar.length),
        as: UTF8.self)
      guard isStreamSafe(utf8: text.utf8) else { throw place.error("more than 30 combining marks in a row") }
      return (.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, tag: tag), place)
    default: throw place.error("aliases (*name) are not taken in \(rules.noun)s: write the value again")
    }
  }

  /// Returns the tag of a value that has no anchor.
  private func tag(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?, _ place: YAMLPlace
  ) throws(YAMLError) -> String? {
    if anchor != nil {
      throw place.error("anchors (&name) are not taken in \(rules.noun)s: write the value again")
    }
    guard let tag else { return nil }
    guard rules.takesTags else { throw place.error("tags (!name) are not taken in \(rules.noun)s") }
    return String(cString: tag)
  }

  private func place(_ mark: yaml_mark_t) -> YAMLPlace {
    YAMLPlace(file: file, line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  private func place(ofByte offset: Int) -> YAMLPlace {
    let before = input.prefix(max(0, offset))
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return YAMLPlace(
      file: file, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - start + 1)
  }
}
