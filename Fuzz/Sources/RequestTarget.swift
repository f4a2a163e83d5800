import PlainData
import Serve

extension Target {
  /// Lines of clients of `serve`, however they are cut, and the requests in them.
  static let request = Target("request", maxLength: 4096, mutate: RequestGrammar.mutate) { bytes in
    var splitter = LineSplitter(), pieces: [LineSplitter.Piece] = []
    let step = 1 + Int(bytes.first ?? 0)
    for start in stride(from: 0, to: bytes.count, by: step) {
      pieces += splitter.add(bytes[start..<min(bytes.count, start + step)])
    }
    var whole = LineSplitter()
    demand(whole.add(bytes) == pieces, "lines depend on how they are cut")
    for case .line(let line) in pieces + [.line(bytes)] {
      do throws(RequestFault) {
        let request = try Request(line: line)
        demand((0...Request.maxDescriptors).contains(request.descriptors), "more descriptors than a line has")
        demand(files(of: request.work).allSatisfy { isWithin($0, request) }, "a file that the line does not have")
      } catch {
        demand(!error.message.isEmpty && (try? JSON(parsing: Array(error.json.line.utf8))) != nil, "no answer")
      }
    }
  }

  private static func files(of work: Request.Work) -> [Request.File] {
    switch work {
    case .render(let input, _, _, _): [input].compactMap(\.self)
    case .info(let file, _): [file]
    case .compare(let a, let b, _): [a, b]
    case .cancel, .ping, .stats: []
    }
  }

  private static func isWithin(_ file: Request.File, _ request: Request) -> Bool {
    switch file {
    case .path(let path): !path.isEmpty && !path.utf8.contains(0)
    case .descriptor(let index, let name): index < request.descriptors && !name.contains("/") && !name.isEmpty
    }
  }
}

/// Requests with likely and unlikely values.
enum RequestGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 2) { return blindly(bytes, maxSize: maxSize) }
    let ids = ["1", "\"a\"", "-7", "1.0", "null", "\"\"", "99999999999999999999"]
    let files = [
      "{\"path\":\"a.jpg\"}", "{\"fd\":0}", "{\"fd\":1,\"name\":\"b.exr\"}", "{\"fd\":7}", "{\"path\":\"\"}", "[]",
      "{\"fd\":0,\"name\":\"a/b\"}",
    ]
    let outputs = [
      "{\"memory\":true}", "{\"path\":\"o.jpg\"}", "{\"path\":\"o\",\"existing\":\"replace\"}",
      "{\"existing\":\"refuse\"}",
    ]
    var lines = ""
    for _ in 0...random.below(3) {
      let keys = [
        "\"id\":\(random.pick(ids))", "\"fds\":\(random.below(10))",
        "\"request\":\"\(random.pick(["render", "info", "compare", "cancel", "ping", "stats", "x"]))\"",
        "\"input\":\(random.pick(files))", "\"a\":\(random.pick(files))", "\"b\":\(random.pick(files))",
        "\"output\":\(random.pick(outputs))", "\"options\":[\"--to\",\"exr\"]", "\"of\":\(random.pick(ids))",
        "\"recipe\":{\"size\":[4,4]}",
      ]
      var chosen = [keys[0], keys[2]]
      for key in keys where random.one(in: 3) && !chosen.contains(key) { chosen.append(key) }
      lines += "{" + chosen.joined(separator: ",") + "}" + random.pick(["\n", "\r\n", "\n\n", ""])
    }
    return Array(lines.utf8.prefix(maxSize))
  }
}
