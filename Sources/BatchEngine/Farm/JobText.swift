import HDRRecipe
import HDRRender
import PlainData

/// Escapes words for the languages of job files.
package enum JobText {
  /// - Throws: `UsageError` for a word that no job file can hold: control characters, line breaks of any kind.
  static func check(_ word: String) throws(UsageError) {
    guard word.unicodeScalars.allSatisfy({ isOneLine($0) }) else {
      throw UsageError(
        "\"\(printable(word))\" has a line break or a control character: a job file cannot hold it")
    }
  }

  private static func isOneLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// Returns a word for a POSIX shell: unchanged if it has no special characters, else between single quotes.
  package static func shell(_ word: String) -> String {
    let plain = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "@%+=:,./-_".utf8.contains(byte)
    }
    if !word.isEmpty && word.utf8.allSatisfy(plain) { return word }
    var quoted = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }

  package static func shell(_ words: [String]) -> String { words.map { shell($0) }.joined(separator: " ") }

  /// A double-quoted scalar of YAML 1.2 (§5.7, §7.3.1).
  static func yaml(_ word: String) -> String {
    var quoted = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\u{FEFF}", "\u{200B}"..."\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        quoted += "\\u" + hex(scalar.value, digits: 4).uppercased()
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  static func yaml(_ words: [String]) -> String { "[" + words.map { yaml($0) }.joined(separator: ", ") + "]" }
}
