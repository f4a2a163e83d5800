import GPURender
import HDRCore

/// Compares every backend of this machine with the baseline CPU build, word by word.
public struct Verification {
  /// A backend under test: another CPU build, or a Vulkan device.
  public struct Backend {
    public var name: String
    var render: (Plan) throws(GPUError) -> SampleImage
  }

  /// One case: differing 32-bit words for each backend, `nil` where it failed, and why.
  public struct Row: Sendable {
    public var name: String
    public var pixels: Int
    public var differing: [Int?]
    public var failures: [String]
    public var isClean: Bool { differing.allSatisfy { $0 == 0 } }
  }

  public var backends: [Backend]
  /// Devices that could not be opened, with the reason: a failed self-test counts as a failed verification.
  public var refused: [(name: String, reason: String)] = []

  /// All CPU builds beside the baseline, and the devices: all that are present, or the one `device` names.
  public init(device: String?) {
    backends = CPUBackend.available.dropFirst().map { cpu in
      Backend(name: "cpu " + cpu.instructionSet) { plan in cpu.render(plan, threads: Allotment.threads) }
    }
    let devices = GPUDevice.available()
    let wanted: [GPUDeviceInfo]
    if let device {
      if let found = try? GPUDevice.choose(.named(device), from: devices) {
        wanted = [found]
      } else {
        wanted = []
        refused.append((device, "no such device here"))
      }
    } else {
      wanted = devices
    }
    for info in wanted {
      do throws(GPUError) {
        let renderer = try GPURenderer(selection: .named(info.uuid))
        backends.append(
          Backend(name: "gpu " + info.name) { (plan) throws(GPUError) -> SampleImage in try renderer.render(plan) })
      } catch {
        refused.append((info.name, "\(error)"))
      }
    }
  }

  /// Runs one case.
  public func run(_ test: VerificationCase) -> Row {
    let want = CPUBackend.baseline.render(test.plan, threads: Allotment.threads)
    var row = Row(name: test.name, pixels: test.pixels, differing: [], failures: [])
    for backend in backends {
      do throws(GPUError) {
        row.differing.append(Self.differingWords(want, try backend.render(test.plan)))
      } catch {
        row.differing.append(nil)
        row.failures.append("\(backend.name): \(error)")
      }
    }
    return row
  }

  /// 32-bit words in which two outputs of one plan differ; rows may be padded differently.
  public static func differingWords(_ a: SampleImage, _ b: SampleImage) -> Int {
    guard a.width == b.width, a.height == b.height, a.channels.count == b.channels.count else { return Int.max }
    // Interleaved channels share one buffer: compare its rows once.
    let interleaved = a.channels.count > 1 && a.channels[0].buffer === a.channels[1].buffer
    let left = a.channels + (a.alpha.map { [$0] } ?? []), right = b.channels + (b.alpha.map { [$0] } ?? [])
    guard left.count == right.count else { return Int.max }
    var differing = 0
    for (p, q) in zip(left, right).prefix(interleaved ? 1 : left.count) {
      let rowBytes = interleaved ? p.width * p.stepBytes : p.width * p.stepBytes
      for y in 0..<p.height {
        let left = UnsafeRawPointer(p.buffer.base) + p.offset + y * p.rowBytes
        let right = UnsafeRawPointer(q.buffer.base) + q.offset + y * q.rowBytes
        var byte = 0
        while byte + 4 <= rowBytes {
          if left.loadUnaligned(fromByteOffset: byte, as: UInt32.self)
            != right.loadUnaligned(fromByteOffset: byte, as: UInt32.self)
          {
            differing += 1
          }
          byte += 4
        }
        while byte < rowBytes {
          if left.load(fromByteOffset: byte, as: UInt8.self) != right.load(fromByteOffset: byte, as: UInt8.self) {
            differing += 1
          }
          byte += 1
        }
      }
    }
    return differing
  }
}
