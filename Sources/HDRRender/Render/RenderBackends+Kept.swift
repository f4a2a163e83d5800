import GPURender
import HDRCore
import HDRPlan
import Kernels

/// A picture that a device has rendered and holds, with what it has made of it.
struct KeptPicture<Made> {
  let image: SampleImage
  let made: Made
  let executor: ExecutorFacts
}

/// Pictures that stay on the device that renders them (`DevicePlanes`), for plans that read them there.
extension RenderBackends {
  /// Renders light and measures it on a GPU, where it stays.
  ///
  /// - Returns: `nil` if it has to be rendered: where no GPU measures, it has no room, or the pixels are to be compared.
  /// - Throws: `.mismatch`, `.late` and `.samplesLost`.
  func keepLight(
    _ plan: Plan, deadline: Deadline, notice: (GPURings.LostDevice) -> Void
  ) throws(GPUError) -> KeptPicture<LightFigures>? {
    let kept = try staying(plan, kernels: [Measurement.light.kernelName], notice: notice) {
      (renderer) throws(GPUError) in
      try renderer.keep(plan, measuring: .light, deadline: deadline)
    }
    return kept.map { made, executor in
      KeptPicture(
        image: made.image, made: LightFigures(made.sums, pixels: made.image.pixelCount), executor: executor)
    }
  }

  /// Renders a picture and encodes it on the GPU that holds another one, where it stays.
  ///
  /// - Returns: what is encoded; `nil` as `keepLight`.
  /// - Throws: as `keepLight`.
  func keep(
    _ plan: Plan, encoding coding: JPEGCoding, beside planes: DevicePlanes, deadline: Deadline,
    notice: (GPURings.LostDevice) -> Void
  ) throws(GPUError) -> KeptPicture<SampleImage>? {
    let kept = try staying(plan, kernels: DeviceCoding.jpeg(coding).kernelNames, beside: planes, notice: notice) {
      (renderer) throws(GPUError) in
      try renderer.keep(plan, encoding: coding, deadline: deadline)
    }
    return kept.map { made, executor in
      KeptPicture(image: made.image, made: coding.picture(made.scan), executor: executor)
    }
  }

  /// Returns the half that is the largest but so many of a picture's largest components, counted where the picture is.
  ///
  /// - Throws: `.late` and `.samplesLost`, `.mismatch`.
  func pattern(
    above: Int, of light: SampleImage, deadline: Deadline, notice: (GPURings.LostDevice) -> Void
  ) throws(GPUError) -> Int {
    let plan = Plan.copying(light)
    // The light was kept because its kernels are known.
    let found = try staying(plan, kernels: nil, beside: light.devicePlanes, notice: notice) {
      (renderer) throws(GPUError) in
      try renderer.pattern(above: above, of: plan, deadline: deadline)
    }
    if let found { return found.made }
    try bring(plan.devicePlanes)
    return LightStatistics(light, pool).pattern(above: above)
  }

  /// Lets a GPU that encodes and measures work on pixels that stay there.
  ///
  /// - Parameters:
  ///   - kernels: the kernels that follow those of the plan; `nil` if pictures have been compared, whatever they are.
  ///   - planes: what the GPU must hold.
  /// - Returns: `nil` where no GPU does it, or its pixels are to be compared, and where `work` does not.
  /// - Throws: `.mismatch`, `.late` and `.samplesLost`.
  func staying<R>(
    _ plan: Plan, kernels: Set<String>?, beside planes: DevicePlanes? = nil, notice: (GPURings.LostDevice) -> Void,
    _ work: (GPURenderer) throws(GPUError) -> R?
  ) throws(GPUError) -> (made: R, executor: ExecutorFacts)? {
    guard plan.kept == nil, let last = plan.passes.last,
      let ring = rings.take(holding: planes ?? plan.devicePlanes.first)
    else { return nil }
    guard codecs.isUsed(pixels: last.width * last.height, on: ring.renderer.device),
      planes.map({ ring.renderer.holds($0) }) ?? true,
      kernels.map({ !sampling.isDue(plan, followedBy: $0, on: ring.number) }) ?? true
    else {
      rings.giveBack(ring)
      return nil
    }
    do throws(GPUError) {
      let made: R?
      do throws(GPUError) {
        try bring(plan.devicePlanes.filter { !ring.renderer.holds($0) })
        made = try work(ring.renderer)
      } catch {
        rings.giveBack(ring)
        throw error
      }
      rings.giveBack(ring)
      guard let made, rings.finish(ring) else { return nil }
      let rounding = ring.renderer.device.floatControls.rounding
      return (made, ExecutorFacts(backend: "gpu", device: ring.label, rounding: rounding))
    } catch {
      switch error {
      case .late, .samplesLost: throw error
      default: break
      }
      if error.concernsThisPictureOnly { return nil }
      if retire(ring, because: error, notice), case .mismatch = error { throw error }
      return nil
    }
  }

  /// Lets a device measure rows of light that were compared, and compares what it says with the CPU.
  ///
  /// - Throws: `.mismatch`, or what renderers throw.
  func checkLight(_ image: SampleImage, rows: Range<Int>, on ring: GPURings.Ring) throws(GPUError) {
    let part = image.rows(rows), plan = Plan.copying(part), expected = LightStatistics(part, pool)
    let figures = LightFigures(try ring.renderer.measure(plan, .light), pixels: part.pixelCount)
    var isSame = figures == expected.figures
    for above in [0, part.pixelCount / 2] where isSame {
      isSame = try ring.renderer.pattern(above: above, of: plan) == expected.pattern(above: above)
    }
    if !isSame {
      throw .mismatch(device: ring.label, words: 1, first: "what was measured of rows \(rows.lowerBound) on")
    }
  }
}
