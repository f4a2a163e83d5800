import HDRCore
import HDRPlan
import Synchronization

/// The choice of `--sample K`: strips of GPU-rendered pictures that the CPU renders too, for comparison.
///
/// Strips are counted over the whole run, so that small pictures have their share. Every K-th is taken, starting with
/// the first. A strip has 64 rows, or more if its rows need many rows of the passes before (blurs, statistics), up to
/// the whole picture. The CPU does at most 2/K of the work of rendering everything.
package final class Sampling: Sendable {
  private let interval: Int
  private let seen = Atomic<Int>(0)

  package init(every interval: Int) { self.interval = max(1, interval) }

  /// Returns the rows of the strips of a picture that are to be compared; empty for none.
  package func rows(of plan: Plan) -> [Range<Int>] {
    guard let height = plan.passes.last?.height, height > 0 else { return [] }
    let step = Self.stripRows(plan), count = (height + step - 1) / step
    let first = seen.wrappingAdd(count, ordering: .relaxed).oldValue
    return (0..<count).filter { (first + $0) % interval == 0 }.map { $0 * step..<min(($0 + 1) * step, height) }
  }

  static let leastRows = 64

  /// Returns the rows of a strip, chosen so that it costs at most twice its share of the picture.
  package static func stripRows(_ plan: Plan) -> Int {
    guard let last = plan.passes.last else { return 1 }
    func pixels(_ rows: Range<Int>) -> Int {
      zip(plan.passes, plan.neededRows(rows)).reduce(0) { $0 + $1.0.width * ($1.1?.count ?? 0) }
    }
    let whole = pixels(0..<last.height)
    var rows = leastRows
    while rows < last.height {
      let start = (last.height - rows) / 2
      if pixels(start..<start + rows) * last.height <= 2 * rows * whole { return rows }
      rows *= 2
    }
    return last.height
  }
}
