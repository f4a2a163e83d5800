import HDRCore
import HDRPlan
import PlainData

extension SettingType where Value == CodePoints {
  /// The type of code points, `9/16` or `9/16/9`.
  package static var codePoints: SettingType {
    SettingType("p/t/m") { text throws(SettingFault) in
      let codes = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
      guard (2...3).contains(codes.count), codes.allSatisfy({ (0...255).contains($0) }) else {
        throw SettingFault("is H.273 code points of primaries, transfer and matrix (9/16/9), not \(text)")
      }
      return CodePoints(primaries: codes[0], transfer: codes[1], matrix: codes.count == 3 ? codes[2] : nil)
    } text: {
      ([$0.primaries, $0.transfer] + ($0.matrix.map { [$0] } ?? [])).map(String.init).joined(separator: "/")
    }
  }
}

extension SettingType where Value == RawSource {
  /// The type of raw sources, `raw:p010,1920x1080,stride=4096,range=limited`.
  static var rawSource: SettingType {
    SettingType("raw:format,WxH") { text throws(SettingFault) in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard words.count >= 2, words[0].hasPrefix("raw:") else {
        throw SettingFault("is raw:FORMAT,WxH (raw:p010,1920x1080), not \(text)")
      }
      let format = try RawFormat.read(String(words[0].dropFirst(4)))
      let sides = words[1].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2 else { throw SettingFault("has a size as 1920x1080, not \(words[1])") }
      var source = RawSource(layout: RawLayout(format, width: sides[0], height: sides[1]))
      for word in words.dropFirst(2) {
        let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (pair[0], pair.count == 2 ? pair[1] : "") {
        case ("stride", let value) where Int(value) != nil: source.layout.stride = Int(value)
        case ("range", "full"): source.fullRange = true
        case ("range", "limited"): source.fullRange = false
        default: throw SettingFault("takes stride=BYTES and range=full or range=limited, not \(word)")
        }
      }
      if let fault = source.layout.fault { throw SettingFault("cannot be that: \(fault)") }
      return source
    } text: { source in
      let layout = source.layout
      return "raw:\(layout.format.name),\(layout.width)x\(layout.height)"
        + (layout.stride.map { ",stride=\($0)" } ?? "")
        + (source.fullRange.map { ",range=\($0 ? "full" : "limited")" } ?? "")
    }
  }
}

extension SettingType where Value == Double {
  /// The type of frame rates: `25`, `23.976` or `24000/1001`.
  static var frameRate: SettingType {
    var type = SettingType("rate") { text throws(SettingFault) in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { decimal(String($0)) ?? .nan }
      let rate = parts.count == 2 ? parts[0] / parts[1] : parts[0]
      guard parts.count <= 2, (0.001...100_000).contains(rate) else {
        throw SettingFault("is frames a second (25, 24000/1001), not \(text)")
      }
      return rate
    } text: {
      shortest($0)
    }
    type.isNumber = true
    return type
  }
}

extension RawFormat {
  /// Finds a format by its name; throws for an unknown name, with the nearest one.
  fileprivate static func read(_ name: String) throws(SettingFault) -> RawFormat {
    if let format = named(name.lowercased()) { return format }
    let names = allCases.map(\.name), hint = Nearest.hint(name, among: names)
    throw SettingFault(
      "has no format \"\(name)\"" + (hint.isEmpty ? "; there are \(names.joined(separator: ", "))" : hint))
  }
}

extension SettingType where Value == String {
  /// The type of output kinds by name. Its words list one example of each kind with a raw format.
  package static var outputKind: SettingType {
    SettingType("kind", words: KindNames.listed) { text throws(SettingFault) in
      guard let kind = Nearest.match(text, among: KindNames.all) else {
        throw KindHint.text(text).map { SettingFault($0) } ?? .notOne(of: KindNames.all, text)
      }
      return kind
    } text: {
      $0
    }
  }
}
