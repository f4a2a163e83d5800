/// A place says where in a config something stands, for messages.
package struct ConfigPlace: Sendable, Hashable {
  /// The config's name in messages: its path or the name of a built-in one.
  package var config: String
  /// The line, from 1; 0 for the whole config.
  package var line: Int
  /// The owner that it belongs to: `look "show"`, `color space "lin"`; empty for the config itself.
  package var owner: String

  package init(config: String, line: Int = 0, owner: String = "") {
    (self.config, self.line, self.owner) = (config, line, owner)
  }

  /// The config and the line: `show.ocio:214`.
  package var text: String { line > 0 ? "\(config):\(line)" : config }
}
