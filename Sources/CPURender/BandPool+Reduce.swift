import Synchronization

/// The sums of the threads that take part in a reduction, each free while no thread adds to it.
final class PartList<Part: Sendable>: Sendable {
  private let parts = Mutex<[Part]>([])

  func take() -> Part? { parts.withLock { $0.popLast() } }
  func put(_ part: Part) { parts.withLock { $0.append(part) } }
  var all: [Part] { parts.withLock { $0 } }
}

extension BandPool {
  /// Reduces rows in parallel. Each thread that takes part has one `Part`, in no particular order, so the caller's use
  /// of them must not depend on the order.
  package func reduce<Part: Sendable>(
    rows: Int, _ add: @escaping @Sendable (Range<Int>, inout Part) -> Void,
    start: @escaping @Sendable () -> Part
  ) -> [Part] {
    let bandRows = 64
    let count = (rows + bandRows - 1) / bandRows
    let results = PartList<Part>()
    run(count: count) {
      { band in
        var part = results.take() ?? start()
        add(band * bandRows..<min((band + 1) * bandRows, rows), &part)
        results.put(part)
      }
    }
    return results.all
  }
}
