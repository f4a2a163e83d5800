import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestEngine
import TestSupport
import Testing

/// The promises of docs/reliability.md#promises that codec processes keep.
@Suite(
  .serialized,
  .enabled(
    if: CodecProgram.url != nil && HostileCodec.url != nil, "skipped: the programs are not built beside the tests"))
struct IsolationTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Runs a batch over files of the folder and gives the outputs' digests by name.
  func run(
    _ names: [String], kind: OutputKind = .sdrJPEG, jobs: Int = 2, _ change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> (records: [ItemRecord], summary: BatchSummary) {
    let out = folder.path("out-\(UUID().uuidString)")
    let items = try OutputNaming.make(
      names.map { InputReference(path: FilePath(folder.path($0)), relative: FilePath($0)) }, out: FilePath(out),
      traits: NameTraits(kind), template: try NameTemplate("{name}.{ext}"), onExisting: .fail)
    var options = BatchOptions(rendition: RenditionOptions(kind: kind))
    (options.backend, options.jobs, options.threads) = (.cpu, jobs, 1)
    change(&options)
    let log = EventLog()
    let summary = try BatchRunner(items, options) { log.add($0) }.run()
    return (log.records, summary)
  }

  func copyExample(_ name: String, as copy: String) throws {
    let from = SharedData.repository.appendingPathComponent("Examples/" + name)
    try FileManager.default.copyItem(at: from, to: folder.url.appendingPathComponent(copy))
  }

  static let small = "data/images/gainmap_jpeg"

  // MARK: Safety

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"), arguments: [0, 2, 4])
  func promise01_aPoisonedItemCostsItself(position: Int) throws {
    let url = try #require(SharedData.url(Self.small))
    let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().filter {
      let size = (try? FileManager.default.attributesOfItem(atPath: url.path + "/" + $0))?[.size] as? Int ?? .max
      return $0.hasSuffix(".jpg") && size < 400_000
    }.prefix(4)
    try #require(files.count == 4)
    for file in files {
      try FileManager.default.copyItem(
        at: url.appendingPathComponent(file), to: folder.url.appendingPathComponent(file))
    }
    let whole = try run(Array(files))
    try folder.file("poison.jpg", HostileCodec.order("signal 11"))
    var names = Array(files)
    names.insert("poison.jpg", at: position)
    let poisoned = try run(names) { $0.isolation.program = HostileCodec.path }
    let lost = poisoned.records.filter { $0.status == .failed }
    #expect(lost.map(\.item.input.path.name) == [Array("poison.jpg".utf8)])
    #expect(lost.first?.code == "codec.crashed" && lost.first?.message?.contains("SIGSEGV") == true)
    let digests = poisoned.records.filter { $0.status != .failed }.map(\.outputDigest)
    #expect(digests == whole.records.map(\.outputDigest) && digests.allSatisfy { $0 != nil })
    #expect(poisoned.summary.exitStatus == .failedItems)
    #expect(whole.records.allSatisfy { $0.isolation == "sandbox" })
  }

  @Test("a process without a library that a file needs is replaced by one with it, whatever names say")
  func librariesByNeed() throws {
    let image = SampleImage.interleaved(width: 64, height: 40, channelCount: 4, format: .uint16, bitDepth: 16)
    var names: [String] = []
    for (index, kind) in [OutputKind.pqTIFF, .pqPNG, .pqJXL, .pqTIFF].enumerated() {
      if kind == .pqJXL, jxlMissing() != nil { continue }
      let request = EncodeRequest(
        kind: kind, image: image, hasAlpha: false, cicp: CICP(9, 16, 0, full: true), contentHeadroom: 4,
        displayHeadroom: 4)
      names.append("\(index).jpg")
      try Data(encodeImage(request).main).write(to: folder.url.appendingPathComponent(names.last!))
    }
    let alone = try run(names, jobs: 1) { $0.isolation = IsolationOptions(.none) }
    for jobs in [1, 3] {
      let isolated = try run(names, jobs: jobs)
      #expect(isolated.records.allSatisfy { $0.status != .failed && $0.isolation == "sandbox" })
      #expect(Set(isolated.records.map(\.outputDigest)) == Set(alone.records.map(\.outputDigest)))
    }
    for kind in [OutputKind.pqTIFF, .exr] + (jxlMissing() == nil ? [.pqJXL] : []) {
      #expect(try run(names, kind: kind, jobs: 1).records.allSatisfy { $0.status != .failed })
    }
  }

  /// Ways to die, and what the record says of each.
  @Test(arguments: [
    ("signal 11", "SIGSEGV"), ("signal 6", "SIGABRT"), ("signal 7", "SIGBUS"), ("signal 8", "SIGFPE"),
    ("signal 9", "SIGKILL"), ("fault", "SIGSEGV"), ("quit 3", "exit code 3"), ("close", "codec process"),
  ])
  func promise01_deathIsNamed(order: String, says: String) throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let error = try #require(try codecs.misbehaving(order, in: folder))
    #expect(error.code == "codec.crashed" && error.message.contains(says), "\(error.message)")
    // The next one finds a process as if nothing had been.
    let after = try codecs.misbehaving("half", in: folder)
    #expect(after?.message == "half: 0")
  }

  @Test func promise02_aTrapInSwiftKeepsItsSignal() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    let error = try #require(try codecs.misbehaving("trap", in: folder))
    #expect(error.message.contains("SIGILL") || error.message.contains("SIGTRAP"), "\(error.message)")
  }

  /// Pictures are decoded and encoded through the border alone.
  @Test func promise04_theSupervisorParsesNothing() throws {
    var callers: Set<String> = []
    for room in ["BatchEngine", "Gallery", "HDRRender", "Serve", "hdrbatch"] {
      let root = SharedData.repository.appendingPathComponent("Sources/" + room)
      let walk = try #require(FileManager.default.enumerator(atPath: root.path))
      for case let name as String in walk where name.hasSuffix(".swift") {
        let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
        for call in ["decodeImage(", "encodeImage(", "encodeAdaptive(", "ImageFiles.codedRenditions(", "resolveICC("]
        where text.contains(call) {
          callers.insert(name)
        }
      }
    }
    #expect(callers == [], "\(callers)")
  }

  /// A process in the sandbox that tries a forbidden call is refused or killed.
  @Test(arguments: 0..<25)
  func promise05_aCodecProcessCanTouchNothing(attempt: Int) throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    #expect(codecs.isolation == "sandbox" && codecs.reduction == nil)
    let error = try #require(try codecs.misbehaving("forbidden \(attempt)", in: folder))
    if error.code == "codec.crashed" {
      #expect(error.message.contains("SIGSYS, system call "), "\(error.message)")
      #expect(!error.message.contains("unknown"), "\(error.message)")
    } else {
      let number = try #require(Int32(error.message.replacingOccurrences(of: "forbidden: ", with: "")))
      #expect([EACCES, EPERM, ENOSYS, ESRCH].contains(number), "\(error.message)")
    }
  }

  @Test func promise05_withoutASandboxTheProbeSucceeds() throws {
    // The attempts mean something: a process that is not locked in can do this.
    let codecs = try HostileCodec.codecs(.rlimit)
    defer { _ = codecs.close() }
    #expect(codecs.isolation == "rlimit")
    for attempt in [0, 1, 2, 3, 7, 10, 11, 12, 13, 16, 17, 18, 19, 21, 22, 24] + (geteuid() == 0 ? [14] : []) {
      #expect(try codecs.misbehaving("forbidden \(attempt)", in: folder)?.message == "forbidden: 0", "\(attempt)")
    }
    #expect(try codecs.misbehaving("forbidden 25", in: folder)?.message == "forbidden: -1")
  }

  @Test func promise06_aMemoryBombMeetsItsLimit() throws {
    let codecs = try HostileCodec.codecs { $0.limits.memoryBytes = 1 << 30 }
    defer { _ = codecs.close() }
    let error = try #require(try codecs.misbehaving("allocate 2000", in: folder))
    guard case .decode(.memory(let block, let allowed)) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(block >= 2000 << 20 && block < 2100 << 20)
    #expect(allowed <= 1 << 30 && error.message.contains("raise --max-worker-memory"))
    #expect(error.message.contains("\(allowed)") && error.message.contains("\(block)"), "\(error.message)")
    // What is within it is given.
    #expect(try codecs.misbehaving("allocate 64", in: folder)?.code != "decode.limit")
    // A small file's process has no more than such a file needs, whatever others may have.
    let other = try HostileCodec.codecs()
    defer { _ = other.close() }
    guard case .decode(.memory(_, let allowed))? = try other.misbehaving("allocate 300", in: folder) else {
      Issue.record("300 MiB for a file of some bytes")
      return
    }
    #expect(allowed < 128 << 20)
    // The option gives more than such a file needs.
    let generous = try HostileCodec.codecs { $0.limits.memoryBytes = 1 << 30 }
    defer { _ = generous.close() }
    #expect(try generous.misbehaving("allocate 300", in: folder)?.code != "decode.limit")
  }

  @Test(arguments: ["sleep", "spin", "drip"])
  func promise07_aStuckCodecProcessIsLeft(order: String) throws {
    let codecs = try HostileCodec.codecs { $0.limits.seconds = 1 }
    defer { _ = codecs.close() }
    let begin = ContinuousClock.now
    let error = try #require(try codecs.misbehaving(order, in: folder))
    let time = ContinuousClock.now - begin
    #expect(error.code == "codec.timeout" && error.message.contains("--max-seconds"), "\(error.message)")
    // Once with its time, once with twice that.
    #expect(time > .seconds(2.9) && time < .seconds(20), "\(time)")
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func promise08_nothingIsLeftOfOtherPictures() throws {
    let recycled = try HostileCodec.codecs(), fresh = try HostileCodec.codecs(.fresh)
    defer { _ = (recycled.close(), fresh.close()) }
    var pictures = 0
    for file in SharedData.pictures {
      let bytes = try #require(SharedData.bytes("data/images/" + file))
      guard case .success(let one) = try recycled.outcome(bytes, in: folder),
        case .success(let other) = try fresh.outcome(bytes, in: folder)
      else { continue }
      pictures += 1
      let inside = try decodeImage(bytes)
      #expect(one.image.sampleHash == inside.image.sampleHash && one.warnings == inside.warnings, "\(file)")
      #expect(one.image.sampleHash == other.image.sampleHash, "\(file)")
      #expect(one.gainMap?.image.sampleHash == other.gainMap?.image.sampleHash, "\(file)")
      // A decoder that writes half of its memory, after a picture: the rest is zero.
      #expect(try recycled.misbehaving("half", in: folder)?.message == "half: 0", "\(file)")
      // A new process finds nothing in the memory that it inherits.
      #expect(try fresh.misbehaving("leftovers", in: folder)?.message == "leftovers: 0", "\(file)")
    }
    #expect(pictures > 50)
  }

  @Test func promise09_liesAreRefused() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    var refused = 0
    for seed in 1...150 {
      switch try codecs.outcome(Array(HostileCodec.order("lie \(seed)").utf8), in: folder) {
      case .success(let source):
        // Something harmless was changed: every sample can be read.
        for plane in source.image.channels {
          let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
          #expect(plane.offset >= 0 && last < plane.buffer.byteCount)
        }
      case .failure(let error):
        if error.code == "codec.protocol" { refused += 1 }
      }
    }
    #expect(refused > 50)
  }

  @Test func aFloodOfDescriptorsIsDropped() throws {
    let codecs = try HostileCodec.codecs()
    defer { _ = codecs.close() }
    func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    _ = try codecs.misbehaving("half", in: folder)
    let before = try open()
    let error = try #require(try codecs.misbehaving("descriptors 104", in: folder))
    #expect(error.code == "codec.protocol", "\(error.message)")
    _ = try codecs.misbehaving("half", in: folder)
    // Tests beside this one open some, too; a flood that is kept is 104.
    #expect(try open() < before + 52)
  }

  // MARK: Stopping

  @Test(.enabled(if: Program.url != nil))
  func promise20_aKilledSupervisorLeavesNoProcess() throws {
    try folder.file("in/stuck.jpg", HostileCodec.order("sleep"))
    let process = try Program.start(
      ["render", folder.path("in"), "--out", folder.path("out"), "--to", "sdr-jpeg", "--backend", "cpu"],
      environment: HostileCodec.environment, output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    func children() -> [Int32] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { Int32($0) }.filter { pid in
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
          let end = text.lastIndex(of: ")")
        else { return false }
        return text[text.index(end, offsetBy: 4)...].split(separator: " ").first.map(String.init)
          == "\(process.processIdentifier)"
      }
    }
    var found: [Int32] = []
    for _ in 0..<200 where found.isEmpty {
      usleep(50_000)
      found = children()
    }
    usleep(300_000)
    found = children()
    try #require(!found.isEmpty)
    // Where memory runs out, a codec process is ended rather than hdrbatch.
    for (pid, score) in found.map({ ($0, "500\n") }) + [(process.processIdentifier, "0\n")] {
      #expect(try String(contentsOfFile: "/proc/\(pid)/oom_score_adj", encoding: .utf8) == score)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var left = found
    for _ in 0..<40 where !left.isEmpty {
      usleep(50_000)
      left = left.filter { pid in
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        return text.contains("(HostileCodec)") && !text.contains(") Z ")
      }
    }
    #expect(left.isEmpty)
  }

  @Test func promise23_aLimitNamesItself() throws {
    let bytes = try #require(
      try? Data(contentsOf: SharedData.repository.appendingPathComponent("Examples/temple.heic")))
    try bytes.write(to: folder.url.appendingPathComponent("a.heic"))
    let (records, summary) = try run(["a.heic"]) { $0.limits.maxPixels = 1000 }
    #expect(records.first?.code == "decode.limit")
    #expect(records.first?.message?.contains("raise --max-pixels") == true, "\(records.first?.message ?? "")")
    #expect(summary.exitStatus == .failedItems)
  }

  // MARK: What was had

  @Test func promise24_isolationIsSaid() throws {
    try copyExample("temple.heic", as: "a.heic")
    for (isolation, word) in [
      (Isolation.sandbox, "sandbox"), (.rlimit, "rlimit"), (.none, "none"), (.fresh, "sandbox"),
    ] {
      let record = folder.path("\(isolation.rawValue).jsonl")
      let (records, _) = try run(["a.heic"]) {
        $0.isolation.isolation = isolation
        $0.record = FilePath(record)
      }
      #expect(records.first?.isolation == word)
      let lines = try recordLines(record)
      #expect(lines[0]["isolation"] as? String == word && lines[1]["isolation"] as? String == word)
      let locks = lines[0]["isolationLocks"] as? String
      let isWhole = locks?.hasPrefix("seccomp, no new privileges, no capabilities, Landlock ")
      #expect(isWhole == (word == "none" ? nil : word == "sandbox"), "\(locks ?? "")")
      #expect(records.first?.status != .failed, "\(records.first?.message ?? "")")
    }
    // Less than was asked for: said, or fatal.
    let unlocked = try HostileCodec.program("unlocked", in: folder)
    let less = try CodecProgram.codecs { $0.program = unlocked }
    #expect(less.isolation == "rlimit" && less.reduction?.contains("limits") == true)
    _ = less.close()
    #expect(throws: UnavailableError.self) {
      try CodecProgram.codecs {
        $0.program = unlocked
        $0.requiresSandbox = true
      }
    }
    _ = try CodecProgram.codecs { $0.requiresSandbox = true }.close()
    // A program whose first process is sound.
    let later = try HostileCodec.program("unlocked", after: 1, in: folder)
    for word in ["sandbox", "rlimit"] {
      let codecs = try CodecProgram.codecs { $0.program = later }
      #expect(codecs.isolation == word)
      _ = codecs.close()
    }
  }

  @Test(.enabled(if: Program.url != nil))
  func promise24_whatElseRunsIsRecorded() throws {
    try copyExample("lamps.jpg", as: "a.jpg")
    let record = folder.path("r.jsonl"), environment = folder.path("environment")
    let program = try folder.file(
      "codec", "#!/bin/sh\nenv > \(environment)\nexec \(CodecProgram.url?.path ?? "") \"$@\"\n")
    chmod(program, 0o700)
    let variables = [
      "HDRBATCH_CODEC": program, "LD_LIBRARY_PATH": folder.path("none"), "LD_PRELOAD": folder.path("none.so"),
      "VK_ADD_LAYER_PATH": folder.path("none"), "SECRET": "word",
    ]
    let result = try Program.run(
      [
        "render", folder.path("a.jpg"), "--out", folder.path("out"), "--to", "sdr-jpeg", "--backend", "cpu", "--record",
        record,
      ], environment: variables)
    #expect(result.status == 0, "\(result.errors)")
    let read = try recordLines(record)[0]["environment"] as? [String: String] ?? [:]
    for (name, value) in variables { #expect(read[name] == (name == "SECRET" ? nil : value), "\(name)") }
    // Codec processes get only the variables that are meant for them.
    let passed = try #require(folder.text("environment")).split(separator: "\n").compactMap {
      $0.split(separator: "=").first.map(String.init)
    }
    #expect(
      Set(passed).subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == ["SWIFT_BACKTRACE", "LC_ALL", "LD_LIBRARY_PATH"])
  }

  @Test func withoutItsProgramNothingIsDecoded() throws {
    let error = #expect(throws: UnavailableError.self) {
      try CodecProgram.codecs { $0.program = FilePath("/no/such/hdrbatch-codec") }
    }
    #expect(error?.description.contains("/no/such/hdrbatch-codec") == true)
    #expect(error?.message.text(dashes: true).contains("--isolation none") == true)
  }

  @Test func tooManyCrashesInARowStopTheRun() throws {
    for index in 0..<6 { try folder.file("\(index).jpg", HostileCodec.order("signal 6")) }
    let (records, summary) = try run((0..<6).map { "\($0).jpg" }, jobs: 1) {
      $0.isolation.limits.crashes = 3
      $0.isolation.program = HostileCodec.path
    }
    #expect(records.filter { $0.code == "codec.crashed" }.count == 3)
    #expect(summary.skipped == 3 && summary.stopped != nil)
  }

  // MARK: The same bytes

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func everyKindIsWrittenAsInProcess() throws {
    let url = try #require(SharedData.url("data/images/gainmap_jpeg"))
    let file = try #require(
      FileManager.default.contentsOfDirectory(atPath: url.path).sorted().first { $0.hasSuffix(".jpg") })
    try FileManager.default.copyItem(
      at: url.appendingPathComponent(file), to: folder.url.appendingPathComponent("a.jpg"))
    for kind in OutputKind.allCases {
      let inside = try run(["a.jpg"], kind: kind) { $0.isolation.isolation = .none }
      let outside = try run(["a.jpg"], kind: kind)
      #expect(outside.records[0].status != .failed, "\(kind): \(outside.records[0].message ?? "")")
      #expect(outside.records[0].outputDigest == inside.records[0].outputDigest, "\(kind)")
      #expect(outside.records[0].inputDigest == inside.records[0].inputDigest && outside.records[0].inputDigest != nil)
    }
    for container in AdaptiveContainer.allCases {
      var digests: [Digest?] = []
      for isolation in [Isolation.none, .sandbox] {
        let (records, _) = try run(["a.jpg"]) {
          $0.product = .adaptive(AdaptiveOptions(container: container))
          $0.isolation.isolation = isolation
        }
        #expect(records[0].status != .failed, "\(container): \(records[0].message ?? "")")
        digests.append(records[0].outputDigest)
      }
      #expect(digests[0] == digests[1] && digests[0] != nil, "\(container)")
    }
  }

  @Test(.enabled(if: SharedData.hasMalformed, "skipped: no data"))
  func everyBrokenFileEndsAsInProcess() throws {
    let codecs = try CodecProgram.codecs { $0.limits.seconds = 10 }
    defer { _ = codecs.close() }
    let manifest = try #require(SharedData.bytes("data/malformed/MANIFEST.tsv"))
    // As a sandbox has it.
    var limits = DecodeLimits()
    limits.unsafeCodecs = true
    var seen = 0, lost = 0
    for row in String(decoding: manifest, as: UTF8.self).split(separator: "\n").dropFirst() {
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if cells.last == "usage" { continue }
      let bytes = try #require(SharedData.bytes("data/malformed/" + cells[0]), "\(cells[0])")
      let found = try codecs.outcome(bytes, in: folder)
      let inside: String
      do throws(DecodeError) {
        inside = try decodeImage(bytes, limits: limits).warnings.isEmpty ? "ok" : "warn"
      } catch {
        inside = error.code
      }
      seen += 1
      switch found {
      case .success(let source): #expect((source.warnings.isEmpty ? "ok" : "warn") == inside, "\(cells[0])")
      case .failure(.lost(let code, let message, _)):
        lost += 1
        Issue.record("\(cells[0]): \(code) \(message)")
      case .failure(let error): #expect(error.code == inside || error.code == "decode.limit", "\(cells[0]): \(error)")
      }
    }
    #expect(seen > 100 && lost == 0)
  }
}

extension SampleImage {
  /// A sum over all samples and the layout.
  var sampleHash: Int {
    var hasher = Hasher()
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(bitDepth)
    for (plane, bytes) in channels.map({ ($0, format.bytes) }) + (alpha.map { [($0, alphaFormat.bytes)] } ?? []) {
      // A hash of many bytes at once is a hundred times as fast as one of each sample.
      var row = [UInt8](repeating: 0, count: plane.width * bytes)
      for y in 0..<plane.height {
        let place = plane.buffer.base + plane.offset + y * plane.rowBytes
        row.withUnsafeMutableBytes { samples in
          if plane.stepBytes == bytes {
            samples.baseAddress?.copyMemory(from: place, byteCount: samples.count)
          } else {
            for x in 0..<plane.width {
              for byte in 0..<bytes {
                samples[x * bytes + byte] = place.load(fromByteOffset: x * plane.stepBytes + byte, as: UInt8.self)
              }
            }
          }
          hasher.combine(bytes: UnsafeRawBufferPointer(samples))
        }
      }
    }
    return hasher.finalize()
  }
}
