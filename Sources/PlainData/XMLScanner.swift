/// An XML element with its namespace resolved.
package struct XMLElement {
  package var name: XMLName
  package var attributes: [XMLAttribute] = []
  package var children: [Int] = []
  /// The text directly inside, entities resolved, not trimmed.
  package var text = ""
  /// The place of the element, from its start tag to its end tag.
  package var bytes: Range<Int>
}

package struct XMLName: Hashable {
  /// The namespace's URI, empty for none.
  package var namespace: String
  package var local: String

  package init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }
}

package struct XMLAttribute {
  package var name: XMLName
  package var value: String
  /// The URI that a namespace declaration declares.
  package var declaredNamespace: String?
  /// The place of the attribute, from its name to its closing quote.
  package var bytes: Range<Int>
}

/// The reason why a document is not read.
package struct XMLFault: Error, Equatable {
  package enum Kind: String, Sendable {
    case malformed, limit, doctype
  }
  package var kind: Kind
  package var what: String
  /// The byte at which the scanner stopped.
  package var place = 0

  package init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }
}

/// The bounds of a document that differ by what it is.
package struct XMLLimits: Sendable {
  package var bytes: Int
  package var depth: Int

  package init(bytes: Int, depth: Int) { (self.bytes, self.depth) = (bytes, depth) }

  /// The bounds of an XMP packet.
  package static let xmp = XMLLimits(bytes: XMLScanner.maxBytes, depth: 64)
}

/// A scanner for the small part of XML that XMP and colour transforms use.
///
/// It has no document types, so no entities except the five of XML and character numbers: nothing can expand. Depth,
/// size, attributes and elements are limited; there is no recursion. Source: XML 1.0, Namespaces in XML; limits of
/// docs/isolation.md#limits.
package struct XMLScanner {
  /// The largest XMP packet.
  package static let maxBytes = 8 << 20
  package static let maxAttributes = 4096
  package static let maxElements = 1 << 17
  /// The longest URI of a namespace in bytes. Names are compared and hashed with their URI, so a long one would be read
  /// again for each element.
  static let maxNamespace = 1024

  /// Every element in document order; 0 is the root.
  package private(set) var elements: [XMLElement] = []

  private let input: [UInt8]
  private let maxDepth: Int
  private var at: Int
  private var open: [Int] = []
  private var openTags: [Range<Int>] = []
  private var prefixes: [String: [String]] = ["xml": ["http://www.w3.org/XML/1998/namespace"]]
  private var declared: [[String]] = []

  private static let marks = XMLFault(.limit, "more than 30 combining marks in a row")

  package init(_ input: [UInt8], limits: XMLLimits = .xmp) throws(XMLFault) {
    guard input.count <= limits.bytes else {
      throw XMLFault(.limit, "\(input.count) bytes, limit \(limits.bytes)")
    }
    // Marks may also be references, or be split by comments, so `scan` also checks the resolved text.
    guard isStreamSafe(utf8: input) else { throw Self.marks }
    (self.input, maxDepth) = (input, limits.depth)
    at = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    do throws(XMLFault) {
      try scan()
    } catch {
      var fault = error
      fault.place = at
      throw fault
    }
  }

  // MARK: Document

  private mutating func scan() throws(XMLFault) {
    while at < input.count {
      if input[at] != UInt8(ascii: "<") {
        try scanText()
      } else if starts("<?") {
        try skip(past: "?>", what: "processing instruction")
      } else if starts("<!--") {
        try skip(past: "-->", what: "comment")
      } else if starts("<![CDATA[") {
        try scanCDATA()
      } else if starts("<!") {
        throw XMLFault(.doctype, "document types and declarations are not read")
      } else if starts("</") {
        try scanEndTag()
      } else {
        try scanStartTag()
      }
    }
    guard open.isEmpty else { throw XMLFault(.malformed, "an element is not closed") }
    guard !elements.isEmpty else { throw XMLFault(.malformed, "no element") }
    for element in elements {
      guard isStreamSafe(utf8: element.text.utf8),
        element.attributes.allSatisfy({ isStreamSafe(utf8: $0.value.utf8) })
      else { throw Self.marks }
    }
  }

  private mutating func scanText() throws(XMLFault) {
    let start = at
    while at < input.count, input[at] != UInt8(ascii: "<") { at += 1 }
    if let element = open.last {
      elements[element].text += try resolved(start..<at)
      return
    }
    // Padding around the packet is white space, and NUL bytes of some writers.
    guard input[start..<at].allSatisfy({ isSpace($0) || $0 == 0 }) else {
      throw XMLFault(.malformed, "text outside the root element")
    }
  }

  private mutating func scanCDATA() throws(XMLFault) {
    let start = at + 9
    try skip(past: "]]>", what: "CDATA section")
    guard let element = open.last else { throw XMLFault(.malformed, "text outside the root element") }
    elements[element].text += String(decoding: input[start..<at - 3], as: UTF8.self)
  }

  private mutating func scanEndTag() throws(XMLFault) {
    at += 2
    let name = try scanName()
    skipSpace()
    guard at < input.count, input[at] == UInt8(ascii: ">") else { throw XMLFault(.malformed, "end tag is not closed") }
    at += 1
    guard let tag = openTags.last, input[tag] == input[name] else {
      throw XMLFault(.malformed, "end tag without its start tag")
    }
    close()
  }

  private mutating func close() {
    let element = open.removeLast()
    openTags.removeLast()
    elements[element].bytes = elements[element].bytes.lowerBound..<at
    for prefix in declared.removeLast() { prefixes[prefix]?.removeLast() }
  }

  private mutating func scanStartTag() throws(XMLFault) {
    guard open.count < maxDepth else { throw XMLFault(.limit, "elements nest deeper than \(maxDepth)") }
    guard elements.count < Self.maxElements else { throw XMLFault(.limit, "more than \(Self.maxElements) elements") }
    if open.isEmpty, !elements.isEmpty { throw XMLFault(.malformed, "more than one root element") }
    let start = at
    at += 1
    let tag = try scanName()
    var attributes: [(name: Range<Int>, value: String, bytes: Range<Int>)] = []
    var isEmpty = false
    while true {
      let before = at
      skipSpace()
      guard at < input.count else { throw XMLFault(.malformed, "start tag is not closed") }
      if input[at] == UInt8(ascii: ">") {
        at += 1
        break
      }
      if starts("/>") {
        at += 2
        isEmpty = true
        break
      }
      guard at > before else { throw XMLFault(.malformed, "attributes are not separated") }
      guard attributes.count < Self.maxAttributes else {
        throw XMLFault(.limit, "an element has more than \(Self.maxAttributes) attributes")
      }
      attributes.append(try scanAttribute())
    }

    var own: [String] = []
    for attribute in attributes {
      guard let prefix = declaredPrefix(attribute.name) else { continue }
      guard attribute.value.utf8.count <= Self.maxNamespace else {
        throw XMLFault(.limit, "a namespace is longer than \(Self.maxNamespace) bytes")
      }
      // RFC 3986 clause 2. Other characters would be normalized in each comparison.
      guard attribute.value.utf8.allSatisfy({ $0 < 0x80 }) else { throw XMLFault(.malformed, "a namespace is no URI") }
      prefixes[prefix, default: []].append(attribute.value)
      own.append(prefix)
    }
    declared.append(own)
    var element = XMLElement(name: name(tag, isAttribute: false), bytes: start..<at)
    element.attributes = attributes.map {
      XMLAttribute(
        name: name($0.name, isAttribute: true), value: $0.value,
        declaredNamespace: declaredPrefix($0.name) == nil ? nil : $0.value, bytes: $0.bytes)
    }
    elements.append(element)
    if let parent = open.last { elements[parent].children.append(elements.count - 1) }
    open.append(elements.count - 1)
    openTags.append(tag)
    if isEmpty { close() }
  }

  private mutating func scanAttribute() throws(XMLFault) -> (name: Range<Int>, value: String, bytes: Range<Int>) {
    let name = try scanName()
    skipSpace()
    guard at < input.count, input[at] == UInt8(ascii: "=") else {
      throw XMLFault(.malformed, "attribute without value")
    }
    at += 1
    skipSpace()
    guard at < input.count, input[at] == UInt8(ascii: "\"") || input[at] == UInt8(ascii: "'") else {
      throw XMLFault(.malformed, "attribute value without quotes")
    }
    let quote = input[at], start = at + 1
    at = start
    while at < input.count, input[at] != quote {
      guard input[at] != UInt8(ascii: "<") else { throw XMLFault(.malformed, "'<' inside an attribute value") }
      at += 1
    }
    guard at < input.count else { throw XMLFault(.malformed, "attribute value is not closed") }
    at += 1
    return (name, try resolved(start..<at - 1), name.lowerBound..<at)
  }

  // MARK: Names

  /// Returns the prefix that an attribute declares, "" for the default namespace, `nil` for an ordinary attribute.
  private func declaredPrefix(_ name: Range<Int>) -> String? {
    let text = input[name]
    if text.elementsEqual("xmlns".utf8) { return "" }
    return text.starts(with: "xmlns:".utf8) ? String(decoding: text.dropFirst(6), as: UTF8.self) : nil
  }

  private func name(_ range: Range<Int>, isAttribute: Bool) -> XMLName {
    let text = input[range]
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
      return XMLName(isAttribute ? "" : prefixes[""]?.last ?? "", String(decoding: text, as: UTF8.self))
    }
    let prefix = String(decoding: text[..<colon], as: UTF8.self)
    return XMLName(prefixes[prefix]?.last ?? "", String(decoding: text[(colon + 1)...], as: UTF8.self))
  }

  private mutating func scanName() throws(XMLFault) -> Range<Int> {
    let start = at
    while at < input.count, isNameByte(input[at]) { at += 1 }
    guard at > start, at - start <= 1024 else { throw XMLFault(.malformed, "a name is missing or too long") }
    return start..<at
  }

  // MARK: Characters

  private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 128...255: true
    case UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  private func starts(_ text: StaticString) -> Bool {
    guard input.count - at >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where input[at + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func skipSpace() {
    while at < input.count, isSpace(input[at]) { at += 1 }
  }

  private mutating func skip(past text: StaticString, what: String) throws(XMLFault) {
    while at < input.count, !starts(text) { at += 1 }
    guard at < input.count else { throw XMLFault(.malformed, "\(what) is not closed") }
    at += text.utf8CodeUnitCount
  }

  /// Returns a text with its references replaced: the five names of XML and numbers, one character each.
  private func resolved(_ range: Range<Int>) throws(XMLFault) -> String {
    guard input[range].contains(UInt8(ascii: "&")) else { return String(decoding: input[range], as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard input[index] == UInt8(ascii: "&") else {
        bytes.append(input[index])
        index += 1
        continue
      }
      // "&#x10FFFF;" is the longest reference.
      let window = input[index + 1..<Swift.min(range.upperBound, index + 12)]
      guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
        throw XMLFault(.malformed, "a reference is not closed")
      }
      bytes.append(contentsOf: Array(try character(window[..<end]).utf8))
      index = end + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func character(_ reference: ArraySlice<UInt8>) throws(XMLFault) -> String {
    let text = String(decoding: reference, as: UTF8.self)
    switch text {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let number =
      text.hasPrefix("#x") ? UInt32(text.dropFirst(2), radix: 16) : text.hasPrefix("#") ? UInt32(text.dropFirst()) : nil
    guard let number, number != 0, let scalar = Unicode.Scalar(number) else {
      throw XMLFault(.malformed, "reference to an unknown entity")
    }
    return String(Character(scalar))
  }
}
