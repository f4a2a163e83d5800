import HDRPlan

/// A size of outputs, as a step of the filter `resize`.
package struct ResizeChoice: Sendable, Hashable {
  /// The text of the size.
  package let text: String
  package let step: RecipeStep
}

extension SettingType where Value == ResizeChoice {
  /// The type of sizes: `2048`, `1920x1080`, `1920x`, `50%`; after a colon `fit`, `fill` or `stretch`, and `enlarge`.
  static var resize: SettingType {
    SettingType("size") { text throws(SettingFault) in
      let words = text.lowercased().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      var values: [String: FilterValue] = [:]
      func set(_ name: String, _ word: String) throws(SettingFault) {
        guard let number = Double(word), number.isFinite else {
          throw SettingFault("is 2048 for the longer side, 1920x1080, 1920x, x1080 or 50%, not \(text)")
        }
        values[name] = .number(number)
      }
      let sides = words[0].split(separator: "x", omittingEmptySubsequences: false).map(String.init)
      if words[0].hasSuffix("%") {
        try set("percent", String(words[0].dropLast()))
      } else if sides.count == 2, sides != ["", ""] {
        for (name, side) in zip(["width", "height"], sides) where !side.isEmpty { try set(name, side) }
      } else {
        try set("size", words[0])
      }
      for word in words.dropFirst() {
        switch word {
        case "enlarge": values["enlarge"] = .flag(true)
        case "fit", "fill", "stretch": values["fit"] = .word(word)
        default: throw SettingFault("takes :fit, :fill, :stretch and :enlarge, not :\(word)")
        }
      }
      let step = RecipeStep(FilterStep("resize", values))
      if let complaint = step.complaint { throw SettingFault("is no size: \(complaint.message)") }
      return ResizeChoice(text: words.joined(separator: ":"), step: step)
    } text: {
      $0.text
    }
  }
}
