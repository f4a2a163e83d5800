import HDRCore
import HDRPlan
import PlainData

extension SettingType where Value == GainRange {
  static var gainRange: SettingType {
    SettingType("rule", words: ["full", "robust"]) { text throws(SettingFault) in
      if text == "full" { return .full }
      if text == "robust" { return .robust }
      guard let percent = decimal(text), (0..<50).contains(percent) else {
        throw SettingFault("is full, robust, or percent from 0 and below 50, not \(text)")
      }
      return .percentile(percent)
    } text: {
      switch $0 {
      case .full: "full"
      case .robust: "robust"
      case .percentile(let percent): shortest(percent)
      }
    }
  }
}

extension SettingType where Value == HeadroomMeasure {
  static var headroomMeasure: SettingType {
    SettingType("rule", words: ["max"]) { text throws(SettingFault) in
      if text == "max" { return .maximum }
      guard let percent = decimal(text), percent > 0, percent <= 100 else {
        throw SettingFault("is max, or percent above 0 and up to 100, not \(text)")
      }
      return .percentile(percent)
    } text: {
      switch $0 {
      case .maximum: "max"
      case .percentile(let percent): shortest(percent)
      }
    }
  }
}

extension SettingType where Value == [String] {
  /// Makes a type of words separated by commas.
  static func words(of words: [String], atLeastOneOf needed: [String]) -> SettingType {
    SettingType("list", words: words) { text throws(SettingFault) in
      var found: Set<String> = []
      for word in text.split(separator: ",") {
        guard words.contains(String(word)) else { throw SettingFault.notOne(of: words, String(word)) }
        found.insert(String(word))
      }
      guard needed.contains(where: found.contains) else {
        throw SettingFault("has at least one of \(needed.joined(separator: ", ")), not \(text)")
      }
      return words.filter(found.contains)
    } text: {
      $0.joined(separator: ",")
    }
  }
}
