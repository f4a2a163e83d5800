import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

extension OutputChoice {
  /// Takes the filters of a recipe.
  mutating func take(_ steps: Recipe.Steps, keepsMap: Bool) {
    var steps = steps
    if case .adaptive = product {
      rendition.ownEdits = steps.sdr == nil && steps.hdr == nil ? nil : OwnEdits(keepsMap: keepsMap)
    } else {
      // One rendition alone: the steps of its kind are among its own.
      steps.common += (rendition.kind.curve == .sdr ? steps.sdr : steps.hdr) ?? []
      (steps.sdr, steps.hdr) = (nil, nil)
    }
    pictureSteps = steps.hasExpressions ? steps : nil
    // Until a picture is there, filters are known and values are not: strategies and memory ask no more.
    fill(steps, [:])
  }

  /// Whether values of filters depend on the picture.
  var dependsOnPicture: Bool { pictureSteps != nil }

  /// Whether one of them depends on `time`.
  var asksForTime: Bool { pictureSteps?.variables.contains(.time) == true }

  /// The choice for one picture.
  func resolved(_ variables: [Expression.Variable: Double]) -> OutputChoice {
    var result = self
    if let pictureSteps { result.fill(pictureSteps, variables) }
    return result
  }

  private mutating func fill(_ steps: Recipe.Steps, _ variables: [Expression.Variable: Double]) {
    rendition.edits = steps.common.map { $0.step(variables) }
    rendition.ownEdits?.sdr = (steps.sdr ?? []).map { $0.step(variables) }
    rendition.ownEdits?.hdr = (steps.hdr ?? []).map { $0.step(variables) }
  }

  /// What expressions can ask of a picture.
  ///
  /// - Parameters:
  ///   - source: what the file says; pixels are not needed.
  ///   - number: of the picture in the batch.
  ///   - frame: its place in a sequence.
  func variables(
    of source: SourceImage, number: Int, frame: RenderTask.Frame?
  ) -> [Expression.Variable: Double] {
    let content = rendition.contentHeadroom ?? ContentHeadroom.ofFile(source).headroom ?? .nominal
    return [
      .headroom: display(content).factor, .contentHeadroom: content.factor,
      .width: Double(source.geometry.outputWidth), .height: Double(source.geometry.outputHeight),
      .index: Double(number), .frame: Double(frame?.number ?? 0), .time: frame?.seconds ?? 0,
    ]
  }

  /// Of the display that the output is for.
  private func display(_ content: Headroom) -> Headroom {
    // Adaptive HDR files serve every display, up to all that the picture has.
    guard case .rendition = product else { return content }
    return rendition.display.headroom(of: content, rendition.kind.curve)
  }
}
