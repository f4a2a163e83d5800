import HDRCore
import HDRPlan
import PlainData

extension Recipe {
  /// Checks the steps of the SDR and of the HDR rendition.
  func checkSteps() throws(RecipeFault) {
    if size != nil, let output = outputs.firstIndex(where: { steps(of: $0).isEmpty }) {
      throw RecipeFault(.output(output), "a recipe with a size has no input picture: write steps, such as a generator")
    }
    for (index, output) in outputs.enumerated() {
      let own = output.steps, steps = steps(of: output), isSDR = KindNames.isSDR(output.kind)
      if size != nil && KindNames.needsPicture(output.kind) {
        throw RecipeFault(.output(index), "\(output.kind) needs an input picture: a recipe with a size has none")
      }
      guard KindNames.isAdaptive(output.kind) else {
        guard isSDR ? own.hdr == nil : own.sdr == nil else {
          throw RecipeFault(.output(index), "\(output.kind) has no \(isSDR ? "HDR" : "SDR") rendition: write steps")
        }
        continue
      }
      guard steps.sdr != nil || steps.hdr != nil else { continue }
      let strategy = settings(of: output)[Settings.edits.editStrategy] ?? .automatic
      guard strategy == .automatic || strategy == .sdrAndHDR else {
        throw RecipeFault(
          .output(index), "sdr and hdr steps edit both renditions: leave out \(setting: "edit-strategy") or say sdr+hdr"
        )
      }
    }
    if (steps.sdr != nil && !outputs.contains { KindNames.isAdaptive($0.kind) || KindNames.isSDR($0.kind) })
      || (steps.hdr != nil && !outputs.contains { !KindNames.isSDR($0.kind) && !KindNames.isPart($0.kind) })
    {
      throw RecipeFault(.recipe, "sdr or hdr steps have no effect: no output has that rendition")
    }
    if keepsMap { try checkKeptMap() }
  }

  /// Checks `map: keep`: only the base is edited, and its pixels are not moved.
  private func checkKeptMap() throws(RecipeFault) {
    guard outputs.contains(where: { KindNames.isAdaptive($0.kind) }) else {
      throw RecipeFault(.recipe, "map: keep has no effect: it is for adaptive-* outputs")
    }
    for (index, output) in outputs.enumerated() where KindNames.isAdaptive(output.kind) {
      let steps = steps(of: output)
      guard steps.common.isEmpty, steps.hdr == nil, let sdr = steps.sdr else {
        throw RecipeFault(.output(index), "map: keep edits the base alone: write sdr steps, and no steps or hdr steps")
      }
      if let step = sdr.first(where: { Filters.named($0.filter)?.movesPixels == true }) {
        throw RecipeFault(.output(index), "map: keep: \(step.filter) moves pixels, and the gain map stays where it is")
      }
    }
  }

  /// All lists of steps.
  package var stepLists: [(list: RecipeSpot.StepList, steps: [RecipeStep])] {
    func lists(_ steps: Steps, _ output: Int?) -> [(list: RecipeSpot.StepList, steps: [RecipeStep])] {
      [
        (.common(output: output), steps.common), (.sdr(output: output), steps.sdr ?? []),
        (.hdr(output: output), steps.hdr ?? []),
      ]
    }
    return lists(steps, nil) + outputs.indices.flatMap { lists(outputs[$0].steps, $0) }
  }

  /// Checks that steps and inputs match.
  func checkInputs() throws(RecipeFault) {
    var used: Set<String> = []
    for (list, steps) in stepLists {
      for (index, step) in steps.enumerated() {
        for (name, isOptional) in step.inputNames {
          // The inputs of a kernel are known only when the kernel has been read.
          if step.takesKernel && inputs[name] == nil { continue }
          used.insert(name)
          guard inputs[name] != nil || isOptional else {
            throw RecipeFault(
              .step(list, index),
              "\(step.filter): there is no input \"\(name)\"\(Nearest.hint(name, among: inputs.keys.sorted())); "
                + "name it with \(setting: "input") \(name)=FILE or under inputs in the recipe")
          }
        }
      }
    }
    for name in inputs.keys.sorted() where !used.contains(name) {
      throw RecipeFault(.input(name), "no filter uses the input \"\(name)\"\(Nearest.hint(name, among: used.sorted()))")
    }
  }
}
