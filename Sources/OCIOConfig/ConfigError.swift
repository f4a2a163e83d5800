import HDRCore
import PlainData

/// An error that says why a config, or a transform of it, cannot be used: its code, the place and the reason.
package struct ConfigError: Error, Sendable, Hashable, HasMessage {
  /// The kinds of faults; docs/ocio.md lists them.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    case yaml = "config.yaml", version = "config.version", archive = "config.archive", value = "config.value"
    case name = "config.name", rules = "config.rules", variable = "config.variable", cycle = "config.cycle"
    case depth = "config.depth", file = "config.file", style = "config.style", transform = "config.transform"
    case alpha = "transform.alpha", singular = "transform.singular", function = "transform.style"
    case grading = "transform.grading"
  }
  package var code: Code
  package var place: ConfigPlace
  package var reason: String

  package init(_ code: Code, _ place: ConfigPlace, _ reason: String) {
    (self.code, self.place, self.reason) = (code, place, printable(String(reason.unicodeScalars.prefix(500))))
  }

  /// The message is one line: place, what it belongs to, reason and code.
  package var message: Message {
    let owner = place.owner.isEmpty ? "" : "in \(place.owner): "
    return "\(printable(place.text)): \(printable(owner))\(reason) (\(code.rawValue))"
  }
}
