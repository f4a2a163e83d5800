import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles
import PlainData

/// Reads the files that a recipe names, each once, and keeps their digests.
package struct RecipeFiles {
  package let text: RecipeText
  let limits: DecodeLimits
  /// The codecs, which read second pictures and ICC profiles.
  let codecs: any CodecBorder
  package internal(set) var digests: [String: Digest] = [:]
  private var luts: [String: LUTChain] = [:]
  private var profiles: [String: OutputProfile] = [:]
  /// The configs that were read, by their places and variables.
  var configs: [ConfigKey: ConfigAtUse] = [:]
  /// The parts of configs that outputs use, by the configs' places.
  var configFacts: [String: ConfigFacts] = [:]

  struct ConfigKey: Hashable {
    var place: String
    var variables: [ConfigVariable]
  }

  package init(_ text: RecipeText, limits: DecodeLimits, codecs: any CodecBorder) {
    self.text = text
    self.limits = limits
    self.codecs = codecs
  }

  /// Reads second pictures, by the names that filters give them.
  package mutating func inputs() throws(UsageError) -> [String: FilterInput] {
    var result: [String: FilterInput] = [:], limits = limits
    // The description of edited pictures does not apply to second ones.
    (limits.reading.picture, limits.reading.raw, limits.reading.space) = (nil, nil, nil)
    for (name, input) in text.recipe.inputs {
      switch input {
      case .generator(let step, let size):
        result[name] = FilterInput(.generated(step.step([:]), width: size?.width, height: size?.height))
      case .file(let path):
        do throws(FilterInputs.Fault) {
          let found = try FilterInputs.read(FilePath(path), limits: limits, codecs: codecs)
          result[name] = found.input
          digests[path] = found.digest
        } catch {
          let setting = KernelStore.isKernel(FilePath(path)) ? "kernel" : "input"
          // A filter names its LUT itself.
          let isOfFilter = LUTPlace(path) != nil
          throw text.error(.input(name), isOfFilter ? error.message : "\(setting: setting) \(error.message)")
        }
      }
    }
    return result
  }

  /// Checks that kernels accept the parameters of their steps.
  ///
  /// - Throws: `UsageError` at the wrong step.
  package func checkKernels(_ inputs: [String: FilterInput]) throws(UsageError) {
    for (list, steps) in text.recipe.stepLists {
      for (index, step) in steps.enumerated() where step.takesKernel {
        if let complaint = step.complaint(with: inputs) { throw text.error(.step(list, index), "\(complaint)") }
      }
    }
  }

  /// Returns the choice for an output.
  ///
  /// - Parameters:
  ///   - inputs: the second pictures.
  ///   - sources: read if a LUT has no space.
  package mutating func choice(
    _ index: Int, _ inputs: [String: FilterInput], sources: [InputReference]
  ) throws(UsageError) -> ResolvedOutput {
    let output = text.recipe.outputs[index], values = text.recipe.settings(of: output)
    var choice = try self.choice(index, as: output.kind, inputs, sources: sources)
    if KindNames.isAdaptive(output.kind), let plain = values[Settings.adaptive.ifSDR].kind {
      choice.ofSDR = [try self.choice(index, as: plain.rawValue, inputs, sources: sources)]
    }
    return choice
  }

  private mutating func choice(
    _ index: Int, as kind: String, _ inputs: [String: FilterInput], sources: [InputReference]
  ) throws(UsageError) -> ResolvedOutput {
    let output = text.recipe.outputs[index], values = text.recipe.settings(of: output)
    let product = ItemProduct(kind, values)
    var rendition = RenditionOptions(kind, values)
    rendition.recipe.luts = try luts(output: index, values, sources)
    rendition.recipe.target.profile = try outputProfile(output: index, values)
    rendition.toneMetadata = try values[Settings.light.toneMetadata].map { (path) throws(UsageError) in
      try toneMetadata(path, Settings.light.toneMetadata.name, output: index)
    }
    if case .file(let path) = values[Settings.light.iccHAGC] {
      rendition.statements.profileTone = .payload(
        try toneMetadata(path, Settings.light.iccHAGC.name, output: index))
    }
    rendition.recipe.inputs = inputs
    var choice = ResolvedOutput(rendition, product)
    choice.settings = values
    choice.take(text.recipe.steps(of: output), keepsMap: text.recipe.keepsMap)
    try takeConfig(&choice, output: index, kind, sources)
    return choice
  }

  private mutating func luts(
    output: Int, _ values: SettingValues, _ sources: [InputReference]
  ) throws(UsageError) -> [LUTChoice] {
    let spaces = values[Settings.color.lutSpace]
    var choices: [LUTChoice] = []
    for (index, path) in values[Settings.color.lut].enumerated() {
      if luts[path] == nil {
        do throws(FilterInputs.Fault) {
          (luts[path], digests[path]) = try FilterInputs.readLUT(FilePath(path), maxBytes: 1 << 30)
        } catch {
          throw text.error(text.spot("lut", output: output), "\(setting: "lut") \(error.message)")
        }
      }
      guard let lut = luts[path] else { continue }
      var choice = LUTChoice(
        lut: lut, space: .srgb, extrapolates: values[Settings.color.lutRange] != .clamp,
        interpolation: values[Settings.color.lutInterpolation] ?? .tetrahedral)
      switch spaces.isEmpty ? nil : spaces[spaces.count == 1 ? 0 : index] {
      case .plain(let space): choice.space = space
      case .named(let space): choice.named = space
      case nil: break
      }
      choices.append(choice)
    }
    if spaces.isEmpty && !choices.isEmpty { try refuseHDR(sources, output: output) }
    return choices
  }

  private func refuseHDR(_ sources: [InputReference], output: Int) throws(UsageError) {
    var limits = limits
    limits.reading = ReadingOptions(text.recipe.settings(of: text.recipe.outputs[output]))
    for source in sources {
      limits.reading.number = source.picture?.number
      // The batch reports files that cannot be read.
      guard let file = try? InputFile(source, maxBytes: limits.maxFileBytes),
        let head = try? codecs.decode(file, request: .metadata, limits: limits).value, head.isHDR
      else { continue }
      throw text.error(
        text.spot("lut", output: output),
        "\(source.path.display) is HDR, and a LUT does not say which numbers it takes: "
          + "add \(setting: "lut-space") linear, srgb, pq or hlg")
    }
  }

  private mutating func outputProfile(output: Int, _ values: SettingValues) throws(UsageError) -> OutputProfile? {
    guard let path = values[Settings.color.iccOutput] else { return nil }
    if profiles[path] == nil {
      do throws(FilterInputs.Fault) {
        (profiles[path], digests[path]) = try FilterInputs.readProfile(FilePath(path), limits: limits, codecs: codecs)
      } catch {
        throw text.error(text.spot("icc-output", output: output), "\(setting: "icc-output") \(error.message)")
      }
    }
    return profiles[path]
  }

  /// Reads ST 2094-50 metadata that a setting names.
  private mutating func toneMetadata(
    _ path: String, _ setting: String, output: Int
  ) throws(UsageError) -> [UInt8] {
    do {
      let bytes = try readFile(FilePath(path), maxBytes: 1 << 16)
      _ = try HeadroomAdaptiveMetadata(parsing: bytes)
      digests[path] = Digest(of: bytes)
      return bytes
    } catch {
      throw text.error(
        text.spot(setting, output: output),
        "\(setting: setting) \(FilePath(path).display): \(printable("\(error)"))")
    }
  }
}
