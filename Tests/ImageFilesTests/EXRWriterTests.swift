import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

@Suite struct EXRWriterTests {
  /// Smooth halves with noise, of any sign, R G B A.
  static func image(_ width: Int, _ height: Int, seed: UInt64 = 1) -> SampleImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random = seed
    for i in 0..<(4 * width * height) {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Float(random >> 59) * 0.001, place = Float(i / 4 % width) / Float(width)
      // Alpha above 0, else colour would go.
      words[i] = Float16(i % 4 == 3 ? 0.5 + place / 2 : place * 8 - 1 + noise).bitPattern
    }
    return image
  }

  static func request(
    _ image: SampleImage, hasAlpha: Bool = true, primaries: Int = 9, threads: Int = 1
  ) -> EncodeRequest {
    EncodeRequest(
      kind: .exr, image: image, hasAlpha: hasAlpha, cicp: CICP(primaries, 8, 0, full: true), contentHeadroom: 4,
      displayHeadroom: 4, threads: threads)
  }

  static func words(_ image: SampleImage, _ channels: Int) -> [UInt16] {
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    var result: [UInt16] = []
    for y in 0..<image.height {
      for x in 0..<image.width {
        for plane in planes.prefix(channels) {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          result.append(at.loadUnaligned(as: UInt16.self))
        }
      }
    }
    return result
  }

  @Test func theFirstDamagedChunkIsToldByAnyNumberOfThreads() throws {
    let whole = try encodeImage(Self.request(Self.image(90, 320))).main
    func int(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(whole[at + $1]) << (8 * $1) } }
    for rows in [[0], [64, 128], [304, 16, 160]] {
      var file = whole
      for row in rows {
        // Row, size, and a zlib stream.
        let chunk = try #require(
          (0..<whole.count - 10).first {
            whole[$0 + 8] == 0x78 && int($0) == row && (100..<20_000).contains(int($0 + 4))
          })
        file[chunk + 8] = 0
      }
      for threads in [1, 2, 7] {
        var limits = DecodeLimits()
        limits.threads = threads
        let error = #expect(throws: DecodeError.self) { try decodeImage(file, limits: limits) }
        guard case .malformed(let place, _)? = error else { continue }
        #expect(place == "OpenEXR chunk at row \(rows.min() ?? 0)")
      }
    }
  }

  @Test(arguments: EXRCompression.allCases, [true, false])
  func wordsComeBackAndBytesDependOnNoThreads(_ compression: EXRCompression, _ hasAlpha: Bool) throws {
    for (width, height) in [(1, 1), (3, 17), (67, 50), (160, 33)] {
      let image = Self.image(width, height)
      var request = Self.request(image, hasAlpha: hasAlpha)
      request.coding.exrCompression = compression
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      for threads in [2, 5] {
        request.threads = threads
        #expect(try encodeImage(request).main == files.main)
      }
      for threads in [1, 3] {
        var limits = DecodeLimits()
        limits.threads = threads
        let source = try decodeImage(files.main, limits: limits)
        #expect(source.image.format == .float16 && (source.image.alpha != nil) == hasAlpha)
        #expect(Self.words(source.image, hasAlpha ? 4 : 3) == Self.words(image, hasAlpha ? 4 : 3))
        #expect(source.color.cicp == CICP(9, 8, 0, full: true))
        #expect(source.light.clli?.maxCLL == 4 * ReferenceWhite.nits)
      }
    }
  }

  @Test func noiseThatDoesNotShrinkIsStoredAsItIs() throws {
    let image = SampleImage.interleaved(width: 40, height: 20, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random: UInt64 = 7
    for i in 0..<3200 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      words[i] = UInt16(truncatingIfNeeded: random >> 48) & 0xbbff
    }
    for compression in EXRCompression.allCases {
      var request = Self.request(image, hasAlpha: false)
      request.coding.exrCompression = compression
      let source = try decodeImage(try encodeImage(request).main)
      #expect(Self.words(source.image, 3) == Self.words(image, 3), "\(compression)")
    }
  }

  @Test func windowsAndAttributesOfAnotherFileAreWritten() throws {
    var request = Self.request(Self.image(5, 18), hasAlpha: false)
    var carried = EXRCarried(width: 9, height: 9)
    (carried.left, carried.top, carried.pixelAspectRatio) = (-3, 7, 2)
    carried.attributes = [
      EXRPart.Attribute(name: "A first name", type: "box2f", value: [UInt8](repeating: 1, count: 16))
    ]
    request.carried = carried
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    var limits = DecodeLimits()
    limits.reading.exr.window = .data
    let source = try decodeImage(files.main, limits: limits)
    #expect(Self.words(source.image, 3) == Self.words(request.image, 3))
    #expect(source.exr?.outline.dataWindow == .init(left: -3, top: 7, width: 5, height: 18))
    #expect(source.exr?.pixelAspectRatio == 2 && source.exr?.attributes.first == carried.attributes[0])
    // Windows of another picture are found.
    request.carried?.top = 8
    #expect(throws: EncodeError.self) { try verifyEncoded(files, request) }
  }

  @Test func placesAndAttributesThatReadersRefuseAreNotWritten() {
    var request = Self.request(Self.image(5, 18))
    func isRefused(_ change: (inout EXRCarried) -> Void) -> Bool {
      var carried = EXRCarried(width: 5, height: 18)
      change(&carried)
      request.carried = carried
      return (try? encodeImage(request)) == nil
    }
    #expect(isRefused { $0.left = 1 << 30 } && isRefused { $0.displayWindow.width = 0 } && !isRefused { _ in })
    for name in ["channels", "lineOrder", "", "a\0b", String(repeating: "x", count: 256)] {
      #expect(isRefused { $0.attributes = [.init(name: name, type: "int", value: [])] }, "\(name)")
    }
  }

  @Test func headersHoldWhatTheyShould() throws {
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>"
    let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(rdf)</x:xmpmeta>".utf8)
    var request = Self.request(Self.image(5, 18), hasAlpha: false, primaries: 12)
    request.xmp = xmp
    request.exif = [1, 2, 3]
    let files = try encodeImage(request)
    #expect(files.warnings.map(\.code) == ["exr.exif-dropped"])
    let text = String(decoding: files.main.prefix(2000), as: Unicode.ASCII.self)
    var last = text.startIndex
    for name in [
      "channels", "chromaticities", "colorInteropID", "compression", "dataWindow", "displayWindow",
      "hdrbatch:contentHeadroom", "lineOrder", "pixelAspectRatio", "screenWindowCenter", "screenWindowWidth",
      "whiteLuminance", "xmp",
    ] {
      let place = try #require(text.range(of: name + "\0", range: last..<text.endIndex), "\(name)")
      last = place.upperBound
    }
    #expect(text.contains("lin_p3d65_scene"))
    #expect(try decodeImage(files.main).xmp == xmp)
    try verifyEncoded(files, request)
  }

  @Test(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func attributesAndFilesAreThoseOfTheVectors() throws {
    let rows = try #require(SharedData.json("specs/more-formats-vectors.json")?["exr"] as? [[String: Any]])
    let file = try encodeImage(Self.request(Self.image(5, 18), hasAlpha: false)).main
    let hex = file.prefix(1500).map { String(format: "%02x", $0) }.joined()
    var attributes = 0, files: [SourceImage] = []
    for row in rows {
      if let wanted = row["hex"] as? String {
        #expect(hex.contains(wanted), "\(row["name"] ?? "")")
        attributes += 1
      } else if let text = row["base64"] as? String, let data = Data(base64Encoded: text) {
        let source = try decodeImage([UInt8](data))
        #expect(source.image.width == 5 && source.image.height == 18)
        if let words = row["half_words"] as? [String: [Int]] {
          for (index, name) in ["R", "G", "B"].enumerated() {
            let found = stride(from: index, to: 270, by: 3).map { Int(Self.words(source.image, 3)[$0]) }
            #expect(found == words[name], "\(name)")
          }
        }
        files.append(source)
      }
    }
    #expect(attributes == 3 && files.count == 3)
    #expect(Set(files.map { Self.words($0.image, 3) }).count == 1)
  }
}
