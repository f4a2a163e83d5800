import BatchEngine
import Synchronization

/// Events of a batch, kept.
package final class EventLog: Sendable {
  private let all = Mutex<[BatchEvent]>([])

  package init() {}

  package func add(_ event: BatchEvent) { all.withLock { $0.append(event) } }

  /// Records of finished items, by index.
  package var records: [ItemRecord] {
    all.withLock { events in
      events.compactMap { if case .itemFinished(let record) = $0 { record } else { nil } }
    }.sorted { $0.item.index < $1.item.index }
  }
}
