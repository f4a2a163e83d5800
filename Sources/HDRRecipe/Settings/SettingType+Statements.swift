import HDRCore
import PlainData

extension SettingType where Value == LightStatements.Level {
  /// The type of `auto`, `none`, or MaxCLL and MaxFALL in cd/m².
  static var lightLevel: SettingType {
    SettingType("maxcll:maxfall", words: ["auto", "none"]) { text throws(SettingFault) in
      if text == "auto" { return .measured }
      if text == "none" { return .none }
      let numbers = text.split { ":,".contains($0) }.map { decimal(String($0)) ?? .nan }
      guard numbers.count == 2, numbers.allSatisfy({ (0...10_000).contains($0) }) else {
        throw SettingFault("is auto, none, or MaxCLL:MaxFALL in cd/m² (1000:400), not \(text)")
      }
      let level = ContentLightLevel(maxCLL: numbers[0], maxFALL: numbers[1])
      if let fault = level.fault { throw SettingFault("cannot be \(text): \(fault)") }
      return .stated(level)
    } text: {
      switch $0 {
      case .measured: "auto"
      case .none: "none"
      case .stated(let level): "\(shortest(level.maxCLL)):\(shortest(level.maxFALL))"
      }
    }
  }
}

extension SettingType where Value == LightStatements.Mastering {
  /// The type of `auto`, `file`, `none`, primaries with minimum and maximum in cd/m², or box numbers in x265's form.
  static var masteringDisplay: SettingType {
    SettingType("primaries:min:max", words: ["auto", "file", "none"]) { text throws(SettingFault) in
      switch text {
      case "auto": return .automatic
      case "file": return .file
      case "none": return .none
      default: break
      }
      guard let display = MasteringDisplay(named: text) ?? MasteringDisplay(units: text) else {
        throw SettingFault(
          "is auto, file, none, PRIMARIES:MIN:MAX in cd/m² (p3:0.005:1000; p3, bt2020, srgb), or "
            + "G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in units of the file, not \(text)")
      }
      let fault = display.primaries?.allSatisfy(\.isPossible) == true ? display.fault : "a point is no colour"
      if let fault { throw SettingFault("cannot be \(text): \(fault)") }
      return .stated(display)
    } text: {
      switch $0 {
      case .automatic: "auto"
      case .file: "file"
      case .none: "none"
      case .stated(let display): display.unitsText
      }
    }
  }
}

extension MasteringDisplay {
  /// Reads primaries with minimum and maximum: `p3:0.005:1000`.
  fileprivate init?(named text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let codes = ["srgb": CICP.Primaries.bt709, "bt709": 1, "p3": CICP.Primaries.p3, "bt2020": CICP.Primaries.bt2020]
    guard parts.count == 3, let code = codes[parts[0].lowercased()], let space = Primaries(code: code),
      let low = decimal(parts[1]), let high = decimal(parts[2])
    else { return nil }
    self.init(primaries: [space.red, space.green, space.blue, space.white], maxLuminance: high, minLuminance: low)
  }

  /// Reads x265's form: `G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)`.
  fileprivate init?(units text: String) {
    var rest = text[...]
    func pair(_ name: String) -> (Double, Double)? {
      guard rest.hasPrefix(name + "("), let end = rest.firstIndex(of: ")") else { return nil }
      let numbers = rest[..<end].dropFirst(name.count + 1).split(separator: ",").compactMap { UInt32($0) }
      rest = rest[rest.index(after: end)...]
      return numbers.count == 2 ? (Double(numbers[0]), Double(numbers[1])) : nil
    }
    func point(_ name: String) -> Chromaticity? { pair(name).map { Chromaticity($0 / 50_000, $1 / 50_000) } }
    guard let green = point("G"), let blue = point("B"), let red = point("R"), let white = point("WP"),
      let (high, low) = pair("L"), rest.isEmpty
    else { return nil }
    self.init(primaries: [red, green, blue, white], maxLuminance: high / 10_000, minLuminance: low / 10_000)
  }

  fileprivate var unitsText: String {
    func units(_ value: Double, _ scale: Double) -> Int { Int((value * scale).rounded()) }
    let points = primaries ?? []
    guard points.count == 4 else { return "none" }
    return zip(["G", "B", "R", "WP"], [1, 2, 0, 3])
      .map { "\($0)(\(units(points[$1].x, 50_000)),\(units(points[$1].y, 50_000)))" }.joined()
      + "L(\(units(maxLuminance, 10_000)),\(units(minLuminance, 10_000)))"
  }
}
