import CodecService
import GPURender
import HDRCore
import HDRPlan
import ImageFiles

/// Samples that a device holds, and what they can be had from if the device is lost.
struct HeldSamples {
  enum Origin {
    /// A file, and the picture's place among its: the base, then the gain map.
    case file(InputFile, place: Int)
    /// A plan, whose own sources come first.
    case plan(Plan)
  }

  let origin: Origin
  weak var planes: DevicePlanes?

  var file: InputFile? { if case .file(let file, _) = origin { file } else { nil } }
}

extension RenderJob {
  /// Remembers what a device holds of a source.
  func hold(_ source: SourceImage, of file: InputFile) {
    held.removeAll { $0.planes == nil }
    for (place, image) in source.samples.enumerated() {
      if let loss = image.devicePlanes?.loss { recordLoss(loss) }
      guard let planes = image.devicePlanes, !held.contains(where: { $0.planes === planes }) else { continue }
      held.append(HeldSamples(origin: .file(file, place: place), planes: planes))
    }
  }

  /// Remembers a picture of a plan that a device holds, until `forgetRendered`.
  func hold(_ image: SampleImage, of plan: Plan) {
    held.append(HeldSamples(origin: .plan(plan), planes: image.devicePlanes))
  }

  /// Forgets plans, and so the sources that they read.
  func forgetRendered() { held.removeAll { $0.file == nil } }

  /// Runs and measures a phase that may need samples which a device holds. If they are lost with it, the library decodes
  /// them, and the phase begins again.
  func withSamples<R>(_ phase: Phase, _ work: () throws(GPUError) -> R) throws(HDRError) -> R {
    var isSecond = false
    while true {
      do throws(GPUError) {
        return try measure(phase, work)
      } catch {
        guard case .samplesLost(let reason) = error, !isSecond else {
          throw error == .late ? late(phase) : failure(error)
        }
        try restoreSamples(reason)
        isSecond = true
      }
    }
  }

  /// Records that the library has decoded what a device had.
  private func recordLoss(_ reason: String) {
    found.decoding.device = .cpu
    found.decoding.fallback = found.decoding.fallback ?? reason
  }

  /// Gets the samples that no device can give back from the library, and renders pictures once more.
  private func restoreSamples(_ reason: String) throws(HDRError) {
    let lost = held.filter { $0.planes?.areHere == false }
    try restoreFiles(lost.filter { $0.file != nil }, reason)
    for one in lost {
      guard case .plan(let plan) = one.origin else { continue }
      let deadline = try begin(plan)
      do throws(GPUError) {
        let made = try tools.backends.render(plan, deadline: deadline, notice: hooks.lost)
        try one.planes?.fill(from: made.image, because: reason)
      } catch {
        throw error == .late ? late(.render) : failure(error)
      }
    }
  }

  private func restoreFiles(_ lost: [HeldSamples], _ reason: String) throws(HDRError) {
    if !lost.isEmpty { recordLoss(reason) }
    var open = lost
    while let file = open.first?.file {
      let samples: [SampleImage]
      do throws(CodecError) {
        samples = try result(file, .pixels, leastScan: nil, isRead: true).get().answer.value.samples
      } catch {
        throw HDRError(error, reading: file)
      }
      for one in open {
        guard case .file(let own, let place) = one.origin, own === file, samples.indices.contains(place)
        else { continue }
        do throws(GPUError) {
          try one.planes?.fill(from: samples[place], because: reason)
        } catch {
          throw failure(error)
        }
      }
      open.removeAll { $0.file === file }
    }
  }
}
