import CPUReference
import HDRCore
import HDRPlan

/// The light of a picture, codes of the same picture, and a third that is made of both: their last passes are rendered
/// together, band by band. No memory holds the light of the whole picture, and what reads a band finds it in the cache.
package struct BandedPasses: Sendable {
  private let light: Plan
  private let codes: Plan
  private let made: Plan
  /// The first stages, which light and codes share and which run once for both; `nil` if they share none.
  private let start: Plan?
  /// The source of `made` that stands for the light.
  private let lightSource: Int
  /// The codes, whole.
  package let codesImage: SampleImage
  /// The picture that is made of light and codes, whole.
  package let madeImage: SampleImage
  /// The light as a picture without rows.
  private let emptyLight: SampleImage

  /// Returns `nil` for plans that cannot be rendered in bands: of different sizes, without interleaved halves of light,
  /// or with a third picture that needs more than one pass.
  ///
  /// - Parameters:
  ///   - memory: allocates blocks of the given size for the codes.
  ///   - make: plans the third picture; every pixel reads the same pixel of both.
  package init?<E: Error>(
    light: Plan, codes: Plan, memory: (Int) -> PixelBuffer,
    make: (SampleImage, SampleImage) throws(E) -> Plan
  ) throws(E) {
    guard let pass = light.passes.last, let codesPass = codes.passes.last, light.kept == nil, codes.kept == nil,
      pass.sink.kind == .rgba16f, !pass.sink.isPlanar, pass.width == codesPass.width, pass.height == codesPass.height
    else { return nil }
    let buffer = PixelBuffer(byteCount: 0)
    emptyLight = CPUReference.CPURenderer.makeOutput(pass) { _ in buffer }
    codesImage = CPUReference.CPURenderer.makeOutput(codesPass, memory: memory)
    made = try make(emptyLight, codesImage)
    let source = made.passes[0].sources.firstIndex {
      if case .image(let image) = $0 { image.channels[0].buffer === buffer } else { false }
    }
    guard let source, made.passes.count == 1, made.passes[0].height == codesPass.height,
      made.passes[0].mapping == .identity
    else { return nil }
    lightSource = source
    madeImage = CPUReference.CPURenderer.makeOutput(made.passes[0])
    let shared = SharedStart(light, codes)
    start = shared?.plan
    (self.light, self.codes) = (shared?.first ?? light, shared?.second ?? codes)
  }

  /// True if light and codes begin with the same stages, which then run once for both.
  package var sharesStart: Bool { start != nil }

  var height: Int { codesImage.height }

  /// The rows that are rendered together.
  var bandRows: Int {
    let passes = [light, codes, made].compactMap(\.passes.last)
    return passes.map { CPUBackend.bandRows(of: $0) }.max() ?? height
  }

  /// Returns memory for so many rows of what is not kept: the light, and the shared start.
  func makeMemory(rows: Int) -> (light: SampleImage, start: SampleImage?) {
    func image(_ plan: Plan) -> SampleImage? {
      plan.passes.last.map { $0.sink.makeImage(width: $0.width, height: min(rows, height)) }
    }
    return (image(light) ?? emptyLight, start.flatMap(image))
  }

  /// Returns the whole picture of which some rows, from `first` on, are in memory; the others are not there.
  func picture(_ image: SampleImage, from first: Int) -> SampleImage {
    var whole = image
    func move(_ plane: inout SamplePlane) {
      plane.height = height
      plane.offset -= first * plane.rowBytes
    }
    whole.height = height
    for channel in whole.channels.indices { move(&whole.channels[channel]) }
    if var alpha = whole.alpha {
      move(&alpha)
      whole.alpha = alpha
    }
    return whole
  }

  /// Returns the plans of light and codes.
  var plans: [Plan] { [light, codes] }

  /// Returns the jobs of a band, in order.
  ///
  /// - Parameters:
  ///   - light, begun: pictures of the band's memory.
  ///   - earlier: the outputs of the passes of `plans` before the last ones.
  func jobs(_ light: SampleImage, _ begun: SampleImage?, earlier: [[SampleImage?]]) -> [CPUBackend.RowJob] {
    func reading(_ image: SampleImage?, as source: Int, _ plan: Plan) -> Plan {
      guard let image else { return plan }
      var plan = plan
      plan.passes[plan.passes.count - 1].sources[source] = .image(image)
      return plan
    }
    var jobs = [
      (reading(begun, as: 0, self.light), earlier[0], light), (reading(begun, as: 0, codes), earlier[1], codesImage),
      (reading(light, as: lightSource, made), [nil], madeImage),
    ]
    if let start, let begun { jobs.insert((start, [nil], begun), at: 0) }
    return jobs.map { CPUBackend.RowJob(plan: $0, pass: $0.passes.count - 1, outputs: $1, target: $2) }
  }
}

extension CPUBackend {
  /// Renders passes together.
  ///
  /// - Parameters:
  ///   - deadline: checked before each band; bands after it stay undefined.
  ///   - start, measure: make a thread's sums, and add the rows of a band's light and of what is made of it.
  /// - Returns: the sums, in no particular order, and CPU seconds of the pool's other threads.
  package func render<Part: Sendable>(
    _ passes: BandedPasses, pool: BandPool, deadline: Deadline = .none,
    start: @escaping @Sendable () -> Part,
    measure:
      @escaping @Sendable (_ light: SampleImage, _ made: SampleImage, Range<Int>, inout Part) ->
      Void
  ) -> (parts: [Part], helperSeconds: Double) {
    let results = PartList<Part>(), rows = passes.bandRows
    let parts = parts(of: passes.plans, height: passes.height, width: passes.madeImage.width)
    let work = passes.plans.map { $0.parts(parts) }
    var pictures = passes.plans.map { PassPictures($0) }, seconds = 0.0
    for (index, part) in parts.enumerated() {
      for plan in pictures.indices {
        let last = pictures[plan].plan.passes.count - 1
        seconds += render(work[plan][index], before: last, &pictures[plan], pool, deadline)
      }
      let outputs = pictures.map(\.images)
      let bands = part.flatMap { all in
        stride(from: all.lowerBound, to: all.upperBound, by: rows).map { $0..<min($0 + rows, all.upperBound) }
      }
      seconds += pool.run(count: bands.count) {
        let memory = passes.makeMemory(rows: rows), render = makeRowRenderer()
        return { index in
          if deadline.isPassed { return }
          let band = bands[index]
          let light = passes.picture(memory.light, from: band.lowerBound)
          let begun = memory.start.map { passes.picture($0, from: band.lowerBound) }
          for job in passes.jobs(light, begun, earlier: outputs) { render(job, band) }
          var part = results.take() ?? start()
          measure(light, passes.madeImage, band, &part)
          results.put(part)
        }
      }
      for plan in pictures.indices {
        pictures[plan].free(after: pictures[plan].plan.passes.count - 1, work[plan][index])
      }
    }
    return (results.all, seconds)
  }
}
