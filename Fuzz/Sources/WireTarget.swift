@testable import BatchEngine
import CodecService
import Glibc
import HDRCore
import HDRPlan
import HDRRender
import Kernels
import PlainData
@testable import ImageFiles

/// The bodies of a codec process's messages, which the supervisor must distrust. The first byte says which.
extension Target {
  static let wire = Target("wire", maxLength: 1 << 13) { bytes in
    guard let kind = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    switch kind % 8 {
    case 0:
      guard let source = answered(body, SourceImage.self) else { return }
      for image in [source.image] + (source.gainMap.map { [$0.image] } ?? []) { demandInside(image) }
      let crop = source.geometry.crop
      demand(
        crop.x >= 0 && crop.y >= 0 && crop.x + crop.width <= source.image.width
          && crop.y + crop.height <= source.image.height, "a crop outside its picture")
      demand(source.gainMap?.metadata.allNumbersAreFinite != false, "a gain map of no numbers")
      // The output for people and programs.
      let inspection = FileInspection(FilePath("fuzz"), source: source)
      demand((try? JSON(parsing: Array(inspection.json.line.utf8))) != nil, "what is told of it is not JSON")
      demand(!inspection.lines.isEmpty, "nothing is told of it")
      // The next thing that is done with it.
      if !source.image.channels.isEmpty, source.gainMap?.image.channels.isEmpty != true {
        _ = try? Planner.plan(
          source, RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16), display: .high))
        _ = try? Planner.plan(
          source, RenderRecipe(target: OutputSignal(encoding: .sdr, sink: .rgba8), display: .standard))
      }
    case 1:
      if answered(body, CodedRenditions.self) == nil { _ = answered(body, DeviceSpace.self) }
    case 2: _ = answered(body, CodedFiles.self)
    case 3:
      guard let head = taken(body, DecodeHead.self) else { return }
      demand(head.mapPixels <= head.pixels && head.bytes >= 0 && head.width >= 0, "a head of odd sizes")
    case 4: _ = taken(body, ReadyMessage.self)
    // What hdrbatch says to a codec process.
    case 5: if let order = taken(body, DecodeOrder.self) { sameAgain(order, isTrusted: false) }
    case 6: if let request = taken(body, FileRequest.self, isTrusted: true) { sameAgain(request, isTrusted: true) }
    default: message(body)
    }
  }

  /// Bytes on a socket: a whole message comes out as it went in, anything else is a typed failure.
  private static func message(_ body: [UInt8]) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
    defer { for end in ends { close(end) } }
    let isWhole = body.first.map { $0 % 2 == 0 } ?? true
    if isWhole {
      demand(CodecMessage(.answer, body).send(to: ends[0]) == 0, "a message is not sent")
    } else {
      _ = body.dropFirst().withUnsafeBytes { write(ends[0], $0.baseAddress, $0.count) }
    }
    shutdown(ends[0], Int32(SHUT_WR))
    let received = try? CodecMessage.receive(from: ends[1], maxBytes: 4096, seconds: 1).message
    if isWhole { demand((received?.body == body) == (body.count <= 4096), "another message than was sent") }
  }

  private static func demandInside(_ image: SampleImage) {
    if case .scan(let scan) = image.handover {
      demand(scan.fault == nil && image.channels.isEmpty, "a scan with a fault, or beside samples")
      // The next thing that is done with it.
      if image.pixelCount <= 1 << 10 { _ = JPEGScanDecoder(JPEGDecoding(scan)).decode() }
    }
    let planes = image.channels.map { ($0, image.format) } + (image.alpha.map { [($0, image.alphaFormat)] } ?? [])
    for (plane, format) in planes {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(plane.offset >= 0 && last + format.bytes <= plane.buffer.byteCount, "samples outside their memory")
    }
  }

  /// The value of a good answer.
  private static func answered<Value: WireValue & Sendable>(_ body: [UInt8], _ type: Value.Type) -> Value? {
    guard let answer = taken(body, AnswerMessage<Value>.self), case .success(let value) = answer.result else {
      return nil
    }
    sameAgain(value, isTrusted: false)
    return value
  }

  /// Checks that a value that is written again is read again as equal.
  private static func sameAgain<Value: WireValue>(_ value: Value, isTrusted: Bool) {
    let first = WireMemory.bytes(value)
    guard let again = taken(first, Value.self, isTrusted: isTrusted) else { fatalError("what was written is not read") }
    demand(WireMemory.bytes(again) == first, "another value than was written")
  }

  private static func taken<Value: WireValue>(_ body: [UInt8], _ type: Value.Type, isTrusted: Bool = false) -> Value? {
    var pixels = WireMemory.pixels
    pixels.isTrusted = isTrusted
    var reader = WireReader(body, pixels)
    guard let value = try? reader.take(type), (try? reader.end()) != nil else { return nil }
    return value
  }
}

/// Memory that both sides of a conversation see.
enum WireMemory {
  private static let room = PixelBuffer(byteCount: 1 << 20)

  /// A part of it, for messages: nothing is read or written there.
  static func block(_ offset: Int, _ byteCount: Int) -> PixelBuffer {
    PixelBuffer(adopting: room.base + offset, byteCount: byteCount) { _ in }
  }

  static var pixels: WireReader.Pixels {
    var limits = DecodeLimits(maxPixels: 1 << 18, maxSide: 4096)
    limits.leastScan = 0
    return WireReader.Pixels(
      limits: limits, isTrusted: false,
      data: { offset, count throws(WireError) in
        Array(UnsafeRawBufferPointer(start: try place(offset, count), count: count))
      },
      buffer: { offset, count throws(WireError) in
        PixelBuffer(adopting: try place(offset, count), byteCount: count) { _ in }
      })
  }

  private static func place(_ offset: Int, _ count: Int) throws(WireError) -> UnsafeMutableRawPointer {
    guard offset >= 0, count >= 0, count <= room.byteCount, offset <= room.byteCount - count else {
      throw WireError("outside")
    }
    return room.base + offset
  }

  static func bytes(_ value: some WireValue) -> [UInt8] {
    var writer = WireWriter {
      let place = $0.base - room.base
      return place >= 0 && place < room.byteCount ? place : 0
    }
    writer.put(value)
    return writer.bytes
  }

  /// A good answer, with a place for every buffer.
  static func answer<Value: WireValue & Sendable>(_ kind: UInt8, _ value: Value) -> [UInt8] {
    [kind]
      + bytes(
        AnswerMessage(
          .success(value), [.decode: PhaseSeconds(wall: 0.5, cpu: 0.25)], inputDigest: Digest(of: [kind])))
  }

  /// Messages of every kind.
  static var seeds: [(name: String, bytes: [UInt8])] {
    var source = SourceImage(
      format: .heic,
      image: .planar(width: 60, height: 40, model: .ycc, format: .uint16, bitDepth: 10, chroma: .s420, hasAlpha: true),
      color: SourceColor(matrix: 9, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16), icc: [1, 2, 3]),
      geometry: Geometry(width: 60, height: 40, orientation: .left))
    source.gainMap = GainMap(
      metadata: GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [0, 0, 0], max: [3, 3, 3]),
      image: .planar(width: 30, height: 20, model: .grey, format: .uint8, bitDepth: 8), matrix: 6, fullRange: true,
      alternateColor: source.color, bindings: ["tmap"])
    source.light.clli = ContentLightLevel(maxCLL: 1000, maxFALL: 200)
    source.light.mdcv = MasteringDisplay(
      primaries: [0.7, 0.2, 0.1, 0.3].map { Chromaticity($0, 0.3) }, maxLuminance: 1000, minLuminance: 0.01)
    source.warnings = [Warning("a.b", "c")]
    source.exif = [0x49, 0x49, 0x2A, 0]
    var interleaved = SourceImage.small
    interleaved.image = .interleaved(width: 16, height: 8, channelCount: 4, format: .uint8, bitDepth: 8)
    interleaved.geometry = Geometry(width: 16, height: 8)
    var handed = SourceImage.small
    handed.image = SampleImage(
      width: 8, height: 8, model: .grey, format: .uint8, bitDepth: 8, chroma: .none, siting: .center, channels: [])
    handed.image.handover = .scan(
      JPEGSourceScan(
        width: 8, height: 8, chroma: .none,
        tables: [
          JPEGSourceScan.Tables(
            quantisers: Array(1...64), dc: JPEGCodes.standard[JPEGCodeTable.lumaDC.rawValue],
            ac: JPEGCodes.standard[JPEGCodeTable.lumaAC.rawValue])
        ], restartInterval: 0, starts: [0], bytes: 4, words: [0x1234_5678, 0, 0]))
    handed.geometry = Geometry(width: 8, height: 8)
    let digest = Digest(of: [])
    var rendition = EncodeRequest(
      kind: .pqHEIC, image: source.image, hasAlpha: true, cicp: CICP(9, 16, 9, full: true), clli: source.light.clli,
      mdcv: source.light.mdcv, exif: [1], xmp: [2], contentHeadroom: 4, displayHeadroom: 2)
    rendition.photoshop = [3]
    let coded = AdaptivePicture.heif(
      HEIFCodedPicture(
        items: [HEIFCodedItem(type: "hvc1", configuration: [1], data: [2, 3], width: 64, height: 48)], grid: [4],
        width: 60, height: 40, properties: [HEIFCodedPicture.Property(box: [5], isEssential: true)]))
    func adaptive(_ base: AdaptivePicture, _ map: AdaptivePicture) -> FileRequest {
      .adaptive(
        AdaptiveRequest(
          container: .heic, base: base, baseColor: AdaptiveColor(cicp: CICP(12, 13, 6, full: true)), map: map,
          mapColor: CICP(2, 2, 6, full: true), metadata: source.gainMap!.metadata,
          alternateColor: AdaptiveColor(cicp: CICP(9, 16, 9, full: true), icc: [6]), exif: nil, xmp: nil))
    }
    let tables: [ColorEncoding] = [
      .matrixTRC(
        curves: [.table([0, 0.5, 1]), .parametric(g: 2, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0), .identity],
        toBT2020: [1, 0, 0, 0, 1, 0, 0, 0, 1], primaries: 12),
      .matrixTRC(curves: [.gamma(2.2)], toBT2020: [1, 0, 0, 0, 1, 0, 0, 0, 1], primaries: nil),
      .bakedLUT(size: 2, values: (0..<24).map { Float($0) / 24 }),
    ]
    let profiles = tables.map { encoding in
      var source = interleaved
      source.color.encoding = encoding
      return source
    }
    var apple = source
    apple.gainMap?.metadata = GainMapMetadata(AppleGainMap(version: 65_536, xmpHeadroom: 3.5, tag33: 0.8, tag48: 0.01))
    let failures: [CodecError] = [
      .decode(.malformed(where: "a", what: "b")), .decode(.truncated(where: "c")),
      .decode(.unsupported(feature: "d", found: "e")), .decode(.library(name: "f", code: 1, message: "g")),
      .decode(.io("h")), .encode(.unsupported(feature: "i", found: "j")),
      .encode(.library(name: "k", code: 2, message: "l")), .encode(.verification("m")), .encode(.io("n")), .read(5),
      .write(28, isSidecar: true),
    ]
    let order = DecodeOrder(
      file: 1, byteCount: 2, request: .pixels, limits: DecodeLimits(), free: 4096..<8192)
    return profiles.enumerated().map { ("profile-\($0.offset)", answer(0, $0.element)) }
      + failures.enumerated().map {
        (
          "failure-\($0.offset)",
          [0] + bytes(AnswerMessage<SourceImage>(.failure($0.element), [:], inputDigest: digest))
        )
      } + [
        ("apple", answer(0, apple)), ("scan", answer(0, handed)), ("order", [5] + bytes(order)),
        ("rendition", [6] + bytes(FileRequest.rendition(rendition))),
        ("adaptive", [6] + bytes(adaptive(coded, .jpegStream([7])))),
        ("adaptive-samples", [6] + bytes(adaptive(.samples(source.image), coded))),
        ("payloads", answer(1, CodedRenditions(base: coded, map: .jpegStream([8])))),
        ("frame", [7, 0, 1, 2, 3]), ("frame-odd", [7, 1] + CodecMessage(.answer, []).body),

        ("map", answer(0, source)), ("plain", answer(0, interleaved)),
        ("sensor", answer(0, SourceImage.ofSensor)),
        ("written", answer(2, CodedFiles(mainBytes: 9, sidecarBytes: 2))),
        ("head", [3] + bytes(DecodeHead(source))),
        ("ready", [4] + bytes(ReadyMessage(landlock: 7, hasSeccomp: true, missing: "", addressSpace: 1 << 30))),
        (
          "failed",
          [0]
            + bytes(
              AnswerMessage<SourceImage>(
                .failure(.decode(.limit(what: "a", found: 1, allowed: 2, raise: .setting("b")))), [:],
                inputDigest: digest))
        ),
      ]
  }
}
