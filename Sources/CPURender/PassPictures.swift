import CPUReference
import HDRCore
import HDRPlan

/// The pictures that passes of a plan hand on while parts of its result are rendered one after the other: of each only
/// the rows from the first that is still needed take memory.
struct PassPictures {
  let plan: Plan
  private let lastUses: [Int?]
  /// The picture of each pass that has begun and that is read later.
  private(set) var images: [SampleImage?]

  init(_ plan: Plan) {
    self.plan = plan
    lastUses = plan.lastUses
    images = [SampleImage?](repeating: nil, count: plan.passes.count)
  }

  /// Returns the picture of a pass, whose rows are undefined at first.
  mutating func picture(_ pass: Int) -> SampleImage {
    if let image = images[pass] { return image }
    let image = CPUReference.CPURenderer.makeOutput(plan.passes[pass])
    images[pass] = image
    return image
  }

  /// Frees the rows that a pass was the last to read.
  mutating func free(after pass: Int, _ part: PlanPart) {
    for (earlier, last) in lastUses.enumerated() where last == pass {
      if part.kept[earlier] < plan.passes[earlier].height {
        images[earlier]?.forget(before: part.kept[earlier])
      } else {
        images[earlier] = nil
      }
    }
  }
}

extension CPUBackend {
  /// Returns the rows of the result that are rendered together with all that they need: all of them, unless pictures
  /// between the passes would take more than `wholeBytes`.
  func parts(of plans: [Plan], height: Int, width: Int) -> [[Range<Int>]] {
    guard plans.reduce(0, { $0 + $1.planeBytes.peak }) > Double(wholeBytes) else { return [[0..<height]] }
    let rows = (max(1, partPixels / max(1, width)) + 63) & ~63
    return stride(from: 0, to: height, by: rows).map { [$0..<min($0 + rows, height)] }
  }

  /// Renders the passes before one for a part of the result.
  ///
  /// - Returns: CPU seconds of the pool's other threads.
  func render(
    _ part: PlanPart, before end: Int, _ pictures: inout PassPictures, _ pool: BandPool, _ deadline: Deadline
  ) -> Double {
    var seconds = 0.0
    for pass in 0..<end {
      if !part.rows[pass].isEmpty {
        let target = pictures.picture(pass)
        let job = RowJob(plan: pictures.plan, pass: pass, outputs: pictures.images, target: target)
        seconds += render(job, part.rows[pass], pool, deadline)
      }
      pictures.free(after: pass, part)
    }
    return seconds
  }
}
