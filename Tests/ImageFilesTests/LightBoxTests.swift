import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Boxes and messages about light, as bytes (docs/colour-formulas.md#metadata-layouts).
@Suite struct LightBoxTests {
  static let d65 = Chromaticity(0.3127, 0.3290)
  static let p3 = [Chromaticity(0.680, 0.320), Chromaticity(0.265, 0.690), Chromaticity(0.150, 0.060)]
  static let bt2020 = MasteringDisplay(
    primaries: [Chromaticity(0.708, 0.292), Chromaticity(0.170, 0.797), Chromaticity(0.131, 0.046), d65],
    maxLuminance: 1000, minLuminance: 0.0001)

  /// Everything a PQ picture can say.
  static let all: LightMetadata = {
    var light = LightMetadata(clli: ContentLightLevel(maxCLL: 1000, maxFALL: 400), mdcv: bt2020)
    light.cclv = ContentColorVolume(primaries: p3, minLuminance: 0.005, maxLuminance: 1000, averageLuminance: 50)
    light.amve = AmbientViewing(illuminance: 31.4, white: d65)
    light.reve = ReferenceEnvironment(surround: 5, surroundWhite: d65, periphery: 5, peripheryWhite: d65)
    light.diffuseWhite = 203
    return light
  }()

  static func boxes(_ transfer: Int = 16, _ change: (inout LightMetadata) -> Void) -> [[UInt8]] {
    var light = LightMetadata()
    change(&light)
    return light.boxes(transfer: transfer)
  }

  /// An AVIF of headers whose picture has these boxes and OBUs.
  static func avif(_ boxes: [[UInt8]], obus: [UInt8] = [], transfer: Int = 16) -> [UInt8] {
    var builder = HEIFBuilder()
    builder.brands = ["avif", "mif1"]
    let av1C = HEIFBuilder.box("av1C", [0x81, 0x00, 0x4c, 0x00])
    builder.items = [
      HEIFBuilder.Item(
        id: 1, type: "av01", data: ToneMetadataMessageTests.obu(2, []) + obus,
        properties: [HEIFBuilder.ispe(64, 64), av1C, HEIFBox.nclx(CICP(9, transfer, 9, full: true))] + boxes)
    ]
    return builder.bytes
  }

  static func read(_ boxes: [[UInt8]], obus: [UInt8] = [], transfer: Int = 16) throws -> SourceImage {
    try decodeImage(avif(boxes, obus: obus, transfer: transfer), request: .metadata)
  }

  @Test(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func boxesAreThoseOfTheVectors() throws {
    let rows = try #require(SharedData.json("specs/more-formats-vectors.json")?["heif_boxes"] as? [[String: Any]])
    let made: [String: [[UInt8]]] = [
      "clli 1000 400": Self.boxes { $0.clli = Self.all.clli },
      "mdcv BT.2020 1000 0.0001": Self.boxes { $0.mdcv = Self.bt2020 },
      "mdcv P3-D65 1600 0.0005": Self.boxes {
        $0.mdcv = MasteringDisplay(primaries: Self.p3 + [Self.d65], maxLuminance: 1600, minLuminance: 0.0005)
      },
      "cclv PQ P3 primaries, min 0.005, max 1000, avg 50 cd/m2": Self.boxes { $0.cclv = Self.all.cclv },
      "cclv PQ max 1000 only": Self.boxes { $0.cclv = ContentColorVolume(maxLuminance: 1000) },
      "cclv HLG max 1000 only (scale 1000)": Self.boxes(18) { $0.cclv = ContentColorVolume(maxLuminance: 1000) },
      "amve 31.4 lux D65": Self.boxes { $0.amve = Self.all.amve },
      "reve 5/5 cd/m2 D65": Self.boxes { $0.reve = Self.all.reve },
      "ndwt 203": Self.boxes { $0.diffuseWhite = 203 },
    ]
    var seen = 0
    for row in rows {
      let name = try #require(row["name"] as? String), bytes = hexBytes(try #require(row["hex"] as? String))
      guard let boxes = made[name] else { continue }
      seen += 1
      #expect(boxes == [bytes], "\(name)")
      let transfer = name.contains("HLG") ? 18 : 16
      let found = try Self.read([bytes], transfer: transfer)
      #expect(found.light.boxes(transfer: transfer) == [bytes] && found.warnings.isEmpty, "\(name)")
      #expect(found.light.places == [try #require(found.light.fields.first): .box])
    }
    #expect(seen == made.count)
  }

  @Test(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func messagesAreThoseOfTheVectors() throws {
    let rows = try #require(SharedData.json("specs/more-formats-vectors.json")?["messages"] as? [[String: Any]])
    func bytes(_ start: String) throws -> [UInt8] {
      let row = rows.first { ($0["name"] as? String)?.hasPrefix(start) == true }
      return hexBytes(try #require(row?["hex"] as? String))
    }
    // Boxes have the payloads of SEI messages.
    func payload(_ change: (inout LightMetadata) -> Void) throws -> [UInt8] {
      Array(try #require(Self.boxes(16, change).first).dropFirst(8))
    }
    let level = try payload { $0.clli = Self.all.clli }
    #expect(MessageWriter.unit(type: 144, level) == (try bytes("HEVC prefix SEI 144")))
    #expect(
      MessageWriter.unit(type: 137, try payload { $0.mdcv = Self.bt2020 }) == (try bytes("HEVC prefix SEI 137")))
    #expect(
      MessageWriter.unit(type: 148, try payload { $0.amve = Self.all.amve }) == (try bytes("HEVC prefix SEI 148")))
    #expect(
      MessageWriter.unit(type: 4, [0xb5, 0x00, 0x90, 0x00, 0x01, 0, 0, 0]) == (try bytes("HEVC prefix SEI 4")))
    #expect(MessageWriter.obu(type: 1, level) == (try bytes("AV1 metadata OBU, HDR CLL")))
    #expect(
      MessageWriter.obu(type: 4, [0xb5, 0x00, 0x90, 0x00, 0x01, 1, 2, 3]) == (try bytes("AV1 metadata OBU, T.35")))
    // Read from pictures without boxes.
    let units = try ["HEVC prefix SEI 144", "HEVC prefix SEI 137", "HEVC prefix SEI 148", "HEVC prefix SEI 149"].map(
      bytes)
    let heic = try decodeImage(ToneMetadataMessageTests.heic(units), request: .metadata).light
    #expect(heic.clli == Self.all.clli && heic.mdcv == Self.bt2020 && heic.amve == Self.all.amve)
    #expect(heic.cclv == ContentColorVolume(maxLuminance: 1000))
    #expect(heic.places == [.clli: .message, .mdcv: .message, .amve: .message, .cclv: .message])
    let avif = try Self.read([], obus: bytes("AV1 metadata OBU, HDR CLL") + bytes("AV1 metadata OBU, HDR MDCV")).light
    #expect(avif.clli == Self.all.clli && avif.mdcv?.maxLuminance == 1000)
    let points = try #require(avif.mdcv?.primaries)
    for (found, wanted) in zip(points, try #require(Self.bt2020.primaries)) {
      expectClose([found.x, found.y], [wanted.x, wanted.y], abs: 1e-5, rel: 0)
    }
  }

  @Test func aBoxGoesBeforeAMessage() throws {
    let message = MessageWriter.obu(type: 1, [0x01, 0xf4, 0, 100])
    let both = try Self.read(Self.boxes { $0.clli = Self.all.clli }, obus: message).light
    #expect(both.clli == Self.all.clli && both.places == [.clli: .box])
    let alone = try Self.read([], obus: message).light
    #expect(alone.clli == ContentLightLevel(maxCLL: 500, maxFALL: 100) && alone.places == [.clli: .message])
  }

  @Test func everyBoxIsWrittenAndRead() throws {
    let found = try Self.read(Self.all.boxes(transfer: 16))
    #expect(found.warnings.isEmpty && found.light.fields.count == 6)
    #expect(found.light.boxes(transfer: 16) == Self.all.boxes(transfer: 16))
    #expect(found.light.amve == Self.all.amve && found.light.reve == Self.all.reve)
    #expect(found.light.cclv == Self.all.cclv && found.light.referenceWhite == 203)
    // SDR pictures have no range that a colour volume could be a share of.
    #expect(Self.boxes(13) { $0.cclv = Self.all.cclv }.isEmpty)
  }

  /// Three points are red, green and blue in whatever order they stand, also where two are as high or as far to the right.
  @Test(arguments: [
    [Chromaticity(0.6, 0.39), Chromaticity(0.265, 0.39), Chromaticity(0.15, 0.06)],
    [Chromaticity(0.55, 0.32), Chromaticity(0.265, 0.69), Chromaticity(0.55, 0.4)], p3,
  ])
  func orderOfPrimariesDoesNotCount(points: [Chromaticity]) throws {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let found = try Self.read(Self.boxes { $0.cclv = ContentColorVolume(primaries: order.map { points[$0] }) })
      #expect(found.light.cclv?.primaries == points, "\(order)")
    }
  }

  /// `reve` and `ndwt` without version and flags, as some writers have them.
  @Test func plainFormsAreRead() throws {
    func plain(_ box: [UInt8]) -> [UInt8] {
      HEIFBuilder.box(String(decoding: box[4..<8], as: UTF8.self), Array(box[12...]))
    }
    let boxes = Self.boxes { ($0.reve, $0.diffuseWhite) = (Self.all.reve, 100) }.map(plain)
    let found = try Self.read(boxes)
    #expect(found.light.reve == Self.all.reve && found.light.diffuseWhite == 100 && found.warnings.isEmpty)
  }

  /// A box with impossible contents causes one warning with its code, and the picture is as without it.
  @Test(arguments: 0..<6) func brokenBoxesAreLeftOut(index: Int) throws {
    let box = Self.all.boxes(transfer: 16)[index], type = String(decoding: box[4..<8], as: UTF8.self)
    func resized(_ content: ArraySlice<UInt8>) -> [UInt8] { HEIFBuilder.box(type, Array(content)) }
    var broken: [(String, [UInt8])] = (0..<box.count - 8).filter { ![12, 4].contains($0) }.map {
      ("\($0) bytes", resized(box[8..<8 + $0]))
    }
    // Full boxes keep their version.
    let start = ["reve", "ndwt"].contains(type) ? 12 : 8
    broken.append(("ones", resized(box[8..<start] + [UInt8](repeating: 255, count: box.count - start))))
    if type != "ndwt" {
      broken.append(("zeros", resized(box[8..<start] + [UInt8](repeating: 0, count: box.count - start))))
    }
    for (name, bytes) in broken {
      let found = try Self.read([bytes])
      #expect(found.warnings.map(\.code) == ["light.\(type)"], "\(type) \(name): \(found.warnings)")
      #expect(found.light == LightMetadata(), "\(type) \(name)")
    }
    // A second one of a kind.
    let twice = try Self.read([box, box])
    #expect(twice.warnings.map(\.code) == ["light.\(type)"] && twice.light.fields.count == 1)
  }

  @Test func boxesThatContradictAreNamed() throws {
    let bright = LightMetadata(clli: ContentLightLevel(maxCLL: 2600, maxFALL: 200), mdcv: Self.bt2020)
    let found = try Self.read(bright.boxes(transfer: 16))
    #expect(found.warnings.map(\.code) == ["light.conflict"])
    #expect(found.light.clli?.maxCLL == 2600)
    let average = LightMetadata(clli: ContentLightLevel(maxCLL: 100, maxFALL: 200))
    #expect(try Self.read(average.boxes(transfer: 16)).warnings.map(\.code) == ["light.clli"])
  }

  /// SEI 147 says HLG for a stream that calls itself BT.2020 for older decoders.
  @Test func alternativeTransferCounts() throws {
    let message = MessageWriter.unit(type: 147, [18])
    let plain = try decodeImage(ToneMetadataMessageTests.heic([message]), request: .metadata)
    guard case .cicp(_, 18) = plain.color.encoding else {
      Issue.record("\(plain.color.encoding)")
      return
    }
    // A box decides before it.
    let boxed = try decodeImage(
      ToneMetadataMessageTests.heic([message], extra: [HEIFBox.nclx(CICP(9, 16, 9, full: true))]),
      request: .metadata)
    #expect(boxed.color.cicp?.transfer == 16)
  }

  @Test func toneMetadataStandBehindTheSequenceHeader() throws {
    let payload = HeadroomAdaptiveMetadata.referenceWhitePayload(for: Headroom(factor: 4))
    #expect(try HeadroomAdaptiveMetadata(parsing: payload).baselineHeadroom == 2)
    #expect(try HeadroomAdaptiveMetadata(parsing: payload).usesReferenceWhiteToneMapping)
    let obu = MessageWriter.obu(type: 4, HeadroomAdaptiveMetadata.t35Message(payload))
    let header = ToneMetadataMessageTests.obu(1, [0, 0]), frame = ToneMetadataMessageTests.obu(6, [7, 7, 7])
    #expect(MessageWriter.insert(obu: obu, behindHeaderOf: header + frame) == header + obu + frame)
    #expect(MessageWriter.insert(obu: obu, behindHeaderOf: frame) == nil)
    #expect(try Self.read([], obus: obu).light.headroomAdaptive?.baselineHeadroom == 2)
  }
}
