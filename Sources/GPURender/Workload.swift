import HDRPlan
import Synchronization

/// The estimated seconds of the work that a device has not finished; the timeout for its answer depends on them.
final class Workload: Sendable {
  private let seconds = Mutex(0.0)
  /// True if the CPU does the device's work; its speed cannot be estimated.
  private let isSoftware: Bool

  init(isSoftware: Bool) { self.isSoftware = isSoftware }

  func add(_ more: Double) { seconds.withLock { $0 = max(0, $0 + more) } }

  /// The timeout in seconds, after which the device counts as lost: ten plus fifty times the estimate, at most 300, and
  /// 300 for software. Work queues, so the work of other threads counts.
  var timeout: Double { isSoftware ? 300 : min(10 + 50 * seconds.withLock { $0 }, 300) }
}

/// The estimated time of a slow graphics card for bands of a plan.
struct PlanWork {
  /// The operations of one invocation of each pass.
  private let operations: [Double]

  private static let operationsPerSecond = 1e11

  init(_ plan: Plan) {
    operations = plan.passes.indices.map { index in
      let block = plan.passes[index].sink.block
      return plan.operationsPerPixel(ofPass: index) * Double(block.width * block.height)
    }
  }

  func seconds(of band: Band) -> Double {
    band.dispatches.reduce(0) { $0 + operations[$1.pass] * Double($1.columns * $1.rows) } / Self.operationsPerSecond
  }
}
