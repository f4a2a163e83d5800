import Glibc
import HDRRender
import PlainData
import Threads

/// A client: a thread that reads its requests, and one that writes its answers, so that a client that does not read
/// holds nobody up.
final class Connection: Sendable {
  private struct Message {
    var bytes: [UInt8]
    var files: [OpenFile]
  }

  private struct State {
    /// The requests that are not answered.
    var active: [Request.ID: Job] = [:]
    var outgoing: [Message] = []
    var isSending = false
    /// Nothing is sent any more once `outgoing` is empty.
    var isClosed = false
    /// Both threads are over.
    var hasEnded = false

    var isIdle: Bool { active.isEmpty && isQuiet }
    var isQuiet: Bool { outgoing.isEmpty && !isSending }
  }

  /// Seconds in which a client must read some of its answers.
  private static let sendSeconds = 30.0
  /// The answers that wait before no more requests are read.
  private static let mostOutgoing = 256
  /// Descriptors that have come and that no line has taken.
  private static let mostHeld = 64

  let number: Int
  private let stream: ClientStream
  private let queue: WorkQueue
  private let stats: @Sendable () -> JSON
  private let state = Monitor(State())

  /// - Parameters:
  ///   - stats: what the request of that name gets.
  ///   - ended: called when both threads are over.
  init(
    _ number: Int, _ stream: ClientStream, _ queue: WorkQueue, hello: JSON, stats: @escaping @Sendable () -> JSON,
    ended: @escaping @Sendable (Connection) -> Void
  ) {
    (self.number, self.stream, self.queue, self.stats) = (number, stream, queue, stats)
    send(hello)
    let writer = WorkerThread(name: "answers \(number)", isService: true) { [self] in writeAll() }
    let reader = WorkerThread(name: "requests \(number)", isService: true) { [self] in
      readAll()
      writer.join()
      state.change { $0.hasEnded = true }
      ended(self)
    }
    if reader.isRunning && writer.isRunning {
      reader.detach()
      return
    }
    // Without threads the client gets its end.
    state.change { ($0.isClosed, $0.hasEnded, $0.outgoing) = (true, true, []) }
    stream.stopReading()
    if reader.isRunning { reader.detach() } else if writer.isRunning { writer.detach() }
  }

  var hasEnded: Bool { state.change { $0.hasEnded } }

  // MARK: Answers

  /// Sends a line.
  ///
  /// - Parameter finished: the request that it answers, if that was accepted.
  func send(_ line: JSON, _ files: [OpenFile] = [], finished: Request.ID? = nil) {
    let message = Message(bytes: Array((line.line + "\n").utf8), files: files)
    state.change { state in
      if let finished { state.active[finished] = nil }
      if !state.isClosed { state.outgoing.append(message) }
    }
  }

  /// - Parameter isFinished: true for a request that was accepted.
  private func answer(_ id: Request.ID?, _ outcome: Outcome, isFinished: Bool = false) {
    var fields = [JSON.Field("id", id?.json ?? .null)]
    if !outcome.files.isEmpty { fields.append(JSON.Field("fds", .int(outcome.files.count))) }
    switch outcome.result {
    case .success(let found): fields += [JSON.Field("ok", .bool(true))] + found
    case .failure(let fault): fields += [JSON.Field("ok", .bool(false)), JSON.Field("error", fault.json)]
    }
    if let record = outcome.record { fields.append(JSON.Field("record", record)) }
    send(.object(fields), outcome.files, finished: isFinished ? id : nil)
  }

  private func writeAll() {
    while true {
      let next = state.wait { state -> Message?? in
        guard !state.outgoing.isEmpty else { return state.isClosed ? .some(nil) : nil }
        state.isSending = true
        return state.outgoing.removeFirst()
      }
      guard let message = next else { return }
      let failure = stream.send(message.bytes, message.files, seconds: Self.sendSeconds)
      state.change { $0.isSending = false }
      if failure != 0 {
        leave()
        stream.stopReading()
      }
    }
  }

  // MARK: Requests

  private func readAll() {
    var splitter = LineSplitter(), held: [OpenFile] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      state.wait { $0.isClosed || $0.outgoing.count < Self.mostOutgoing ? () : nil }
      let (count, files) = stream.receive(into: buffer)
      held += files
      guard let count, held.count <= Self.mostHeld, !splitter.isEndless else { return leave() }
      if count == 0 { break }
      for piece in splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { take(piece, &held) }
    }
    // The client sends nothing more, but may wait for answers.
    while state.change({ !$0.isClosed && !$0.isIdle }) {
      if stream.isGone(afterSeconds: 0.1) { return leave() }
    }
    close()
  }

  /// Handles a line; a line that cannot be read drops the descriptors that have come.
  private func take(_ piece: LineSplitter.Piece, _ held: inout [OpenFile]) {
    do throws(RequestFault) {
      guard case .line(let line) = piece else {
        throw RequestFault("request.length", "a line has at most \(Request.maxLine) bytes")
      }
      let request = try Request(line: line)
      guard held.count >= request.descriptors else {
        var fault = RequestFault(
          "request.fds", "\(request.descriptors) descriptors are counted, and \(held.count) have come")
        fault.id = request.id
        throw fault
      }
      let files = Array(held.prefix(request.descriptors))
      held.removeFirst(request.descriptors)
      do throws(RequestFault) {
        try begin(request, files)
      } catch {
        answer(request.id, Outcome(.failure(error)))
      }
    } catch {
      held = []
      answer(error.id, Outcome(.failure(error)))
    }
  }

  private func begin(_ request: Request, _ files: [OpenFile]) throws(RequestFault) {
    let id = request.id
    guard state.change({ $0.active[id] == nil }) else {
      throw RequestFault("request.id", "this id is of a request that is not answered yet")
    }
    switch request.work {
    case .ping: answer(id, Outcome(.success([])))
    case .stats: answer(id, Outcome(.success([JSON.Field("stats", stats())])))
    case .cancel(let other):
      let job = state.change { $0.active[other] }
      if let job { queue.cancel(job) }
      answer(id, Outcome(.success([JSON.Field("found", .bool(job != nil))])))
    case .render, .info, .compare:
      let job = Job(request.work, files: files, client: number, takesFiles: stream.passesDescriptors) {
        [self] outcome in answer(id, outcome, isFinished: true)
      }
      state.change { $0.active[id] = job }
      do throws(RequestFault) {
        try queue.add(job)
      } catch {
        state.change { $0.active[id] = nil }
        throw error
      }
    }
  }

  // MARK: End

  /// Ends the connection of a client that is gone: what it asked for is cancelled.
  private func leave() {
    let jobs = state.change { state in
      (state.isClosed, state.outgoing) = (true, [])
      return Array(state.active.values)
    }
    for job in jobs { queue.cancel(job) }
  }

  /// Sends what waits, and then nothing more.
  private func close() {
    state.change { $0.isClosed = true }
    stream.stopReading()
  }

  /// Waits until what was answered is sent, and ends the connection.
  func finish(seconds: Double) {
    _ = state.wait(seconds: seconds) { $0.isQuiet ? () : nil }
    close()
  }
}
