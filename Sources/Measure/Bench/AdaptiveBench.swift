import BatchEngine
import CPURender
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import Kernels
import PlainData

/// `bench adaptive`: CPU time of an Adaptive HDR JPEG from two renditions in memory, step by step.
///
/// Method: an RGBA8 SDR rendition and a half-float HDR one; `RenditionPairMaker` and the encoder as `pair` runs them,
/// so reading, decoding and verifying are left out and everything between pixels and the bytes of the file is in.
/// Medians after one warm-up.
package struct AdaptiveBench {
  /// The result for one kind of map. Milliseconds are CPU time a megapixel of the base.
  package struct Row: Sendable {
    package var channels: Int
    package var scale: Int
    package var width: Int
    package var height: Int
    package var steps: [(name: String, cpu: CPUSeconds)]
    package var whole: CPUSeconds
    /// User milliseconds a megapixel of each run.
    package var userSpread: Spread
    package var wallSeconds: Double
    package var fileBytes: Int
    /// The pair: its SDR file, or "made".
    package var content: String

    package var megapixels: Double { Double(width * height) / 1e6 }
    package var name: String { "\(channels) channel\(channels == 1 ? "" : "s") 1/\(scale)" }

    /// Returns the milliseconds a megapixel that seconds are.
    package func milliseconds(_ seconds: Double) -> Double { seconds * 1e3 / megapixels }

    package var figure: BenchFigure {
      BenchFigure(
        .adaptive, "\(content), \(name)", userSpread, .millisecondsPerMegapixel,
        details: [
          .init("channels", .int(channels)), .init("scale", .int(scale)), .init("width", .int(width)),
          .init("height", .int(height)), .init("userMsPerMP", .number(rounded(milliseconds(whole.user)))),
          .init("cpuMsPerMP", .number(rounded(milliseconds(whole.total)))),
          .init("wallSeconds", .number(rounded(wallSeconds))), .init("fileBytes", .int(fileBytes)),
          .init(
            "stepUserMsPerMP",
            .object(steps.map { JSON.Field($0.name, .number(rounded(milliseconds($0.cpu.user)))) })),
          .init(
            "stepCPUMsPerMP",
            .object(steps.map { JSON.Field($0.name, .number(rounded(milliseconds($0.cpu.total)))) })),
        ])
    }
  }

  /// Steps in their order.
  package static let steps = ["base", "light", "light statistics", "gains", "statistics", "codes", "encode"]
  /// The maps that are measured: channels, and how many times as large as the map the base is.
  package static let maps = [(channels: 3, scale: 1), (channels: 3, scale: 2), (channels: 1, scale: 4)]

  private let sdr: SourceImage
  private let hdr: SourceImage
  private let repeats: Int
  private let quality: Int
  private let backends: RenderBackends
  private let content: String

  /// Creates a bench with a made picture of image-like content.
  package init(width: Int, height: Int, repeats: Int = 7, quality: Int = 90, threads: Int = Allotment.threads) throws {
    let (sdr, hdr) = TestPictures.photoPair(width: width, height: height, seed: 1)
    try self.init(
      sdr: sdr, hdr: hdr, content: "made", repeats: repeats, quality: quality, threads: threads)
  }

  /// Creates a bench with two files of one picture: the pair is their renditions in the base's primaries; decoding is
  /// not measured.
  package init(
    sdr: FilePath, hdr: FilePath, repeats: Int = 7, quality: Int = 90, threads: Int = Allotment.threads
  ) throws {
    let cpu = CPUBackend.best
    func source(_ path: FilePath) throws -> SourceImage {
      try decodeImage(
        try readFile(path, maxBytes: DecodeLimits().maxFileBytes), request: .pixels, limits: DecodeLimits())
    }
    var base = try source(sdr)
    base.gainMap = nil
    let primaries = Planner.sdrPrimaries(base), content = sdr.display
    func render(_ source: SourceImage, _ encoding: OutputSignal.Encoding, _ sink: SinkKind) throws -> SourceImage {
      var recipe = RenderRecipe(
        target: OutputSignal(
          primaries: primaries, encoding: encoding, sink: sink, bitDepth: sink == .rgba8 ? 8 : 16, chroma: .s444))
      recipe.display = encoding == .sdr ? .standard : .high
      let image = cpu.render(try Planner.plan(source, recipe), threads: Allotment.threads)
      return Self.source(image, primaries: primaries)
    }
    try self.init(
      sdr: try render(base, .sdr, .rgba8), hdr: try render(try source(hdr), .linear, .rgba16f), content: content,
      repeats: repeats, quality: quality, threads: threads)
  }

  private init(
    sdr: SourceImage, hdr: SourceImage, content: String, repeats: Int, quality: Int, threads: Int
  ) throws {
    self.content = content
    self.sdr = sdr
    self.hdr = hdr
    self.repeats = repeats
    self.quality = quality
    do throws(GPUError) {
      backends = try RenderBackends(.cpu, device: nil, threads: threads)
    } catch {
      throw UnavailableError("\(error) [\(error.code)]")
    }
  }

  /// Ends the render threads.
  package func close() { backends.close() }

  /// Returns a source of R G B A codes with the sRGB curve, or of halves of linear light.
  static func source(_ image: SampleImage, primaries: Int) -> SourceImage {
    SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: primaries, transfer: image.format == .float16 ? 8 : 13)),
      geometry: Geometry(width: image.width, height: image.height))
  }

  /// Writes the pixels of both renditions without headers, R G B A rows tightly packed, and their size, for programs
  /// that are to be measured on the same pair: `sdr.rgba8`, `hdr.rgba16f`, `pair.json`.
  package func keep(in folder: String) throws(ResultFileError) {
    let path = FilePath(folder)
    do throws(FileFault) {
      _ = try LinuxFileSystem().makeFolders(path, isDurable: false)
      for (image, name) in [(sdr.image, "sdr.rgba8"), (hdr.image, "hdr.rgba16f")] {
        let plane = image.channels[0]
        let bytes = UnsafeRawBufferPointer(start: plane.buffer.base, count: plane.rowBytes * image.height)
        try AtomicWriter(parts: PartFiles()).write(Array(bytes), to: path.appending(name), existing: .replace)
      }
      let size: JSON = [
        "width": .int(sdr.image.width), "height": .int(sdr.image.height),
        "primaries": .int(Planner.declaredPrimaries(hdr) ?? 1), "quality": .int(quality),
      ]
      try AtomicWriter(parts: PartFiles()).write(
        Array((size.pretty + "\n").utf8), to: path.appending("pair.json"), existing: .replace)
    } catch {
      throw ResultFileError(error.messageOfReport)
    }
  }

  /// Measures one kind of map.
  package func measure(channels: Int, scale: Int) throws(FileBench.Failure) -> Row {
    do throws(HDRError) {
      var samples: [CPUSample] = [], bytes = 0
      for i in 0...repeats {
        let (sample, count) = try run(channels: channels, scale: scale)
        bytes = count
        if i > 0 || repeats == 0 { samples.append(sample) }
      }
      return Row(
        channels: channels, scale: scale, width: sdr.image.width, height: sdr.image.height,
        steps: Self.steps.map { step in
          (step, CPUSeconds.middle(samples) { $0.steps[step] ?? CPUSeconds() })
        },
        whole: CPUSeconds.middle(samples) { $0.cpu },
        userSpread: Spread(samples.map { $0.cpu.user * 1e9 / Double(sdr.image.width * sdr.image.height) }),
        wallSeconds: Spread(samples.map(\.wall)).median, fileBytes: bytes, content: content)
    } catch {
      throw FileBench.Failure(code: error.code, description: error.message.text(dashes: true))
    }
  }

  private func run(channels: Int, scale: Int) throws(HDRError) -> (CPUSample, bytes: Int) {
    var options = AdaptiveOptions(container: .jpeg)
    options.map.channels = channels
    options.map.scale = scale
    options.mapQuality = quality
    var sample = CPUSample(), step = Self.steps[0], start = CPUSample.Moment()
    func begins(_ next: String) {
      sample.add(step, since: start)
      step = next
      start = CPUSample.Moment()
    }
    let maker = RenditionPairMaker(
      options: options, rendition: RenditionOptions(kind: .sdrJPEG), pool: backends.pool,
      plan: { (source, recipe) throws(HDRError) in
        do throws(PlanError) { return try Planner.plan(source, recipe) } catch { throw HDRError(error) }
      },
      renderer: PairRenderer { (plan, _) throws(HDRError) in
        do throws(GPUError) { return try backends.render(plan) { _ in }.image } catch { throw HDRError(error) }
      }, begins: begins)
    let made = try maker.make(sdr: sdr, hdr: hdr)
    begins("encode")
    let files: EncodedFiles
    do throws(EncodeError) {
      files = try encodeAdaptive(
        AdaptiveRequest(
          container: .jpeg, base: .samples(made.base), baseColor: AdaptiveColor(cicp: made.baseCICP),
          map: .samples(made.map), mapColor: made.mapCICP, metadata: made.metadata, alternateColor: made.alternate,
          alternateLight: made.alternateLight, quality: quality, mapQuality: quality))
    } catch {
      throw HDRError(error)
    }
    begins("")
    return (sample, files.main.count)
  }
}

extension TestPictures {
  /// Makes a picture twice, BT.709 primaries: R G B A sRGB codes, and halves of linear light, of which about one pixel
  /// in sixty is brighter than the SDR rendition can show, up to 12 times reference white.
  ///
  /// Gradients, edges, texture and grain, so that the coded size is that of a photo.
  package static func photoPair(width: Int, height: Int, seed: UInt64) -> (sdr: SourceImage, hdr: SourceImage) {
    let sdr = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint8, bitDepth: 8)
    let hdr = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let codes = sdr.channels[0].buffer.base.assumingMemoryBound(to: UInt8.self)
    let halves = hdr.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    // Stops of a component over 1/64 of a stop, from -10 on, as light and as a code of a tone curve with a shoulder.
    let stops = 14 * 64
    let light: [UInt16] = (0..<stops).map { UInt16(truncatingIfNeeded: E32.half(E32.exp2(Float($0) / 64 - 10))) }
    let toned: [UInt8] = (0..<stops).map { i in
      let x = Double(E32.exp2(Float(i) / 64 - 10))
      let y = Swift.min(x * (1 + x / 64) / (1 + x * 0.6), 1)
      return UInt8((Transfer.sRGBEncode(y) * 255).rounded())
    }
    var random = Generator(seed: seed)
    for y in 0..<height {
      for x in 0..<width {
        // Fields with edges, a slope within each, waves on top.
        let field = (x / 417 &* 7 &+ y / 311 &* 5) % 9, slope = (x % 417) / 3 + (y % 311) / 4
        let wave = ((x &* 3 &+ y &* 2) % 61 &- 30).magnitude
        let sparkle = (x / 13 &+ y / 9 &* 3) % 61 == 0 ? 260 : 0
        let level = 280 &+ field &* 24 &+ slope &+ Int(wave) / 3 &+ sparkle
        let noise = random.next(), i = 4 &* (y &* width &+ x)
        for channel in 0..<3 {
          let grain = Int((noise &>> UInt64(16 &* channel)) & 15) &+ Int((noise &>> 48) & 31)
          let tint = ((field &+ channel &* 3) % 5) &* 14
          let index = Swift.min(Swift.max(level &+ tint &+ grain, 0), stops - 1)
          halves[i &+ channel] = light[index]
          codes[i &+ channel] = toned[index]
        }
        halves[i &+ 3] = 0x3c00
        codes[i &+ 3] = 255
      }
    }
    return (
      AdaptiveBench.source(sdr, primaries: CICP.Primaries.bt709),
      AdaptiveBench.source(hdr, primaries: CICP.Primaries.bt709)
    )
  }
}
