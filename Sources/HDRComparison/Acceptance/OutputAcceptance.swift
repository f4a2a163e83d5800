import GPURender
import HDRCore
import HDRRecipe
import HDRRender

/// Judges outputs of a batch by the comparison of `hdrbatch compare`: A is the rendition before it was coded, B the file.
package struct OutputAcceptance: OutputJudge {
  package init() {}

  package func judge(
    _ written: SourceImage, against reference: OutputReference, by expression: AcceptExpression,
    on backends: RenderBackends, notice: (GPURings.LostDevice) -> Void
  ) throws(HDRError) -> Judgement {
    var options = ComparisonOptions(metrics: [])
    options.accept = expression
    let path = FilePath("")
    let comparison = try PairComparison(
      ComparedFile(path, reference.light), ComparedFile(path, written), options,
      stored: ComparedFile(path, reference.coded), on: backends, notice: notice)
    let numbers = comparison.numbers, verdict = expression.verdict(numbers.value)
    var reason: Message?
    if case .rejected(let condition, _) = verdict { reason = comparison.reason(condition) }
    return Judgement(
      expression, expression.conditions.map { Judgement.Value($0, numbers.value($0)) }, verdict, reason: reason)
  }
}
