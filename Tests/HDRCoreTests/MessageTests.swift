import HDRCore
import Testing

/// Messages name settings; whoever shows them decides if those are options.
@Suite struct MessageTests {
  @Test func settingsAreOptionsWithDashes() {
    let name = "lut", message: Message = "\(setting: "lut-space") needs \(setting: name)" + " (\(2) of them)"
    #expect(message.description == "lut-space needs lut (2 of them)")
    #expect(message.text(dashes: true) == "--lut-space needs --lut (2 of them)")
    #expect(message != "lut-space needs lut (2 of them)")
  }

  @Test func messagesOfEqualTextAreEqual() {
    let joined: Message = "a" + "b\(1)" + ""
    #expect(joined == "ab1")
    #expect("" + Message.setting("lut") == "\(setting: "lut")")
  }

  @Test func errorsInMessagesKeepTheirSettings() {
    let error = DecodeError.limit(what: "picture side", found: 9, allowed: 8, raise: .setting("max-side"))
    let warning = Warning("gainmap.decode", "the gain map is ignored: \(error)")
    #expect(warning.message.text(dashes: true).hasSuffix("more than the limit of 8; raise --max-side"))
    #expect("\(error)".hasSuffix("; raise max-side"))
    #expect("\(DecodeError.limit(what: "depth", found: 9, allowed: 8))".hasSuffix("the limit of 8"))
    #expect(DecodeError.memory(block: 2, allowed: 1).message.text(dashes: true).hasSuffix("raise --max-worker-memory"))
  }
}
