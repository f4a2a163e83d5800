/// A JSON text that cannot be read: what is wrong, and at which byte.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  package var reason: String
  package var offset: Int
  package var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
  /// Nesting that is read; more is refused.
  static let maxDepth = 32

  /// Reads one JSON text (RFC 8259) of untrusted bytes: strict UTF-8, no trailing text, no key twice, bounded depth.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    self = try parser.value(depth: 0)
    parser.skipSpace()
    if parser.at < bytes.count { throw parser.fault("text after the value") }
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func fault(_ reason: String) -> JSONError { JSONError(reason: reason, offset: at) }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ byte: Character) -> Bool {
    skipSpace()
    guard next == byte.asciiValue else { return false }
    at += 1
    return true
  }

  mutating func value(depth: Int) throws(JSONError) -> JSON {
    skipSpace()
    guard depth <= JSON.maxDepth else { throw fault("nesting deeper than \(JSON.maxDepth)") }
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw fault("the text ends where a value should be")
    default: return try number()
    }
  }

  private mutating func word(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[at...].starts(with: text.utf8) else { throw fault("no JSON value") }
    at += text.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(JSONError) -> JSON {
    at += 1
    var fields: [JSON.Field] = [], keys: Set<String> = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a key is missing") }
      let key = try string()
      guard keys.insert(key).inserted else { throw fault("the key \"\(printable(key))\" comes twice") }
      guard take(":") else { throw fault("a colon is missing") }
      fields.append(JSON.Field(key, try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw fault("an object is not closed") }
    return .object(fields)
  }

  private mutating func array(_ depth: Int) throws(JSONError) -> JSON {
    at += 1
    var values: [JSON] = []
    if take("]") { return .array([]) }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw fault("an array is not closed") }
    return .array(values)
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = at
    func digits(_ parser: inout JSONParser) -> Int {
      let from = parser.at
      while let byte = parser.next, (0x30...0x39).contains(byte) { parser.at += 1 }
      return parser.at - from
    }
    if next == UInt8(ascii: "-") { at += 1 }
    let first = next, whole = digits(&self)
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { throw fault("no JSON value") }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      at += 1
      isWhole = false
      guard digits(&self) > 0 else { throw fault("a number ends in a point") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      isWhole = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      guard digits(&self) > 0 else { throw fault("an exponent has no digits") }
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    if isWhole, let value = Int(text) { return .int(value) }
    guard let value = Double(text), value.isFinite else { throw fault("a number is too large") }
    return .number(value)
  }

  private mutating func string() throws(JSONError) -> String {
    at += 1
    var out: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: out, as: UTF8.self) else { throw fault("a string is not UTF-8") }
        guard isStreamSafe(utf8: out) else { throw fault("more than 30 combining marks in a row") }
        return text
      case UInt8(ascii: "\\"): try escape(into: &out)
      case 0..<0x20: throw fault("a control character in a string")
      default: out.append(byte)
      }
    }
    throw fault("a string is not closed")
  }

  private mutating func escape(into out: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw fault("a string is not closed") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
    case UInt8(ascii: "b"): out.append(0x08)
    case UInt8(ascii: "f"): out.append(0x0C)
    case UInt8(ascii: "n"): out.append(0x0A)
    case UInt8(ascii: "r"): out.append(0x0D)
    case UInt8(ascii: "t"): out.append(0x09)
    case UInt8(ascii: "u"):
      var unit = try fourDigits()
      if (0xD800..<0xDC00).contains(unit) {
        guard next == UInt8(ascii: "\\"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "u") else {
          throw fault("half a surrogate pair")
        }
        at += 2
        let low = try fourDigits()
        guard (0xDC00..<0xE000).contains(low) else { throw fault("half a surrogate pair") }
        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw fault("half a surrogate pair") }
      out += Array(String(scalar).utf8)
    default: throw fault("an unknown escape")
    }
  }

  private mutating func fourDigits() throws(JSONError) -> UInt32 {
    guard at + 4 <= bytes.count, let value = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16),
      bytes[at] != UInt8(ascii: "+"), bytes[at] != UInt8(ascii: "-")
    else { throw fault("no four hexadecimal digits") }
    at += 4
    return value
  }
}
