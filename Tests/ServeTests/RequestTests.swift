import PlainData
import Serve
import Testing

@Suite struct RequestTests {
  private func request(_ text: String) throws(RequestFault) -> Request { try Request(line: Array(text.utf8)) }

  @Test("requests have all that their lines say")
  func requestsAreRead() throws {
    #expect(
      try request(
        #"{"id":7,"request":"render","fds":1,"input":{"fd":0,"name":"a.jpg"},"options":["--to","exr"],"output":{"path":"o.exr","existing":"replace"}}"#
      )
        == Request(
          id: .number(7),
          work: .render(
            input: .descriptor(0, name: "a.jpg"), options: ["--to", "exr"], recipe: nil,
            output: .path("o.exr", replaces: true)), descriptors: 1))
    #expect(
      try request(#"{"id":"x","request":"render","recipe":{"size":[4,3]}}"#)
        == Request(
          id: .text("x"),
          work: .render(
            input: nil, options: [], recipe: .object([.init("size", .array([.int(4), .int(3)]))]),
            output: .memory(isHashed: true)), descriptors: 0))
    #expect(
      try request(#"{"id":1,"request":"render","output":{"memory":true,"digest":false}}"#).work
        == .render(input: nil, options: [], recipe: nil, output: .memory(isHashed: false)))
    #expect(
      try request(#"{"id":1,"request":"compare","a":{"path":"a"},"b":{"path":"b"}}"#).work
        == .compare(a: .path("a"), b: .path("b"), options: []))
    #expect(try request(#"{"id":1,"request":"cancel","of":"y"}"#).work == .cancel(of: .text("y")))
    #expect(try request(#"{"id":1,"request":"ping"}"#).work == .ping)
  }

  @Test(
    "lines that are no request are refused, with their id where they have one",
    arguments: [
      ("", "request.json", false), ("[]", "request.json", false), ("{}", "request.id", false),
      (#"{"id":1.5,"request":"ping"}"#, "request.id", false), (#"{"id":"","request":"ping"}"#, "request.id", false),
      (#"{"id":1,"id":2,"request":"ping"}"#, "request.json", false),
      (#"{"id":1}"#, "request.key", true), (#"{"id":1,"request":"delete"}"#, "request.key", true),
      (#"{"id":1,"request":"ping","more":1}"#, "request.key", true),
      (#"{"id":1,"request":"ping","fds":9}"#, "request.fds", true),
      (#"{"id":1,"request":"ping","fds":-1}"#, "request.fds", true),
      (#"{"id":1,"request":"info"}"#, "request.key", true),
      (#"{"id":1,"request":"info","input":{"fd":0}}"#, "request.fds", true),
      (#"{"id":1,"request":"info","input":{"fd":1},"fds":1}"#, "request.fds", true),
      (#"{"id":1,"request":"info","input":{"fd":0,"name":"../a"},"fds":1}"#, "request.key", true),
      (#"{"id":1,"request":"info","input":{"path":""}}"#, "request.key", true),
      (#"{"id":1,"request":"info","input":{"path":"a\u0000b"}}"#, "request.key", true),
      (#"{"id":1,"request":"info","input":{"path":"a","fd":0},"fds":1}"#, "request.key", true),
      (#"{"id":1,"request":"render","output":{"memory":false}}"#, "request.key", true),
      (#"{"id":1,"request":"render","output":{"memory":true,"digest":0}}"#, "request.key", true),
      (#"{"id":1,"request":"render","output":{"path":"a","digest":false}}"#, "request.key", true),
      (#"{"id":1,"request":"render","output":{"path":"a","existing":"keep"}}"#, "request.key", true),
      (#"{"id":1,"request":"render","options":"--to exr"}"#, "request.key", true),
      (#"{"id":1,"request":"render","options":[1]}"#, "request.key", true),
      (#"{"id":1,"request":"render","recipe":"a.yaml"}"#, "request.key", true),
      (#"{"id":1,"request":"cancel"}"#, "request.id", true),
    ])
  func othersAreRefused(line: String, code: String, hasID: Bool) {
    let fault = #expect(throws: RequestFault.self) { try request(line) }
    #expect(fault?.code == code && (fault?.id != nil) == hasID, "\(line): \(String(describing: fault))")
  }

  @Test("lines are the same, however their bytes are cut")
  func linesAreCut() {
    let bytes = Array("one\n\ntwo\nthree".utf8)
    for length in 1...bytes.count {
      var splitter = LineSplitter(), found: [LineSplitter.Piece] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        found += splitter.add(bytes[start..<min(bytes.count, start + length)])
      }
      #expect(found == [.line(Array("one".utf8)), .line(Array("two".utf8))])
    }
  }

  @Test("a line that is too long is skipped, and one without an end is given up")
  func longLinesAreSkipped() {
    var splitter = LineSplitter()
    let part = [UInt8](repeating: 32, count: 1 << 19)
    #expect(splitter.add(part).isEmpty)
    #expect(splitter.add(part) == [.tooLong])
    #expect(splitter.add(part).isEmpty && !splitter.isEndless)
    #expect(splitter.add(Array("x\nnext\n".utf8)) == [.line(Array("next".utf8))])
    #expect(splitter.add(part + part + Array("\n".utf8)) == [.tooLong])
    for _ in 0..<33 { _ = splitter.add(part) }
    #expect(splitter.isEndless)
  }
}
