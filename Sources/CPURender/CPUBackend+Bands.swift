import CPUReference
import HDRCore
import HDRPlan

/// The light of a picture, codes of the same picture, and a third that is made of both, in passes that are rendered
/// together, band by band. No memory holds the light of the whole picture, and what reads a band finds it in the cache.
package struct BandedPasses: Sendable {
  private let light: Plan
  private let codes: Plan
  private let made: Plan
  /// The source of `made` that stands for the light.
  private let lightSource: Int
  /// The codes, whole.
  package let codesImage: SampleImage
  /// The picture that is made of light and codes, whole.
  package let madeImage: SampleImage
  /// The light as a picture without rows.
  private let emptyLight: SampleImage

  /// Returns `nil` for plans that cannot be rendered in bands: of several passes, of different sizes, or that make no
  /// interleaved halves of light.
  ///
  /// - Parameters:
  ///   - memory: allocates blocks of the given size for the codes.
  ///   - make: plans the third picture; every pixel reads the same pixel of both.
  package init?<E: Error>(
    light: Plan, codes: Plan, memory: (Int) -> PixelBuffer,
    make: (SampleImage, SampleImage) throws(E) -> Plan
  ) throws(E) {
    guard light.passes.count == 1, codes.passes.count == 1, light.kept == nil, codes.kept == nil,
      light.passes[0].sink.kind == .rgba16f, !light.passes[0].sink.isPlanar,
      light.passes[0].width == codes.passes[0].width,
      light.passes[0].height == codes.passes[0].height
    else { return nil }
    let buffer = PixelBuffer(byteCount: 0)
    emptyLight = CPUReference.CPURenderer.makeOutput(light.passes[0]) { _ in buffer }
    codesImage = CPUReference.CPURenderer.makeOutput(codes.passes[0], memory: memory)
    made = try make(emptyLight, codesImage)
    let source = made.passes[0].sources.firstIndex {
      if case .image(let image) = $0 { image.channels[0].buffer === buffer } else { false }
    }
    guard let source, made.passes.count == 1, made.passes[0].height == codes.passes[0].height,
      made.passes[0].mapping == .identity
    else { return nil }
    lightSource = source
    madeImage = CPUReference.CPURenderer.makeOutput(made.passes[0])
    (self.light, self.codes) = (light, codes)
  }

  var pass: Pass { light.passes[0] }

  /// The rows that a band must start at a multiple of.
  var alignment: Int {
    [light, codes, made].map { CPUReference.CPURenderer.rowAlignment($0.passes[0]) }.max() ?? 1
  }

  /// Returns the memory for the light of so many rows.
  func lightMemory(rows: Int) -> PixelBuffer {
    PixelBuffer(uninitializedByteCount: rows * rowBytes)
  }

  private var rowBytes: Int { emptyLight.channels[0].rowBytes }

  /// Returns the picture of light whose row `first` is at the start of the memory; the rows before are not there.
  func lightImage(from first: Int, in memory: PixelBuffer) -> SampleImage {
    var image = emptyLight
    func move(_ plane: inout SamplePlane) {
      plane.buffer = memory
      plane.offset -= first * rowBytes
    }
    for channel in image.channels.indices { move(&image.channels[channel]) }
    if var alpha = image.alpha {
      move(&alpha)
      image.alpha = alpha
    }
    return image
  }

  /// Returns the jobs of a band, in order.
  func jobs(_ lightImage: SampleImage) -> [CPUBackend.RowJob] {
    var made = made
    made.passes[0].sources[lightSource] = .image(lightImage)
    return [(light, lightImage), (codes, codesImage), (made, madeImage)].map { plan, image in
      CPUBackend.RowJob(plan: plan, pass: 0, outputs: [nil], target: image)
    }
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
    let bands = Self.bands(of: passes.pass, [0..<passes.pass.height], alignment: passes.alignment)
    let rows = bands.map(\.count).max() ?? 0
    let results = PartList<Part>()
    let seconds = pool.run(count: bands.count) {
      let memory = passes.lightMemory(rows: rows)
      return { index in
        let band = bands[index]
        if deadline.isPassed { return }
        let light = passes.lightImage(from: band.lowerBound, in: memory)
        for job in passes.jobs(light) { makeRowRenderer(job)(band) }
        var part = results.take() ?? start()
        measure(light, passes.madeImage, band, &part)
        results.put(part)
      }
    }
    return (results.all, seconds)
  }
}
