import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles

/// The target of `--out`: a folder, or the file that one picture becomes.
package struct OutOption: Sendable {
  package let folder: FilePath
  /// `nil`: outputs are named by their inputs.
  private let name: [UInt8]?
  private let path: FilePath

  /// - Parameter text: a file where it ends in an extension of outputs and is no folder.
  /// - Throws: `UsageError` for an extension that the recipe's kind of output does not have.
  package init(_ text: String, _ recipe: Recipe) throws(UsageError) {
    path = FilePath(text)
    let own = InputCollector.ownExtension(path.name)
    guard let own, !text.hasSuffix("/"), fileStatus(path)?.isFolder != true, let kinds = EndingKinds(ending: own) else {
      (folder, name) = (path, nil)
      return
    }
    (folder, name) = (path.parent, path.name)
    guard recipe.outputs.count == 1 else {
      throw UsageError(
        "--out \(path.display) is one file, and \(recipe.outputs.count) outputs are asked for: name a folder")
    }
    let kind = recipe.outputs[0].kind
    if NameTraits(kind).fileExtension != kinds.ending {
      throw UsageError(
        "--out \(path.display): \(kind) files end in .\(NameTraits(kind).fileExtension); --to that makes .\(own): \(kinds.kinds.joined(separator: ", "))"
      )
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `UsageError` for several inputs.
  package func name(_ nameRules: inout [NameRule], for inputs: [InputReference]) throws(UsageError) {
    guard let name else { return }
    guard inputs.count == 1 else {
      throw UsageError("--out \(path.display) is one file, and there are \(inputs.count) inputs: name a folder")
    }
    guard nameRules[0].template.text == Recipe.standardName else {
      throw UsageError("--out \(path.display) names the output: leave out --name")
    }
    nameRules[0].template = NameTemplate(literal: name)
  }
}

extension EndingKinds {
  /// - Returns: `nil` for a name with another ending, or with none.
  package init?(of path: FilePath) {
    guard let own = InputCollector.ownExtension(path.name) else { return nil }
    self.init(ending: own)
  }
}
