import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import Synchronization
import TestEngine
import TestFiles
import TestPlans
import TestSupport
import Testing

/// Several outputs of one input: decoded once, named and recorded each.
@Suite struct OutputsTests {
  /// Text codecs that count.
  final class CountingCodecs: CodecBorder {
    let heads = Mutex(0), decoded = Mutex(0), encoded = Mutex(0)
    private let codecs = TextCodecs()

    func decode(
      _ file: InputFile, request: DecodeRequest, limits: DecodeLimits,
      admit: (DecodeHead) throws(CodecError) -> Void
    ) throws(CodecError) -> CodecAnswer<SourceImage> {
      if request == .pixels { decoded.withLock { $0 += 1 } }
      return try codecs.decode(file, request: request, limits: limits) { head throws(CodecError) in
        heads.withLock { $0 += 1 }
        try admit(head)
      }
    }
    func codedRenditions(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<CodedRenditions> {
      try codecs.codedRenditions(file, limits: limits)
    }
    func encode(_ request: FileRequest, into files: OutputDescriptors) throws(CodecError) -> CodecAnswer<WrittenFiles> {
      encoded.withLock { $0 += 1 }
      return try codecs.encode(request, into: files)
    }
  }

  let folder: TemporaryFolder
  let choices: [ResolvedOutput]
  init() throws {
    folder = try TemporaryFolder()
    var exposed = RenditionOptions(kind: .pqPNG)
    exposed.recipe.edits = [FilterStep("exposure", ["ev": .number(1)])]
    var cropped = RenditionOptions(kind: .sdrPNG)
    cropped.recipe.edits = [FilterStep("crop", ["rect": .numbers([8, 4, 20, 10])])]
    choices = [ResolvedOutput(exposed), ResolvedOutput(cropped), ResolvedOutput(RenditionOptions(kind: .rgba16f))]
  }

  func items(_ names: [String], _ templates: [String], onExisting: OnExisting = .fail) throws -> [BatchItem] {
    try OutputNaming.make(
      names.map { InputReference(path: FilePath(folder.path($0)), relative: FilePath($0)) },
      out: FilePath(folder.path("out")),
      outputs: zip(choices, templates).map { NameRule(NameTraits($0.rendition.kind), try NameTemplate($1)) },
      onExisting: onExisting)
  }

  static let templates = ["{stem}-hdr.{ext}", "{stem}-sdr.{ext}", "{stem}.{ext}"]

  @Test(arguments: [1, 3]) func eachInputIsDecodedOnce(jobs: Int) throws {
    for name in ["a", "b", "c"] { try folder.file(name, name == "b" ? "bad" : "ok") }
    let codecs = CountingCodecs(), log = EventLog()
    var options = BatchOptions(outputs: choices)
    (options.backend, options.jobs) = (.cpu, jobs)
    let batch = try BatchRunner(try items(["a", "b", "c"], Self.templates), options, codecs: codecs) { log.add($0) }
    let summary = batch.run()
    // One of them cannot be decoded: its second and third output know that from the first.
    #expect(codecs.decoded.withLock { $0 } == 3)
    #expect(codecs.heads.withLock { $0 } == 2)
    #expect(codecs.encoded.withLock { $0 } == 6)
    #expect((summary.ok, summary.failed, summary.exitStatus) == (6, 3, .failedItems))
    #expect(
      folder.files("out") == [
        "a-hdr.png", "a-sdr.png", "a.rgba16f", "a.rgba16f.json", "c-hdr.png", "c-sdr.png", "c.rgba16f",
        "c.rgba16f.json",
      ])
    let records = log.records
    #expect(records.map(\.item.index) == Array(0..<9))
    #expect(records.map(\.item.variant) == [0, 1, 2, 0, 1, 2, 0, 1, 2])
    #expect(records[0].report?.edits == [PlanReport.Edit(name: "exposure", headroom: 2)])
    #expect((records[1].width, records[1].height) == (20, 10))
    #expect((records[2].width, records[2].outputKind) == (64, "linear"))
    // Read with the first output.
    #expect((records[0].bytesIn, records[1].bytesIn) == (2, 0))
  }

  @Test("a picture whose pixels are damaged has one reason for all of its outputs", arguments: [0, 1])
  func oneReason(adaptivePlace: Int) throws {
    // SDR, which an Adaptive HDR output would refuse by its header alone.
    var png = [UInt8](try SmallPictures.png(1))
    let data = try #require(png.firstRange(of: Array("IDAT".utf8))?.upperBound)
    for index in data + 20..<data + 60 { png[index] ^= 0x55 }
    try Data(png).write(to: URL(fileURLWithPath: folder.path("a")))
    try SmallPictures.png(2).write(to: URL(fileURLWithPath: folder.path("b")))
    var choices = [ResolvedOutput(RenditionOptions(kind: .sdrPNG))]
    choices.insert(
      ResolvedOutput(RenditionOptions(kind: .sdrJPEG), .adaptive(AdaptiveOptions(container: .jpeg))), at: adaptivePlace)
    let items = try OutputNaming.make(
      ["a", "b"].map { InputReference(path: FilePath(folder.path($0)), relative: FilePath($0)) },
      out: FilePath(folder.path("out")),
      outputs: try (0..<2).map {
        NameRule(NameTraits(choices[$0].rendition.kind), try NameTemplate("{stem}-\($0).{ext}"))
      }, onExisting: .fail)
    var options = BatchOptions(outputs: choices)
    options.backend = .cpu
    let log = EventLog()
    _ = try BatchRunner(items, options, codecs: InProcessCodecs()) { log.add($0) }.run()
    let damaged = log.records.prefix(2), whole = log.records.suffix(2)
    #expect(Set(damaged.map(\.code)).count == 1 && damaged.allSatisfy { $0.code?.hasPrefix("decode.") == true })
    #expect(Set(damaged.map(\.message)).count == 1)
    #expect(whole.map(\.code).contains("adaptive.sdr") && whole.map(\.status).contains(.ok))
  }

  @Test func outputsThatCollideAreRefused() throws {
    try folder.file("a")
    do {
      _ = try items(["a"], ["{stem}.{ext}", "{stem}.{ext}", "{stem}.{ext}"])
      Issue.record("taken")
    } catch let error as UsageError {
      #expect(error.description.contains("outputs 1 and 2 of"))
      #expect(error.description.contains("nothing was done"))
    }
    try folder.file("a.x")
    #expect(throws: UsageError.self) { try items(["a", "a.x"], Self.templates) }
  }

  @Test func outputsThatAreThereAreSkippedOneByOne() throws {
    try folder.file("a")
    try folder.file("out/a-sdr.png", "mine")
    #expect(throws: UsageError.self) { try items(["a"], Self.templates) }
    var options = BatchOptions(outputs: choices)
    options.backend = .cpu
    let log = EventLog()
    let batch = try BatchRunner(
      try items(["a"], Self.templates, onExisting: .skip), options, codecs: TextCodecs()
    ) { log.add($0) }
    #expect(batch.run().skipped == 1)
    #expect(log.records.map(\.status) == [.ok, .skipped, .ok])
    #expect(folder.text("out/a-sdr.png") == "mine")
  }

  @Test func plansAreToldBeforeTheyRun() throws {
    try folder.file("a")
    var options = BatchOptions(outputs: choices)
    (options.backend, options.explains) = (.cpu, true)
    let told = Mutex<[String]>([])
    let batch = try BatchRunner(try items(["a"], Self.templates), options, codecs: TextCodecs()) { event in
      switch event {
      case .explained(let item, let what): told.withLock { $0.append("plan \(item.variant) \(what.lines.count > 5)") }
      case .itemFinished(let record): told.withLock { $0.append("done \(record.item.variant)") }
      default: break
      }
    }
    _ = batch.run()
    #expect(told.withLock { $0 } == ["plan 0 true", "done 0", "plan 1 true", "done 1", "plan 2 true", "done 2"])
  }
}

@Suite struct LUTInputTests {
  /// A .cube file is an input that `colorCube` takes.
  @Test("a .cube file is an input for color-cube")
  func aCubeFileIsALUT() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("half.cube")
    try writeResultFile("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: path)
    let input = try FilterInputs.read(FilePath(path), limits: DecodeLimits(), codecs: InProcessCodecs()).input
    guard case .lut = input.content else { return #expect(Bool(false), "no LUT") }
    let picture = FilterPicture.noise()
    let step = FilterStep("color-cube", ["lut": .word("half"), "space": .word("linear-bt2020")])
    try picture.edited([step], inputs: ["half": input]).expect(1e-5) { x, y in
      var pixel = picture[x, y] * 0.5
      pixel.w = 1
      return pixel
    }
    try writeResultFile("LUT_1D_SIZE 1000000\n", to: path)
    #expect(throws: FilterInputs.Fault.self) {
      try FilterInputs.read(FilePath(path), limits: DecodeLimits(), codecs: InProcessCodecs())
    }
  }
}
