import HDRRender
import PlainData
import Synchronization

/// A request that waits for its answer.
package final class Job: Sendable {
  package let work: Request.Work
  package let files: [OpenFile]
  /// Jobs of one client have the same number.
  package let client: Int
  /// True if the client can get descriptors.
  let takesFiles: Bool
  /// Takes the answer; called once.
  private let done: @Sendable (Outcome) -> Void
  private let cancelled = Atomic<Bool>(false)

  package init(
    _ work: Request.Work, files: [OpenFile] = [], client: Int, takesFiles: Bool = true,
    done: @escaping @Sendable (Outcome) -> Void
  ) {
    (self.work, self.files, self.client, self.takesFiles, self.done) = (work, files, client, takesFiles, done)
  }

  package var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Asks the work to end between two phases.
  func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  func finish(_ outcome: Outcome) { done(outcome) }
}

/// The answer to a request.
package struct Outcome: Sendable {
  package var result: Result<[JSON.Field], RequestFault>
  /// The record of the item, if one was begun.
  package var record: JSON?
  /// Files that go with the answer.
  package var files: [OpenFile] = []

  package init(_ result: Result<[JSON.Field], RequestFault>, record: JSON? = nil, files: [OpenFile] = []) {
    (self.result, self.record, self.files) = (result, record, files)
  }
}

/// Does the work of requests, on any number of threads.
package protocol RequestEngine: Sendable {
  func answer(_ job: Job) -> Outcome
}
