import CodecService
import Foundation
import HDRCore
import HDRRender
import ImageFiles
import Synchronization

/// Codecs that read text: "ok" is a grey ramp of 64x48, "bad" a damaged file, "unverifiable" fails after writing, "slow"
/// takes until the gate opens. What they write is the pixels' bytes.
package struct TextCodecs: CodecBorder {
  /// Keeps "slow" items in decoding.
  package let gate = Gate()

  package init() {}

  package final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    package let waiting = Atomic<Int>(0)

    package init() {}
    package func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }
    package func pass() {
      waiting.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while !isOpen.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    }
  }

  package func decode(
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

  package func codedRenditions(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<
    CodedRenditions
  > {
    throw .decode(.unsupported(feature: "payloads", found: "text"))
  }

  package func encode(_ request: FileRequest, into files: OutputDescriptors) throws(CodecError) -> CodecAnswer<
    WrittenFiles
  > {
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
