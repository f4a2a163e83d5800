import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Camera raw files as pictures: which of their contents is shown, and what it is.
@Suite struct CameraRawDecoderTests {
  private static func limits(_ source: CameraReading.Source, crop: CameraReading.Crop = .standard) -> DecodeLimits {
    var limits = DecodeLimits()
    limits.reading.camera.source = source
    limits.reading.camera.crop = crop
    return limits
  }

  private static func proRAW() throws -> [UInt8] {
    DNGBuilder.proRAW(preview: try encodeAdaptive(AdaptiveJPEG.request()).main).bytes
  }

  @Test("a DNG goes to the reader of camera raw, a TIFF does not")
  func readers() throws {
    #expect(try decoder(of: try Self.proRAW()) == CameraRawDecoder.self)
    #expect(try decoder(of: DNGBuilder.filterArray(32, 24).bytes) == CameraRawDecoder.self)
    // One directory of one entry, a width.
    let tiff: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0, 1, 3, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]
    #expect(try decoder(of: tiff) == TIFFDecoder.self)
  }

  @Test("the camera's rendition is read with its gain map, where it is of full size or asked for")
  func embedded() throws {
    let bytes = try Self.proRAW()
    let automatic = try decodeImage(bytes, limits: Self.limits(.automatic))
    // 48x32 beside a sensor of 70x40: a thumbnail.
    #expect(automatic.sensor != nil && automatic.gainMap == nil)
    let preview = try decodeImage(bytes, limits: Self.limits(.embedded))
    #expect(preview.sensor == nil && preview.gainMap != nil && preview.format == .dng)
    #expect(preview.payloadFormat == .jpeg && preview.image.width == 48 && preview.image.channels.count == 3)
    #expect(preview.geometry.orientation == .right)
    let coded = try codedRenditions(bytes, limits: Self.limits(.embedded))
    guard case .jpegStream(let stream) = coded.base else {
      Issue.record("no JPEG stream")
      return
    }
    #expect(stream.starts(with: [0xFF, 0xD8]) && coded.map != nil)
    #expect(throws: DecodeError.self) { try codedRenditions(bytes, limits: Self.limits(.sensor)) }
    #expect(throws: DecodeError.self) {
      try decodeImage(DNGBuilder.filterArray(32, 24).bytes, limits: Self.limits(.embedded))
    }
  }

  @Test("heads tell what pixels are, without LibRaw")
  func heads() throws {
    let head = try decodeImage(try Self.proRAW(), request: .metadata, limits: Self.limits(.sensor))
    let sensor = try #require(head.sensor)
    #expect(head.image.channels.isEmpty && head.image.model == .rgb && sensor.filters == nil)
    #expect(sensor.profile.gainTableMap != nil && sensor.profile.toneCurve != nil)
    #expect(head.image.width == sensor.activeArea.width && head.geometry.crop.width == sensor.crop.width)
  }

  @Test("samples are those of the active area", .enabled(if: rawMissing() == nil, "skipped: no LibRaw"))
  func activeArea() throws {
    let builder = DNGBuilder.filterArray(64, 48) {
      $0.raw[50829] = .longs(4, 6, 44, 62)
      $0.raw[50719] = .longs(2, 2)
      $0.raw[50720] = .longs(50, 36)
    }
    let all = DNGBuilder.samples(64 * 48, below: 4000)
    let source = try decodeImage(builder.bytes, limits: Self.limits(.sensor))
    let image = source.image, plane = image.channels[0]
    #expect((image.width, image.height) == (56, 40))
    #expect(source.geometry.crop == PixelRect(x: 2, y: 2, width: 50, height: 36))
    for (x, y) in [(0, 0), (55, 39), (17, 5)] {
      let code = plane.buffer.base.load(
        fromByteOffset: plane.offset + y * plane.rowBytes + x * plane.stepBytes, as: UInt16.self)
      #expect(Int(code) == all[(y + 4) * 64 + x + 6])
    }
    let whole = try decodeImage(builder.bytes, request: .metadata, limits: Self.limits(.sensor, crop: .active))
    #expect(whole.geometry.crop == PixelRect(x: 0, y: 0, width: 56, height: 40))
  }
}
