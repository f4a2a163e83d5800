import GPURender
import HDRCore
import HDRRecipe

/// A judge compares a file that was read back with the rendition that it was made of. `HDRComparison` has the one that
/// batches use; this room knows no metrics.
package protocol OutputJudge: Sendable {
  /// Compares a written file with its rendition and decides whether it is accepted.
  ///
  /// - Parameters:
  ///   - deadline: asked between bands of rows.
  ///   - notice: called once for every GPU that is retired or opened again.
  /// - Throws: `HDRError` of rendering, `render.timeout` after the deadline. A file of another size or kind is rejected, without values.
  func judge(
    _ written: SourceImage, against reference: OutputReference, by expression: AcceptExpression,
    on backends: RenderBackends, deadline: Deadline, notice: (GPURings.LostDevice) -> Void
  ) throws(HDRError) -> Judgement
}

/// The answer to an expression, with the values that led to it.
package struct Judgement: Sendable, Hashable {
  /// The value of a condition.
  package struct Value: Sendable, Hashable {
    package var condition: AcceptExpression.Condition
    /// `nil` if it cannot be told.
    package var number: Double?

    package init(_ condition: AcceptExpression.Condition, _ number: Double?) {
      (self.condition, self.number) = (condition, number)
    }
  }

  package var expression: AcceptExpression
  /// The values of all conditions, in the order of the expression.
  package var values: [Value]
  package var verdict: AcceptExpression.Verdict
  /// The condition that decides with its value and place, if the file is rejected.
  package var reason: Message?

  package init(
    _ expression: AcceptExpression, _ values: [Value], _ verdict: AcceptExpression.Verdict, reason: Message?
  ) {
    (self.expression, self.values, self.verdict, self.reason) = (expression, values, verdict, reason)
  }
}
