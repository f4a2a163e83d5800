import GPURender
import HDRCore
import HDRPlan
import Kernels
import Synchronization

/// The strips of GPU-rendered pictures that the CPU renders too, for comparison.
///
/// A strip has 64 rows, or more if its rows need many rows of the passes before (blurs, statistics), up to the whole
/// picture.
package final class Sampling: Sendable {
  /// The strips that are taken.
  package enum Choice: Sendable, Hashable {
    case none
    /// One strip of the first picture of each kernel on each device: a driver may compile one kernel wrongly.
    case newKernels
    /// The choice of `--sample K`. Strips are counted over the whole run, so that small pictures have their share. Every
    /// K-th is taken, starting with the first. The CPU does at most 2/K of the work of rendering everything.
    case every(Int)
  }

  private let choice: Choice
  private let seen = Atomic<Int>(0)
  private let seenSources = Atomic<Int>(0)
  private let knownKernels = Mutex<Set<String>>([])

  package init(_ choice: Choice) { self.choice = choice }

  /// Returns the rows of the strips of a picture that are to be compared; empty for none.
  ///
  /// - Parameters:
  ///   - measurement: the name of the kernel that measures the picture, if one does.
  ///   - device: the number of the device that rendered it.
  package func rows(of plan: Plan, measuredBy measurement: String? = nil, on device: Int = 0) -> [Range<Int>] {
    guard choice != .none, let height = plan.passes.last?.height, height > 0 else { return [] }
    let step = Self.stripRows(plan), count = (height + step - 1) / step
    func strip(_ index: Int) -> Range<Int> { index * step..<min((index + 1) * step, height) }
    switch choice {
    case .none: return []
    case .newKernels:
      return meetsNew(plan.kernelKeys.union([measurement].compactMap { $0 }), on: device) ? [strip(count / 2)] : []
    case .every(let interval):
      let first = seen.wrappingAdd(count, ordering: .relaxed).oldValue
      return (0..<count).filter { (first + $0) % max(1, interval) == 0 }.map(strip)
    }
  }

  /// Takes back what `rows` has noted of a picture of which nothing could be compared, and of its coding: the next one is
  /// compared.
  package func forget(
    _ plan: Plan, measuredBy measurement: String? = nil, _ coding: DeviceCoding? = nil, on device: Int = 0
  ) {
    let kernels = plan.kernelKeys.union([measurement].compactMap { $0 }).union(coding?.kernelNames ?? [])
    knownKernels.withLock { $0.subtract(kernels.map { "\(device) \($0)" }) }
  }

  /// Returns true if strips of such a picture may have to be compared: `rows` decides, and counts.
  ///
  /// - Parameter kernels: the names of the kernels that encode or measure the picture.
  func isDue(_ plan: Plan, followedBy kernels: Set<String>, on device: Int) -> Bool {
    switch choice {
    case .none: return false
    case .every: return true
    case .newKernels:
      let keys = plan.kernelKeys.union(kernels).map { "\(device) \($0)" }
      return !knownKernels.withLock { $0.isSuperset(of: keys) }
    }
  }

  /// Returns true if what is encoded of a strip that is compared is compared, too: of new kernels once, for those of
  /// codecs are the same for all pictures.
  package func comparesCodes(of coding: DeviceCoding, on device: Int) -> Bool {
    choice != .newKernels || meetsNew(coding.kernelNames, on: device)
  }

  /// Returns true if a source that a device has decoded is compared with what the library decodes: the first of each
  /// device, or every K-th.
  func comparesSources(on device: Int) -> Bool {
    switch choice {
    case .none: false
    case .newKernels: meetsNew(["decode"], on: device)
    case .every(let interval): seenSources.wrappingAdd(1, ordering: .relaxed).oldValue % max(1, interval) == 0
    }
  }

  /// Returns true if a device has not run all of these kernels yet.
  private func meetsNew(_ kernels: Set<String>, on device: Int) -> Bool {
    let keys = kernels.map { "\(device) \($0)" }
    return knownKernels.withLock { known in
      defer { known.formUnion(keys) }
      return !known.isSuperset(of: keys)
    }
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
