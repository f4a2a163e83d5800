import HDRCore
import HDRPlan
import HDRRecipe
import OCIOConfig
import PlainData

/// The space of an input that a config names: one of its own, or a display's that the list knows as well.
enum ConfigSpace: Sendable {
  case config(ConfigInput, ConfigUse)
  case known(NamedSpace)
}

extension ConfigAtUse {
  /// Resolves the space of an input.
  ///
  /// - Throws: `HDRError`: `space.unknown`, `ocio.input` for data and displays, and what its transforms throw.
  func input(_ name: String) throws(HDRError) -> ConfigSpace {
    let space = config.space(name)
    guard space != nil || isNamedTransform(name) else { throw unknownSpace(name) }
    if space?.isData == true {
      throw HDRError(
        code: "ocio.input", message: "\(printable(name)) of \(title) is for data, which has no colour to be seen")
    }
    if let space, space.reference == .display {
      let names = [space.name] + space.aliases + [space.interopID].compactMap(\.self)
      if let known = names.lazy.compactMap({ NamedSpace.named($0) }).first { return .known(known) }
      throw HDRError(
        code: "ocio.input",
        message:
          "\(printable(name)) of \(title) is a display's: take a space of scenes, or one that hdrbatch spaces lists")
    }
    let made = try toLight(name)
    let isLog = space.map { $0.encoding != "scene-linear" && ($0.encoding == "log" || made.chain.onlyMatrix == nil) }
    return .config(ConfigInput(space?.name ?? name, isLog: isLog ?? true, made.chain), made.use)
  }

  /// Resolves the linear space of an output, as one of the list, which files can state.
  ///
  /// - Throws: `HDRError`: `space.unknown`, `ocio.output` for spaces that files of linear light do not state.
  func output(_ name: String) throws(HDRError) -> NamedSpace {
    guard let space = config.space(name) else { throw unknownSpace(name) }
    func refused(_ reason: String) -> HDRError {
      HDRError(
        code: "ocio.output",
        message: "\(printable(name)) of \(title) \(reason): take one as ACEScg, or a filter for its numbers (ocio)")
    }
    if space.isData { throw refused("is for data") }
    if space.reference == .display { throw refused("is a display's, which a view makes") }
    guard let matrix = try fromLight(name).chain.onlyMatrix else { throw refused("has a curve or more") }
    let names = [space.name] + space.aliases + [space.interopID].compactMap(\.self)
    let likely = names.compactMap { NamedSpace.named($0) }
    guard let found = (likely + NamedSpace.all).first(where: { $0.isMade(by: matrix) }) else {
      throw refused("has primaries that no space of hdrbatch spaces has")
    }
    return found
  }

  /// Resolves what a step asks for: from numbers of the working picture to numbers of it.
  func step(_ step: ConfigStep) throws(HDRError) -> ConfigChain {
    switch step {
    case .looks(let looks): return try self.looks(looks)
    case .conversion(let from, let to):
      for name in [from, to] where !name.isEmpty && config.space(name) == nil && !isNamedTransform(name) {
        throw unknownSpace(name)
      }
      if from.isEmpty { return try fromLight(to) }
      if to.isEmpty { return try toLight(from) }
      return try chain { (config, context) throws(ConfigError) in
        try config.operations(from: from, to: to, context)
      }
    }
  }

  /// Resolves looks on the light of plans.
  func looks(_ looks: String) throws(HDRError) -> ConfigChain {
    let bridge = bridge
    return try chain { (config, context) throws(ConfigError) in
      [ConfigOperation(bridge.fromBT2020, in: config)]
        + (try config.operations(looks: looks, from: bridge.space, to: bridge.space, context))
        + [ConfigOperation(bridge.toBT2020, in: config)]
    }
  }

  private func toLight(_ name: String) throws(HDRError) -> ConfigChain {
    let bridge = bridge
    return try chain { (config, context) throws(ConfigError) in
      (try config.operations(from: name, to: bridge.space, context)) + [ConfigOperation(bridge.toBT2020, in: config)]
    }
  }

  private func fromLight(_ name: String) throws(HDRError) -> ConfigChain {
    let bridge = bridge
    return try chain { (config, context) throws(ConfigError) in
      [ConfigOperation(bridge.fromBT2020, in: config)]
        + (try config.operations(from: bridge.space, to: name, context))
    }
  }

  private func isNamedTransform(_ name: String) -> Bool {
    let lower = name.lowercased()
    return config.namedTransforms.contains { ([$0.name] + $0.aliases).contains { $0.lowercased() == lower } }
  }

  /// The config in messages.
  var title: String { printable(config.name ?? config.source) }

  private func unknownSpace(_ name: String) -> HDRError {
    let names = config.spaces.flatMap { [$0.name] + $0.aliases } + config.roles.map(\.role)
    let near = Nearest.hint(name, among: names)
    let hint = near.isEmpty ? "; hdrbatch doctor lists the names of a config" : near
    return HDRError(code: "space.unknown", message: "\(title) has no space \"\(printable(name))\"\(printable(hint))")
  }
}

extension NamedSpace {
  /// Returns true for a linear space to which a matrix leads from linear BT.2020.
  fileprivate func isMade(by matrix: Matrix3) -> Bool {
    guard let own = toBT2020?.inverse else { return false }
    return zip(own.rows, matrix.rows).allSatisfy { abs($0 - $1) < 2e-4 }
  }
}
