import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles

/// A recipe with all files that it names read: the options of a batch, and the names of its outputs.
package struct PreparedRecipe: Sendable {
  package var options: BatchOptions
  package var nameRules: [NameRule]
  /// The digest of all that decides pixels and files: the recipe, and the contents of the files that it names.
  package var digest: Digest

  /// - Parameters:
  ///   - inputs: looked at when a LUT comes without its space.
  ///   - isolation: of the codecs that read second pictures.
  /// - Throws: `UsageError`, with the place in the recipe file where there is one.
  package init(
    _ text: RecipeText, inputs: [InputReference], limits: DecodeLimits, isolation: IsolationOptions
  ) throws(UsageError) {
    let codecs = CodecsAtUse(isolation, limits: limits)
    defer { _ = codecs.close() }
    try self.init(text, inputs: inputs, limits: limits, codecs: codecs)
  }

  /// - Parameter codecs: those that read second pictures.
  package init(
    _ text: RecipeText, inputs: [InputReference], limits: DecodeLimits, codecs: any CodecBorder
  ) throws(UsageError) {
    try text.check()
    var reader = RecipeFiles(text, limits: limits, codecs: codecs)
    let pictures = try reader.inputs()
    try reader.checkKernels(pictures)
    var choices: [ResolvedOutput] = []
    nameRules = []
    var isStrict = false
    for (index, output) in text.recipe.outputs.enumerated() {
      let choice = try reader.choice(index, pictures, sources: inputs)
      choices.append(choice)
      do throws(UsageError) {
        let template = try NameTemplate(output.name ?? Recipe.standardName, isPath: true)
        nameRules.append(NameRule(NameTraits(output.kind), template))
      } catch {
        throw text.error(.output(index), error.message)
      }
      if nameRules[index].template.hasImage, !choice.settings.takesAllPictures {
        throw text.error(.output(index), "{image} in a name needs \(setting: "image") all")
      }
      isStrict = isStrict || choice.settings[Settings.adaptive.strict]
    }
    nameRules.makeNamesDiffer()
    options = BatchOptions(outputs: choices)
    options.isStrict = isStrict
    options.canvas = text.recipe.size
    Self.digest(&options.outputs, of: text.recipe, reader.digests)
    let recipe = text.recipe
    if !recipe.overrides.isEmpty {
      options.overrides = { recipe.overrides(of: $0) }
      for numbers in Set(inputs.map { recipe.overrides(of: $0.relative.display) }) where !numbers.isEmpty {
        var changed = RecipeFiles(try text.applying(numbers), limits: limits, codecs: codecs)
        try changed.text.check()
        var own = try recipe.outputs.indices.map { index throws(UsageError) in
          try changed.choice(index, pictures, sources: inputs)
        }
        Self.digest(&own, of: changed.text.recipe, reader.digests.merging(changed.digests) { $1 })
        options.overridden[numbers] = own
      }
    }
    digest = Digest(of: Array(text.recipe.decisive { reader.digests[$0]?.hex ?? $0 }.utf8))
  }

  /// Gives each output the digest of what decides it.
  private static func digest(_ choices: inout [ResolvedOutput], of recipe: Recipe, _ files: [String: Digest]) {
    for index in choices.indices {
      choices[index].digest = Digest(of: Array(recipe.decisive(output: index) { files[$0]?.hex ?? $0 }.utf8))
    }
  }
}

extension NameTraits {
  /// Creates the traits of a kind by its name in `KindNames`.
  package init(_ kind: String) {
    if let rendition = OutputKind(rawValue: kind) {
      self.init(rendition)
    } else if let container = AdaptiveContainer(output: kind) {
      self.init(container)
    } else {
      self.init(fileExtension: KindNames.fileExtension(of: kind), target: kind)
    }
  }
}
