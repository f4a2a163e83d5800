/// A transform as a config states it.
struct Transform: Sendable {
  indirect enum Kind: Sendable {
    case operation(ConfigOperation.Kind)
    case group([Transform])
  }
  var kind: Kind
  var isInverse: Bool
  var place: ConfigPlace
}
