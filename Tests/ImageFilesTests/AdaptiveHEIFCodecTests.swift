import HDRCore
import HDRPlan
import ImageFiles
import Testing

/// The still picture encoders of Adaptive HDR HEIC and AVIF: every layout, any size, the same bits every time.
@Suite struct AdaptiveHEIFCodecTests {
  static let containers: [AdaptiveContainer] = [.heic, .avif]
  /// Sizes below the encoders' blocks, odd on one side or both, and beyond one block.
  static let sizes = [(1, 1), (2, 70), (15, 17), (63, 65), (101, 67), (200, 136)]

  /// Returns a picture alone in a file, as the reader sees it.
  private static func decoded(_ picture: HEIFCodedPicture) throws -> SampleImage {
    var muxer = HEIFMuxer(brands: ["mif1"])
    let coded = try #require(picture.items.first)
    let item = muxer.addItem(coded.type, data: coded.data)
    muxer.setProperty(coded.configuration, essential: true, of: item)
    muxer.setProperty(HEIFBox.ispe(width: coded.width, height: coded.height), essential: false, of: item)
    return try decodeImage(muxer.fileBytes()).image
  }

  @Test(arguments: containers, AdaptiveHEIF.layouts)
  func losslessIsExact(container: AdaptiveContainer, layout: AdaptiveHEIF.Layout) throws {
    for (width, height) in Self.sizes {
      // HEVC has no odd sides in 4:2:0; the writer puts these into a grid.
      if container == .heic, layout.chroma == .s420, width % 2 + height % 2 > 0 { continue }
      let image = AdaptiveHEIF.picture(width, height, layout)
      let coded = try AdaptiveHEIF.lossless(image, container, cicp: CICP(12, 13, 6, full: true))
      #expect(coded.width == width && coded.height == height)
      #expect(AdaptiveHEIF.difference(image, try Self.decoded(coded)).worst == 0, "\(width)x\(height)")
    }
  }

  @Test func oddSidesOf420AreOneMoreInHEVC() throws {
    let coded = try AdaptiveHEIF.lossless(
      AdaptiveHEIF.picture(15, 17, AdaptiveHEIF.Layout(.s420, 8)), .heic, cicp: CICP(12, 13, 6, full: true))
    #expect(coded.width == 16 && coded.height == 18)
    let image = try Self.decoded(coded), last = image.channels[0]
    #expect((0..<18).allSatisfy { last.value(15, $0) == last.value(14, $0) })
  }

  /// Profile and chroma format in the headers (H.265 Annex A; AV1 Annex A.2).
  @Test(arguments: [
    (AdaptiveHEIF.Layout(.s420, 8), 3), (AdaptiveHEIF.Layout(.s420, 10), 2), (AdaptiveHEIF.Layout(.none, 8), 4),
    (AdaptiveHEIF.Layout(.none, 10), 4), (AdaptiveHEIF.Layout(.s444, 8), 4), (AdaptiveHEIF.Layout(.s444, 10), 4),
  ])
  func hevcHeadersSayProfileChromaAndDepth(layout: AdaptiveHEIF.Layout, profile: Int) throws {
    let coded = try HEVCEncoder.encode(
      AdaptiveHEIF.picture(64, 64, layout), cicp: CICP(12, 13, 6, full: true),
      settings: HEVCEncoder.Settings(quality: 90))
    #expect(Int(coded.configuration[1] & 31) == profile)
    #expect(Int(coded.configuration[16] & 3) == (layout.chroma == .none ? 0 : layout.chroma == .s420 ? 1 : 3))
    #expect(Int(coded.configuration[17] & 7) == layout.bits - 8)
  }

  @Test(arguments: [
    (AdaptiveHEIF.Layout(.none, 8), [0x00, 0x1C]), (AdaptiveHEIF.Layout(.s420, 8), [0x00, 0x0D]),
    (AdaptiveHEIF.Layout(.s420, 10), [0x00, 0x4D]), (AdaptiveHEIF.Layout(.s444, 8), [0x20, 0x00]),
    (AdaptiveHEIF.Layout(.s444, 10), [0x20, 0x40]),
  ])
  func av1ConfigurationsSayProfileDepthAndChroma(layout: AdaptiveHEIF.Layout, bytes: [UInt8]) throws {
    let coded = try AV1Encoder.encode(
      AdaptiveHEIF.picture(64, 64, layout), cicp: CICP(12, 13, 6, full: true),
      settings: AV1Encoder.Settings(quality: 90))
    #expect(coded.configuration.count == 4 && coded.configuration[0] == 0x81 && coded.configuration[3] == 0)
    #expect(coded.configuration[1] & 0xE0 == bytes[0] && coded.configuration[2] == bytes[1])
    // A sequence header comes first, not a temporal delimiter.
    #expect(coded.data[0] >> 3 & 15 == 1)
  }

  /// The reader falls back on the bitstream's own colour if there is no colr box.
  @Test(arguments: containers, [CICP(9, 16, 9, full: true), CICP(1, 13, 6, full: false), CICP(2, 2, 6, full: true)])
  func bitstreamSaysItsColor(container: AdaptiveContainer, cicp: CICP) throws {
    let image = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.s444, 10))
    let coded = try AdaptiveHEIF.lossless(image, container, cicp: cicp).items[0]
    var muxer = HEIFMuxer(brands: ["mif1"])
    let item = muxer.addItem(coded.type, data: coded.data)
    muxer.setProperty(coded.configuration, essential: true, of: item)
    muxer.setProperty(HEIFBox.ispe(width: 64, height: 64), essential: false, of: item)
    let color = try decodeImage(muxer.fileBytes(), request: .metadata).color
    #expect(color.matrix == cicp.matrix && color.fullRange == cicp.fullRange)
    if cicp.primaries != 2 { #expect(color.cicp == cicp) }
  }

  @Test(arguments: containers)
  func bytesDoNotDependOnThreads(container: AdaptiveContainer) throws {
    var request = AdaptiveHEIF.request(
      container, 300, 257, base: AdaptiveHEIF.Layout(.s444, 10), map: AdaptiveHEIF.Layout(.none, 8))
    let first = try encodeAdaptive(request).main
    #expect(try encodeAdaptive(request).main == first)
    for threads in [2, 5] {
      request.threads = threads
      #expect(try encodeAdaptive(request).main == first)
    }
  }

  @Test(arguments: AdaptiveHEIF.layouts) func qualityOrdersSizes(layout: AdaptiveHEIF.Layout) throws {
    let image = AdaptiveHEIF.picture(256, 256, layout)
    let av1 = try [30, 60, 90, 100].map {
      try AV1Encoder.encode(image, cicp: .unspecified, settings: AV1Encoder.Settings(quality: $0)).data.count
    }
    #expect(av1 == av1.sorted() && Set(av1).count == 4)
    let hevc = try [30, 60, 90, 100].map {
      try HEVCEncoder.encode(image, cicp: .unspecified, settings: HEVCEncoder.Settings(quality: $0)).data.count
    }
    #expect(hevc == hevc.sorted() && Set(hevc).count == 4)
  }

  /// libaom 3.6.0 cannot be trusted with more than 8192 x 4352 pixels or 16384 columns.
  @Test func picturesBeyondOneFrameBecomeGrids() throws {
    let layout = AdaptiveHEIF.Layout(.s420, 8)
    let request = AdaptiveHEIF.request(
      .avif, base: .samples(AdaptiveHEIF.picture(16_402, 66, layout)),
      map: .samples(AdaptiveHEIF.picture(20, 20, AdaptiveHEIF.Layout(.none, 8))))
    let files = try encodeAdaptive(request)
    let file = try HEIFFile(files.main)
    #expect(file.items[file.primaryID]?.type == "grid")
    #expect(file.targets("dimg", from: file.primaryID).count == 5)
    let read = try decodeImage(files.main)
    guard case .samples(let base) = request.base else { return }
    let difference = AdaptiveHEIF.difference(base, read.image)
    #expect(difference.mean < 0.01 && difference.worst < 0.08)
    #expect(read.gainMap?.image.width == 20)
    #expect(throws: EncodeError.self) {
      try AV1Encoder.encode(base, cicp: .unspecified, settings: AV1Encoder.Settings(quality: 90))
    }
    let odd = AdaptivePicture.samples(AdaptiveHEIF.picture(16_401, 66, layout))
    #expect(throws: EncodeError.self) { try encodeAdaptive(AdaptiveHEIF.request(.avif, base: odd, map: request.map)) }
  }

  /// Codec libraries index tables with samples: one beyond the depth must not reach them.
  @Test(arguments: containers) func samplesBeyondTheirDepthAreRefused(container: AdaptiveContainer) throws {
    let image = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.s444, 10))
    (image.channels[1].buffer.base + 130).storeBytes(of: 1024, as: UInt16.self)
    let small = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.none, 8))
    let codec = container == .avif ? "AV1" : "HEVC"
    #expect(throws: EncodeError.unsupported(feature: "samples for \(codec)", found: "1024 in 10 bits")) {
      try encodeAdaptive(AdaptiveHEIF.request(container, base: .samples(image), map: .samples(small)))
    }
  }

  @Test(arguments: containers) func otherLayoutsAreRefused(container: AdaptiveContainer) throws {
    let map = AdaptivePicture.samples(AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.none, 8)))
    var shifted = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.s444, 10))
    shifted.lowZeroBits = 6
    var short = AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.s444, 8))
    short.channels[2].height = 63
    let wrong = [
      Writer.rgba(64, 64, .uint8), AdaptiveHEIF.picture(64, 64, AdaptiveHEIF.Layout(.s422, 8)), shifted, short,
    ]
    for image in wrong {
      #expect(throws: EncodeError.self) {
        try encodeAdaptive(AdaptiveHEIF.request(container, base: .samples(image), map: map))
      }
    }
  }
}
