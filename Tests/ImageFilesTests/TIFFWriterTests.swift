import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Writing TIFF and reading it again.
@Suite(.enabled(if: codecLibraries().contains { $0.name == "libtiff" && $0.version != nil }, "skipped: no libtiff"))
struct TIFFWriterTests {
  /// The kinds of TIFF, with bits of a sample.
  static let kinds = [OutputKind.pqTIFF, .hlgTIFF, .sdrTIFF, .linearTIFF].flatMap { kind in
    kind.bitDepths.map { (kind, $0) }
  }

  /// The first channels of a picture of four.
  private static func samples(_ image: SampleImage, alpha: Bool) -> [UInt64] {
    TIFFTests.codes(image).enumerated().filter { alpha || $0.offset % 4 < 3 }.map(\.element)
  }

  @Test("samples come back as they were, whatever the effort", arguments: kinds, [0, 3, 5])
  func roundTrips(_ kind: (OutputKind, Int), effort: Int) throws {
    let (kind, bits) = kind
    for hasAlpha in [false, true] {
      let image = Writer.picture(for: kind, 131, 150, bits: bits)
      var request = Writer.request(kind, image, hasAlpha: hasAlpha)
      request.coding.pngEffort = effort
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      let read = try decodeImage(files.main)
      #expect(TIFFTests.codes(read.image) == Self.samples(image, alpha: hasAlpha))
      #expect(read.image.bitDepth == bits)
      var limits = DecodeLimits()
      limits.threads = 3
      #expect(TIFFTests.codes(try decodeImage(files.main, limits: limits).image) == TIFFTests.codes(read.image))
      #expect((read.image.alpha != nil) == hasAlpha && !read.image.alphaIsPremultiplied)
      let cicp = request.cicp
      #expect(read.color.encoding == .cicp(primaries: cicp.primaries, transfer: cicp.transfer))
      #expect(read.warnings.isEmpty)
    }
  }

  @Test("bytes do not depend on threads, and files are classic or big as asked", arguments: kinds)
  func deterministic(_ kind: OutputKind, bits: Int) throws {
    var request = Writer.request(kind, Writer.picture(for: kind, 200, 333, bits: bits))
    let one = try encodeImage(request).main
    for threads in [2, 5, 64] {
      request.threads = threads
      #expect(try encodeImage(request).main == one)
    }
    #expect(one.starts(with: [0x49, 0x49, 0x2A, 0]))
    let big = try TIFFWriter.encode(request, maxClassicBytes: 1000).main
    #expect(big.starts(with: [0x49, 0x49, 0x2B, 0]))
    #expect(TIFFTests.codes(try decodeImage(big).image) == TIFFTests.codes(try decodeImage(one).image))
  }

  @Test("zeros of floats have no sign, so that files do not depend on who renders")
  func zeros() throws {
    func file(_ zero: Float) throws -> [UInt8] {
      let image = Writer.floats(9, 5)
      for plane in image.channels {
        for x in 0..<9 {
          (plane.buffer.base + plane.offset + 2 * plane.rowBytes + 4 * x).storeBytes(of: zero, as: Float.self)
        }
      }
      return try encodeImage(Writer.request(.linearTIFF, image)).main
    }
    #expect(try file(0) == file(-0.0))
  }

  @Test("pictures in a layout that the kind does not have are refused")
  func layouts() throws {
    for (kind, image, hasAlpha) in [
      (OutputKind.pqTIFF, Writer.floats(8, 8), false), (.linearTIFF, Writer.rgba(8, 8, .uint16), false),
      // Planes without alpha.
      (.linearTIFF, SampleImage.planar(width: 8, height: 8, model: .rgb, format: .float32, bitDepth: 32), true),
    ] {
      #expect(throws: EncodeError.self) { try encodeImage(Writer.request(kind, image, hasAlpha: hasAlpha)) }
    }
  }

  @Test("PQ in TIFF has the samples of PQ in PNG")
  func sameAsPNG() throws {
    let image = Writer.picture(for: .pqPNG, 90, 70)
    let png = try decodeImage(encodeImage(Writer.request(.pqPNG, image)).main)
    let tiff = try decodeImage(encodeImage(Writer.request(.pqTIFF, image)).main)
    #expect(TIFFTests.codes(png.image) == TIFFTests.codes(tiff.image) && png.color.cicp == tiff.color.cicp)
  }

  @Test("Exif of either byte order, XMP and IPTC travel; light without a place is named")
  func metadata() throws {
    for isLittleEndian in [true, false] {
      var builder = TIFFTests.builder(4, 4, channels: 3, bits: 8)
      builder.isLittleEndian = isLittleEndian
      builder.extra = [
        (271, 2, Array("Maker\0".utf8).map { UInt64($0) }), (305, 2, Array("Program\0".utf8).map { UInt64($0) }),
        (282, 5, [300, 1]), (33723, 7, [28, 2, 5]),
      ]
      // An Exif directory at the end: an exposure time of 1/250 after it, ISO 640.
      builder.extra.append((34665, 4, [0]))
      let at = builder.bytes.count
      builder.extra[builder.extra.count - 1].values = [UInt64(at)]
      func words(_ values: (UInt64, Int)...) -> [UInt8] { values.flatMap { builder.number($0.0, $0.1) } }
      let file =
        builder.bytes + words((2, 2), (0x829A, 2), (5, 2), (1, 4), (UInt64(at) + 30, 4))
        + words((0x8827, 2), (3, 2), (1, 4), (640, 2), (0, 2), (0, 4), (1, 4), (250, 4))

      let source = try decodeImage(file)
      var request = Writer.request(.pqTIFF, Writer.picture(for: .pqTIFF, 8, 8))
      request.exif = source.exif
      request.photoshop = source.photoshop
      request.xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
      request.clli = Writer.hdr10Light
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      #expect(files.warnings.map(\.code) == ["tiff.light-dropped"])
      let read = try decodeImage(files.main)
      #expect(read.xmp == request.xmp && read.photoshop == source.photoshop)
      #expect(read.photoshop?.starts(with: [0x38, 0x42, 0x49, 0x4D, 4, 4, 0, 0, 0, 0, 0, 3, 28, 2, 5]) == true)
      let exif = try #require(read.exif)
      #expect(exif.starts(with: [0x49, 0x49, 0x2A, 0]))
      for text in ["Maker", "Program"] { #expect(Writer.position(of: Array(text.utf8), in: exif) != nil) }
      // ISO 640 in place and 1/250 after the directory, least byte first.
      #expect(Writer.contains(exif, "27880300010000008002"))
      #expect(Writer.contains(exif, "01000000fa000000"))
      #expect(!Writer.contains(files.main, "32010200"), "a date was made up")
    }
  }

  @Test("verification notices other samples, colour and sizes")
  func verification() throws {
    let request = Writer.request(.pqTIFF, Writer.picture(for: .pqTIFF, 20, 10))
    let files = try encodeImage(request)
    var other = request
    other.cicp = CICP(12, 16, 0, full: true)
    #expect(throws: EncodeError.self) { try verifyEncoded(files, other) }
    other = request
    other.exif = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(throws: EncodeError.self) { try verifyEncoded(files, other) }
    other = Writer.request(.pqTIFF, Writer.picture(for: .pqTIFF, 10, 20))
    #expect(throws: EncodeError.self) { try verifyEncoded(files, other) }
  }

  @Test(
    "predictors are those of the vectors",
    .enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func vectors() throws {
    let rows = try #require(SharedData.json("specs/more-formats-vectors.json")?["tiff"] as? [[String: Any]])
    #expect(rows.count == 3)
    for row in rows {
      let name = row["name"] as? String ?? ""
      // Stored bytes or words as a row of three pixels in a file of our own making.
      var builder = TIFFTests.builder(
        3, 1, channels: 3, bits: name.contains("32-bit") ? 32 : 16, float: name.contains("predictor 3"))
      var expected: [UInt64] = []
      if let samples = row["samples"] as? [Int], let stored = row["stored"] as? [Int] {
        expected = samples.map { UInt64($0) }
        builder.samples = expected
        builder.predictor = 2
        builder.isDeflate = true
        #expect(
          Writer.position(of: stored.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, in: builder.bytes) != nil, "\(name)"
        )
      } else {
        let values = (row["values"] as? [Double]) ?? []
        expected = values.map { builder.bits == 16 ? UInt64(Float16($0).bitPattern) : UInt64(Float($0).bitPattern) }
        builder.samples = expected
        builder.predictor = 3
        builder.isDeflate = true
        #expect(Writer.contains(builder.bytes, row["stored_hex"] as? String ?? "x"), "\(name)")
      }
      #expect(TIFFTests.codes(try TIFFTests.read(builder).image) == expected, "\(name)")
      // And in a file that the writer makes.
      let isWide = builder.bits == 32, format: SampleFormat = builder.predictor == 2 ? .uint16 : .float16
      let image =
        isWide
        ? SampleImage.planar(width: 3, height: 1, model: .rgb, format: .float32, bitDepth: 32)
        : SampleImage.interleaved(width: 3, height: 1, channelCount: 4, format: format, bitDepth: 16)
      for (index, word) in expected.enumerated() {
        let plane = image.channels[index % 3], at = plane.buffer.base + plane.offset + index / 3 * plane.stepBytes
        if isWide {
          at.storeBytes(of: UInt32(word), as: UInt32.self)
        } else {
          at.storeBytes(of: UInt16(word), as: UInt16.self)
        }
      }
      let written = try encodeImage(Writer.request(builder.predictor == 2 ? .pqTIFF : .linearTIFF, image)).main
      #expect(TIFFTests.codes(try decodeImage(written).image) == expected, "\(name)")
    }
  }
}
