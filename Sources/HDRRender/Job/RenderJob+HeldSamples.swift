import CodecService
import GPURender
import HDRCore
import ImageFiles

/// Samples of a source that a device holds, and the file that they can be had from if the device is lost.
struct HeldSamples {
  let file: InputFile
  /// The picture's place among the source's: the base, then the gain map.
  let place: Int
  weak var planes: DevicePlanes?
}

extension RenderJob {
  /// Remembers what a device holds of a source.
  func hold(_ source: SourceImage, of file: InputFile) {
    held.removeAll { $0.planes == nil }
    for (place, image) in source.samples.enumerated() {
      if let loss = image.devicePlanes?.loss { recordLoss(loss) }
      guard let planes = image.devicePlanes, !held.contains(where: { $0.planes === planes }) else { continue }
      held.append(HeldSamples(file: file, place: place, planes: planes))
    }
  }

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

  /// Gets the samples that no device can give back from the library.
  private func restoreSamples(_ reason: String) throws(HDRError) {
    recordLoss(reason)
    var open = held.filter { $0.planes?.areHere == false }
    while let file = open.first?.file {
      let samples: [SampleImage]
      do throws(CodecError) {
        samples = try result(file, .pixels, leastScan: nil, isRead: true).get().answer.value.samples
      } catch {
        throw HDRError(error, reading: file)
      }
      for one in open where one.file === file && samples.indices.contains(one.place) {
        do throws(GPUError) {
          try one.planes?.fill(from: samples[one.place], because: reason)
        } catch {
          throw failure(error)
        }
      }
      open.removeAll { $0.file === file }
    }
  }
}
