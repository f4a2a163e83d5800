/// Returns text of a file or its name without control characters, which become `\xHH`: it can neither end a line nor
/// start one.
package func printable(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    // Control characters, and marks that change the direction of writing: both can disguise a line.
    case .control, .format, .lineSeparator, .paragraphSeparator: result += String(scalar).utf8.map(escape).joined()
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Returns text as `printable(_:)` does; of bytes that are not UTF-8 all but printable ASCII becomes `\xHH`.
package func printable(_ bytes: [UInt8]) -> String {
  guard let text = String(validating: bytes, as: UTF8.self) else {
    return bytes.map { (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : escape($0) }.joined()
  }
  return printable(text)
}

private func escape(_ byte: UInt8) -> String { "\\x" + hex(byte, digits: 2) }
