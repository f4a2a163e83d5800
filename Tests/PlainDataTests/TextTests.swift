import PlainData
import Testing

@Suite struct TextTests {
  @Test func hexDigitsAreLowerCaseInPairs() {
    #expect(hex(UInt8(5), digits: 2) == "05" && hex(UInt16(0xABCD), digits: 2) == "abcd")
    #expect([UInt8]([0, 0x1F, 0xFF]).hexDigits == "001fff" && [UInt8](hexDigits: "001fff") == [0, 0x1F, 0xFF])
    for text in ["0", "0g", "AB", "+1", "0x"] { #expect([UInt8](hexDigits: text) == nil, "\(text)") }
  }

  @Test func markupIsEscaped() {
    #expect(xmlEscaped("<a b=\"é\" c='&'>") == "&lt;a b=&quot;é&quot; c=&apos;&amp;&apos;&gt;")
    #expect(xmlEscaped("<'&'>", keeping: [">", "'"]) == "&lt;'&amp;'>")
  }

  @Test("text that is printed has no control characters, no marks of direction, and no bytes that are not UTF-8")
  func printableText() {
    #expect(printable("a\n\u{1B}[1m\u{202E}é\u{2028}") == "a\\x0a\\x1b[1m\\xe2\\x80\\xaeé\\xe2\\x80\\xa8")
    #expect(printable([0x61, 0x0A, 0xFF, 0xC3, 0xA9]) == "a\\x0a\\xff\\xc3\\xa9")
    #expect(printable(Array("é".utf8)) == "é")
  }

  @Test(arguments: [(2, "2"), (-0.0, "0"), (0.1, "0.1"), (1e16, "1e+16"), (-1.5, "-1.5")] as [(Double, String)])
  func shortestDecimalsReadBackTheSame(number: Double, text: String) {
    #expect(shortest(number) == text && decimal(text) == number)
  }

  @Test(arguments: ["", "nan", "inf", "0x10", "1e999", " 1", "1 ", "1_0", "--1"])
  func textThatIsNoDecimalIsRefused(text: String) { #expect(decimal(text) == nil) }

  @Test func misspellingsFindTheNearestName() {
    let names = ["gaussian-blur", "gamma", "flip"]
    #expect(
      Nearest.match("gaussianBlur", among: names) == "gaussian-blur" && Nearest.match("blur", among: names) == nil)
    #expect(Nearest.hint("gausian-blur", among: names) == "; did you mean \"gaussian-blur\"?")
    #expect(Nearest.hint("sepia-tone-map", among: names).isEmpty)
  }
}
