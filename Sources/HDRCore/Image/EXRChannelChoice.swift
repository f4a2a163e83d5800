/// A choice among the channels and parts of an OpenEXR file that are not the picture.
package enum EXRChannelChoice: Sendable, Hashable {
  case all
  case none
  /// Channels and parts of these names; `*` stands for any letters.
  case named([String])

  /// Reads `all`, `none`, or names with commas between them.
  package init(_ text: String) {
    switch text {
    case "all": self = .all
    case "none": self = .none
    default: self = .named(text.split(separator: ",").map(String.init))
    }
  }

  /// True if a channel or part of this name is wanted.
  package func takes(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .named(let patterns): patterns.contains { Self.fits(Array($0.utf8), Array(name.utf8)) }
    }
  }

  /// Compares letter by letter; after a fault the last `*` takes one letter more.
  private static func fits(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
    let star = UInt8(ascii: "*")
    var at = 0, place = 0, last: (pattern: Int, name: Int)?
    while place < name.count {
      if at < pattern.count, pattern[at] == star {
        last = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == name[place] {
        (at, place) = (at + 1, place + 1)
      } else if let before = last {
        last = (before.pattern, before.name + 1)
        (at, place) = (before.pattern + 1, before.name + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == star }
  }
}
