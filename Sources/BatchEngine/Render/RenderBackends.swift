import GPURender
import HDRCore
import Synchronization

/// `--backend`.
public enum BackendChoice: String, Sendable, Hashable, CaseIterable {
  /// A GPU where one is usable, else the CPU, said once and recorded.
  case auto
  /// A GPU or nothing.
  case gpu
  case cpu
}

/// A picture with who rendered it.
struct Rendered: Sendable {
  var image: SampleImage
  var backend: String
  var device: String
  var isa: String?
  /// Why not on the GPU, when one was wanted.
  var fallback: String?
  var helperSeconds = 0.0
}

/// The executors of a batch: one GPU shared by all items, and the CPU. A GPU that fails is not asked again.
final class RenderBackends: Sendable {
  private struct State {
    var gpu: GPURenderer?
    /// Why the GPU is not in use, when one was wanted.
    var reason: String?
  }

  let choice: BackendChoice
  let cpu: CPUBackend
  let pool: BandPool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - device: name, index, UUID or PCI address; `nil` takes what a scheduler gave, else the best. Naming a device
  ///     demands it.
  ///   - threads: of the CPU executor, for one picture.
  /// - Throws: `GPUError` when a GPU was demanded and cannot be had.
  init(_ choice: BackendChoice, device: String?, threads: Int, cpu: CPUBackend = .best) throws(GPUError) {
    self.choice = choice
    self.cpu = cpu
    var opened = State()
    if choice != .cpu {
      do throws(GPUError) {
        let selection = if let device { GPUSelection.named(device) } else { try Allotment.current.gpuSelection() }
        opened.gpu = try GPURenderer(selection: selection)
      } catch {
        if choice == .gpu || device != nil { throw error }
        opened.reason = "\(error)"
      }
    }
    state = Mutex(opened)
    pool = BandPool(threads: threads)
    PictureMemory.keep(byteCount: Self.keptBytes)
  }

  /// Memory of finished pictures that waits for the next ones: a rendered picture of 12 megapixels and its source, for
  /// two pictures at a time.
  static let keptBytes = 256 << 20

  /// Why a wanted GPU is not in use; `nil` when it is, or none was wanted.
  var fallbackReason: String? { state.withLock { $0.reason } }

  /// Name of the device that renders now.
  var deviceName: String { state.withLock { $0.gpu?.device.name } ?? "CPU (\(cpu.instructionSet))" }

  /// Renders on the GPU, or on the CPU when there is none or it fails.
  ///
  /// - Parameters:
  ///   - memory: gives blocks of so many bytes for the output.
  ///   - notice: told once when the GPU is given up.
  /// - Throws: `GPUError` when the GPU was demanded (`BackendChoice.gpu`) and failed.
  func render(
    _ plan: Plan, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    notice: (GPUError) -> Void
  ) throws(GPUError) -> Rendered {
    let (gpu, reason) = state.withLock { ($0.gpu, $0.reason) }
    guard let gpu else { return onCPU(plan, memory, fallback: reason) }
    do throws(GPUError) {
      let image = try gpu.render(plan, memory: memory)
      return Rendered(image: image, backend: "gpu", device: gpu.device.name)
    } catch {
      if choice == .gpu { throw error }
      let message = "\(error)"
      let isFirst = state.withLock { state in
        // A picture that is too large, or one kernel that does not compile, says nothing of the next picture.
        guard state.gpu != nil, !error.concernsThisPictureOnly else { return false }
        // A device that hangs would hang whoever closes it: it is kept to the end of the process.
        _ = Unmanaged.passRetained(gpu)
        state.gpu = nil
        state.reason = message
        return true
      }
      if isFirst { notice(error) }
      return onCPU(plan, memory, fallback: message)
    }
  }

  private func onCPU(_ plan: Plan, _ memory: (Int) -> PixelBuffer, fallback: String?) -> Rendered {
    let (image, seconds) = cpu.render(plan, pool: pool, memory: memory)
    return Rendered(
      image: image, backend: "cpu", device: "CPU", isa: cpu.instructionSet, fallback: fallback, helperSeconds: seconds)
  }

  func close() {
    pool.close()
    PictureMemory.keep(byteCount: 0)
  }
}

extension GPUError {
  /// Whether the next picture may fare better. Memory is short for large pictures first, and others on the device come and
  /// go.
  var concernsThisPictureOnly: Bool {
    switch self {
    case .tooLarge, .badPlan, .kernel, .outOfMemory: true
    default: false
    }
  }
}
