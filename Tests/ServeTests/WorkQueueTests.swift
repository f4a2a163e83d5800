import Serve
import Synchronization
import Testing

@Suite struct WorkQueueTests {
  private func job(client: Int = 1, done: @escaping @Sendable (Outcome) -> Void = { _ in }) -> Job {
    Job(.ping, client: client, done: done)
  }

  @Test("a full queue refuses, and one that is closed does what it has")
  func queueIsBounded() throws {
    let queue = WorkQueue(limit: 2), first = job(), second = job()
    try queue.add(first)
    try queue.add(second)
    #expect(throws: RequestFault.busy) { try queue.add(job()) }
    #expect(RequestFault.busy.mayRetry && RequestFault.busy.code == "serve.busy")
    queue.close()
    #expect(throws: RequestFault.draining) { try queue.add(job()) }
    #expect(queue.next() === first && queue.next() === second && queue.next() == nil)
    #expect(queue.counts.running == 2 && queue.counts.refused == 2)
    queue.finished(first, Outcome(.success([])))
    queue.finished(second, Outcome(.failure(.cancelled)))
    #expect(queue.counts.done == 1 && queue.counts.cancelled == 1 && queue.counts.running == 0)
    queue.waitUntilIdle()
  }

  @Test("the next request is of the client of which the fewest run")
  func clientsShare() throws {
    let queue = WorkQueue(limit: 9), many = (0..<3).map { _ in job(client: 1) }, one = job(client: 2)
    for each in many + [one] { try queue.add(each) }
    #expect(queue.next() === many[0] && queue.next() === one && queue.next() === many[1])
    queue.finished(many[0], Outcome(.success([])))
    #expect(queue.next() === many[2])
  }

  @Test("a request that waits is cancelled at once, and one that runs is told")
  func requestsAreCancelled() throws {
    let answers = Mutex<[String]>([])
    let queue = WorkQueue(limit: 9)
    let running = job { _ in answers.withLock { $0.append("running") } }
    let waiting = job { outcome in
      if case .failure(let fault) = outcome.result { answers.withLock { $0.append(fault.code) } }
    }
    try queue.add(running)
    try queue.add(waiting)
    #expect(queue.next() === running)
    queue.cancel(running)
    #expect(running.isCancelled && answers.withLock { $0 }.isEmpty)
    queue.cancel(waiting)
    queue.cancel(waiting)
    #expect(answers.withLock { $0 } == ["cancelled"])
    #expect(queue.counts.waiting == 0 && queue.counts.cancelled == 1)
  }
}
