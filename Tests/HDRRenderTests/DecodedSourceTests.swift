import CodecService
import GPURender
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import TestFiles
import Testing

/// JPEGs that devices decode, and what is asked of codecs for them.
@Suite(.serialized, .enabled(if: DeadlineTests.hasLlvmpipe, "skipped: no llvmpipe"))
struct DecodedSourceTests {
  /// Answers as codecs do, and counts what it is asked.
  private final class Codecs {
    let bytes: [UInt8]
    /// Changes the samples of an answer without scans.
    var change: (inout SourceImage) -> Void = { _ in }
    var asked: [Int?] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func answer(_ least: Int?) throws(CodecError) -> CodecAnswer<SourceImage> {
      asked.append(least)
      var limits = DecodeLimits()
      limits.leastScan = least
      var source = try CodecJobs.decode(bytes, request: .pixels, limits: limits)
      if least == nil { change(&source) }
      return CodecAnswer(source, [.decode: PhaseSeconds(wall: 10, cpu: 3)], isElsewhere: true)
    }

    func decoded(
      _ backends: RenderBackends, _ least: Int? = 0, notice: (GPURings.LostDevice) -> Void = { _ in }
    ) throws -> DecodedSource {
      try backends.decoded(least, notice: notice) { least throws(CodecError) in try answer(least) }
    }
  }

  /// The codecs of this process, but for a sample of what the library decodes.
  private struct OtherLibrary: CodecBorder {
    let codecs = InProcessCodecs()

    func decode(
      _ file: InputFile, request: DecodeRequest, limits: DecodeLimits, admit: (DecodeHead) throws(CodecError) -> Void
    ) throws(CodecError) -> CodecAnswer<SourceImage> {
      let answer = try codecs.decode(file, request: request, limits: limits, admit: admit)
      if let plane = answer.value.image.channels.first {
        let sample = plane.buffer.base + plane.offset
        sample.storeBytes(of: ~sample.load(as: UInt8.self), as: UInt8.self)
      }
      return answer
    }
    func codedRenditions(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<CodedRenditions> {
      try codecs.codedRenditions(file, limits: limits)
    }
    func encode(_ request: FileRequest, into files: OutputDescriptors) throws(CodecError) -> CodecAnswer<WrittenFiles> {
      try codecs.encode(request, into: files)
    }
  }

  private static func backends(
    _ codecs: CodecDevice = .gpu, _ sampling: Sampling.Choice = .newKernels
  ) throws -> RenderBackends {
    try RenderBackends(.gpu, device: "llvmpipe", threads: 1, codecs: codecs, sampling: sampling)
  }

  private static let file = BaselineJPEG(width: 61, height: 45).file

  @Test("the library decodes the first JPEG of a device, too, and then none")
  func firstSourcesAreCompared() throws {
    let backends = try Self.backends(), codecs = Codecs(Self.file)
    defer { backends.close() }
    #expect(backends.leastScan == 0)
    let library = try decodeImage(Self.file, request: .pixels).image
    for _ in 0..<2 {
      let decoded = try codecs.decoded(backends)
      #expect(decoded.facts.device == .gpu && decoded.facts.fallback == nil)
      #expect(decoded.answer.value.image.handover == nil)
      // The second picture's samples are on the device alone.
      try decoded.answer.value.image.devicePlanes?.bring()
      #expect(WordComparison(library, decoded.answer.value.image).differing == 0)
    }
    #expect(codecs.asked == [0, nil, 0])
    let sampled = try Self.backends(.gpu, .every(2)), others = Codecs(Self.file)
    defer { sampled.close() }
    for _ in 0..<4 { _ = try others.decoded(sampled) }
    #expect(others.asked == [0, nil, 0, 0, nil, 0])
  }

  @Test("the time of a source is that of all that codecs were asked, and of the device")
  func allTimeCounts() throws {
    let backends = try Self.backends(), codecs = Codecs(Self.file)
    defer { backends.close() }
    for asked in [2.0, 1] {
      let decode = try #require(try codecs.decoded(backends).answer.seconds[.decode])
      #expect(decode.wall > 10 * asked && decode.wall < 10 * asked + 10)
      #expect(decode.cpu == 3 * asked)
    }
    #expect(try codecs.decoded(backends, nil).answer.seconds[.decode]?.wall == 10)
  }

  @Test("a device whose samples are not the library's is given up, and the source says so")
  func wrongDevicesAreGivenUp() throws {
    let backends = try Self.backends(), codecs = Codecs(Self.file)
    defer { backends.close() }
    codecs.change = { source in
      source.image.channels[0].buffer.base.storeBytes(of: 77, toByteOffset: 5, as: UInt8.self)
      source.image.channels[0].buffer.base.storeBytes(of: 78, toByteOffset: 6, as: UInt8.self)
    }
    var lost: [GPUError] = []
    let decoded = try codecs.decoded(backends) { lost.append($0.error) }
    #expect(decoded.facts.device == .cpu && decoded.facts.fallback?.contains("a decoded JPEG") == true)
    #expect(decoded.facts.mismatch?.code == "gpu.mismatch")
    #expect(decoded.answer.value.image.channels[0].buffer.base.load(fromByteOffset: 5, as: UInt8.self) == 77)
    // A demanded device that was the last one is reported by the error of the picture.
    #expect(lost.isEmpty && backends.fallbackReason != nil && backends.leastScan == nil)
  }

  /// Changes that give the library's picture another shape than the device's planes have.
  private static let shapes: [@Sendable (inout SourceImage) -> Void] = [
    { source in
      source.image.width -= 1
      source.image.channels[0].width -= 1
    },
    { $0.image.channels[1].height -= 1 }, { $0.image.channels.removeLast() },
    { $0.image.channels[2].stepBytes = 2 }, { $0.image.format = .uint16 },
    { source in
      source.gainMap = GainMap(
        metadata: GainMapMetadata(
          kind: .iso, baseHeadroom: 0, alternateHeadroom: 2, min: [0, 0, 0], max: [2, 2, 2], gamma: [1, 1, 1],
          baseOffset: [0, 0, 0], alternateOffset: [0, 0, 0], isMultichannel: false, usesBaseColorSpace: true),
        image: source.image, matrix: 0, fullRange: true, alternateColor: nil, bindings: [])
    },
  ]

  @Test("a device that makes planes of another shape than the library's is given up", arguments: shapes.indices)
  func otherShapesAreRefused(shape: Int) throws {
    let backends = try Self.backends(), codecs = Codecs(Self.file)
    defer { backends.close() }
    codecs.change = Self.shapes[shape]
    let decoded = try codecs.decoded(backends), library = decoded.answer.value
    guard case .mismatch(_, let words, let first)? = decoded.facts.mismatch else {
      Issue.record("shape \(shape) is not refused")
      return
    }
    #expect(words > 0 && first == "a decoded JPEG, another shape")
    #expect(decoded.facts.device == .cpu && library.image.devicePlanes == nil && backends.leastScan == nil)
  }

  @Test("what is made of a source that a device decoded otherwise than the library fails, with the device's error")
  func wrongDevicesFailTheirPicture() throws {
    let backends = try Self.backends()
    defer { backends.close() }
    let tools = RenderTools(
      codecs: OtherLibrary(), backends: backends, writer: AtomicWriter(parts: PartFiles()), limits: DecodeLimits(),
      itemLimits: nil, codecThreads: 1, isAlone: true)
    let file = try InputFile(bytes: Self.file, name: FilePath("a.jpg"))
    let task = RenderTask(source: .open(file), choice: ResolvedOutput(RenditionOptions(kind: .pqPNG)))
    let job = RenderJob(task, tools), next = RenderJob(task, tools)
    let error = #expect(throws: HDRError.self) { try job.decode(file, .pixels) }
    #expect(error?.code == "gpu.mismatch" && error?.kind == .wrongDevice && error?.concernsAll == true)
    #expect(job.facts.executor.backend == "gpu" && job.facts.decoding.device == .cpu)
    // No device is left for the next one.
    #expect(try next.decode(file, .pixels).image.handover == nil)
    #expect(next.facts.decoding.device == .cpu && next.facts.decoding.fallback == nil)
  }

  @Test("what kernels flag or cannot decode the library decodes, and the reason is known")
  func theLibraryDecodesTheRest() throws {
    let backends = try Self.backends()
    defer { backends.close() }
    var progressive = BaselineJPEG(width: 61, height: 45)
    progressive.isProgressive = true
    let long = Self.file.dropLast(2) + [0, 0, 0, 0xFF, 0xD9]
    for (bytes, reason, asked) in [
      (progressive.file, "process", [0]), (Array(long), "bytesLeft", [0, nil]),
    ] as [([UInt8], String, [Int?])] {
      let codecs = Codecs(bytes), decoded = try codecs.decoded(backends)
      #expect(decoded.facts.device == .cpu && decoded.facts.fallback?.contains(reason) == true)
      #expect(codecs.asked == asked && decoded.answer.value.image.channels.count == 3)
    }
    // Nobody asks for scans: there is no reason to name.
    let codecs = Codecs(Self.file), decoded = try codecs.decoded(backends, nil)
    #expect(decoded.facts.device == .cpu && decoded.facts.fallback == nil && codecs.asked == [nil])
    let auto = try Self.backends(.auto)
    defer { auto.close() }
    #expect(auto.leastScan == nil)
  }
}
