import BatchEngine
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import PlainData

/// `bench files`: CPU time of a whole rendition beside that of its codecs alone, on the same file and the same pixels.
///
/// Method: one item at a time. The whole is what `render` does with it: read, decode, plan, render, measure light,
/// encode, verify. Writing to disk is left out, so verification looks at the bytes in memory. The codecs alone are
/// `decodeImage` on the file's bytes and `encodeImage` on the rendered pixels. Each repeat runs both, so that both meet
/// the same load; the figures are medians after one warm-up.
package struct FileBench {
  /// The result of one file as one kind. Seconds are CPU time, user and system, unless named otherwise.
  package struct Row: Sendable {
    package var input: FilePath
    package var kind: OutputKind
    package var backend: String
    package var device: String
    package var threads: Int
    /// Output pixels.
    package var pixels: Int
    package var decodeSeconds: Double
    package var encodeSeconds: Double
    /// Decoding and encoding, each run alone.
    package var codecs: CPUSeconds
    package var whole: CPUSeconds
    /// Wall time of the whole.
    package var wallSeconds: Double
    /// CPU milliseconds a megapixel of each run.
    package var spread: Spread
    /// Parts of the whole that are not codecs.
    package var phases: [(name: String, seconds: Double)]
    /// The counts of the picture on its device; `nil` on the CPU.
    package var timings: GPUTimings?

    /// The CPU seconds that the program adds to its codecs.
    package var addedSeconds: Double { whole.total - codecs.total }
    /// The added seconds as a share of the codecs'.
    package var addedShare: Double { addedSeconds / codecs.total }
    package var megapixels: Double { Double(pixels) / 1e6 }
    package var userMillisecondsPerMegapixel: Double { whole.user * 1e3 / megapixels }
    package var cpuMillisecondsPerMegapixel: Double { whole.total * 1e3 / megapixels }
    /// The megapixels a second of wall time, one item in flight.
    package var megapixelsPerSecond: Double { megapixels / wallSeconds }

    /// The part that limits it: the largest share of the CPU time.
    package var limit: String {
      let parts = ([("decode", decodeSeconds), ("encode", encodeSeconds)] + phases.map { ($0.name, $0.seconds) })
        .sorted { $0.1 > $1.1 }
      func share(_ part: (String, Double)) -> String {
        "\(part.0) \(decimals(part.1 / whole.total * 100, 0)) %"
      }
      return "\(parts[0].0): of the CPU time " + parts.prefix(3).map(share).joined(separator: ", ")
    }

    package var figure: BenchFigure {
      BenchFigure(
        .files, "\(input.display) to \(kind.rawValue), \(backend == "cpu" ? "CPU" : device)", spread,
        .millisecondsPerMegapixel,
        details: [
          .init("input", .path(input)), .init("kind", .string(kind.rawValue)), .init("backend", .string(backend)),
          .init("device", .string(device)), .init("threads", .int(threads)), .init("pixels", .int(pixels)),
          .init("decodeCPUSeconds", .number(rounded(decodeSeconds))),
          .init("encodeCPUSeconds", .number(rounded(encodeSeconds))),
          .init("codecsCPUSeconds", .number(rounded(codecs.total))),
          .init("wholeCPUSeconds", .number(rounded(whole.total))),
          .init("wholeUserSeconds", .number(rounded(whole.user))), .init("wallSeconds", .number(rounded(wallSeconds))),
          .init("addedShare", .number(rounded(addedShare))),
          .init("userMsPerMP", .number(rounded(userMillisecondsPerMegapixel))),
          .init("cpuMsPerMP", .number(rounded(cpuMillisecondsPerMegapixel))),
          .init("mpPerSecond", .number(rounded(megapixelsPerSecond))),
          .init("otherCPUSeconds", .object(phases.map { JSON.Field($0.name, .number(rounded($0.seconds))) })),
        ] + (timings?.counts ?? []), limit: limit)
    }
  }

  /// The reason why a file has no row.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    package var code: String
    /// The fault, its place and the remedy in one line.
    package var description: String
  }

  private let rendition: RenditionOptions
  private let repeats: Int
  private let threads: Int
  private let backends: RenderBackends
  private let limits: DecodeLimits

  /// - Throws: `UnavailableError` when a demanded device cannot be had.
  package init(
    _ rendition: RenditionOptions, backend: BackendChoice = .auto, device: String? = nil, repeats: Int = 7,
    threads: Int = Allotment.threads, limits: DecodeLimits = DecodeLimits()
  ) throws {
    self.rendition = rendition
    self.limits = limits
    self.repeats = repeats
    self.threads = threads
    do throws(GPUError) {
      backends = try RenderBackends(backend, device: device, threads: threads, sampling: .none)
    } catch {
      throw UnavailableError("\(error) [\(error.code)]")
    }
  }

  /// Ends the render threads.
  package func close() { backends.close() }

  /// Measures one file.
  package func measure(_ path: FilePath) throws(Failure) -> Row {
    do throws(HDRError) {
      return try measureItem(path)
    } catch {
      throw Failure(code: error.code, description: error.message.text(dashes: true))
    }
  }

  private func measureItem(_ path: FilePath) throws(HDRError) -> Row {
    var whole: [CPUSample] = [], alone: [CPUSample] = []
    var rendered: Rendered?
    for i in 0...repeats {
      let (sample, bytes, request, picture) = try runWhole(path)
      let codecsOnly = try runCodecs(bytes, request)
      rendered = picture
      if i == 0 && repeats > 0 { continue }
      whole.append(sample)
      alone.append(codecsOnly)
    }
    func middle(_ samples: [CPUSample], _ value: (CPUSample) -> Double) -> Double {
      Spread(samples.map(value)).median
    }
    let pixels = (rendered?.image.width ?? 0) * (rendered?.image.height ?? 0)
    return Row(
      input: path, kind: rendition.kind, backend: rendered?.executor.backend ?? "none",
      device: rendered?.executor.device ?? "none",
      threads: threads, pixels: pixels,
      decodeSeconds: middle(alone) { $0.steps["decode"]?.total ?? 0 },
      encodeSeconds: middle(alone) { $0.steps["encode"]?.total ?? 0 }, codecs: CPUSeconds.middle(alone) { $0.cpu },
      whole: CPUSeconds.middle(whole) { $0.cpu }, wallSeconds: middle(whole) { $0.wall },
      spread: Spread(whole.map { $0.cpu.total * 1e9 / Double(pixels) }),
      phases: ["read", "plan", "render", "light", "verify"].map { step in
        (step, middle(whole) { $0.steps[step]?.total ?? 0 })
      }, timings: rendered?.timings)
  }

  /// Does everything that `render` does with an item, but for the disk.
  private func runWhole(
    _ path: FilePath
  ) throws(HDRError) -> (sample: CPUSample, bytes: [UInt8], request: EncodeRequest, picture: Rendered) {
    var sample = CPUSample()
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try sample.measure("read") { () throws(FileFault) in
        try readWholeFile(path, maxBytes: limits.maxFileBytes)
      }
    } catch {
      throw HDRError(reading: error, limit: limits.maxFileBytes)
    }
    let (picture, report, source) = try decodeAndRender(bytes, &sample)
    let request = sample.measure("light") {
      EncodeRequest(picture.image, report, rendition, of: source, backends.pool, threads: threads)
    }
    do throws(EncodeError) {
      let files = try sample.measure("encode") { () throws(EncodeError) in try encodeImage(request) }
      try sample.measure("verify") { () throws(EncodeError) in try verifyEncoded(files, request) }
    } catch {
      throw HDRError(error)
    }
    return (sample, bytes, request, picture)
  }

  /// Decodes and renders. The source's pixels are freed when this returns, as in a batch.
  private func decodeAndRender(
    _ bytes: [UInt8], _ sample: inout CPUSample
  ) throws(HDRError) -> (Rendered, PlanReport, SourceImage) {
    let source: SourceImage, plan: Plan
    do throws(DecodeError) {
      source = try sample.measure("decode") { () throws(DecodeError) in
        try decodeImage(bytes, request: .pixels, limits: limits)
      }
    } catch {
      throw HDRError(error)
    }
    do throws(PlanError) {
      plan = try sample.measure("plan") { () throws(PlanError) in try Planner.plan(source, rendition.recipe) }
    } catch {
      throw HDRError(error)
    }
    do throws(GPUError) {
      let picture = try sample.measure("render") { () throws(GPUError) in try backends.render(plan) { _ in } }
      return (picture, plan.report, source.withoutPixels)
    } catch {
      throw HDRError(error)
    }
  }

  /// Runs decoding and encoding alone.
  private func runCodecs(_ bytes: [UInt8], _ request: EncodeRequest) throws(HDRError) -> CPUSample {
    var sample = CPUSample()
    do throws(DecodeError) {
      _ = try sample.measure("decode") { () throws(DecodeError) in
        try decodeImage(bytes, request: .pixels, limits: limits)
      }
    } catch {
      throw HDRError(error)
    }
    do throws(EncodeError) {
      _ = try sample.measure("encode") { () throws(EncodeError) in try encodeImage(request) }
    } catch {
      throw HDRError(error)
    }
    return sample
  }
}
