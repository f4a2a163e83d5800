import BatchEngine
import CPURender
import CodecService
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import Kernels
import SPIRVExecutor
import Synchronization
import Threads

/// Compares every backend of this machine with the baseline CPU build, word by word.
package struct Verification {
  /// A backend under test: another CPU build, or a Vulkan device.
  package struct Backend {
    package var name: String
    /// True for a device that is neither the CPU nor emulated by the CPU.
    package var isHardware = false
    /// The seconds of opening it, its self-test included; 0 for the CPU.
    package var openSeconds = 0.0
    /// Renders a plan. Bytes that are compared instead of pixels are grey samples.
    var render: @Sendable (Plan, VerificationCase.Compared) throws(GPUError) -> SampleImage

    package init(
      name: String, isHardware: Bool = false, openSeconds: Double = 0,
      render: @escaping @Sendable (Plan, VerificationCase.Compared) throws(GPUError) -> SampleImage
    ) {
      self.name = name
      self.isHardware = isHardware
      self.openSeconds = openSeconds
      self.render = render
    }
  }

  /// A device that is not compared.
  package struct Refusal: Sendable {
    package var name: String
    package var reason: String
    /// True if its properties show that it lacks something: `auto` does not take it either. Others ought to work: they
    /// failed a self-test, or were named and are not here.
    package var isKnown: Bool

    package init(name: String, reason: String, isKnown: Bool = false) {
      self.name = name
      self.reason = reason
      self.isKnown = isKnown
    }
  }

  /// The result of one case: the comparison with each backend, `nil` where it failed, and the reasons.
  package struct Row: Sendable {
    package var name: String
    package var pixels: Int
    package var comparisons: [WordComparison?]
    package var failures: [String]
    package var seconds: Double

    /// The number of differing 32-bit words for each backend.
    package var differing: [Int?] { comparisons.map { $0?.differing } }
    package var isClean: Bool { differing.allSatisfy { $0 == 0 } }
  }

  package var backends: [Backend]
  package var refused: [Refusal] = []

  /// Takes all CPU builds but the baseline, and devices.
  ///
  /// - Parameter device: as `--device`; `nil` takes all that are present, software ones too.
  package init(device: String?) {
    if device == Self.spirv {
      backends = Self.executors(&refused)
      return
    }
    backends = CPUBackend.available.dropFirst().map { cpu in
      Backend(name: "cpu " + cpu.instructionSet) { plan, compared in Self.render(plan, compared, on: cpu) }
    }
    let devices = GPUDevice.available()
    var wanted = devices
    if let device {
      do throws(GPUError) {
        wanted = try DeviceChoice.devices(device, among: devices, Allotment.current)
      } catch {
        wanted = []
        refused.append(Refusal(name: device, reason: "\(error)"))
      }
    }
    let labels = DeviceChoice.labels(wanted)
    for (info, label) in zip(wanted, labels) {
      if let refusal = info.refusal {
        refused.append(Refusal(name: label, reason: refusal, isKnown: device == nil))
        continue
      }
      do throws(GPUError) {
        let begin = monotonicSeconds()
        let pictures = PagedPictures(try GPURenderer(selection: .named(info.uuid)))
        backends.append(
          Backend(
            name: "gpu " + label, isHardware: info.type != .cpu, openSeconds: monotonicSeconds() - begin
          ) { (plan, compared) throws(GPUError) -> SampleImage in
            switch compared {
            case .pixels: try pictures.render(plan)
            case .scan(let coding): Self.picture(try pictures.renderer.encodeJPEG(plan, coding).scan)
            case .rows(let coding, let measurement):
              Self.picture(try pictures.renderer.deflate(plan, coding, measuring: measurement), measurement)
            case .planes(let decoding): Self.picture(try pictures.renderer.decodeJPEG(decoding))
            case .sums(let measurement):
              Self.picture(
                measurement.staysOnDevice
                  ? try pictures.renderer.measure(plan, measurement).bytes
                  : try pictures.renderer.render(plan, measuring: measurement).sums.bytes)
            }
          })
      } catch {
        refused.append(Refusal(name: label, reason: "\(error)"))
      }
    }
  }

  /// The device whose kernels run without a driver.
  package static let spirv = "spirv"

  /// Returns SPIR-V executors, with the variants that Vulkan leaves to a device.
  private static func executors(_ refused: inout [Refusal]) -> [Backend] {
    let variants: [(String, ExecutorVariant)] = [
      ("as it is", ExecutorVariant()), ("subnormals flushed", ExecutorVariant(flushesSubnormals: true)),
      ("zeros of the other sign", ExecutorVariant(flipsZeros: true)),
      ("lanes backwards, strips of 40", ExecutorVariant(isReversed: true, width: 40)),
    ]
    var made: [Backend] = []
    for (name, variant) in variants {
      do throws(GPUError) {
        let renderer = try SPIRVRenderer(variant: variant, threads: Allotment.threads)
        made.append(
          Backend(name: "spirv, " + name) { (plan, compared) throws(GPUError) -> SampleImage in
            try Self.render(plan, compared, on: renderer)
          })
      } catch {
        refused.append(Refusal(name: "spirv", reason: "\(error)"))
      }
    }
    return made
  }

  /// Runs one case.
  package func run(_ test: VerificationCase) -> Row {
    let begin = monotonicSeconds()
    let plans = test.plans, want = plans.map { Self.render($0, test.compared, on: .baseline) }
    var row = Row(name: test.name, pixels: test.pixels, comparisons: [], failures: [], seconds: 0)
    for backend in backends {
      do throws(GPUError) {
        row.comparisons.append(try Self.compare(plans, test.compared, with: want, on: backend))
      } catch {
        row.comparisons.append(nil)
        row.failures.append("\(backend.name): \(error)")
      }
    }
    row.seconds = monotonicSeconds() - begin
    return row
  }

  /// Renders a plan on the CPU; bytes that are compared are those that kernels must make of the picture.
  package static func render(
    _ plan: Plan, _ compared: VerificationCase.Compared, on cpu: CPUBackend, threads: Int = Allotment.threads
  ) -> SampleImage {
    if case .planes(let decoding) = compared { return picture(JPEGScanDecoder(decoding).decode()) }
    let image = cpu.render(plan, threads: threads)
    switch compared {
    case .pixels, .planes: return image
    case .scan(let coding): return picture(coding.scan(of: image))
    case .rows(let coding, let measurement):
      let sums = measurement?.sums(of: image) ?? PixelSums(.codes)
      return picture(DeflatedPicture(rows: coding.rows(of: image), sums: sums), measurement)
    case .sums(let measurement): return picture(measurement.sums(of: image).bytes)
    }
  }

  package static func render(
    _ plan: Plan, _ compared: VerificationCase.Compared, on executor: SPIRVRenderer
  ) throws(GPUError) -> SampleImage {
    switch compared {
    case .pixels: try executor.render(plan)
    case .scan(let coding): picture(try executor.encodeJPEG(plan, coding).scan)
    case .rows(let coding, let measurement):
      picture(try executor.deflate(plan, coding, measuring: measurement), measurement)
    case .planes(let decoding): picture(try executor.decodeJPEG(decoding))
    case .sums(let measurement):
      picture(
        measurement.staysOnDevice
          ? try executor.measure(plan, measurement).bytes
          : try executor.render(plan, measuring: measurement).sums.bytes)
    }
  }

  /// Returns the bytes of a scan and its own tables as grey samples, for comparison.
  private static func picture(_ scan: JPEGScan) -> SampleImage {
    picture(scan.codes.flatMap { $0.counts + $0.values } + scan.bytes)
  }

  /// Returns the bytes of streams, and what was measured, as grey samples.
  private static func picture(_ deflated: DeflatedPicture, _ measurement: Measurement?) -> SampleImage {
    picture(deflated.rows.bytes + (measurement == nil ? [] : deflated.sums.bytes))
  }

  /// Returns the flags of a scan and its samples, which mean nothing if there are flags, as grey samples.
  private static func picture(_ scan: DecodedScan) -> SampleImage {
    var bytes = withUnsafeBytes(of: scan.flags.rawValue.littleEndian) { Array($0) }
    for plane in scan.flags.isEmpty ? scan.image.channels : [] {
      bytes += UnsafeRawBufferPointer(start: plane.buffer.base, count: plane.buffer.byteCount)
    }
    return picture(bytes)
  }

  private static func picture(_ bytes: [UInt8]) -> SampleImage {
    let image = SampleImage.interleaved(width: bytes.count, height: 1, channelCount: 1, format: .uint8, bitDepth: 8)
    bytes.withUnsafeBytes { image.channels[0].buffer.base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    return image
  }

  /// The number of renders of each plan, in a case with several plans and as many threads.
  private static let rounds = 3

  private static func compare(
    _ plans: [Plan], _ compared: VerificationCase.Compared, with want: [SampleImage], on backend: Backend
  ) throws(GPUError) -> WordComparison {
    if plans.count == 1 { return WordComparison(want[0], try backend.render(plans[0], compared)) }
    let sum = Mutex(Result<WordComparison, GPUError>.success(WordComparison()))
    shareOut(rounds * plans.count, among: plans.count) { next in
      while let number = next() {
        let index = number % plans.count
        let made = Result { () throws(GPUError) in
          WordComparison(want[index], try backend.render(plans[index], compared))
        }
        sum.withLock { sum in
          sum = sum.flatMap { known in made.map { known + $0 } }
        }
      }
    }
    return try sum.withLock { $0 }.get()
  }
}
