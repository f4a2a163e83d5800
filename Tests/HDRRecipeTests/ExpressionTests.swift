import HDRPlan
import HDRRecipe
import Testing

/// Expressions in parameters of filters.
@Suite struct ExpressionTests {
  static let variables: [Expression.Variable: Double] = [
    .headroom: 4, .contentHeadroom: 8, .width: 300, .height: 200, .index: 2, .frame: 1001, .time: 0,
  ]

  @Test(arguments: [
    ("min(headroom, 8)", 4.0), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("8 / 2 / 2", 2), ("8 - 2 - 2", 4),
    ("-width / 2", -150), ("clamp(contentHeadroom, 1, 4)", 4),
    ("pow(2, 3)", 8), ("pow(-2, 3)", -8), ("max(1, 2, 3)", 3),
    ("width-2", 298), ("2e1", 20), (".5", 0.5), ("content-headroom", 8), ("-(1 + index)", -3), ("2 - -1", 3),
  ])
  func expressionsWorkOutAndReadBack(text: String, value: Double) throws {
    let expression = try Expression(parsing: text)
    #expect(expression.value(Self.variables) == value)
    // Its own text means the same.
    let again = try Expression(parsing: expression.text)
    #expect(again == expression)
    #expect(again.text == expression.text)
  }

  @Test(arguments: [
    ("", "a value was expected at the end"), ("1 +", "a value was expected at the end"),
    ("1 2", "an operator was expected"),
    ("min(1)", "min takes 2 to 16 values"), ("hedroom", "did you mean \"headroom\"?"), ("(1", "\")\" was expected"),
    ("1 $ 2", "an operator was expected"), ("clamp(1, 2)", "clamp takes 3 values"),
    ("pow(1, 2, 3)", "pow takes 2 values"),
  ])
  func brokenExpressionsSayWhatIsWrong(text: String, words: String) {
    let fault = #expect(throws: Expression.Fault.self) { try Expression(parsing: text) }
    #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
  }

  @Test func hostileExpressionsAreRefused() {
    #expect(throws: Expression.Fault.self) { try Expression(parsing: String(repeating: "(", count: 900)) }
    #expect(throws: Expression.Fault.self) { try Expression(parsing: String(repeating: "-", count: 900) + "1") }
    #expect(throws: Expression.Fault.self) { try Expression(parsing: String(repeating: "1+", count: 900) + "1") }
  }
}
