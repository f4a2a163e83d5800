import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// Reads the files that a recipe names, each once, and keeps their digests.
struct RecipeFiles {
  let text: RecipeText
  let limits: DecodeLimits
  private(set) var digests: [String: Digest] = [:]
  private var luts: [String: CubeLUT] = [:]

  init(_ text: RecipeText, limits: DecodeLimits) {
    self.text = text
    self.limits = limits
  }

  /// Second pictures, by the names that filters give them.
  mutating func inputs() throws(UsageError) -> [String: EditInput] {
    var result: [String: EditInput] = [:]
    for (name, input) in text.recipe.inputs {
      switch input {
      case .generator(let step, let size):
        result[name] = EditInput(.generated(step.step([:]), width: size?.width, height: size?.height))
      case .file(let path):
        do throws(EditInputs.Fault) {
          let found = try EditInputs.read(FilePath(path), limits: limits, codecs: InProcessCodecs())
          result[name] = found.input
          digests[path] = found.digest
        } catch {
          throw text.error(.input(name), "\(setting: "input") \(error.message)")
        }
      }
    }
    return result
  }

  mutating func luts(
    output: Int, _ values: SettingValues, _ inputs: [InputItem]
  ) throws(UsageError) -> [LUTChoice] {
    let spaces = values[Settings.color.lutSpace]
    var choices: [LUTChoice] = []
    for (index, path) in values[Settings.color.lut].enumerated() {
      if luts[path] == nil {
        do throws(EditInputs.Fault) {
          (luts[path], digests[path]) = try EditInputs.readLUT(FilePath(path), maxBytes: 1 << 30)
        } catch {
          throw text.error(text.spot("lut", output: output), "\(setting: "lut") \(error.message)")
        }
      }
      guard let lut = luts[path] else { continue }
      choices.append(
        LUTChoice(
          lut: lut, space: spaces.isEmpty ? .srgb : spaces[spaces.count == 1 ? 0 : index],
          extrapolates: values[Settings.color.lutRange] != "clamp",
          interpolation: values[Settings.color.lutInterpolation] ?? .tetrahedral))
    }
    if spaces.isEmpty && !choices.isEmpty { try refuseHDR(inputs, output: output) }
    return choices
  }

  private func refuseHDR(_ inputs: [InputItem], output: Int) throws(UsageError) {
    for input in inputs {
      // Files that cannot be read are the batch's business.
      guard let found = try? FileInspection(input.path, limits: limits), found.source.isHDR else { continue }
      throw text.error(
        text.spot("lut", output: output),
        "\(input.path.display) is HDR, and a LUT does not say which numbers it takes: "
          + "add \(setting: "lut-space") linear, srgb, pq or hlg")
    }
  }

  mutating func toneMetadata(output: Int, _ values: SettingValues) throws(UsageError) -> [UInt8]? {
    guard let path = values[Settings.light.toneMetadata] else { return nil }
    do {
      let bytes = try readFile(FilePath(path), maxBytes: 1 << 16)
      _ = try HeadroomAdaptiveMetadata(parsing: bytes)
      digests[path] = Digest(of: bytes)
      return bytes
    } catch {
      throw text.error(
        text.spot("tone-metadata", output: output),
        "\(setting: "tone-metadata") \(FilePath(path).display): \(FilePath.printable("\(error)"))")
    }
  }
}
