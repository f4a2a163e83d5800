import BatchEngine
import CPlatform
import CodecService
import Glibc
import HDRRender
import PlainData
import Threads

/// Answers requests of clients until it is told to end, or its only client has ended.
package final class Server: Sendable {
  package struct Options: Sendable {
    /// The requests that run at once.
    package var jobs: Int
    /// The requests that wait.
    package var queue = 64
    /// The clients at once.
    package var connections = 64
    /// Keys of the first line that each client gets.
    package var facts: [JSON.Field] = []

    package init(jobs: Int) { self.jobs = jobs }
  }

  private struct State {
    var connections: [Int: Connection] = [:]
    var given = 0
    /// No more clients and requests.
    var isEnding = false
  }

  /// The version of the protocol.
  private static let version = 1
  /// Seconds in which clients take the last answers.
  private static let lastSeconds = 5.0

  private let options: Options
  private let queue: WorkQueue
  private let engine: any RequestEngine
  private let state = Monitor(State())
  private let started = monotonicSeconds()

  package init(_ options: Options, _ engine: any RequestEngine) {
    (self.options, self.engine) = (options, engine)
    queue = WorkQueue(limit: options.queue)
  }

  /// Serves one client, until it has ended or the server is told to end.
  package func serve(_ stream: ClientStream) {
    let workers = startWorkers()
    add(stream)
    state.wait { $0.connections.isEmpty || $0.isEnding ? () : nil }
    end(workers)
  }

  /// Serves all clients of a socket, until the server is told to end.
  package func serve(_ socket: ServerSocket) {
    let workers = startWorkers()
    let door = WorkerThread(name: "clients", isService: true) { [self] in
      while let client = socket.accept() {
        let isFull = state.change { $0.connections.count >= options.connections }
        let stream = ClientStream(input: client, output: client)
        if isFull { refuse(stream) } else { add(stream) }
      }
    }
    state.wait { $0.isEnding ? () : nil }
    socket.close()
    if door.isRunning { door.join() }
    end(workers)
  }

  /// Ends after what was accepted: clients are told, and new requests refused.
  package func drain() {
    queue.close()
    let connections = state.change { state in
      state.isEnding = true
      return Array(state.connections.values)
    }
    for connection in connections { connection.send(["type": "draining"]) }
  }

  private func startWorkers() -> [WorkerThread] {
    (0..<options.jobs).map { index in
      WorkerThread(name: "request \(index)", isService: true) { [queue, engine] in
        while let job = queue.next() {
          let outcome = job.isCancelled ? Outcome(.failure(.cancelled)) : engine.answer(job)
          job.finish(outcome)
          queue.finished(job, outcome)
        }
      }
    }
  }

  private func end(_ workers: [WorkerThread]) {
    queue.close()
    for worker in workers where worker.isRunning { worker.join() }
    for connection in state.change({ Array($0.connections.values) }) { connection.finish(seconds: Self.lastSeconds) }
  }

  private func add(_ stream: ClientStream) {
    let number = state.change { state in
      state.given += 1
      return state.given
    }
    let connection = Connection(
      number, stream, queue, hello: hello(stream), stats: { [self] in stats },
      ended: { [self] connection in state.change { $0.connections[connection.number] = nil } })
    state.change { if !connection.hasEnded { $0.connections[number] = connection } }
  }

  private func refuse(_ stream: ClientStream) {
    let line: JSON = ["type": "refused", "error": RequestFault.busy.json]
    _ = stream.send(Array((line.line + "\n").utf8), [], seconds: 0.1)
  }

  private func hello(_ stream: ClientStream) -> JSON {
    let fields: [JSON.Field] = [
      JSON.Field("type", "hello"), JSON.Field("program", "hdrbatch"), JSON.Field("version", .string(hdrbatchVersion)),
      JSON.Field("protocol", .int(Self.version)), JSON.Field("jobs", .int(options.jobs)),
      JSON.Field("queue", .int(options.queue)), JSON.Field("maxLine", .int(Request.maxLine)),
      JSON.Field("maxDescriptors", .int(Request.maxDescriptors)),
      JSON.Field("descriptors", .bool(stream.passesDescriptors)),
    ]
    return .object(fields + options.facts)
  }

  private var stats: JSON {
    let counts = queue.counts
    var resident: UInt64 = 0
    _ = hdr_private_bytes_of(getpid(), &resident)
    return [
      "running": .int(counts.running), "waiting": .int(counts.waiting), "done": .int(counts.done),
      "failed": .int(counts.failed), "cancelled": .int(counts.cancelled), "refused": .int(counts.refused),
      "connections": .int(state.change { $0.connections.count }),
      "descriptors": .int(Self.openDescriptors), "residentBytes": .int(Int(clamping: resident)),
      "seconds": .number(rounded(monotonicSeconds() - started)),
    ]
  }

  private static var openDescriptors: Int {
    let files = LinuxFileSystem()
    return (try? files.names(in: files.folder(FilePath("/proc/self/fd"))).count) ?? 0
  }
}
