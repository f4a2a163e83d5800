import CPURender
import HDRCore

/// Threads that share the rows of a picture for a metric, as long as there is time. Once the deadline has passed, rows
/// are left out and no number means anything: whoever set it asks, and gives the numbers up.
struct MetricThreads: Sendable {
  let pool: BandPool
  let deadline: Deadline

  /// Reduces rows to one value, which must not depend on the order of merging.
  func reduced<Part: Sendable>(
    _ rows: Int, _ start: Part, _ add: @escaping @Sendable (Range<Int>, inout Part) -> Void,
    merge: (inout Part, Part) -> Void
  ) -> Part {
    let parts = pool.reduce(rows: rows) { [deadline] band, part in
      if !deadline.isPassed { add(band, &part) }
    } start: {
      start
    }
    return parts.reduce(into: start, merge)
  }
}
