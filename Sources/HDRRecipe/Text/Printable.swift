/// Returns text of a file or its name without control characters, which become `\xHH`: it can neither end a line nor
/// start one.
package func printable(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    // Control characters, and marks that change the direction of writing: both can disguise a line.
    case .control, .format, .lineSeparator, .paragraphSeparator:
      for byte in String(scalar).utf8 { result += hexEscape(byte) }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

package func hexEscape(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16)
  return "\\x" + (digits.count == 1 ? "0" : "") + digits
}
