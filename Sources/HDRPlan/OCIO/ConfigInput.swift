import HDRCore
import PlainData

/// The space of an input by a config: its codes become light of the scene.
package struct ConfigInput: Sendable, Hashable {
  /// Stands for the space in a source's colour; it has the config's name and no steps of its own.
  package let space: NamedSpace
  /// From codes to linear BT.2020, 1.0 = a perfect diffuser.
  package let chain: LUTChain

  /// - Parameter isLog: true for codes that are no linear light.
  package init(_ name: String, isLog: Bool, _ chain: LUTChain) {
    space = NamedSpace(name, [], isLog ? .log : .linear, steps: [])
    self.chain = chain
  }
}

extension RenderRecipe {
  /// Returns the steps from codes of a space to linear BT.2020.
  func decodeSteps(_ space: NamedSpace) -> [PixelOperation] {
    guard let input, input.space == space else { return space.decodeSteps }
    return input.chain.configSteps
  }
}

extension RenderRecipe {
  /// The chains of a config in words, as they are after folding.
  var configLines: [String] {
    var lines: [String] = []
    if let input { lines.append("input \(printable(input.space.name)): \(input.chain.words)") }
    if let look = look ?? view?.look { lines.append("looks: \(look.words)") }
    if let chain = view?.view.chain { lines.append("view \(printable(view?.view.title ?? "")): \(chain.words)") }
    return lines
  }
}

extension LUTChain {
  /// The kinds of operations in their order: `matrix > formulas`.
  fileprivate var words: String {
    if operations.isEmpty { return "nothing" }
    return operations.map { operation in
      Mirror(reflecting: operation).children.first?.label ?? "\(operation)"
    }.joined(separator: " > ")
  }

  /// The matrix that a folded chain is; `nil` if it is more than that.
  package var onlyMatrix: Matrix3? {
    switch operations.first {
    case nil: return .identity
    case .matrix(let matrix, let offset) where operations.count == 1 && offset.allSatisfy { $0 == 0 }: return matrix
    default: return nil
    }
  }

  /// The steps of a chain of a config: tables end at their domains.
  var configSteps: [PixelOperation] {
    if let matrix = onlyMatrix { return [.matrix(matrix)] }
    return steps(extrapolates: false, .trilinear)
  }
}
