import GPURender
import HDRCore
import HDRPlan

/// Renditions that stay on the device that renders them, because what is made of them is made there.
extension RenderJob {
  /// Renders light that stays on a device.
  ///
  /// - Returns: `nil` if it has to be rendered as other pictures.
  func keepLight(_ plan: Plan) throws(HDRError) -> (image: SampleImage, light: MeasuredLight)? {
    let kept = try keeping(plan) { (deadline) throws(GPUError) in
      try tools.backends.keepLight(plan, deadline: deadline, notice: hooks.lost)
    }
    guard let kept else { return nil }
    let light = MeasuredLight(kept.made) { [self] (above) throws(HDRError) in
      let deadline = try begin(plan)
      return try withSamples(.render) { () throws(GPUError) in
        try tools.backends.pattern(above: above, of: kept.image, deadline: deadline, notice: hooks.lost)
      }
    }
    return (kept.image, light)
  }

  /// Renders and encodes a base that stays on the device that holds light.
  ///
  /// - Returns: the base as it is encoded, and its codes; `nil` if it has to be rendered as other pictures.
  func keepBase(
    _ plan: Plan, _ coding: JPEGCoding, beside light: SampleImage
  ) throws(HDRError) -> (base: SampleImage, codes: SampleImage)? {
    // A judge, and a search for a quality, need its samples.
    guard !keepsReference, !choice.rendition.searchesQuality, let planes = light.devicePlanes else { return nil }
    let kept = try keeping(plan) { (deadline) throws(GPUError) in
      try tools.backends.keep(plan, encoding: coding, beside: planes, deadline: deadline, notice: hooks.lost)
    }
    guard let kept else { return nil }
    found.executor.encoder = JPEGProcessor.gpu.joined(with: found.executor.encoder)
    return (kept.made, kept.image)
  }

  private func keeping<Made>(
    _ plan: Plan, _ work: (Deadline) throws(GPUError) -> KeptPicture<Made>?
  ) throws(HDRError) -> KeptPicture<Made>? {
    let deadline = try begin(plan)
    let kept = try withSamples(.render) { () throws(GPUError) in try work(deadline) }
    guard let kept else { return nil }
    hold(kept.image, of: plan)
    record(kept.executor)
    return kept
  }
}
