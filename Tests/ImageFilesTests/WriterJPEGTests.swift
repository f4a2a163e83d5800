import FileParts
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// JPEG outputs: segments, chroma by quality, pixels within the bounds of the quality.
@Suite struct WriterJPEGTests {
  /// Soft waves in three channels; alpha is noise, which must not matter.
  private func photo(_ width: Int, _ height: Int) -> SampleImage {
    let image = Writer.rgba(width, height, .uint8)
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<height {
        for x in 0..<width {
          let value = 128 + (x * (index + 1) + y * 2) % 97 - 48
          (plane.buffer.base + plane.offset + y * plane.rowBytes + 4 * x).storeBytes(of: UInt8(value), as: UInt8.self)
        }
      }
    }
    return image
  }

  @Test(arguments: [(1, 1), (17, 9), (160, 120)])
  func picturesReadBack(width: Int, height: Int) throws {
    for quality in [60, 94, 95, 100] {
      let image = photo(width, height)
      var request = Writer.request(.sdrJPEG, image)
      request.coding.quality = quality
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      let read = try decodeImage(files.main)
      #expect(read.image.chroma == (quality >= 95 ? .s444 : .s420))
      #expect(read.color.iccDescription == "Display P3")
      guard quality == 100 else { continue }
      // BT.601 luma of what went in; at quality 100 only rounding of the transform is left.
      let rgb = image.channels.map { samples($0).map { Double($0) } }, found = samples(read.image.channels[0])
      var worst = 0.0
      for index in found.indices {
        let luma = 0.299 * rgb[0][index] + 0.587 * rgb[1][index] + 0.114 * rgb[2][index]
        worst = max(worst, abs(luma - Double(found[index])))
      }
      #expect(found.count == width * height && worst <= 2)
    }
  }

  @Test("segments of an SDR JPEG stand in the order that readers need")
  func segmentsInOrder() throws {
    var request = Writer.request(.sdrJPEG, photo(24, 16))
    request.exif = TinyExif.orientation(8, littleEndian: true)
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(files.warnings.isEmpty)
    let jpeg = files.main
    let marks = [
      "4A464946 00", "45786966 0000", "687474703A2F2F6E732E61646F62652E636F6D2F7861702F312E302F00",
      "4943435F50524F46494C4500 0101",
    ]
    let positions = try marks.map { try #require(Writer.position(of: hexBytes($0), in: jpeg)) }
    #expect(positions == positions.sorted())
    let read = try decodeImage(jpeg, request: .metadata)
    #expect(read.exif == TinyExif.orientation(1, littleEndian: true))
    #expect(read.geometry.orientation == .up)
    #expect(read.xmp == request.xmp)
    #expect(read.color.cicp == CICP(12, 13, 0, full: true))
  }

  @Test func metadataTooLongForASegmentIsDroppedWithAWarning() throws {
    var request = Writer.request(.sdrJPEG, photo(8, 8))
    request.exif = TinyExif.orientation(1, littleEndian: true) + [UInt8](repeating: 0, count: 65_530)
    request.xmp = [UInt8](repeating: 0x20, count: 65_520)
    let files = try encodeImage(request)
    #expect(files.warnings.map(\.code) == ["jpeg.exif-dropped", "jpeg.xmp-dropped"])
    try verifyEncoded(files, request)
    // The largest that fits.
    let exif = TinyExif.orientation(1, littleEndian: true)
    request.exif = exif + [UInt8](repeating: 0, count: 65_527 - exif.count)
    request.xmp = nil
    #expect(try encodeImage(request).warnings.isEmpty)
  }

  @Test func hdrCurvesAreRefused() throws {
    var request = Writer.request(.sdrJPEG, photo(8, 8))
    request.cicp = CICP(9, 16, 0, full: true)
    #expect(throws: EncodeError.unsupported(feature: "JPEG colour", found: "primaries 9, transfer 16")) {
      try encodeImage(request)
    }
  }

  @Test func exifSaysWhatTheOutputIs() throws {
    // Little endian; IFD0: orientation 6 and a pointer to the Exif directory, then a thumbnail directory at 8.
    let exif = hexBytes(
      """
      49492A00 08000000 0200 1201 0300 01000000 06000000 6987 0400 01000000 26000000 08000000
      0300 01A0 0300 01000000 02000000 02A0 0400 01000000 A00F0000 03A0 0300 01000000 B80B0000 00000000
      """)
    var request = Writer.request(.sdrJPEG, photo(300, 20))
    request.exif = exif
    let read = try #require(try decodeImage(encodeImage(request).main, request: .metadata).exif)
    #expect(read.count == exif.count)
    #expect(read[18] == 1)
    // No second directory, colour space uncalibrated, 300x20 pixels.
    #expect(Array(read[34..<38]) == [0, 0, 0, 0])
    #expect(Array(read[48..<50]) == [0xFF, 0xFF])
    #expect(Array(read[60..<64]) == [0x2C, 1, 0, 0])
    #expect(Array(read[72..<74]) == [20, 0])
    request.cicp = CICP(1, 13, 0, full: true)
    let sRGB = try #require(try decodeImage(encodeImage(request).main, request: .metadata).exif)
    #expect(Array(sRGB[48..<50]) == [1, 0])
  }

  @Test func brokenExifIsLeftOut() throws {
    for exif in [[], [0x49, 0x49], hexBytes("49492A00 FFFFFFFF"), hexBytes("4D4D002A 00000008 FFFF")] as [[UInt8]] {
      var request = Writer.request(.sdrJPEG, photo(8, 8))
      request.exif = exif
      #expect(try decodeImage(encodeImage(request).main, request: .metadata).exif == nil)
    }
  }
}

@Suite struct PhotoshopResourcesTests {
  /// A block of image resources: id, name, data.
  static func block(_ id: Int, _ name: String, _ data: [UInt8]) -> [UInt8] {
    var bytes = Array("8BIM".utf8) + [UInt8(id >> 8), UInt8(id & 255), UInt8(name.utf8.count)] + Array(name.utf8)
    if bytes.count % 2 == 1 { bytes.append(0) }
    bytes += [0, 0, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
    if data.count % 2 == 1 { bytes.append(0) }
    return bytes
  }

  @Test func iptcTravelsAndPixelsStay() {
    let iptc = Self.block(0x0404, "", [0x1C, 2, 120, 0, 3, 65, 66, 67, 0]), flag = Self.block(0x040A, "odd", [1])
    let thumbnail = Self.block(0x040C, "ab", [9, 9, 9])
    #expect(photoshopWithoutPixelDescription(thumbnail + iptc + thumbnail + flag) == iptc + flag)
    #expect(photoshopWithoutPixelDescription(thumbnail) == nil)
    for count in 1..<iptc.count - 1 { #expect(photoshopWithoutPixelDescription(Array(iptc[..<count])) == nil) }
  }

  @Test func resourcesOfAnySizeGoRoundAFile() throws {
    let image = SampleImage.interleaved(width: 9, height: 5, channelCount: 4, format: .uint8, bitDepth: 8)
    for size in [10, 65_519, 65_520, 200_000] {
      var request = EncodeRequest(
        kind: .sdrJPEG, image: image, hasAlpha: false, cicp: .sRGB, contentHeadroom: 1, displayHeadroom: 1)
      request.photoshop = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let read = try decodeImage(try encodeImage(request).main)
      #expect(read.photoshop == request.photoshop, "\(size) bytes")
    }
  }
}
