import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import Synchronization

/// A folder of its own for one test, gone with the value.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("hdrbatch-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Makes a file, and the folders above it.
  @discardableResult
  func file(_ name: String, _ text: String = "ok") throws -> String {
    let target = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: target)
    return target.path
  }

  func text(_ name: String) -> String? { try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8) }

  /// All files below, relative, sorted; hidden ones too, but for journals.
  func files(_ below: String = "") -> [String] {
    let base = below.isEmpty ? url : url.appendingPathComponent(below)
    guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return walk.compactMap { $0 as? String }.filter {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: base.appendingPathComponent($0).path, isDirectory: &isFolder)
      return exists && !isFolder.boolValue && !$0.hasPrefix(".hdrbatch/") && !$0.contains("/.hdrbatch/")
    }.sorted()
  }
}

/// Codecs that read text: "ok" is a grey ramp of 64x48, "bad" a damaged file, "unverifiable" fails after writing, "slow"
/// takes until the gate opens. What they write is the pixels' bytes.
struct TextCodecs: CodecBorder {
  /// Keeps "slow" items in decoding.
  let gate = Gate()

  final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    let waiting = Atomic<Int>(0)
    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }
    func pass() {
      waiting.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while !isOpen.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    }
  }

  func decode(
    _ file: InputFile, request: DecodeRequest, limits: DecodeLimits,
    admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(CodecError) -> CodecAnswer<SourceImage> {
    let (bytes, digest) = try file.content()
    let word = String(decoding: bytes, as: UTF8.self)
    if word == "bad" { throw .decode(.malformed(where: "text", what: "it is bad")) }
    if word == "slow" { gate.pass() }
    let image = SampleImage.interleaved(width: 64, height: 48, channelCount: 3, format: .uint8, bitDepth: 8)
    let plane = image.channels[0]
    for index in 0..<(48 * plane.rowBytes) {
      plane.buffer.base.storeBytes(of: UInt8(truncatingIfNeeded: index &* 7), toByteOffset: index, as: UInt8.self)
    }
    var source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13), cicp: .sRGB),
      geometry: Geometry(width: 64, height: 48))
    if word == "odd" { source.warnings.append(Warning("text.odd", "an odd word")) }
    if word == "unverifiable" { source.exif = Array("unverifiable".utf8) }
    if request == .pixels { try admit(DecodeHead(source)) }
    return CodecAnswer(source, inputDigest: digest)
  }

  func codedRenditions(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<CodedRenditions> {
    throw .decode(.unsupported(feature: "payloads", found: "text"))
  }

  func encode(_ request: FileRequest, into files: OutputFiles) throws(CodecError) -> CodecAnswer<WrittenFiles> {
    guard case .rendition(let request) = request else {
      throw .encode(.unsupported(feature: "text", found: "gain map"))
    }
    let buffer = request.image.channels[0].buffer
    let bytes = Array(UnsafeRawBufferPointer(start: buffer.base, count: buffer.byteCount))
    try CodecJobs.writeAll(bytes, files.main.descriptor, isSidecar: false)
    if let sidecar = files.sidecar { try CodecJobs.writeAll(Array("{}".utf8), sidecar.descriptor, isSidecar: true) }
    if request.exif == Array("unverifiable".utf8) { throw .encode(.verification("it was said so")) }
    return CodecAnswer(
      WrittenFiles(
        CodedFiles(mainBytes: bytes.count, sidecarBytes: files.sidecar == nil ? nil : 2), mainDigest: Digest(of: bytes))
    )
  }
}

/// Events of a batch, kept.
final class EventLog: Sendable {
  private let all = Mutex<[BatchEvent]>([])
  func add(_ event: BatchEvent) { all.withLock { $0.append(event) } }

  /// Records of finished items, by index.
  var records: [ItemRecord] {
    all.withLock { events in
      events.compactMap { if case .itemFinished(let record) = $0 { record } else { nil } }
    }.sorted { $0.item.index < $1.item.index }
  }
}

/// Lines of a record file as dictionaries.
func recordLines(_ path: String) throws -> [[String: Any]] {
  try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
  }
}

/// CRC-32 of zlib, as rows of journals end with.
func checksum(_ bytes: [UInt8]) -> String {
  var crc: UInt32 = ~0
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }
  let digits = String(~crc, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
