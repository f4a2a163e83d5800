import CodecService
import Foundation
import HDRRender
import PlainData
import TestSupport
import Testing

/// `hdrbatch serve`, by a client of its own.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ServeProgramTests {
  let folder: TemporaryFolder
  let picture = SharedData.small("lamps.jpg")
  init() throws { folder = try TemporaryFolder() }

  @Test("files by path, by descriptor and into memory are those that render makes")
  func filesAreTheSame() throws {
    let options = ["--to", "sdr-jpeg", "--resize", "200"]
    let made = try Program.run(["render", picture, "-o", folder.path("a.jpg")] + options)
    #expect(made.status == 0, "\(made.errors)")
    let wanted = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path("a.jpg"))))
    let client = try ServeClient()
    let hello = try #require(try client.line())
    #expect(hello["type"] == "hello" && hello["protocol"] == .int(1) && hello["descriptors"] == .bool(true))
    let words = JSON.array(options.map(JSON.string)).line
    let path = JSON.string(picture).line, output = JSON.string(folder.path("b.jpg")).line
    let first = try client.ask(
      1, #""request":"render","input":{"path":\#(path)},"options":\#(words),"output":{"path":\#(output)}"#)
    #expect(first.line["ok"] == .bool(true) && first.line["record"]?["status"] == "ok", "\(first.line.line)")
    #expect(first.line["record"]?["input"]?.string == picture && first.line["output"]?["bytes"] == .int(wanted.count))
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path("b.jpg")))) == wanted)
    let again = try client.ask(
      2, #""request":"render","input":{"path":\#(path)},"options":\#(words),"output":{"path":\#(output)}"#)
    #expect(again.line["error"]?["code"] == "output.exists")
    let third = try client.ask(
      3, #""request":"render","fds":1,"input":{"fd":0,"name":"lamps.jpg"},"options":\#(words)"#,
      [try .reading(picture)])
    #expect(third.files.first?.content == wanted, "\(third.line.line)")
    #expect(third.line["output"]?["fd"] == .int(0) && third.line["output"]?["bytes"] == .int(wanted.count))
    #expect(third.line["record"]?["input"] == "lamps.jpg" && third.line["record"]?["output"] == "-")
    let recipe = #"{"outputs":[{"to":"sdr-jpeg"}],"resize":200}"#
    let fourth = try client.ask(4, #""request":"render","input":{"path":\#(path)},"recipe":\#(recipe)"#)
    #expect(fourth.files.first?.content == wanted, "\(fourth.line.line)")
    client.closeWriting()
    #expect(try client.line() == nil)
    #expect(try client.end() == 0)
  }

  @Test("pixels go to a client and come back through memory")
  func pixelsGoBothWays() throws {
    let client = try ServeClient(), path = JSON.string(picture).line
    let pixels = try client.ask(
      1, #""request":"render","input":{"path":\#(path)},"options":["--to","rgba16f","--resize","40"]"#)
    let sidecar = try #require(pixels.line["output"]?["sidecar"], "\(pixels.line.line)")
    let width = try #require(sidecar["width"]?.integer), height = try #require(sidecar["height"]?.integer)
    let bytes = try #require(pixels.files.first?.content)
    #expect(max(width, height) == 40 && bytes.count == 8 * width * height)
    let back = try client.ask(
      2,
      #""request":"render","fds":1,"input":{"fd":0},"options":["--from","raw:rgbah,\#(width)x\#(height)","--cicp","9/8/0","--to","rgba16f"]"#,
      [.memory(bytes)])
    #expect(back.files.first?.content == bytes, "\(back.line.line)")
    let digest = try #require(back.line["record"]?["outputDigest"]?.string)
    // What the server passes is the client's.
    let file = try #require(back.files.first)
    #expect(pwrite(file.descriptor, [UInt8(7)], 1, 0) == 1 && file.content.first == 7)
    let unhashed = try client.ask(
      3,
      #""request":"render","fds":1,"input":{"fd":0},"options":["--from","raw:rgbah,\#(width)x\#(height)","--cicp","9/8/0","--to","rgba16f"],"output":{"memory":true,"digest":false}"#,
      [.memory(bytes)])
    #expect(unhashed.files.first?.content == bytes && unhashed.line["record"]?["outputDigest"] == .null)
    #expect(digest == Digest(of: bytes).hex)
  }

  @Test("memory has the size of each output, whatever the last one of the same options took")
  func memoryHasItsSize() throws {
    let client = try ServeClient(), path = JSON.string(picture).line
    let options = ["--to", "rgba16f", "--filter", "scale=factor:0.5"]
    let words = JSON.array(options.map(JSON.string)).line
    let large = folder.path("large.png")
    let made = try Program.run(
      ["render", picture, "-o", large, "--to", "sdr-png", "--filter", "resize=width:1600,height:1200"])
    #expect(made.status == 0, "\(made.errors)")
    // Pages are made ahead for the second, which is as large, and for the third, which is not.
    for (id, input) in [JSON.string(large).line, JSON.string(large).line, path].enumerated() {
      let answer = try client.ask(id, #""request":"render","input":{"path":\#(input)},"options":\#(words)"#)
      let sidecar = try #require(answer.line["output"]?["sidecar"], "\(answer.line.line)")
      let pixels = try #require(sidecar["width"]?.integer) * #require(sidecar["height"]?.integer)
      let file = try #require(answer.files.first)
      #expect(file.content.count == 8 * pixels && answer.line["output"]?["bytes"] == .int(8 * pixels))
      #expect(answer.line["record"]?["outputDigest"]?.string == Digest(of: file.content).hex)
      var status = stat()
      #expect(fstat(file.descriptor, &status) == 0 && status.st_blocks * 512 < 8 * pixels + 4096)
    }
  }

  @Test("a file that costs its process leaves the next request one that is ready")
  func processesAreReady() throws {
    let client = try ServeClient(jobs: 1), path = JSON.string(picture).line
    let pid = try #require(client.process?.processIdentifier)
    let broken = folder.path("broken.jpg")
    try Data(contentsOf: URL(fileURLWithPath: picture)).prefix(2000).write(to: URL(fileURLWithPath: broken))
    let good = #""request":"render","input":{"path":\#(path)},"options":["--to","sdr-jpeg","--resize","40"]"#
    #expect(try client.ask(1, good).line["ok"] == .bool(true))
    var known = try Self.children(of: pid)
    #expect(known.count >= 3)
    for id in [10, 20, 30] {
      let failed = try client.ask(
        id, #""request":"render","input":{"path":\#(JSON.string(broken).line)},"options":["--to","sdr-jpeg"]"#)
      #expect(failed.line["error"]?["exit"] == .int(65), "\(failed.line.line)")
      var now = try Self.children(of: pid)
      // The one that ends and the one that is started may both be there for a moment.
      for _ in 0..<600 where now.count != known.count || now == known {
        usleep(100_000)
        now = try Self.children(of: pid)
      }
      #expect(now.count == known.count && now != known)
      #expect(try client.ask(id + 1, good).line["ok"] == .bool(true))
      #expect(try Self.children(of: pid) == now)
      known = now
    }
  }

  @Test("memory that a large picture needed is given back while small ones follow")
  func memoryIsGivenBack() throws {
    let client = try ServeClient(jobs: 1), path = JSON.string(picture).line, large = folder.path("large.jpg")
    let pid = try #require(client.process?.processIdentifier)
    #expect(
      try client.ask(
        1,
        #""request":"render","recipe":{"size":[5000,4000],"steps":[{"exposure":{"ev":1}}],"outputs":[{"to":"sdr-jpeg"}]},"output":{"path":\#(JSON.string(large).line)}"#
      ).line["ok"] == .bool(true))
    func ask(_ id: Int, _ input: String) throws {
      let options = #""options":["--to","sdr-jpeg","--resize","40"]"#
      let answer = try client.ask(id, #""request":"render","input":{"path":\#(input)},\#(options)"#)
      #expect(answer.line["ok"] == .bool(true), "\(answer.line.line)")
    }
    try ask(2, JSON.string(large).line)
    let most = try Self.sharedPictures(of: pid)
    #expect(most >= 5000 * 4000)
    for id in 3...150 { try ask(id, path) }
    let least = try Self.sharedPictures(of: pid)
    #expect(3 * least < 2 * most, "\(most), then \(least) bytes")
  }

  /// Returns the bytes of pictures that a process shares with its codec processes.
  private static func sharedPictures(of pid: Int32) throws -> Int {
    let file = try OpenFile.reading("/proc/\(pid)/smaps")
    var text: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
    // A read gives a few lines.
    while case let count = read(file.descriptor, &part, part.count), count > 0 { text += part[..<count] }
    var isPicture = false, sum = 0
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0].last != ":" { isPicture = line.contains("hdrbatch pictures") }
      if isPicture, words[0] == "Rss:" { sum += (Int(words[1]) ?? 0) << 10 }
    }
    return sum
  }

  /// Returns the processes that all threads of a process have started.
  private static func children(of pid: Int32) throws -> Set<Substring> {
    let tasks = "/proc/\(pid)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(into: []) { found, task in
      // A thread may end meanwhile.
      let text = (try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)) ?? ""
      found.formUnion(text.split(separator: " ").map { Substring($0) })
    }
  }

  @Test("info and compare answer what the commands print")
  func reportsAreTheSame() throws {
    let client = try ServeClient(), path = JSON.string(picture).line
    let printed = try Program.run(["info", picture, "--json"])
    let info = try client.ask(1, #""request":"info","input":{"path":\#(path)}"#)
    #expect(info.line["info"] == (try JSON(parsing: Array(printed.output.utf8.dropLast()))))
    let other = try client.ask(
      2, #""request":"info","fds":1,"input":{"fd":0,"name":"x.jpg"}"#, [try .reading(picture)])
    #expect(other.line["info"]?["file"] == "x.jpg" && other.line["info"]?["width"] == info.line["info"]?["width"])
    let pair = try client.ask(
      3,
      #""request":"compare","fds":1,"a":{"path":\#(path)},"b":{"fd":0,"name":"b.jpg"},"options":["--accept","exact"]"#,
      [try .reading(picture)])
    #expect(pair.line["pair"]?["verdict"] == "accepted" && pair.line["pair"]?["b"] == "b.jpg", "\(pair.line.line)")
  }

  @Test("lines that are no requests harm nobody, and options are refused as the command refuses them")
  func badLinesAreAnswered() throws {
    let client = try ServeClient()
    client.send("garbage")
    #expect(try client.code(nil) == "request.json")
    client.send(String(repeating: "x", count: 1 << 21))
    #expect(try client.code(nil) == "request.length")
    client.send(#"{"id":1,"request":"render","fds":1,"input":{"fd":0}}"#)
    #expect(try client.code(1) == "request.fds")
    let path = JSON.string(picture).line
    let unknown = try client.ask(
      2, #""request":"render","input":{"path":\#(path)},"options":["--to","sdr-jpeg","--jobs","9"]"#)
    #expect(unknown.line["error"]?["code"] == "request.options" && unknown.line["error"]?["exit"] == .int(64))
    let several = try client.ask(
      3, #""request":"render","input":{"path":\#(path)},"options":["--to","sdr-jpeg","--to","pq-png"]"#)
    #expect(several.line["error"]?["code"] == "request.options")
    #expect(try client.ask(4, #""request":"ping""#).line["ok"] == .bool(true))
    // A line without an end ends the connection.
    #expect(!client.send(String(repeating: "x", count: 40 << 20)))
    while try client.line() != nil {}
    #expect(try client.end() == 0)
  }

  @Test(
    "a hostile file fails its own request alone",
    .enabled(if: SharedData.hasMalformed, "skipped: no test data"))
  func hostileFilesFail() throws {
    let client = try ServeClient()
    let names = ["jpg-sof-65500x65500.jpg", "heic-box-nesting-3000.heic", "jpg-progressive-60000-300-scans.jpg"]
    for (index, name) in names.enumerated() {
      let path = JSON.string(try #require(SharedData.url("data/malformed/" + name)).path).line
      client.send(
        #"{"id":\#(index),"request":"render","input":{"path":\#(path)},"options":["--to","sdr-jpeg"]}"#)
    }
    var codes: [String?] = []
    for _ in names {
      let line = try #require(try nextAnswer(client))
      codes.append(line["error"]?["code"]?.string)
    }
    #expect(!codes.contains(nil), "\(codes)")
    let path = JSON.string(picture).line
    let good = try client.ask(9, #""request":"render","input":{"path":\#(path)},"options":["--to","sdr-jpeg"]"#)
    #expect(good.line["ok"] == .bool(true))
  }

  private func nextAnswer(_ client: ServeClient) throws -> JSON? {
    while let line = try client.line() { if line["id"] != nil { return line } }
    return nil
  }

  /// A request that takes a while.
  private func slow(_ id: Int) -> String {
    #"{"id":\#(id),"request":"render","recipe":{"size":[4000,4000],"outputs":[{"to":"sdr-png"}],"steps":[{"gaussian-blur":{"radius":90}}]}}"#
  }

  @Test("what is cancelled is answered, and a full queue refuses")
  func requestsAreCancelledAndRefused() throws {
    let client = try ServeClient(["--queue", "1"], jobs: 1)
    client.send(slow(1))
    // The first one runs once the queue has room again.
    while try client.ask(100, #""request":"stats""#).line["stats"]?["running"] != .int(1) {}
    client.send(slow(2))
    client.send(slow(3))
    let refused = try client.answer(3).line
    #expect(refused["error"]?["code"] == "serve.busy" && refused["error"]?["retry"] == .bool(true))
    client.send(slow(1))
    #expect(try client.code(1) == "request.id")
    client.send(#"{"id":4,"request":"cancel","of":2}"#)
    #expect(try client.code(2) == "cancelled")
    client.send(#"{"id":5,"request":"cancel","of":1}"#)
    let first = try client.answer(1).line
    #expect(first["error"]?["code"] == "cancelled" || first["ok"] == .bool(true))
    #expect(try client.ask(6, #""request":"cancel","of":99"#).line["found"] == .bool(false))
  }

  @Test("SIGTERM ends a server after what it has accepted")
  func serverDrains() throws {
    let client = try ServeClient(jobs: 1)
    client.send(slow(1))
    while try client.ask(100, #""request":"stats""#).line["stats"]?["running"] != .int(1) {}
    try #require(client.process).terminate()
    var isTold = false, isAnswered = false
    while let line = try client.line() {
      if line["type"] == "draining" {
        isTold = true
        client.send(slow(2))
      }
      if line["id"] == .int(2) { #expect(line["error"]?["code"] == "serve.draining") }
      if line["id"] == .int(1) { isAnswered = line["ok"] == .bool(true) }
    }
    #expect(isTold && isAnswered)
    #expect(try client.end() == 0)
  }

  @Test("a socket is of its user alone, stays within its root, and replaces one that was left")
  func socketServesManyClients() throws {
    let socket = folder.path("s"), root = folder.path("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: picture, toPath: root + "/in.jpg")
    try FileManager.default.createSymbolicLink(atPath: root + "/link.jpg", withDestinationPath: picture)
    func start() throws -> Process {
      let log = try #require(FileHandle(forWritingAtPath: try folder.file("log", "")))
      return try Program.start(
        ["serve", "--socket", socket, "--root", root, "--backend", "cpu"], output: log, errors: log)
    }
    func connected(_ process: Process) throws -> ServeClient {
      while process.isRunning {
        if let client = try ServeClient(socket: socket) { return client }
        usleep(20_000)
      }
      throw CocoaError(.fileNoSuchFile)
    }
    let first = try start(), client = try connected(first)
    let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let render = #""request":"render","options":["--to","sdr-jpeg","--resize","64"],"input""#
    #expect(
      try client.ask(1, #"\#(render):{"path":"in.jpg"},"output":{"path":"new/out.jpg"}"#).line["ok"] == .bool(true))
    #expect(FileManager.default.fileExists(atPath: root + "/new/out.jpg"))
    #expect(try client.ask(2, #"\#(render):{"path":"../s"}"#).line["error"]?["code"] == "request.root")
    #expect(try client.ask(3, #"\#(render):{"path":"/etc/passwd"}"#).line["error"]?["code"] == "request.root")
    #expect(try client.ask(4, #"\#(render):{"path":"link.jpg"}"#).line["error"]?["code"] == "io.read")
    #expect(
      try client.ask(5, #"\#(render):{"path":"in.jpg"},"output":{"path":"../x.jpg"}"#).line["error"]?["code"]
        == "request.root")
    // A client that leaves in the middle of its work harms nobody.
    _ = try connected(first).send(slow(1))
    #expect(try client.ask(6, #""request":"ping""#).line["ok"] == .bool(true))
    let second = try start()
    second.waitUntilExit()
    #expect(second.terminationStatus == 74)
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    #expect(FileManager.default.fileExists(atPath: socket))
    let third = try start()
    #expect(try connected(third).ask(1, #""request":"ping""#).line["ok"] == .bool(true))
    third.terminate()
    third.waitUntilExit()
    #expect(third.terminationStatus == 0 && !FileManager.default.fileExists(atPath: socket))
  }
}
