/// The fields of a JSON object, found without reading what is in them: rows of journals have fifty, and most readers want
/// five. The text between them is not checked.
struct FieldScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  /// `nil` for what is no object.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
    self.bytes = UnsafeBufferPointer(rebasing: bytes.dropLast())
    at = 1
  }

  /// The next field: its key without quotes, as it is written, and its value's text. `nil` at the end, and where it is no
  /// field.
  mutating func next() -> (key: Slice<UnsafeBufferPointer<UInt8>>, value: Slice<UnsafeBufferPointer<UInt8>>)? {
    skip { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
    let key = at + 1
    skipString()
    guard at > key else { return nil }
    let keyEnd = at - 1
    skip { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }
    let value = at
    skipValue()
    return at > value ? (bytes[key..<keyEnd], bytes[value..<at]) : nil
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while at < bytes.count, isSkipped(bytes[at]) { at += 1 }
  }

  /// Moves from the first quote of a string to after its last.
  private mutating func skipString() {
    at += 1
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\"): at = min(at + 2, bytes.count)
      case UInt8(ascii: "\""):
        at += 1
        return
      default: at += 1
      }
    }
  }

  private mutating func skipValue() {
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return
      default: break
      }
      at += 1
    }
  }
}
