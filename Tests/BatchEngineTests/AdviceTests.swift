import BatchEngine
import Testing

/// Messages in two parts.
@Suite struct AdviceTests {
  @Test(
    "advice begins behind the first semicolon that stands in no parentheses",
    arguments: [
      ("no such file", "no such file", nil), ("cut (found 3; 4 needed)", "cut (found 3; 4 needed)", nil),
      ("cut; copy it; again", "cut", "copy it; again"),
      ("a map (found one; leave it out); convert it", "a map (found one; leave it out)", "convert it"),
    ] as [(String, String, String?)])
  func parts(message: String, fault: String, rest: String?) {
    let advice = Advice(message)
    #expect(advice.fault == fault && advice.rest == rest)
  }
}
