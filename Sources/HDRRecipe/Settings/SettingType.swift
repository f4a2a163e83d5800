import HDRCore
import HDRPlan
import PlainData

/// The values of a setting, with functions to read and write them as text.
package struct SettingType<Value: Sendable>: Sendable {
  /// The placeholder of a value in help: `n`, `file`.
  package var placeholder: String
  /// Whole values or beginnings of them, for help, completion and suggestions; empty if any number or text is allowed.
  package var words: [String] = []
  /// True if the value is a number in recipes.
  package var isNumber = false
  /// True for a path: relative to the recipe in recipes, to the working folder elsewhere.
  package var isPath = false
  package var read: @Sendable (String) throws(SettingFault) -> Value
  /// Writes the canonical text of a value, which `read` turns back into the value.
  package var text: @Sendable (Value) -> String

  package init(
    _ placeholder: String, words: [String] = [], read: @escaping @Sendable (String) throws(SettingFault) -> Value,
    text: @escaping @Sendable (Value) -> String
  ) {
    self.placeholder = placeholder
    self.words = words
    self.read = read
    self.text = text
  }
}

extension SettingType where Value == Int {
  package static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "n") -> SettingType {
    var type = SettingType(placeholder) { text throws(SettingFault) in
      guard let value = Int(text), range.contains(value) else {
        throw SettingFault("is \(range.lowerBound)...\(range.upperBound), not \(text)")
      }
      return value
    } text: {
      "\($0)"
    }
    type.isNumber = true
    return type
  }

  /// Makes a type of a few numbers.
  package static func integer(of values: [Int], _ placeholder: String = "n") -> SettingType {
    let words = values.map(String.init)
    var type = SettingType(placeholder, words: words) { text throws(SettingFault) in
      guard let value = Int(text), values.contains(value) else { throw SettingFault.notOne(of: words, text) }
      return value
    } text: {
      "\($0)"
    }
    type.isNumber = true
    return type
  }

  /// Makes a type of byte counts: 1500000, 512M, 4G (powers of 1024).
  package static func bytes(_ range: ClosedRange<Int> = 1...1 << 46) -> SettingType {
    SettingType("bytes|4G") { text throws(SettingFault) in
      let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
      let shift = text.last.flatMap { shifts[Character($0.uppercased())] }
      let digits = shift == nil ? text : String(text.dropLast())
      if let (value, overflow) = Int(digits)?.multipliedReportingOverflow(by: 1 << (shift ?? 0)), !overflow,
        range.contains(value)
      {
        return value
      }
      throw SettingFault("is a number of bytes (512M, 4G) from \(range.lowerBound) to \(range.upperBound), not \(text)")
    } text: {
      "\($0)"
    }
  }
}

extension SettingType where Value == Double {
  package static func number(_ range: ClosedRange<Double>, _ placeholder: String = "x") -> SettingType {
    var type = SettingType(placeholder) { text throws(SettingFault) in
      guard let value = decimal(text), range.contains(value) else {
        throw SettingFault("is \(short(range.lowerBound))...\(short(range.upperBound)), not \(text)")
      }
      return value
    } text: {
      shortest($0)
    }
    type.isNumber = true
    return type
  }
}

extension SettingType where Value == String {
  package static func text(_ placeholder: String) -> SettingType {
    SettingType(placeholder) { text throws(SettingFault) in
      guard !text.isEmpty else { throw SettingFault("is not empty") }
      return text
    } text: {
      $0
    }
  }

  package static func path(_ placeholder: String = "file") -> SettingType {
    var type = text(placeholder)
    type.isPath = true
    return type
  }

  package static func one(of words: [String], _ placeholder: String = "word") -> SettingType {
    SettingType(placeholder, words: words) { text throws(SettingFault) in
      guard let word = Nearest.match(text, among: words) else { throw SettingFault.notOne(of: words, text) }
      return word
    } text: {
      $0
    }
  }
}

extension SettingType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  package static func choice(_ type: Value.Type, _ placeholder: String = "word") -> SettingType {
    let words = type.allCases.map(\.rawValue)
    return SettingType(placeholder, words: words) { text throws(SettingFault) in
      guard let value = Nearest.match(text, among: words).flatMap({ Value(rawValue: $0) }) else {
        throw SettingFault.notOne(of: words, text)
      }
      return value
    } text: {
      $0.rawValue
    }
  }
}

extension SettingFault {
  /// Makes the fault of a word that is not in a list.
  package static func notOne(of words: [String], _ text: String) -> SettingFault {
    let hint = Nearest.hint(text, among: words)
    return SettingFault(
      "has no value \"\(text)\"" + (hint.isEmpty ? "; there are \(words.joined(separator: ", "))" : hint))
  }
}
