import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import TestEngine
import TestFiles
import TestSupport
import Testing

/// Batches that accept or reject their outputs.
@Suite struct AcceptanceTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Codecs that crash on files of this batch that wait for their names.
  private struct CrashingCodecs: CodecBorder {
    let codecs = InProcessCodecs()

    func decode(
      _ file: InputFile, request: DecodeRequest, limits: DecodeLimits, admit: (DecodeHead) throws(CodecError) -> Void
    ) throws(CodecError) -> CodecAnswer<SourceImage> {
      if file.path.name.suffix(5).elementsEqual(".part".utf8) {
        throw .lost(code: "codec.crashed", message: "the codec process was ended by SIGSEGV", isLast: false)
      }
      return try codecs.decode(file, request: request, limits: limits, admit: admit)
    }

    func codedRenditions(
      _ file: InputFile, limits: DecodeLimits
    ) throws(CodecError) -> CodecAnswer<CodedRenditions> { try codecs.codedRenditions(file, limits: limits) }

    func encode(
      _ request: FileRequest, into files: OutputDescriptors
    ) throws(CodecError) -> CodecAnswer<WrittenFiles> { try codecs.encode(request, into: files) }
  }

  /// Runs a recipe on examples, with a journal.
  private func run(
    _ recipe: String, on names: [String] = ["lamps.jpg"], codecs: any CodecBorder = InProcessCodecs(),
    _ change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> (records: [ItemRecord], summary: BatchSummary) {
    let text = try RecipeText(parsing: Array(recipe.utf8), file: "r.yaml", folder: "")
    let inputs = names.map { InputReference(FilePath($0.hasPrefix("/") ? $0 : SharedData.example($0))) }
    var prepared = try PreparedRecipe(text, inputs: inputs, limits: DecodeLimits(), isolation: .inProcess)
    let out = FilePath(folder.path("out"))
    let items = try OutputNaming.make(inputs, out: out, outputs: prepared.nameRules, onExisting: .replace)
    (prepared.options.backend, prepared.options.jobs, prepared.options.durability) = (.cpu, 1, .none)
    prepared.options.isolation = .inProcess
    prepared.options.onExisting = .replace
    prepared.options.journal = JournalOptions(
      folder: .standardJournal(below: out), out: out, recipeDigest: prepared.digest)
    change(&prepared.options)
    let log = EventLog()
    let summary = try BatchRunner(items, prepared.options, codecs: codecs) { log.add($0) }.run()
    return (log.records, summary)
  }

  private func value(_ record: ItemRecord, _ subject: String) throws -> Double {
    let judgement = try #require(record.judgement, "\(record.message ?? "")")
    return try #require(judgement.values.first { $0.condition.subject == subject }?.number, "\(subject)")
  }

  @Test("a kind of file is judged by what its coding loses", arguments: AdaptiveContainer.allCases)
  func adaptiveFilesAreJudged(container: AdaptiveContainer) throws {
    guard container.missing == nil else { return }
    let expression = "max(dE-ITP) >= 0 and p95(dE-seen@1) < 10 and p95(dE-seen@full) < 10"
    let quality = container == .png ? "" : ", quality: 97"
    let found = try run(
      "outputs: [{to: adaptive-\(container.rawValue), resize: '160', accept: '\(expression)'\(quality)}]")
    let record = try #require(found.records.first)
    #expect(record.status == .ok || record.status == .warn, "\(record.code ?? ""): \(record.message ?? "")")
    #expect(try value(record, "p95(dE-seen@1)") > 0)
    #expect(try value(record, "p95(dE-seen@full)") > 0)
  }

  @Test("gain maps have their own numbers in files that are made", arguments: AdaptiveContainer.allCases)
  func gainMapsAreJudged(container: AdaptiveContainer) throws {
    guard container.missing == nil else { return }
    let found = try run(
      "outputs: [{to: adaptive-\(container.rawValue), resize: '160', accept: 'max(maps) < 1 and shift@map < 0.1'}]")
    let record = try #require(found.records.first)
    #expect(record.status == .ok || record.status == .warn, "\(record.code ?? ""): \(record.message ?? "")")
    #expect(try value(record, "shift@map") < 0.1)
    #expect(try value(record, "max(maps)") < 1)
  }

  @Test(
    "a lossless file has the words of its samples, and no metadata that differ",
    arguments: ["pq-png", "sdr-png", "hlg-tiff", "exr", "linear-tiff", "pq-jxl"])
  func losslessFilesAreExact(kind: String) throws {
    let found = try run("outputs: [{to: \(kind), resize: '120', accept: exact}]")
    let record = try #require(found.records.first)
    #expect(record.judgement?.verdict == .accepted, "\(record.code ?? ""): \(record.message ?? "")")
    #expect(try value(record, "words") == 0)
  }

  @Test("what 4:2:0 loses counts, though the encoder gets no more")
  func chromaCounts() throws {
    let accept = "accept: 'tile(dE-seen) < 100'"
    let found = try run(
      """
      resize: '200'
      quality: 100
      outputs: [{to: pq-avif, name: '{stem}-420.{ext}', \(accept)}, {to: pq-avif, chroma: 444, name: '{stem}-444.{ext}', \(accept)}]
      """)
    let (coarse, fine) = try (
      value(found.records[0], "tile(dE-seen)"), value(found.records[1], "tile(dE-seen)")
    )
    #expect(coarse > 1.5 * fine, "\(coarse) \(fine)")
  }

  @Test("a kept payload loses nothing")
  func keptPayloads() throws {
    let found = try run("outputs: [{to: adaptive-jpeg, accept: 'exact and max(dE-ITP) == 0'}]")
    let record = try #require(found.records.first)
    #expect(record.judgement?.verdict == .accepted, "\(record.code ?? ""): \(record.message ?? "")")
    #expect(record.report?.operatorReason.contains("kept bit for bit") == true)
  }

  @Test("a rejected file has no name, no part file and a count of its own")
  func rejectedFilesAreDropped() throws {
    let recipe = "outputs: [{to: sdr-jpeg, resize: '160', quality: 5, accept: good}, {to: sdr-png, resize: '160'}]"
    let found = try run(recipe)
    #expect(found.records.map(\.status) == [.rejected, .ok])
    #expect(found.records[0].code == "accept.rejected")
    #expect(found.records[0].message?.contains(/^p95\(dE-seen@1\) [0-9.]+ >= 2$/) == true)
    #expect(found.records[0].bytesOut == 0 && found.records[0].outputDigest == nil)
    #expect((found.summary.warned, found.summary.rejected, found.summary.failed) == (0, 1, 0))
    #expect(found.summary.exitStatus == .failedItems)
    #expect(folder.files("out").filter { !$0.hasPrefix(".hdrbatch") } == ["lamps.png"])
  }

  @Test("a rejected file that is kept has a name that no run takes")
  func rejectedFilesAreKept() throws {
    let found = try run("outputs: [{to: sdr-jpeg, resize: '160', quality: 5, accept: good}]") {
      $0.keepsRejected = true
    }
    let record = try #require(found.records.first)
    #expect(record.status == .rejected && record.message?.hasSuffix("lamps.jpg.rejected") == true)
    let kept = try Data(contentsOf: URL(fileURLWithPath: folder.path("out/lamps.jpg.rejected")))
    #expect(Digest(of: Array(kept)) == record.outputDigest && kept.count == record.bytesOut)
    #expect(!somethingExists(at: FilePath(folder.path("out/lamps.jpg"))))
    var notes: [String] = []
    #expect(throws: UsageError.self) {
      try InputCollector.collect([folder.path("out/lamps.jpg.rejected")]) { notes.append($0) }
    }
    _ = try InputCollector.collect([folder.path("out"), SharedData.example("lamps.jpg")]) { notes.append($0) }
    #expect(throws: UsageError.self) {
      try run("outputs: [{to: sdr-jpeg, name: '{stem}.jpg.rejected'}]")
    }
    #expect(notes.contains { $0.contains("1 file of earlier runs left out, as it was not accepted") }, "\(notes)")
  }

  @Test("a file that cannot be read back fails, by no fault of its input")
  func unreadOutputs() throws {
    let recipe = "outputs: [{to: sdr-jpeg, resize: '160', accept: good}]"
    let lost = try run(recipe, codecs: CrashingCodecs())
    let record = try #require(lost.records.first)
    #expect(record.status == .failed && record.code == "accept.unread")
    let message = try #require(record.message)
    #expect(message.contains("the output was written and cannot be read back") && message.contains("[codec.crashed]"))
    #expect(folder.files("out").allSatisfy { $0.hasPrefix(".hdrbatch") })
    // Not quarantined: the next run makes it.
    let again = try run(recipe) { $0.journal?.resumes = true }
    #expect(again.records.first?.status == .ok, "\(again.records.first?.message ?? "")")
  }

  @Test("a run that resumes makes a rejected item again if that is asked for or something has changed")
  func rejectionsAreRemembered() throws {
    func recipe(_ quality: Int, _ accept: String) -> String {
      "outputs: [{to: sdr-jpeg, resize: '160', quality: \(quality), accept: '\(accept)'}]"
    }
    func resumed(_ recipe: String, retries: Bool = false) throws -> ItemRecord {
      let found = try run(recipe) {
        $0.journal?.resumes = true
        $0.journal?.retriesRejected = retries
      }
      return found.records[0]
    }
    #expect(try run(recipe(5, "good")).records.first?.code == "accept.rejected")
    for _ in 0..<2 {
      let same = try resumed(recipe(5, "good"))
      #expect(same.status == .rejected && same.code == "accept.earlier")
      #expect(same.message?.contains(/^not made again after accept.rejected: p95.*--retry-rejected/) == true)
      #expect(same.seconds[.encode] == nil)
    }
    // The words of a preset mean the preset.
    let words = "p95(dE-seen)<2 and p99.9(dE-seen)<5 and tile(dE-seen)<5 and abs(bias)<0.03"
    #expect(try resumed(recipe(5, words)).code == "accept.earlier")
    #expect(try resumed(recipe(5, "good"), retries: true).code == "accept.rejected")
    #expect(try resumed(recipe(6, "good")).code == "accept.rejected")
    let accepted = try resumed(recipe(6, "p95(dE-seen) < 500"))
    #expect(accepted.status == .ok)
    #expect(try resumed(recipe(6, "p95(dE-seen) < 500")).code == "batch.done")
    // What was accepted is judged anew by another expression.
    #expect(try resumed(recipe(6, "good")).code == "accept.earlier")
    #expect(try resumed(recipe(6, "near")).code == "accept.rejected")
  }

  @Test("overrides change what is accepted of some inputs")
  func overridesJudge() throws {
    let found = try run(
      """
      resize: '120'
      quality: 20
      accept: p95(dE-seen) < 500
      outputs: [{to: sdr-jpeg}]
      overrides: [{match: 'temple*', accept: near}]
      """, on: ["lamps.jpg", "temple.heic"])
    #expect(found.records.map(\.status) == [.ok, .rejected])
    #expect(found.records[1].judgement?.expression.text == AcceptExpression.presets.first { $0.name == "near" }?.text)
  }

  @Test("transparent pixels lie on black in files without alpha, and alpha is compared in others")
  func alpha() throws {
    let image = SampleImage.interleaved(width: 32, height: 16, channelCount: 4, format: .uint8, bitDepth: 8)
    for at in 0..<32 * 16 * 4 {
      image.channels[0].buffer.base.storeBytes(of: UInt8(at * 7 & 255), toByteOffset: at, as: UInt8.self)
    }
    let request = EncodeRequest(
      kind: .sdrPNG, image: image, hasAlpha: true, cicp: .sRGB, contentHeadroom: 1, displayHeadroom: 1)
    try Data(try encodeImage(request).main).write(to: folder.url.appendingPathComponent("alpha.png"))
    let found = try run(
      """
      outputs: [{to: sdr-jpeg, accept: bias < 9}, {to: pq-png, accept: exact and alpha == 0},
        {to: exr, accept: exact and alpha == 0}]
      """, on: [folder.path("alpha.png")])
    for record in found.records {
      #expect(record.judgement?.verdict == .accepted, "\(record.code ?? ""): \(record.message ?? "")")
    }
  }

  @Test("an output larger than what inputs may have is read back")
  func largeOutputs() throws {
    try SmallPictures.png(1).write(to: folder.url.appendingPathComponent("small.png"))
    let recipe = "outputs: [{to: sdr-png, resize: '300%:enlarge', accept: exact}]"
    let found = try run(recipe, on: [folder.path("small.png")]) {
      ($0.limits.maxPixels, $0.limits.maxSide) = (48 * 32, 48)
    }
    #expect(found.records.first?.judgement?.verdict == .accepted, "\(found.records.first?.message ?? "")")
    #expect(found.records.first?.width == 144)
  }
}
