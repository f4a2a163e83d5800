import GPURender
import HDRCore
import HDRRecipe
import HDRRender

/// Judges outputs of a batch by the comparison of `hdrbatch compare`: A is the rendition before it was coded, B the file.
package struct OutputAcceptance: OutputJudge {
  package init() {}

  /// Files so unlike what they were made of that no number can be told.
  private static let unlike: Set = ["compare.size", "compare.kind", "compare.alpha"]

  package func judge(
    _ written: SourceImage, against reference: OutputReference, by expression: AcceptExpression,
    on backends: RenderBackends, deadline: Deadline, notice: (GPURings.LostDevice) -> Void
  ) throws(HDRError) -> Judgement {
    var options = ComparisonOptions(metrics: [])
    options.accept = expression
    let path = FilePath(""), comparison: PairComparison
    do throws(HDRError) {
      comparison = try PairComparison(
        ComparedFile(path, reference.light), ComparedFile(path, written), options,
        stored: ComparedFile(path, reference.coded), on: backends, deadline: deadline, notice: notice)
    } catch {
      guard Self.unlike.contains(error.code) else { throw error }
      return Judgement(
        expression, expression.conditions.map { Judgement.Value($0, nil) }, .rejected(expression.conditions[0], nil),
        reason: "\(error.message) [\(error.code)]")
    }
    let numbers = comparison.numbers, verdict = expression.verdict(numbers.value)
    var reason: Message?
    if case .rejected(let condition, _) = verdict { reason = comparison.reason(condition) }
    return Judgement(
      expression, expression.conditions.map { Judgement.Value($0, numbers.value($0)) }, verdict, reason: reason)
  }
}
