import CodecService
import Foundation
import HDRCore
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Files of packed samples, which the process that rendered them writes itself.
@Suite struct SampleFilesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A request of a picture in which no two rows are equal.
  private func request(_ kind: OutputKind, _ width: Int, _ height: Int) -> EncodeRequest {
    let isRGB = kind.raw.map { $0.model == .rgb } ?? true
    let image =
      isRGB
      ? SampleImage.interleaved(
        width: width, height: height, channelCount: 4, format: kind == .rgba16f ? .float16 : .uint16, bitDepth: 16)
      : SampleImage.planar(
        width: width, height: height, model: .ycc, format: .uint16, bitDepth: kind.raw?.bitDepth ?? 10, chroma: .s420)
    for plane in isRGB ? [image.channels[0]] : image.channels {
      let words = plane.rowBytes * plane.height / 2, base = plane.buffer.base.assumingMemoryBound(to: UInt16.self)
      for word in 0..<words { base[word] = UInt16(truncatingIfNeeded: word &* 40_503 >> 7) & 0x3ff }
    }
    return EncodeRequest(
      kind: kind, image: image, hasAlpha: false, cicp: CICP(9, isRGB ? 8 : 16, isRGB ? 0 : 9, full: true),
      contentHeadroom: 4, displayHeadroom: 4)
  }

  private func open(_ path: String) -> OpenFile { OpenFile(Glibc.open(path, O_RDWR | O_CREAT, 0o600)) }

  @Test(
    "the bytes and the digest are those of the file in memory, whether another thread hashes or not",
    arguments: ["rgba16f", "pq-raw:p010", "sdr-raw:rgb24", "pq-raw:rgb48", "pq-raw:rgba64", "pq-y4m:yuv420p10"],
    [(9, 5), (1531, 1201)])
  func bytesAreTheSame(name: String, size: (Int, Int)) throws {
    let kind = try #require(OutputKind(rawValue: name)), request = request(kind, size.0, size.1)
    let wanted = try encodeImage(request), main = folder.path("main"), sidecar = folder.path("main.json")
    let answer = try InProcessCodecs().encode(
      .rendition(request),
      into: OutputDescriptors(main: open(main), sidecar: kind.hasSidecar ? open(sidecar) : nil))
    let found = try [UInt8](Data(contentsOf: URL(fileURLWithPath: main)))
    #expect(found == wanted.main)
    #expect(answer.value.mainDigest == Digest(of: wanted.main))
    let unhashed = try InProcessCodecs().encode(
      .rendition(request),
      into: OutputDescriptors(
        main: open(folder.path("again")), sidecar: kind.hasSidecar ? open(folder.path("again.json")) : nil,
        isHashed: false))
    #expect(unhashed.value.mainDigest == nil && unhashed.value.files == answer.value.files)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path("again")))) == found)
    #expect(
      answer.value.files == CodedFiles(mainBytes: wanted.main.count, sidecarBytes: wanted.sidecar?.count, warnings: []))
    if let text = wanted.sidecar { #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: sidecar))) == text) }
  }

  @Test("a full disk is told of, whichever file it is", arguments: [(9, 5), (1531, 1201)])
  func fullDisk(size: (Int, Int)) throws {
    let full = open("/dev/full"), request = request(.rgba16f, size.0, size.1)
    for isSidecar in [false, true] {
      #expect(throws: CodecError.write(ENOSPC, isSidecar: isSidecar)) {
        try InProcessCodecs().encode(
          .rendition(request),
          into: OutputDescriptors(
            main: isSidecar ? open(folder.path("main")) : full, sidecar: isSidecar ? full : open(folder.path("json"))))
      }
    }
  }

  @Test("a file that is not empty, so longer than its samples, is refused")
  func longerFile() throws {
    let path = try folder.file("main", "0123456789"), file = open(path)
    #expect(lseek(file.descriptor, 0, SEEK_END) == 10)
    #expect(throws: CodecError.self) {
      try InProcessCodecs().encode(
        .rendition(request(.rgba16f, 9, 5)),
        into: OutputDescriptors(main: file, sidecar: open(folder.path("json"))))
    }
  }

  @Test("a picture in another layout is refused, and nothing is written")
  func otherLayout() throws {
    var wrong = request(.rgba16f, 9, 5)
    wrong.image.format = .uint16
    let path = folder.path("main")
    #expect(throws: CodecError.self) {
      try InProcessCodecs().encode(
        .rendition(wrong), into: OutputDescriptors(main: open(path), sidecar: open(folder.path("json"))))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }
}
