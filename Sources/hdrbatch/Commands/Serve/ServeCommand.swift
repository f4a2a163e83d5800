import BatchEngine
import CPlatform
import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Serve

/// `hdrbatch serve`: a process that stays warm and answers requests of other programs.
enum ServeCommand {
  struct Options: SettingGroup {
    var title: String { "Clients" }

    let stdio = SettingKey(
      flag: "stdio", "Serves one client on standard input and output; with descriptors where both are a Unix socket.")
    let socket = SettingKey(
      "socket", .text("path"), "Makes a Unix socket there, for clients of this user, and serves all that connect.")
    let root = SettingKey(
      "root", .text("folder"),
      "Reads and writes files below this folder alone, which relative paths begin in: for clients that are not trusted."
    )
    let queue = SettingKey(
      "queue", .integer(1...4096, "requests"), standard: 64,
      "Requests of all clients that wait; more are refused (serve.busy).")
    let connections = SettingKey(
      "connections", .integer(1...1024), standard: 64, rare: true, "Clients at once; more are refused.")
    let durability = Settings.reports.durability
  }
  static let options = Options()

  /// Seconds in which what was accepted is answered after a signal.
  private static let drainSeconds = 30

  static let command = Command(
    name: "serve",
    summary: "Stays warm and answers requests of other programs: render, info and compare, a line of JSON each.",
    discussion: """
      Devices and codec processes are started once. Requests and answers are lines of JSON. SIGTERM and \
      Ctrl-C end it after what was accepted, within \(drainSeconds) seconds, with the exit code 0; 75 if work was \
      abandoned. --max-crashes is 0 here unless it is given: files that crash codecs end their own requests.
      """,
    examples: ["serve --socket /run/user/1000/hdrbatch.sock --root /srv/photos", "serve --stdio"],
    options: [options, Settings.machine, Settings.decoders, Settings.safety], run: run)

  private static func run(_ invocation: Invocation) throws {
    let path = invocation[options.socket].map { FilePath($0).absolute }
    guard invocation[options.stdio] != (path != nil) else {
      throw UsageError("serve needs --stdio or --socket PATH, and one of them alone")
    }
    try invocation.values.checkDecoders()
    let batch = BatchSettings(invocation)
    try batch.check()
    var machine = BatchOptions(outputs: [])
    batch.apply(to: &machine)
    machine.durability = invocation[options.durability]
    if !invocation.has(Settings.safety.maxCrashes) { machine.isolation.limits.crashes = 0 }
    // Before the working folder changes.
    let socket = try path.map { path throws(ResultFileError) in try self.socket(path) }
    let root = try invocation[options.root].map { folder throws(UsageError) in try enter(FilePath(folder)) }
    let engine = try RenderEngine(machine, root: root, CommandWords()) { Terminal.note(printable($0)) }
    if let reason = engine.fallback { Terminal.note("rendering on the CPU: \(printable(reason))") }
    if let reason = engine.reduction { Terminal.note("codecs are less isolated: \(printable(reason))") }
    var serving = Server.Options(jobs: engine.jobs)
    (serving.queue, serving.connections) = (invocation[options.queue], invocation[options.connections])
    serving.facts = engine.facts
    let server = Server(serving, engine)
    SignalWatcher.watch(StopSwitch(), grace: drainSeconds, begun: { server.drain() }) { engine.abandon() }
    if let socket {
      server.serve(socket)
    } else {
      server.serve(try ClientStream.standard())
    }
    engine.close()
  }

  private static func socket(_ path: FilePath) throws(ResultFileError) -> ServerSocket {
    do throws(FileFault) {
      return try ServerSocket(path)
    } catch {
      let reason: String =
        switch error.number {
        case EADDRINUSE: "another server answers there"
        case EEXIST: "there is a file of that name that is no socket"
        case ENAMETOOLONG: "a path of a socket has at most 107 bytes"
        default: errorText(error.number)
        }
      throw ResultFileError("--socket \(path.display): \(reason)")
    }
  }

  /// Makes a folder the working folder, and returns its path without links.
  private static func enter(_ folder: FilePath) throws(UsageError) -> FilePath {
    guard folder.withCString({ chdir($0) }) == 0, let place = realpath(".", nil) else {
      throw UsageError("--root \(folder.display): \(errorText(errno))")
    }
    defer { free(place) }
    return FilePath(String(cString: place))
  }
}
