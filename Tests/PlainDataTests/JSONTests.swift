import PlainData
import Testing

@Suite struct JSONTests {
  static let odd = "q\"\\\n\u{1}é😀"

  @Test func linesKeepTheOrderOfKeysAndEscape() {
    let value: JSON = [
      "z": .int(1), "a": .string(Self.odd), "list": .array([.number(0.5), .number(2), .bool(true), .null]),
      "nothing": .number(.nan),
    ]
    #expect(
      value.line
        == #"{"z":1,"a":"q\"\\\n\u0001\u00e9\ud83d\ude00","list":[0.5,2,true,null],"nothing":null}"#)
  }

  @Test func canonicalTextSortsKeysAndHasNoShortEscapes() {
    let value: JSON = [
      "z": .int(1), "é": .null, "a": .object([]), "B": .array([.string(Self.odd), ["y": .int(1), "x": .int(2)]]),
    ]
    #expect(
      value.canonical
        == #"{"B":["q\"\\\u000a\u0001\u00e9\ud83d\ude00",{"x":2,"y":1}],"a":{},"z":1,"\u00e9":null}"#)
  }

  @Test("a text with many combining marks is written as readers take it, but for a digest as it is")
  func combiningMarks() throws {
    let value = JSON.string("e" + String(repeating: "\u{301}", count: 31))
    let read = try JSON(parsing: Array(value.line.utf8))
    #expect(read.string?.unicodeScalars.count == 33)
    #expect(throws: JSONError.self) { try JSON(parsing: Array(value.canonical.utf8)) }
  }

  @Test("YAML quotes what reads as another value, and has blocks where a line is too full")
  func yaml() {
    let value: JSON = [
      "steps": .array([
        .string("flip"), ["blur": ["radius": .number(2.5)]], ["d": .int(1), "c": .int(2), "b": .int(3), "a": .int(4)],
      ]),
      "b": .array([.int(1), .number(0.5)]), "a": .string("no"), "to": .string("x: é\n"), "empty": .object([]),
      "four": .string("4"),
    ]
    #expect(
      value.yaml(first: ["to"], last: ["steps"]) == #"""
        to: "x: \U000000e9\U0000000a"
        a: "no"
        b: [1, 0.5]
        empty:
          {}
        four: 4
        steps:
          - flip
          - blur: {radius: 2.5}
          - a: 4
            b: 3
            c: 2
            d: 1

        """#)
  }
}
