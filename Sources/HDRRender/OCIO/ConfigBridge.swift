import HDRCore
import OCIOConfig

/// The space by which a config's names meet the pictures of a plan, which are linear BT.2020.
struct ConfigBridge {
  /// The name of the space.
  let space: String
  /// From its light to linear BT.2020, and back.
  let toBT2020: Matrix3, fromBT2020: Matrix3
  /// True if nothing says what its primaries are.
  let isAssumed: Bool

  private init(_ space: String, _ matrix: Matrix3, isAssumed: Bool = false) {
    (self.space, toBT2020, self.isAssumed) = (space, matrix, isAssumed)
    fromBT2020 = matrix.inverse ?? .identity
  }

  /// Finds the space: the role `aces_interchange`, a space that is called as ACES2065-1, a linear one whose name is known,
  /// else the config's own linear light, as of BT.709; `nil` for a config without a space of scenes.
  init?(_ config: Config) {
    let names = ["aces_interchange", "ACES2065-1", "ACES - ACES2065-1", "lin_ap0_scene", "lin_ap0"]
    if let name = names.first(where: { config.space($0)?.isScene == true }) {
      self.init(name, NamedSpace.bt2020FromACES)
      return
    }
    let linear = ["scene_linear", "reference"].compactMap { config.space($0) }.filter(\.isScene)
    let all = linear + config.spaces.filter(\.isScene)
    for space in all {
      if let matrix = ([space.name] + space.aliases).lazy.compactMap({ NamedSpace.named($0)?.toBT2020 }).first {
        self.init(space.name, matrix)
        return
      }
    }
    guard let first = all.first, let matrix = Primaries.bt709.matrix(to: .bt2020) else { return nil }
    self.init(first.name, matrix, isAssumed: true)
  }
}

extension Config.Space {
  /// True for colours of scenes.
  fileprivate var isScene: Bool { reference == .scene && !isData }
}

extension ConfigOperation {
  /// Makes a matrix between a config's space and one of plans.
  init(_ matrix: Matrix3, in config: Config) {
    self.init(.matrix(matrix, offset: [0, 0, 0]), place: ConfigPlace(config: config.source))
  }
}
