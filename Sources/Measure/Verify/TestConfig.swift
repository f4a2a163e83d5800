import HDRCore
import HDRPlan

/// Chains as configs give them, for the steps `ocio` and `look` of drawn recipes.
enum TestConfig {
  /// The values of steps that ask for them.
  static let values: [String: [String: FilterValue]] = [
    "ocio": ["to": .word("show")], "look": ["name": .word("warm")],
  ]

  /// The chains among the inputs of a recipe.
  static let inputs: [String: FilterInput] = [
    ConfigStep.conversion(from: "", to: "show").key: FilterInput(
      .lut(
        LUTChain([
          .matrix(Matrix3([0.9, 0.1, 0, 0.05, 0.9, 0.05, 0, 0.2, 0.8]), offset: [0, 0, 0]),
          .formulas([.power(1.1, .mirror), .power(1.1, .mirror), .power(1.1, .mirror)]),
        ]))),
    ConfigStep.looks("warm").key: FilterInput(
      .lut(
        LUTChain([
          .cdl(
            CDL(slope: [1.1, 1, 0.9], offset: [0.01, 0, -0.01], power: [1, 1.1, 1], saturation: 0.9, clamps: false))
        ]))),
  ]
}
