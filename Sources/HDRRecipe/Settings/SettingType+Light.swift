import HDRCore
import HDRPlan
import PlainData

/// The headroom of the content: a number, or a method to measure it.
public enum ContentHeadroomChoice: Sendable, Hashable {
  case stated(Headroom)
  case measured(HeadroomMeasure)

  package var headroom: Headroom? { if case .stated(let headroom) = self { headroom } else { nil } }
  package var measure: HeadroomMeasure? { if case .measured(let measure) = self { measure } else { nil } }
}

/// The headroom of the display by range, with the names of Core Image and SwiftUI.
public enum DynamicRange: String, Sendable, Hashable, CaseIterable {
  case standard
  case constrainedHigh = "constrained-high"
  case high
}

extension SettingType where Value == Headroom {
  static var headroom: SettingType {
    SettingType("factor|stops") { text throws(SettingFault) in
      guard let headroom = Headroom(argument: text) else {
        throw SettingFault("is a factor from 1 (4) or stops (2ev), not \(text)")
      }
      return headroom
    } text: {
      shortest($0.factor)
    }
  }
}

extension SettingType where Value == ContentHeadroomChoice {
  static var contentHeadroom: SettingType {
    SettingType("factor|stops|measured", words: ["measured", "p99.99"]) { text throws(SettingFault) in
      if text == "measured" { return .measured(.maximum) }
      if text.hasPrefix("p"), let percent = decimal(String(text.dropFirst())), (0...100).contains(percent) {
        return .measured(.percentile(percent))
      }
      guard let headroom = Headroom(argument: text) else {
        throw SettingFault("is a factor from 1 (4), stops (2ev), measured or p99.99, not \(text)")
      }
      return .stated(headroom)
    } text: {
      switch $0 {
      case .stated(let headroom): shortest(headroom.factor)
      case .measured(.maximum): "measured"
      case .measured(.percentile(let percent)): "p" + shortest(percent)
      }
    }
  }
}

extension SettingType where Value == Display {
  static var display: SettingType {
    let words = DisplayPreset.all.map(\.name)
    return SettingType("name|peak:white", words: words) { text throws(SettingFault) in
      if text.contains(":") {
        guard let display = Display(argument: text) else {
          throw SettingFault("is peak:white in cd/m², 1...10000, such as 1000:100, or a name, not \(text)")
        }
        return display
      }
      guard let preset = Nearest.match(text, among: words).flatMap({ DisplayPreset.named($0) }) else {
        throw SettingFault.notOne(of: words, text)
      }
      return preset.display
    } text: { display in
      // Others are written by their luminances, which several names may share.
      DisplayPreset.all.first { $0.display == display && display.isReference }?.name
        ?? "\(shortest(display.peak)):\(shortest(display.white))"
    }
  }
}

extension SettingType where Value == MasteringChoice {
  /// The type of `hlg`, `file`, or black, peak and scale in cd/m².
  static var mastering: SettingType {
    SettingType("hlg|min:max:scale|file", words: ["hlg", "file"]) { text throws(SettingFault) in
      if text == "hlg" { return .hlg }
      if text == "file" { return .file }
      let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { decimal(String($0)) ?? .nan }
      let scale = numbers.count == 3 ? numbers[2] : nil
      guard numbers.count == 2 || numbers.count == 3, numbers.allSatisfy(\.isFinite), (0...10).contains(numbers[0]),
        (1...10_000).contains(numbers[1]), numbers[0] < numbers[1], (1...10_000).contains(scale ?? 1)
      else { throw SettingFault("is hlg, file, or black:peak:scale in cd/m² (0.005:1000:203), not \(text)") }
      return .hdr10(black: numbers[0], peak: numbers[1], scale: scale)
    } text: {
      switch $0 {
      case .hlg: "hlg"
      case .file: "file"
      case .hdr10(let black, let peak, let scale):
        ([black, peak] + (scale.map { [$0] } ?? [])).map(shortest).joined(separator: ":")
      }
    }
  }
}

extension SettingType where Value == ToneChoice {
  /// The type of `auto`, `none` or an operator's name with parameters: `bt2390:knee=1,display-black=0.1`.
  static var tone: SettingType {
    let words = ["auto"] + ToneOperators.all.map { $0.name } + ["none"]
    return SettingType("operator", words: words) { text throws(SettingFault) in
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = Nearest.match(parts[0], among: words) else {
        if Nearest.folded(parts[0]).hasPrefix("aces2") {
          throw SettingFault(
            "has no value \"\(parts[0])\": the transforms of ACES 2 are views, as sdr-709 or hdr1000-2020")
        }
        throw SettingFault.notOne(of: words, parts[0])
      }
      guard let tone = ToneOperators.named(name) else {
        guard parts.count == 1 else { throw SettingFault("\(name) has no parameters") }
        return name == "none" ? .none : .auto
      }
      var values: [String: Double] = [:]
      for pair in parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : [] {
        let sides = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, let value = decimal(sides[1]) else {
          throw SettingFault("takes parameters as NAME=NUMBER: bt2390:knee=1,display-black=0.1, not \(text)")
        }
        let key = Nearest.match(sides[0], among: tone.parameters.map(\.name)) ?? sides[0]
        guard values.updateValue(value, forKey: key) == nil else { throw SettingFault("has \(key) twice") }
      }
      if let complaint = ToneValues(values).complaint(tone) { throw SettingFault("cannot be that: \(complaint)") }
      return .named(tone.name, ToneValues(values))
    } text: {
      switch $0 {
      case .auto: "auto"
      case .none: "none"
      case .named(let name, let values):
        name + (values.values.isEmpty ? "" : ":")
          + values.values.sorted { $0.key < $1.key }.map { "\($0.key)=\(shortest($0.value))" }.joined(separator: ",")
      }
    }
  }
}

/// The choice of ST 2094-50 metadata for an ICC profile.
package enum ProfileToneChoice: Sendable, Hashable {
  case automatic, referenceWhite, fit, forcedFit
  /// The metadata of a file.
  case file(String)

  private static let named: [(name: String, choice: ProfileToneChoice)] = [
    ("auto", .automatic), ("reference-white", .referenceWhite), ("fit", .fit), ("force-fit", .forcedFit),
  ]

  static var names: [String] { named.map(\.name) }

  init(_ text: String) { self = Self.named.first { $0.name == text }?.choice ?? .file(text) }

  var text: String {
    if case .file(let path) = self { path } else { Self.named.first { $0.choice == self }?.name ?? "" }
  }
}

extension SettingType where Value == ProfileToneChoice {
  static var profileTone: SettingType {
    // Any other word is a file's name, so that there is no list of words.
    var type = SettingType("rule|file") { text throws(SettingFault) in
      Value(text)
    } text: {
      $0.text
    }
    type.isPath = true
    return type
  }
}
