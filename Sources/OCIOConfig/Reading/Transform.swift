/// A transform is an operation as a config states it, or a way to others.
struct Transform: Sendable {
  indirect enum Kind: Sendable {
    /// An operation that needs nothing else of the config.
    case operation(ConfigOperation.Kind)
    /// A built-in transform by its name.
    case builtin(String)
    /// A file, by its path as written; `path` of `file` is empty.
    case file(source: String, ConfigFile)
    /// From a space to another.
    case space(from: String, to: String, bypassesData: Bool)
    case view(display: String, view: String, from: String, bypassesLooks: Bool, bypassesData: Bool)
    /// Looks from a space to another; unless it converts, in the process space of the looks.
    case looks(String, from: String, to: String, converts: Bool)
    /// Transforms in their order.
    case group([Transform])
    /// A transform that is an error when it is used.
    case refused(ConfigError.Code, String)
  }
  var kind: Kind
  var isInverse: Bool
  var place: ConfigPlace
}
