import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestEngine
import TestFiles
import TestSupport
import Testing

/// Tests codec processes under an attacker's control: they must not harm outputs, records and this process.
@Suite(
  .serialized,
  .enabled(
    if: CodecProgram.url != nil && HostileCodec.url != nil, "skipped: the programs are not built beside the tests"))
struct HostileCodecTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Renders copies of a photo, one after another.
  func run(
    _ count: Int, _ source: String, to kind: OutputKind, adaptive: Bool = false,
    _ change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> [ItemRecord] {
    let from = SharedData.repository.appendingPathComponent("Examples/" + source)
    let ending = (source as NSString).pathExtension
    let items = try (0..<count).map { index in
      let name = "\(UUID().uuidString)-\(index).\(ending)"
      try FileManager.default.copyItem(at: from, to: folder.url.appendingPathComponent(name))
      return InputReference(path: FilePath(folder.path(name)), relative: FilePath(name))
    }
    let plan = try OutputNaming.make(
      items, out: FilePath(folder.path("out")), traits: NameTraits(kind), template: try NameTemplate("{stem}.{ext}"),
      onExisting: .fail)
    var options = BatchOptions(rendition: RenditionOptions(kind: kind))
    (options.backend, options.jobs, options.threads) = (.cpu, 1, 1)
    change(&options)
    let log = EventLog()
    _ = try BatchRunner(plan, options) { log.add($0) }.run()
    return log.records
  }

  @Test("no process decodes and encodes") func rolesAreApart() throws {
    for isolation in [Isolation.sandbox, .fresh] {
      let records = try run(3, "lamps.jpg", to: .sdrJPEG) {
        $0.isolation.isolation = isolation
        $0.isolation.program = HostileCodec.path
      }
      #expect(records.count == 3)
      #expect(records.allSatisfy { $0.status != .failed }, "\(records.first?.message ?? "")")
    }
  }

  @Test(
    "an encoder that writes over its outputs changes no file that is recorded",
    arguments: [("rewriting", Isolation.sandbox), ("rewriting", .rlimit), ("shrinking", .rlimit)])
  func promise03_outputsStayAsRecorded(misdeed: String, isolation: Isolation) throws {
    let program = try HostileCodec.program(misdeed, in: folder)
    var changed = 0
    for kind in [OutputKind.sdrJPEG, .pqPNG] {
      let sound = try run(1, "temple.heic", to: kind).first?.outputDigest
      let records = try run(4, "temple.heic", to: kind) {
        ($0.isolation.program, $0.isolation.isolation) = (program, isolation)
      }
      #expect(records.count == 4)
      for record in records {
        if record.status == .failed {
          // It may also be caught.
          #expect(record.code == "codec.protocol", "\(record.message ?? "")")
          changed += 1
          continue
        }
        let file = try Data(contentsOf: URL(fileURLWithPath: record.item.output.display))
        #expect(Digest(of: Array(file)) == record.outputDigest, "\(record.item.output.display)")
        if record.outputDigest != sound { changed += 1 }
      }
    }
    #expect(changed > 0, "it has done nothing")
  }

  @Test(
    "no process gets samples that are a file as they are", arguments: ["rgba16f", "pq-raw:p010", "pq-y4m:yuv420p10"])
  func promise03_samplesAreWrittenHere(name: String) throws {
    let kind = try #require(OutputKind(rawValue: name)), program = try HostileCodec.program("rewriting", in: folder)
    let alone = try run(1, "temple.heic", to: kind) { $0.isolation.isolation = .none }.first?.outputDigest
    for record in try run(2, "temple.heic", to: kind, { $0.isolation.program = program }) {
      #expect(record.status != .failed && record.outputDigest == alone, "\(record.message ?? "")")
      let file = try Data(contentsOf: URL(fileURLWithPath: record.item.output.display))
      #expect(Digest(of: Array(file)) == alone)
    }
  }

  @Test(
    "an input that takes over its process costs no later input, and changes no digest of one", arguments: [1, 2, 3])
  func promise01_laterInputsAreNotToBlame(number: Int) throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let photo = Array(try Data(contentsOf: URL(fileURLWithPath: SharedData.small("lamps.jpg"))))
    for round in 0..<2 {
      #expect(try codecs.misbehaving("spoil \(number)", in: folder) == nil)
      let path = try folder.file("photo-\(round).jpg", "")
      try Data(photo).write(to: URL(fileURLWithPath: path))
      let answer = try codecs.decode(
        try InputFile(FilePath(path), maxBytes: Int.max), request: .pixels, limits: DecodeLimits())
      #expect(answer.inputDigest == Digest(of: photo))
      // Pixels of a process that answers well are believed (SECURITY.md).
      #expect(answer.value.image.width == (number == 3 ? 64 : 640))
    }
  }

  @Test func promise09_rowsThatOverflowAreRefused() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let error = try #require(try codecs.misbehaving("rows", in: folder))
    #expect(error.code == "codec.protocol" && error.message.contains("does not fit its memory"), "\(error.message)")
  }

  @Test func promise07_textsAreCut() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let error = try #require(try codecs.misbehaving("text 20", in: folder))
    #expect(error.message.utf8.count < 4300 && error.message.contains(" bytes more)"), "\(error.message.utf8.count)")
    guard case .success(let source) = try codecs.outcome(Array(HostileCodec.order("warnings 500").utf8), in: folder)
    else {
      Issue.record("no answer")
      return
    }
    #expect(source.warnings.count == 65 && source.warnings.last?.message == "436 more warnings")
    #expect(source.warnings.allSatisfy { $0.message.description.utf8.count < 4200 })
  }

  @Test("an answer is as long as its head said, and its lists end")
  func promise06_answersAreBounded() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    // 16 MB of warnings are passed over where they are.
    let source = try codecs.outcome(Array(HostileCodec.order("empty-warnings 1").utf8), in: folder).get()
    #expect(source.warnings.count == 65 && source.warnings.last?.message == "999936 more warnings")
    for (order, reason) in [
      ("empty-warnings 8", "a message of 128000"), ("pictures 100", "a list of 100000 FilePicture"),
      ("metadata 20", "a message of 20971"),
    ] {
      let error = try #require(try codecs.misbehaving(order, in: folder), "\(order)")
      #expect(error.code == "codec.protocol" && error.message.contains(reason), "\(error.message)")
    }
  }

  @Test func promise06_theSharedMemoryEndsBehindWhatWasAdmitted() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    #expect(try codecs.misbehaving("fill 0", in: folder)?.message.contains("filled") == true)
    let error = try #require(try codecs.misbehaving("fill 1", in: folder))
    #expect(error.code == "codec.crashed" && error.message.contains("SIGBUS"), "\(error.message)")
  }

  @Test("bytes of an answer that lie elsewhere than in the memory that was given are refused", arguments: 1...3)
  func promise06_answersAreReadFromGivenMemoryOnly(number: Int) throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let words = "elsewhere \(number)", name = try folder.file("elsewhere.heic", HostileCodec.order(words))
    // An order to decode gives memory for pixels alone, one for payloads for nothing else.
    let pixels = try #require(try codecs.misbehaving(words, in: folder))
    #expect(pixels.code == "codec.protocol" && pixels.message.contains("where none can be"), "\(pixels.message)")
    let payloads = try #require(throws: CodecError.self) {
      try codecs.codedRenditions(try InputFile(FilePath(name), maxBytes: Int.max), limits: DecodeLimits())
    }
    #expect(payloads.code == "codec.protocol", "\(payloads.message)")
    #expect(payloads.message.contains("outside the memory that was given"), "\(payloads.message)")
  }

  @Test("a scan in the place of samples is refused with a fault, and one that was read changes no more")
  func promise09_scansAreCopiedAndChecked() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    var limits = DecodeLimits()
    limits.leastScan = 0
    for number in 1...4 {
      let error = try #require(try codecs.misbehaving("scan \(number)", in: folder, limits: limits))
      #expect(error.code == "codec.protocol", "\(number): \(error.message)")
    }
    // Nobody asked for it.
    #expect(try codecs.misbehaving("scan 5", in: folder)?.code == "codec.protocol")
    let source = try codecs.outcome(Array(HostileCodec.order("scan 5").utf8), in: folder, limits: limits).get()
    guard case .scan(let scan) = source.image.handover else {
      Issue.record("no scan")
      return
    }
    usleep(600_000)
    #expect(scan.fault == nil && scan.words.allSatisfy { $0 == 0x1234_5678 })
  }

  @Test func promise04_infoAndSecondPicturesAreIsolated() throws {
    let killer = try folder.file("killer.heic", HostileCodec.order("signal 11"))
    let info = try Program.run(["info", killer], environment: HostileCodec.environment)
    #expect(info.status == 65 && info.errors.contains("[codec.crashed]"), "\(info.errors)")
    let photo = SharedData.repository.appendingPathComponent("Examples/temple.heic").path
    let render = try Program.run(
      [
        "render", photo, "--out", folder.path("out"), "--to", "sdr-jpeg", "--filter", "source-over=input:top",
        "--input", "top=" + killer,
      ], environment: HostileCodec.environment)
    #expect(render.status == 64 && render.errors.contains("SIGSEGV"), "\(render.errors)")
  }

  @Test("files of no known format are refused before a process reads them") func promise06_formatsAreToldByTheirStart()
    throws
  {
    let path = folder.path("sparse.heic")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(truncate(path, 3 << 30) == 0)
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let file = try InputFile(FilePath(path), maxBytes: Int.max)
    #expect(throws: CodecError.self) { try codecs.decode(file, request: .metadata, limits: DecodeLimits()) }
    // Ones that begin well have to fit in the memory of the batch.
    let begins = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    begins.write(Data([0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0]))
    try begins.close()
    let record = folder.path("r.jsonl")
    let result = try Program.run([
      "render", path, "--out", folder.path("out"), "--to", "sdr-jpeg", "--memory", "512M", "--record", record,
    ])
    #expect(result.status == 65, "\(result.errors)")
    let row = try #require(recordLines(record).first { $0["code"] as? String == "decode.limit" }, "\(result.errors)")
    #expect(row["inputDigest"] is NSNull, "3 GB were read for a digest")
  }

  @Test("metadata that names files, commands and formats stays bytes")
  func promise11_metadataIsData() throws {
    let secret = try folder.file("secret", "the-secret-itself"), made = folder.path("made")
    let packet = """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://\(secret)">\
      <!ENTITY f "&e;&e;">]><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="file://\(secret)" \
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>&e;&f;$(touch \(made))`touch \(made)`%n%s%s</dc:title>\
      </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """
    let plain = "$(touch \(made)); `touch \(made)` %n%n%s file://\(secret)"
    func segment(_ marker: UInt8, _ content: String) -> [UInt8] {
      let bytes = Array(content.utf8), count = bytes.count + 2
      return [0xFF, marker, UInt8(count >> 8), UInt8(count & 255)] + bytes
    }
    let photo = try Data(contentsOf: URL(fileURLWithPath: SharedData.small("lamps.jpg")))
    var bytes = Array(photo.prefix(2))
    bytes += segment(0xE1, "http://ns.adobe.com/xap/1.0/\0" + packet) + segment(0xFE, plain)
    bytes += photo.dropFirst(2)
    let name = "$(touch made) `touch made` %n%s.jpg"
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
    for kind in ["sdr-jpeg", "pq-png", "adaptive-jpeg"] {
      let record = folder.path(kind + ".jsonl")
      let result = try Program.run([
        "render", folder.path(name), "--out", folder.path(kind), "--to", kind, "--backend", "cpu", "--record", record,
      ])
      #expect(result.status == 0, "\(kind): \(result.errors)")
      let written = try #require(folder.files(kind).first)
      let output = try Data(contentsOf: URL(fileURLWithPath: folder.path(kind + "/" + written)))
      for text in [output, try Data(contentsOf: URL(fileURLWithPath: record)), Data(result.errors.utf8)] {
        #expect(text.range(of: Data("the-secret-itself".utf8)) == nil, "\(kind)")
      }
    }
    let info = try Program.run(["info", folder.path(name)])
    #expect(info.status == 0 && !info.output.contains("the-secret-itself"), "\(info.errors)")
    #expect(folder.files().allSatisfy { !$0.hasSuffix("made") }, "\(folder.files())")
  }

  @Test func promise24_everyProcessIsLookedAt() throws {
    // The first one is locked in, later ones are not.
    for demands in [true, false] {
      let program = try HostileCodec.program("unlocked", after: 1, in: folder)
      let codecs = try CodecProgram.codecs {
        $0.program = program
        $0.requiresSandbox = demands
      }
      defer { _ = codecs.close() }
      #expect(codecs.isolation == "sandbox")
      #expect(try codecs.misbehaving("signal 6", in: folder)?.message.contains("[codec.sandbox]") == true)
      let bytes = try Data(
        contentsOf: SharedData.repository.appendingPathComponent("Examples/lamps.jpg"))
      guard case .failure(let error) = try codecs.outcome(Array(bytes), in: folder) else {
        Issue.record("it decoded")
        return
      }
      #expect(error.code == "codec.missing", "\(error.message)")
    }
    // One that says it is locked in: the kernel knows better.
    let pretending = try HostileCodec.program("pretending", in: folder)
    let codecs = try CodecProgram.codecs { $0.program = pretending }
    #expect(codecs.isolation == "rlimit" && codecs.reduction?.contains("shows no filter") == true)
    _ = codecs.close()
    #expect(throws: UnavailableError.self) {
      try CodecProgram.codecs {
        $0.program = pretending
        $0.requiresSandbox = true
      }
    }
  }
}
