/// Returns character data or an attribute value of XML and HTML, with references for the characters of markup.
///
/// - Parameter kept: characters that stay; `>` may, and in double quotes `'`.
package func xmlEscaped(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case _ where kept.contains(scalar): result.unicodeScalars.append(scalar)
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&apos;"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
