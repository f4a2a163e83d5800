import Synchronization

extension BandPool {
  private final class Results<Part: Sendable>: Sendable {
    let parts = Mutex<[Part]>([])
  }

  /// Reduces rows in parallel. Each thread that takes part has one `Part`, in no particular order, so the caller's use
  /// of them must not depend on the order.
  package func reduce<Part: Sendable>(
    rows: Int, _ add: @escaping @Sendable (Range<Int>, inout Part) -> Void, start: @escaping @Sendable () -> Part
  ) -> [Part] {
    let bandRows = 64
    let count = (rows + bandRows - 1) / bandRows
    let results = Results<Part>()
    run(count: count) {
      { band in
        var part = results.parts.withLock { $0.popLast() } ?? start()
        add(band * bandRows..<min((band + 1) * bandRows, rows), &part)
        results.parts.withLock { [part] in $0.append(part) }
      }
    }
    return results.parts.withLock { $0 }
  }
}
