import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

extension ResolvedOutput {
  /// Takes over the filters of a recipe.
  mutating func take(_ steps: Recipe.Steps, keepsMap: Bool) {
    var steps = steps
    if case .adaptive = product {
      rendition.ownEdits = steps.sdr == nil && steps.hdr == nil ? nil : OwnEdits(keepsMap: keepsMap)
    } else {
      // A single rendition: the steps of its kind are part of its own.
      steps.common += (rendition.kind.curve == .sdr ? steps.sdr : steps.hdr) ?? []
      (steps.sdr, steps.hdr) = (nil, nil)
    }
    pictureSteps = steps.hasExpressions ? steps : nil
    // Before a picture is read, filters are known and values are not; strategies and memory need no more.
    fill(steps, [:])
  }

  /// Puts a filter before the others, or behind them.
  package mutating func add(_ step: FilterStep, first: Bool = false) {
    let edits = rendition.recipe.edits
    rendition.recipe.edits = first ? [step] + edits : edits + [step]
    guard let steps = pictureSteps?.common else { return }
    pictureSteps?.common = first ? [RecipeStep(step)] + steps : steps + [RecipeStep(step)]
  }

  /// True if values of filters depend on the picture.
  var dependsOnPicture: Bool { pictureSteps != nil }

  /// True if one of them depends on `time`.
  var asksForTime: Bool { pictureSteps?.variables.contains(.time) == true }

  /// Returns the choice for one picture.
  func resolved(_ variables: [Expression.Variable: Double]) -> ResolvedOutput {
    var result = self
    if let pictureSteps { result.fill(pictureSteps, variables) }
    return result
  }

  private mutating func fill(_ steps: Recipe.Steps, _ variables: [Expression.Variable: Double]) {
    rendition.recipe.edits = steps.common.map { $0.step(variables) }
    rendition.ownEdits?.sdr = (steps.sdr ?? []).map { $0.step(variables) }
    rendition.ownEdits?.hdr = (steps.hdr ?? []).map { $0.step(variables) }
  }

  /// Returns the values that expressions can use of a picture.
  ///
  /// - Parameters:
  ///   - source: the file's metadata; pixels are not needed.
  ///   - number: the number of the picture in the batch.
  ///   - frame: the place in a sequence.
  func variables(
    of source: SourceImage, number: Int, frame: RenderTask.Frame?
  ) -> [Expression.Variable: Double] {
    let content = rendition.recipe.contentHeadroom ?? ContentHeadroom.ofFile(source).headroom ?? .nominal
    return [
      .headroom: display(content).factor, .contentHeadroom: content.factor,
      .width: Double(source.geometry.outputWidth), .height: Double(source.geometry.outputHeight),
      .index: Double(number), .frame: Double(frame?.number ?? 0), .time: frame?.seconds ?? 0,
    ]
  }

  /// Returns the headroom of the display that the output is for.
  private func display(_ content: Headroom) -> Headroom {
    // Adaptive HDR files serve every display, up to the picture's full headroom.
    guard case .rendition = product else { return content }
    return rendition.recipe.display.headroom(of: content, rendition.kind.curve)
  }
}
