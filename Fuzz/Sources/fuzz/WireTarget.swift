import CodecService
import HDRCore
import HDRPlan
@testable import ImageFiles

/// What the supervisor believes of a codec process: the bodies of its messages. The first byte says which.
extension Target {
  static let wire = Target("wire", maxLength: 1 << 13) { bytes in
    guard let kind = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    switch kind % 5 {
    case 0:
      guard let source = answered(body, SourceImage.self) else { return }
      for image in [source.image] + (source.gainMap.map { [$0.image] } ?? []) { demandInside(image) }
      let crop = source.geometry.crop
      demand(
        crop.x >= 0 && crop.y >= 0 && crop.x + crop.width <= source.image.width
          && crop.y + crop.height <= source.image.height, "a crop outside its picture")
      demand(source.gainMap?.metadata.allNumbersAreFinite != false, "a gain map of no numbers")
      // The next thing that is done with it.
      if !source.image.channels.isEmpty, source.gainMap?.image.channels.isEmpty != true {
        _ = try? Planner.plan(
          source, RenderRecipe(target: OutputTarget(encoding: .pq, sink: .rgba16), display: .high))
        _ = try? Planner.plan(
          source, RenderRecipe(target: OutputTarget(encoding: .sdr, sink: .rgba8), display: .standard))
      }
    case 1: _ = answered(body, CodedRenditions.self)
    case 2: _ = answered(body, CodedFiles.self)
    case 3:
      guard let head = taken(body, DecodeHead.self) else { return }
      demand(head.mapPixels <= head.pixels && head.bytes >= 0 && head.width >= 0, "a head of odd sizes")
    default: _ = taken(body, WorkerReady.self)
    }
  }

  private static func demandInside(_ image: SampleImage) {
    let planes = image.channels.map { ($0, image.format) } + (image.alpha.map { [($0, image.alphaFormat)] } ?? [])
    for (plane, format) in planes {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(plane.offset >= 0 && last + format.bytes <= plane.buffer.byteCount, "samples outside their memory")
    }
  }

  /// The value of a good answer.
  private static func answered<Value: WireValue & Sendable>(_ body: [UInt8], _ type: Value.Type) -> Value? {
    guard let answer = taken(body, WorkerAnswer<Value>.self), case .success(let value) = answer.result else {
      return nil
    }
    // What is written again is read again as the same.
    let first = WireMemory.bytes(value)
    guard let again = taken(first, Value.self) else { fatalError("what was written is not read") }
    demand(WireMemory.bytes(again) == first, "another value than was written")
    return value
  }

  private static func taken<Value: WireValue>(_ body: [UInt8], _ type: Value.Type) -> Value? {
    var reader = WireReader(body, WireMemory.pixels)
    guard let value = try? reader.take(type), (try? reader.end()) != nil else { return nil }
    return value
  }
}

/// Memory that both sides of a conversation see.
enum WireMemory {
  private static let room = PixelBuffer(byteCount: 1 << 20)

  static var pixels: WireReader.Pixels {
    WireReader.Pixels(limits: DecodeLimits(maxPixels: 1 << 18, maxSide: 4096), isTrusted: false) {
      offset, count throws(WireError) in
      guard offset >= 0, count >= 0, count <= room.byteCount, offset <= room.byteCount - count else {
        throw WireError("outside")
      }
      return PixelBuffer(adopting: room.base + offset, byteCount: count) { _ in }
    }
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
        WorkerAnswer(
          .success(value), [.decode: PhaseSeconds(wall: 0.5, cpu: 0.25)], inputDigest: Digest(of: [kind])))
  }

  /// Messages of every kind.
  static var seeds: [(name: String, bytes: [UInt8])] {
    var source = SourceImage(
      format: "heic",
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
    let digest = Digest(of: [])
    return [
      ("map", answer(0, source)), ("plain", answer(0, interleaved)),
      ("written", answer(2, CodedFiles(mainBytes: 9, sidecarBytes: 2))),
      ("head", [3] + bytes(DecodeHead(source))),
      ("ready", [4] + bytes(WorkerReady(landlock: 7, hasSeccomp: true, missing: "", addressSpace: 1 << 30))),
      (
        "failed",
        [0]
          + bytes(
            WorkerAnswer<SourceImage>(
              .failure(.decode(.limit(what: "a", found: 1, allowed: 2, setting: "b"))), [:], inputDigest: digest))
      ),
    ]
  }
}
