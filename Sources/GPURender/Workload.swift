import HDRPlan
import Synchronization

/// What a device has been given and has not finished, in seconds as estimated: it says how long to wait for an answer.
final class Workload: Sendable {
  private let seconds = Mutex(0.0)
  /// Whether the CPU does the device's work, whose speed no estimate knows.
  private let isSoftware: Bool

  init(isSoftware: Bool) { self.isSoftware = isSoftware }

  func add(_ more: Double) { seconds.withLock { $0 = max(0, $0 + more) } }

  /// Seconds without an answer after which the device counts as lost: ten and fifty times the estimate, at most 300, and
  /// 300 for software. Work queues, so the work of other threads counts.
  var patience: Double { isSoftware ? 300 : min(10 + 50 * seconds.withLock { $0 }, 300) }
}

/// How long a slow graphics card works on bands of a plan, as estimated.
struct PlanWork {
  /// Operations for one invocation of each pass.
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
