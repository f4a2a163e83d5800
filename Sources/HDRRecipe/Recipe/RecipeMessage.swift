/// A text that marks names of settings: `"\(setting: "quality") has no effect"`.
public struct RecipeMessage: Sendable, Hashable, ExpressibleByStringInterpolation {
  enum Part: Sendable, Hashable {
    case text(String)
    case setting(String)
  }
  var parts: [Part]

  public init(stringLiteral text: String) { parts = [.text(text)] }
  public init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

  public struct Interpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }
    public mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
    public mutating func appendInterpolation(_ number: Int) { parts.append(.text("\(number)")) }
    public mutating func appendInterpolation(setting name: String) { parts.append(.setting(name)) }
  }

  public static func + (a: RecipeMessage, b: RecipeMessage) -> RecipeMessage {
    var result = a
    result.parts += b.parts
    return result
  }

  /// Returns the text; with `dashes`, names are written as options.
  func text(dashes: Bool) -> String {
    parts.map {
      switch $0 {
      case .text(let text): text
      case .setting(let name): dashes ? "--" + name : name
      }
    }.joined()
  }
}
