import BatchEngine
import CPURender
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import Kernels

/// `bench codecs`: each encoder and each decoder alone, pixels in memory to bytes in memory and back.
///
/// The content is a picture of the user's, or a made photo with grain, edges and highlights. Megapixels a second of CPU
/// time: what one core does.
package struct CodecBench {
  private let source: SourceImage
  let content: String
  let repeats: Int
  private let threads: Int
  private let limits: DecodeLimits
  private let pool = BandPool(threads: Allotment.threads)

  /// - Parameters:
  ///   - path: the content; `nil` makes one of `megapixels`.
  ///   - threads: the threads of a codec, as far as it can use them.
  package init(
    _ path: FilePath?, megapixels: Double, repeats: Int, threads: Int = 1, limits: DecodeLimits = DecodeLimits()
  ) throws(FileBench.Failure) {
    self.repeats = repeats
    self.threads = threads
    var limits = limits
    limits.threads = threads
    self.limits = limits
    guard let path else {
      let width = 4032
      source =
        TestPictures.photoPair(width: width, height: max(2, Int(megapixels * 1e6) / width / 2 * 2), seed: 1).hdr
      content = "made"
      return
    }
    content = path.display
    do throws(DecodeError) {
      source = try decodeImage(
        try readFile(path, maxBytes: limits.maxFileBytes), request: .pixels, limits: limits)
    } catch {
      let failure = HDRError(error)
      throw FileBench.Failure(code: failure.code, description: failure.message.text(dashes: true))
    }
  }

  /// Ends the render threads; `run` and `files` do so by themselves.
  func close() { pool.close() }

  /// Measures all kinds of files, or one alone; `each` is called as figures come in. Call once.
  ///
  /// - Returns: kinds that could not be made of this content, and why.
  package func run(only: OutputKind? = nil, each: (BenchFigure) -> Void) -> [(kind: String, reason: String)] {
    defer { pool.close() }
    var failures: [(kind: String, reason: String)] = []
    for kind in only.map({ [$0] }) ?? OutputKind.allCases {
      do throws(HDRError) {
        let request = try request(kind)
        try measure(kind.rawValue, pixels: request.image.width * request.image.height, each) { () throws(EncodeError) in
          try encodeImage(request).main
        }
      } catch {
        failures.append((kind.rawValue, error.message.text(dashes: true)))
      }
    }
    for container in only == nil ? AdaptiveContainer.allCases : [] {
      do throws(HDRError) {
        let request = try request(container)
        try measure(
          "adaptive-\(container.rawValue)", pixels: source.geometry.outputWidth * source.geometry.outputHeight, each
        ) { () throws(EncodeError) in try encodeAdaptive(request).main }
      } catch {
        failures.append(("adaptive-\(container.rawValue)", error.message.text(dashes: true)))
      }
    }
    return failures
  }

  /// Returns the content as files: a 10-bit PQ HEIC, where this build can write one, and a JPEG with a gain map.
  func files() throws(FileBench.Failure) -> [(name: String, bytes: [UInt8])] {
    defer { pool.close() }
    do throws(HDRError) {
      let heic = OutputKind.pqHEIC.isAvailable ? try request(.pqHEIC) : nil
      let jpeg = try request(AdaptiveContainer.jpeg)
      do throws(EncodeError) {
        var files = [(name: "made-gainmap.jpg", bytes: try encodeAdaptive(jpeg).main)]
        if let heic { files.insert(("made-pq.heic", try encodeImage(heic).main), at: 0) }
        return files
      } catch {
        throw HDRError(error)
      }
    } catch {
      throw FileBench.Failure(code: error.code, description: error.message.text(dashes: true))
    }
  }

  /// Returns the request that `render` makes for a kind with the usual settings.
  func request(_ kind: OutputKind) throws(HDRError) -> EncodeRequest {
    let rendition = RenditionOptions(kind: kind), plan = try plan(source, rendition.recipe)
    let image = try render(plan)
    return EncodeRequest(image, plan.report, rendition, of: source, pool, threads: threads)
  }

  /// Returns a request of both renditions of the content and the map between them, one channel of half size, as phones
  /// write them.
  private func request(_ container: AdaptiveContainer) throws(HDRError) -> AdaptiveRequest {
    var options = AdaptiveOptions(container: container)
    options.map.channels = 1
    options.map.scale = 2
    let maker = RenditionPairMaker(
      options: options, rendition: RenditionOptions(kind: .sdrJPEG), pool: pool, plan: plan,
      renderer: PairRenderer { (plan, _) throws(HDRError) in try render(plan) })
    var base = source
    base.gainMap = nil
    let primaries = Planner.sdrPrimaries(base)
    func rendition(_ encoding: OutputSignal.Encoding, _ sink: SinkKind) throws(HDRError) -> SourceImage {
      var recipe = RenderRecipe(
        target: OutputSignal(
          primaries: primaries, encoding: encoding, sink: sink, bitDepth: sink == .rgba8 ? 8 : 16, chroma: .s444))
      recipe.display = encoding == .sdr ? .standard : .high
      return AdaptiveBench.source(try render(try plan(source, recipe)), primaries: primaries)
    }
    let made = try maker.make(sdr: try rendition(.sdr, .rgba8), hdr: try rendition(.linear, .rgba16f))
    return AdaptiveRequest(
      container: container, base: .samples(made.base), baseColor: AdaptiveColor(cicp: made.baseCICP),
      map: .samples(made.map), mapColor: made.mapCICP, metadata: made.metadata, alternateColor: made.alternate,
      alternateLight: made.alternateLight, threads: threads)
  }

  private func plan(_ source: SourceImage, _ recipe: RenderRecipe) throws(HDRError) -> Plan {
    do throws(PlanError) { return try Planner.plan(source, recipe) } catch { throw HDRError(error) }
  }

  private func render(_ plan: Plan) throws(HDRError) -> SampleImage {
    CPUBackend.best.render(plan, pool: pool).image
  }

  /// Encodes and, where there is a decoder, decodes the result.
  private func measure(
    _ name: String, pixels: Int, _ each: (BenchFigure) -> Void, _ encode: () throws(EncodeError) -> [UInt8]
  ) throws(HDRError) {
    var bytes: [UInt8] = [], encoding: [CPUSample] = [], decoding: [CPUSample] = []
    do throws(EncodeError) {
      for i in 0...repeats {
        var sample = CPUSample()
        bytes = try sample.measure("encode", encode)
        if i > 0 { encoding.append(sample) }
      }
    } catch {
      throw HDRError(error)
    }
    let megapixels = Double(pixels) / 1e6
    func figure(_ verb: String, _ samples: [CPUSample]) {
      each(
        BenchFigure(
          .codecs, "\(verb) \(name)", Spread(samples.map { megapixels / $0.cpu.total }), .megapixelsPerSecond,
          details: [
            .init("content", .string(content)), .init("threads", .int(threads)), .init("pixels", .int(pixels)),
            .init("fileBytes", .int(bytes.count)),
            .init("bitsPerPixel", .number(rounded(Double(bytes.count) * 8 / Double(pixels)))),
            .init("cpuSeconds", .number(rounded(Spread(samples.map { $0.cpu.total }).median))),
            .init("wallSeconds", .number(rounded(Spread(samples.map { $0.wall }).median))),
          ]))
    }
    figure("encode", encoding)
    if name == OutputKind.rgba16f.rawValue { return }
    do throws(DecodeError) {
      for i in 0...repeats {
        var sample = CPUSample()
        _ = try sample.measure("decode") { () throws(DecodeError) in
          try decodeImage(bytes, request: .pixels, limits: limits)
        }
        if i > 0 { decoding.append(sample) }
      }
    } catch {
      throw HDRError(error)
    }
    figure("decode", decoding)
  }
}
