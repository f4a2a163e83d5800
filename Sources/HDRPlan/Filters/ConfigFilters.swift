import HDRCore

/// A conversion of the picture's numbers from a space of a config to another one, as compositors' nodes do it
/// (docs/ocio.md#steps). The numbers are those of linear BT.2020 where a space is left out.
enum ConfigSpaceFilter: Filter {
  static let name = "ocio"
  static let summary = "the numbers of a space of the OpenColorIO config become those of another"
  static let category = FilterCategory.color
  static let from = FilterParameter("from", .text(""), "the space that the numbers are of; linear BT.2020 without")
  static let to = FilterParameter("to", .text(""), "the space that they become those of; linear BT.2020 without")
  static let parameters = [from, to]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (source, target) = (values.text(from), values.text(to))
    if source == target { return }
    edit.builder.add(try edit.chain(.conversion(from: source, to: target)).configSteps)
  }
}

/// Looks of a config on the light of a scene.
enum ConfigLookFilter: Filter {
  static let name = "look"
  static let summary = "looks of the OpenColorIO config, by name"
  static let category = FilterCategory.color
  static let looks = FilterParameter("name", .text(""), "the look, or several, as a, -b; none without")
  static let parameters = [looks]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let looks = values.text(looks)
    if looks.isEmpty { return }
    edit.builder.add(try edit.chain(.looks(looks)).configSteps)
  }
}

/// A step asks a config for a chain, which is among the recipe's inputs by a name that no file and no picture has.
package enum ConfigStep: Sendable, Hashable {
  /// A conversion; an empty name stands for linear BT.2020.
  case conversion(from: String, to: String)
  case looks(String)

  package init?(_ step: FilterStep) {
    if step.filter == ConfigSpaceFilter.self {
      let (from, to) = (step.values.text(ConfigSpaceFilter.from), step.values.text(ConfigSpaceFilter.to))
      if from == to { return nil }
      self = .conversion(from: from, to: to)
    } else if step.filter == ConfigLookFilter.self {
      let looks = step.values.text(ConfigLookFilter.looks)
      if looks.isEmpty { return nil }
      self = .looks(looks)
    } else {
      return nil
    }
  }

  package var key: String {
    switch self {
    case .conversion(let from, let to): "\0ocio\0\(from)\0\(to)"
    case .looks(let looks): "\0look\0\(looks)"
    }
  }
}

extension Edit {
  /// Returns the chain of a step.
  ///
  /// - Throws: `PlanError.missingChoice` where no config was read.
  fileprivate func chain(_ step: ConfigStep) throws(PlanError) -> LUTChain {
    guard case .lut(let chain)? = inputs[step.key]?.content else {
      throw .missingChoice("no OpenColorIO config was read for the steps ocio and look")
    }
    return chain
  }
}
