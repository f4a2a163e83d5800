import HDRCore
import PlainData

/// An XML file of a colour transform or correction: elements with their lines.
struct LUTXML {
  /// Limits on untrusted files (docs/isolation.md#limits).
  static let limits = XMLLimits(bytes: LUTLines.maxBytes, depth: 32)

  let elements: [XMLElement]
  /// The bytes at which lines end.
  private let ends: [Int]

  init(_ bytes: [UInt8]) throws(LUTError) {
    let ends = bytes.indices.filter { bytes[$0] == 0x0a }
    do throws(XMLFault) {
      elements = try XMLScanner(bytes, limits: Self.limits).elements
    } catch {
      throw LUTError(
        error.kind == .doctype ? .doctype : .xml, line: Self.line(error.place, ends),
        reason: error.kind == .doctype ? "a DOCTYPE is not read; remove it" : "no XML: " + error.what)
    }
    self.ends = ends
  }

  private static func line(_ place: Int, _ ends: [Int]) -> Int {
    var low = 0, high = ends.count
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low + 1
  }

  var root: LUTElement { LUTElement(self, 0) }

  func line(of element: XMLElement) -> Int { Self.line(element.bytes.lowerBound, ends) }
}

/// An element of such a file.
struct LUTElement {
  private let file: LUTXML
  private let number: Int

  init(_ file: LUTXML, _ number: Int) { (self.file, self.number) = (file, number) }

  private var element: XMLElement { file.elements[number] }
  var name: String { element.name.local }
  var namespace: String { element.name.namespace }
  var line: Int { file.line(of: element) }
  var text: String { element.text }
  var children: [LUTElement] { element.children.map { LUTElement(file, $0) } }

  /// Returns the children of a name.
  func all(_ names: String...) -> [LUTElement] { children.filter { names.contains($0.name) } }

  /// Returns the only child of a name; `nil` for none.
  func one(_ names: String...) throws(LUTError) -> LUTElement? {
    let found = children.filter { names.contains($0.name) }
    guard found.count < 2 else {
      throw LUTError(.arrayCount, line: found[1].line, reason: "\(names[0]) stands twice in one element")
    }
    return found.first
  }

  /// Returns an attribute without a namespace.
  func attribute(_ name: String) -> String? {
    element.attributes.first { $0.name == XMLName("", name) && $0.declaredNamespace == nil }?.value
  }

  /// Returns a number in an attribute; `nil` if it is not there.
  func number(_ name: String) throws(LUTError) -> Double? {
    guard let text = attribute(name) else { return nil }
    return try LUTNumbers.finite(text.filter { !$0.isWhitespace }, line: line, name)
  }

  /// The words of the element's text.
  var words: [Substring] {
    element.text.utf8.split(whereSeparator: { $0 == 0x20 || (0x09...0x0d).contains($0) }).map { Substring($0) }
  }

  /// Returns the numbers of the element's text.
  func numbers(_ what: String) throws(LUTError) -> [Double] {
    let words = words, line = line
    var values: [Double] = []
    values.reserveCapacity(words.count)
    for word in words { values.append(try LUTNumbers.finite(word, line: line, what)) }
    return values
  }

  func error(_ code: LUTError.Code, _ reason: String) -> LUTError { LUTError(code, line: line, reason: reason) }
}
