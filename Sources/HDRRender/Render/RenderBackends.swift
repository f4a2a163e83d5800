import CPURender
import GPURender
import HDRCore
import HDRPlan
import Synchronization

/// `--backend`.
public enum BackendChoice: String, Sendable, Hashable, CaseIterable {
  /// A GPU if one is usable, else the CPU, reported once and recorded.
  case auto
  /// A GPU or nothing.
  case gpu
  case cpu
}

/// A picture and who rendered it.
package struct Rendered: Sendable {
  package var image: SampleImage
  package var executor = ExecutorFacts()
  var helperSeconds = 0.0
}

/// The executors of a batch: GPUs shared by all items, and the CPU. A GPU that fails is not used again.
package final class RenderBackends: Sendable {
  package let choice: BackendChoice
  package let cpu: CPUBackend
  package let pool: BandPool
  /// Devices that were wanted and could not be opened while others could, with the reason.
  package let notes: [String]
  private let rings: GPURings
  private let sampling: Sampling?
  /// Why no GPU was opened, when one was wanted.
  private let reason: String?
  /// Whether nobody asked for a GPU and the machine has none: not worth a word.
  private let hasNone: Bool

  /// - Parameters:
  ///   - device: see `DeviceChoice`. Naming a device demands it.
  ///   - threads: of the CPU executor, for one picture.
  ///   - sample: every Nth strip that a GPU renders is compared with the CPU's; `nil` for none.
  ///   - keptBytes: of finished pictures, for the next ones.
  /// - Throws: `GPUError` when a GPU was demanded and cannot be had.
  package init(
    _ choice: BackendChoice, device: String?, threads: Int, sample: Int? = nil, cpu: CPUBackend = .best,
    keptBytes: Int = MemoryNeed.keptPictures
  ) throws(GPUError) {
    self.choice = choice
    self.cpu = cpu
    sampling = sample.map { Sampling(every: $0) }
    var opened: [GPURings.Ring] = [], notes: [String] = [], reason: String?, hasNone = false
    if choice != .cpu {
      do throws(GPUError) {
        (opened, notes) = try Self.open(device)
      } catch {
        if choice == .gpu || device != nil { throw error }
        reason = "\(error)"
        switch error {
        case .noLoader, .noDevice: hasNone = !GPUNodes.areThere
        default: break
        }
      }
    }
    self.hasNone = hasNone
    (rings, self.notes, self.reason) = (GPURings(opened), notes, reason)
    pool = BandPool(threads: threads)
    PictureMemory.keep(byteCount: keptBytes)
  }

  /// Opens the devices; devices that were not named may fail.
  private static func open(_ device: String?) throws(GPUError) -> (rings: [GPURings.Ring], notes: [String]) {
    let isNamed = device != nil && device?.lowercased() != "all", allotment = Allotment.current
    // Nothing to choose by: the renderer lists the devices itself.
    if device == nil && allotment.gpus == nil {
      let renderer = try GPURenderer()
      return ([GPURings.Ring(number: 0, renderer: renderer, label: renderer.device.name)], [])
    }
    let wanted = try DeviceChoice.devices(device, among: GPUDevice.available(), allotment)
    var rings: [GPURings.Ring] = [], failures: [GPUError] = []
    for (number, (info, label)) in zip(wanted, DeviceChoice.labels(wanted)).enumerated() {
      do throws(GPUError) {
        if let refusal = info.refusal { throw .unsuitable(device: label, reason: refusal) }
        let renderer = try GPURenderer(selection: .named(info.uuid))
        rings.append(GPURings.Ring(number: number, renderer: renderer, label: label))
      } catch {
        if isNamed { throw error }
        failures.append(error)
      }
    }
    if rings.isEmpty, let failure = failures.first { throw failure }
    return (rings, failures.map { "\($0)" })
  }

  /// Why a wanted GPU is not in use; `nil` when one is, or none was wanted.
  package var fallbackReason: String? { rings.isEmpty ? rings.loss.map { "\($0.error)" } ?? reason : nil }

  /// The same where a person should hear of it: a GPU was lost, or is present and not used.
  package var surprisingFallback: String? { hasNone && rings.loss == nil ? nil : fallbackReason }

  /// Name of the device that renders now, or names of several.
  package var deviceName: String {
    let labels = rings.labels
    return labels.isEmpty ? "CPU (\(cpu.instructionSet))" : labels.joined(separator: ", ")
  }

  /// Whether a GPU was demanded and none is left.
  var isStranded: Bool { choice == .gpu && rings.isEmpty }

  /// Renders on a GPU, or on the CPU when there is none or all fail.
  ///
  /// - Parameters:
  ///   - memory: allocates blocks of the given size for the output.
  ///   - deadline: asked between bands.
  ///   - notice: called once for every GPU that is given up.
  /// - Throws: `GPUError` when GPUs were demanded (`BackendChoice.gpu`) and none is left or this picture is none for
  ///   them; `.mismatch` and `.late` whatever was asked for.
  package func render(
    _ plan: Plan, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    deadline: Deadline = .none, notice: (GPURings.Loss) -> Void
  ) throws(GPUError) -> Rendered {
    if let image = plan.kept { return Rendered(image: image) }
    while let ring = rings.take() {
      do throws(GPUError) {
        if let rendered = try render(plan, on: ring, memory, deadline) { return rendered }
      } catch {
        if case .late = error { throw error }
        // A picture that is too large, or one kernel that does not compile, does not affect the next picture.
        if error.concernsThisPictureOnly {
          if choice == .gpu { throw error }
          return try onCPU(plan, memory, deadline, fallback: "\(error)")
        }
        // Pictures that were in flight beside the one that was first are rendered elsewhere.
        guard let loss = rings.drop(ring, because: error) else { continue }
        if loss.left > 0 || choice != .gpu { notice(loss) }
        if case .mismatch = error { throw error }
      }
    }
    if choice == .gpu, let loss = rings.loss { throw loss.error }
    return try onCPU(plan, memory, deadline, fallback: fallbackReason)
  }

  /// `nil` if the ring is no longer trusted.
  private func render(
    _ plan: Plan, on ring: GPURings.Ring, _ memory: (Int) -> PixelBuffer, _ deadline: Deadline
  ) throws(GPUError) -> Rendered? {
    let image: SampleImage
    do throws(GPUError) {
      image = try ring.renderer.render(plan, memory: memory, deadline: deadline)
    } catch {
      rings.giveBack(ring)
      throw error
    }
    rings.giveBack(ring)
    let strips = sampling?.rows(of: plan) ?? []
    var rendered = Rendered(
      image: image,
      executor: ExecutorFacts(
        backend: "gpu", device: ring.label, rounding: ring.renderer.device.floatControls.rounding))
    if !strips.isEmpty {
      let (expected, seconds) = cpu.render(plan, rows: strips, pool: pool)
      let comparison = WordComparison(expected, image, rows: strips)
      if let first = comparison.first {
        throw .mismatch(device: ring.label, words: comparison.differing, first: first.description)
      }
      rendered.executor.sampledStrips = strips.count
      rendered.helperSeconds = seconds
    }
    return rings.finish(ring) ? rendered : nil
  }

  private func onCPU(
    _ plan: Plan, _ memory: (Int) -> PixelBuffer, _ deadline: Deadline, fallback: String?
  ) throws(GPUError) -> Rendered {
    let (image, seconds) = cpu.render(plan, pool: pool, memory: memory, deadline: deadline)
    if deadline.isPassed { throw .late }
    return Rendered(
      image: image,
      executor: ExecutorFacts(backend: "cpu", device: "CPU", isa: cpu.instructionSet, fallback: fallback),
      helperSeconds: seconds)
  }

  package func close() {
    pool.close()
    PictureMemory.keep(byteCount: 0)
  }
}
