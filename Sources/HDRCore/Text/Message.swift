/// A text for people that marks names of settings: `"\(setting: "quality") has no effect"`. The command line shows a
/// name as an option, `--quality`; libraries and recipes, which have no options, show it as it is.
public struct Message: Sendable, Hashable, ExpressibleByStringInterpolation {
  package enum Part: Sendable, Hashable {
    case text(String)
    case setting(String)
  }

  /// The parts in their order: no text is empty, and none follows another, so that equal texts are equal values.
  package private(set) var parts: [Part] = []

  package init(_ parts: [Part]) { for part in parts { append(part) } }
  public init(stringLiteral text: String) { append(.text(text)) }
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.message }

  private mutating func append(_ part: Part) {
    switch (parts.last, part) {
    case (_, .text("")): break
    case (.text(let first), .text(let second)): parts[parts.count - 1] = .text(first + second)
    default: parts.append(part)
    }
  }

  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var message = Message([])

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ text: String) { message.append(.text(text)) }
    public mutating func appendInterpolation(_ value: some Any) { message.append(.text("\(value)")) }
    /// Adds a message, or an error's, with its settings.
    package mutating func appendInterpolation(_ value: some HasMessage) { message = message + value.message }
    package mutating func appendInterpolation(setting name: String) { message.append(.setting(name)) }
  }

  /// Returns the name of a setting alone.
  package static func setting(_ name: String) -> Message { Message([.setting(name)]) }

  package static func + (a: Message, b: Message) -> Message { Message(a.parts + b.parts) }

  /// Returns the text; with `dashes`, names of settings are written as options.
  package func text(dashes: Bool) -> String {
    parts.map {
      switch $0 {
      case .text(let text): text
      case .setting(let name): dashes ? "--" + name : name
      }
    }.joined()
  }

  /// Returns the message with other parts.
  package func map(_ change: (Part) -> Part) -> Message { Message(parts.map(change)) }
}

/// An error, or another value, that a message describes. Its `description` has no dashes.
package protocol HasMessage: CustomStringConvertible {
  var message: Message { get }
}

extension HasMessage {
  package var description: String { message.text(dashes: false) }
}

extension Message: HasMessage {
  package var message: Message { self }
  /// The text, with names of settings as recipes write them.
  public var description: String { text(dashes: false) }
}
