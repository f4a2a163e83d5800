import HDRPlan
import Kernels
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
  /// The operations of one invocation of each pass, and of the kernels that follow.
  private let operations: [Double]
  /// The most seconds of a dispatch: displays and other programs wait for its end, and watchdogs end a long one.
  private let dispatchSeconds: Double

  private static let operationsPerSecond = 1e11

  init(_ plan: Plan, followers: [BandKernel] = [], dispatchSeconds: Double) {
    operations =
      plan.passes.indices.map { index in
        let block = plan.passes[index].sink.block
        return plan.operationsPerPixel(ofPass: index) * Double(block.width * block.height)
      } + followers.map(\.operations)
    self.dispatchSeconds = dispatchSeconds
  }

  func seconds(of band: Band) -> Double {
    band.dispatches.reduce(0) { $0 + operations[$1.kernel] * Double($1.columns * $1.rows) } / Self.operationsPerSecond
  }

  /// Returns the rows of work-groups that each dispatch of a pass has, in order.
  func pieces(of dispatch: BandDispatch, workGroup: (x: Int, y: Int)) -> [Range<Int>] {
    let groups = (dispatch.rows + workGroup.y - 1) / workGroup.y
    let seconds = operations[dispatch.kernel] * Double(dispatch.columns * workGroup.y) / Self.operationsPerSecond
    let most = Int(min(max(1, dispatchSeconds / max(seconds, 1e-12)), Double(groups)))
    return stride(from: 0, to: groups, by: most).map { $0..<min($0 + most, groups) }
  }
}
