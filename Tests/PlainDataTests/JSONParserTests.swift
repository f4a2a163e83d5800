import PlainData
import Testing

@Suite struct JSONParserTests {
  @Test func writtenJSONIsReadBack() throws {
    let value: JSON = [
      "a": .int(-12), "b": .array([.number(0.5), .bool(false), .null, .string("q\"\\\n\u{1}é😀")]), "c": [:],
    ]
    #expect(try JSON(parsing: Array(value.line.utf8)) == value)
    #expect(try JSON(parsing: Array(value.pretty.utf8)) == value)
    #expect(try JSON(parsing: Array(" [1e3, -0.25E-2] ".utf8)) == .array([.number(1000), .number(-0.0025)]))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":1,\"a\":2}", "01", "1.", "1e", "-", "nul", "\"", "\"\\x\"",
    "\"\\ud800\"", "\"\u{1}\"", "1 2", "[1e999]", "+1", "\"\\u12\"",
  ])
  func malformedJSONIsRefused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
  }

  /// Each of them would take seconds to hash.
  @Test func combiningMarksInARowAreRefused() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 16_000)
    let escaped = String(repeating: "\\u0301\\u0323", count: 16_000)
    for text in ["{\"a\(marks)\":1}", "{\"a\":\"b\(marks)\"}", "{\"a\(escaped)\":1}"] {
      let begin = ContinuousClock.now
      #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
      #expect(ContinuousClock.now - begin < .milliseconds(500))
    }
    #expect(try JSON(parsing: Array("\"e\u{301}\u{323}\"".utf8)).string == "e\u{301}\u{323}")
  }

  @Test("JSON nested too deeply is refused, not followed")
  func depthIsBounded() {
    let deep = String(repeating: "[", count: 20_000)
    #expect(throws: JSONError.self) { try JSON(parsing: Array(deep.utf8)) }
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xff, 0x22]) }
  }
}
