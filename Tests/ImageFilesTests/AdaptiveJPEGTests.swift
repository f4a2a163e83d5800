import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Adaptive HDR JPEG as written: segments, numbers, what is kept, what is refused; read back by this project's reader.
@Suite struct AdaptiveJPEGTests {
  // MARK: From samples

  @Test("segments of an Adaptive JPEG stand in the order that readers need")
  func segmentsInOrder() throws {
    var request = AdaptiveJPEG.request()
    request.exif = TinyExif.orientation(8, littleEndian: true)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.isEmpty)
    let (primary, map) = try AdaptiveJPEG.streams(files.main)
    let xap = "e1 http://ns.adobe.com/xap/1.0/", iso = "e2 urn:iso:std:iso:ts:21496:-1"
    let inPrimary = ["e0 JFIF", "e1 Exif", xap, "e2 ICC_PROFILE", iso, "e2 MPF"], inMap = ["e0 JFIF", xap, iso]
    #expect(Array(AdaptiveJPEG.names(primary).prefix(6)) == inPrimary)
    #expect(AdaptiveJPEG.names(primary).dropFirst(6).allSatisfy { !$0.hasPrefix("e") })
    #expect(Array(AdaptiveJPEG.names(map).prefix(3)) == inMap)
    #expect(AdaptiveJPEG.names(map).dropFirst(3).allSatisfy { !$0.hasPrefix("e") })
  }

  @Test(arguments: [1, 4], [AdaptiveJPEG.oneChannel, AdaptiveJPEG.threeChannels])
  func baseAndMapReadBackAsWritten(mapChannels: Int, metadata: GainMapMetadata) throws {
    for (width, height) in [(1, 1), (17, 9), (64, 48)] {
      let request = AdaptiveJPEG.request(metadata, width: width, height: height, mapChannels: mapChannels)
      let source = try decodeImage(encodeAdaptive(request).main)
      #expect(source.warnings.isEmpty)
      let map = try #require(source.gainMap)
      #expect(map.metadata == metadata)
      #expect(ISO21496(map.metadata) == ISO21496(metadata))
      #expect(map.bindings == ["app2-iso", "xmp", "mpf", "gcontainer"])
      #expect(map.image.model == (mapChannels == 1 ? .grey : .ycc))
      #expect(map.image.chroma == (mapChannels == 1 ? .none : .s444))
      #expect(map.fullRange && map.alternateColor == nil)
      #expect(source.image.chroma == .s444 && source.color.iccDescription == "Display P3")
      #expect(source.image.width == width && source.image.height == height)
      #expect(map.image.width == width && map.image.height == height)
    }
  }

  /// Codes of the map are data: at quality 100 only the rounding of matrix and transform is left.
  @Test("codes of a gain map survive JPEG coding but for rounding")
  func mapCodesSurvive() throws {
    for channels in [1, 4] {
      let width = 64, height = 48
      var request = AdaptiveJPEG.request(width: width, height: height, mapChannels: channels)
      request.mapQuality = 100
      guard case .samples(let asked) = request.map else { return }
      let map = try #require(try decodeImage(encodeAdaptive(request).main).gainMap)
      let planes = map.image.channels.map(samples)
      var worst = 0.0, sum = 0.0
      for index in 0..<width * height {
        let rgb = asked.channels.map { Double(samples($0, at: index)) }
        guard channels == 4 else {
          worst = max(worst, abs(rgb[0] - Double(planes[0][index])))
          continue
        }
        let y = Double(planes[0][index]), cb = Double(planes[1][index]) - 128, cr = Double(planes[2][index]) - 128
        let found = [y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb]
        for c in 0..<3 {
          worst = max(worst, abs(rgb[c] - found[c]))
          sum += abs(rgb[c] - found[c]) / Double(3 * width * height)
        }
      }
      #expect(worst <= (channels == 1 ? 1 : 4.5) && sum <= 0.8)
    }
  }

  @Test func chromaOfTheBaseFollowsItsQuality() throws {
    for (quality, chroma) in [(94, ChromaSubsampling.s420), (95, .s444)] {
      var request = AdaptiveJPEG.request()
      request.quality = quality
      request.mapQuality = 50
      let source = try decodeImage(encodeAdaptive(request).main)
      #expect(source.image.chroma == chroma && source.gainMap?.image.chroma == .s444)
    }
  }

  @Test func bytesDoNotDependOnThreads() throws {
    var request = AdaptiveJPEG.request(width: 160, height: 120)
    let one = try encodeAdaptive(request).main
    request.threads = 8
    #expect(try encodeAdaptive(request).main == one)
  }

  @Test func exifOfSamplesSaysWhatTheOutputIs() throws {
    var request = AdaptiveJPEG.request()
    request.exif = TinyExif.orientation(6, littleEndian: false)
    #expect(try decodeImage(encodeAdaptive(request).main, request: .metadata).geometry.orientation == .up)
    request.exif = TinyExif.orientation(6, littleEndian: false) + [UInt8](repeating: 0, count: 65_530)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.map(\.code) == ["jpeg.exif-dropped"])
    #expect(try decodeImage(files.main).gainMap?.metadata == AdaptiveJPEG.threeChannels)
  }

  // MARK: Bindings

  private static let combinations: [(AdaptiveBindings, [String])] = [
    (.iso, ["app2-iso", "scan"]), (.hdrgm, ["xmp", "scan"]),
    ([.iso, .multiPicture], ["app2-iso", "mpf"]), ([.iso, .container], ["app2-iso", "gcontainer"]),
    ([.hdrgm, .multiPicture], ["xmp", "mpf"]), ([.hdrgm, .container], ["xmp", "gcontainer"]),
    ([.iso, .hdrgm], ["app2-iso", "xmp", "scan"]),
  ]

  @Test(arguments: combinations)
  func everySetOfBindingsCarriesTheMetadata(bindings: AdaptiveBindings, found: [String]) throws {
    for metadata in [AdaptiveJPEG.oneChannel, AdaptiveJPEG.threeChannels] {
      let source = try decodeImage(encodeAdaptive(AdaptiveJPEG.request(metadata, bindings: bindings)).main)
      #expect(source.warnings.isEmpty)
      let map = try #require(source.gainMap)
      #expect(map.bindings == found)
      var same = map.metadata
      if !bindings.contains(.iso) {
        // hdrgm has no payload of its own, but its decimals are the fractions exactly.
        #expect(same.kind == .hdrgm)
        (same.kind, same.rawPayload) = (.iso, metadata.rawPayload)
      }
      #expect(same == metadata)
    }
  }

  @Test func bindingsWithoutMetadataAreRefused() {
    #expect(throws: EncodeError.self) {
      try encodeAdaptive(AdaptiveJPEG.request(bindings: [.multiPicture, .container]))
    }
  }

  @Test func xmpOfTheMapHasAllNineFields() throws {
    let file = try encodeAdaptive(AdaptiveJPEG.request(AdaptiveJPEG.oneChannel)).main
    let xmp = try #require(text(of: "http://ns.adobe.com/xap/1.0/", in: AdaptiveJPEG.streams(file).map))
    for field in [
      "Version=\"1.0\"", "BaseRenditionIsHDR=\"False\"", "GainMapMin=\"-0.3333333333333333\"",
      "GainMapMax=\"2.3333333333333335\"", "Gamma=\"1.0\"", "OffsetSDR=\"0.015625\"", "OffsetHDR=\"0.015625\"",
      "HDRCapacityMin=\"0.0\"", "HDRCapacityMax=\"2.3333333333333335\"",
    ] {
      #expect(xmp.contains(" hdrgm:" + field), "\(field)")
    }
    let three = try encodeAdaptive(AdaptiveJPEG.request()).main
    let lists = try #require(text(of: "http://ns.adobe.com/xap/1.0/", in: AdaptiveJPEG.streams(three).map))
    #expect(
      lists.contains(
        "<hdrgm:GainMapMax><rdf:Seq><rdf:li>1.277177</rdf:li><rdf:li>1.277203</rdf:li><rdf:li>1.277969</rdf:li>"))
  }

  private static let decimals: [(Double, String)] = [
    (0.0, "0.0"), (-2.5, "-2.5"), (1e-5, "0.00001"), (-1.25e-7, "-0.000000125"), (1e20, "100000000000000000000.0"),
    (1.5e17, "150000000000000000.0"), (0.1, "0.1"),
  ]

  @Test(arguments: decimals)
  func decimalsAreWrittenWithoutExponent(value: Double, text: String) {
    #expect(plainDecimal(value) == text)
    #expect(Double(plainDecimal(value)) == value)
  }

  @Test func decimalsReadBack() {
    var noise = Writer.Noise(5)
    for _ in 0..<2000 {
      let numerator = Double(Int32(truncatingIfNeeded: Int64(bitPattern: noise.next())))
      let value = numerator / Double(UInt32(truncatingIfNeeded: noise.next()) | 1), text = plainDecimal(value)
      #expect(Double(text) == value && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 })
    }
  }

  // MARK: Colour

  @Test func alternateSpaceIsSaidByAProfileInTheMap() throws {
    var metadata = AdaptiveJPEG.oneChannel
    metadata.usesBaseColorSpace = false
    var request = AdaptiveJPEG.request(metadata)
    request.baseColor = AdaptiveColor(cicp: .sRGB)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.map(\.code) == ["jpeg.hdrgm-space"])
    let source = try decodeImage(files.main), map = try #require(source.gainMap)
    #expect(map.metadata.usesBaseColorSpace == false)
    #expect(map.alternateColor?.encoding == .cicp(primaries: 12, transfer: 8))
    #expect(source.color.iccDescription == "sRGB")
    // hdrgm alone would be read in the base's primaries.
    request.bindings = [.hdrgm, .container, .multiPicture]
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
    // A profile of the source stays as it is.
    let profile = try #require(ICCProfileWriter.profile(primaries: 9, transfer: 16))
    request.bindings = .all
    request.alternateColor = AdaptiveColor(cicp: CICP(9, 16, 0, full: true), icc: profile)
    #expect(try decodeImage(encodeAdaptive(request).main).gainMap?.alternateColor?.icc == profile)
  }

  @Test func profileOfTheBaseStaysVerbatim() throws {
    var request = AdaptiveJPEG.request()
    let profile = try #require(ICCProfileWriter.profile(primaries: 1, transfer: 4))
    // Longer than one segment: the tail belongs to no tag.
    let long = profile + [UInt8](repeating: 7, count: 140_000)
    for icc in [profile, long] {
      request.baseColor = AdaptiveColor(cicp: .unspecified, icc: icc)
      let file = try encodeAdaptive(request).main
      let parts = AdaptiveJPEG.segments(try AdaptiveJPEG.streams(file).primary)
        .map(\.bytes).filter { $0.dropFirst(4).starts(with: "ICC_PROFILE\0".utf8) }
      #expect(parts.flatMap { $0.dropFirst(18) } == icc)
      #expect(parts.map { $0[$0.startIndex + 16] } == (1...parts.count).map { UInt8($0) })
    }
  }

  @Test func whatAJPEGCannotSayIsRefused() throws {
    let hdrBase = AdaptiveJPEG.metadata(
      base: Rational32(2, 1), alternate: Rational32(0, 1),
      [(Rational32(0, 1), Rational32(2, 1), Rational32(1, 1))])
    let error = #expect(throws: EncodeError.self) { try encodeAdaptive(AdaptiveJPEG.request(hdrBase)) }
    #expect(error?.description.contains("HDR base") == true && error?.description.contains("Ultra HDR") == true)
    var request = AdaptiveJPEG.request()
    request.baseColor.cicp = CICP(9, 16, 0, full: true)
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
    request = AdaptiveJPEG.request()
    request.base = .samples(AdaptiveJPEG.waves(8, 8, channels: 1))
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
    request = AdaptiveJPEG.request()
    request.metadata.kind = .apple
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
    request = AdaptiveJPEG.request()
    request.base = .jpegStream(TinyJPEG.cmyk)
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
    request.base = .jpegStream(TinyJPEG.color444.dropLast(2))
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
    request.base = .heif(HEIFCodedPicture(items: [], width: 8, height: 8, properties: []))
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
  }

  /// Legal in ISO 21496-1, impossible in hdrgm.
  @Test func negativeOffsetsAreSaidByISOAlone() throws {
    let metadata = AdaptiveJPEG.metadata(
      alternate: Rational32(2, 1), [(Rational32(0, 1), Rational32(2, 1), Rational32(1, 1))],
      offset: Rational32(-1, 64))
    let files = try encodeAdaptive(AdaptiveJPEG.request(metadata))
    #expect(files.warnings.map(\.code) == ["jpeg.hdrgm-dropped"])
    let map = try #require(try decodeImage(files.main).gainMap)
    #expect(map.metadata == metadata && !map.bindings.contains("xmp"))
    #expect(throws: EncodeError.self) { try encodeAdaptive(AdaptiveJPEG.request(metadata, bindings: .hdrgm)) }
  }

  // MARK: XMP of the primary

  private static let packet = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <r:Description r:about="uuid:&lt;a&amp;b&gt;" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/jpeg"/>
    </r:RDF></x:xmpmeta>
    <?xpacket end="w"?>
    """

  @Test func travellingXMPIsMerged() throws {
    var request = AdaptiveJPEG.request()
    request.xmp = Array(Self.packet.utf8)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.isEmpty)
    let source = try decodeImage(files.main)
    #expect(source.warnings.isEmpty && source.gainMap?.bindings.contains("gcontainer") == true)
    var warnings: [Warning] = []
    let xmp = try #require(source.xmp), read = try #require(XMPPacket(xmp, warnings: &warnings))
    #expect(read.value("http://purl.org/dc/elements/1.1/", "format") == "image/jpeg")
    #expect(read.value(HDRGainMapXMP.namespace, "Version") == "1.0")
    let (primary, map) = try AdaptiveJPEG.streams(files.main)
    #expect(read.containerItems.map(\.semantic) == ["Primary", "GainMap"])
    #expect(read.containerItems.map(\.length) == [0, map.count])
    #expect(containerPositions(read.containerItems, primaryLength: primary.count).map(\.position) == [map.startIndex])
    // One resource, named alike everywhere; what travelled is whole.
    let text = String(decoding: xmp, as: UTF8.self)
    #expect(text.components(separatedBy: "about=\"uuid:&lt;a&amp;b").count == 3)
    #expect(
      xmpWithoutPixelDescription(xmp).map { String(decoding: $0, as: UTF8.self) }?.hasPrefix(
        String(Self.packet.prefix(200))) == true)
    // Writing again what was read adds nothing.
    request.xmp = xmp
    let again = try #require(try decodeImage(encodeAdaptive(request).main).xmp)
    #expect(String(decoding: again, as: UTF8.self).components(separatedBy: "hdrgm:Version").count == 2)
  }

  @Test("odd XMP packets are completed, unreadable ones dropped with a warning")
  func oddPackets() throws {
    var request = AdaptiveJPEG.request()
    let rdf = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
    let packets: [(String, [String])] = [
      ("<rdf:RDF \(rdf)/>", []), ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \(rdf) /></x:xmpmeta>", []),
      ("<rdf:RDF \(rdf)></rdf:RDF >", []), ("<x/>", []), ("no xml", ["jpeg.xmp-dropped"]),
    ]
    for (xmp, codes) in packets {
      request.xmp = Array(xmp.utf8)
      let files = try encodeAdaptive(request), source = try decodeImage(files.main)
      #expect(files.warnings.map(\.code) == codes, "\(xmp)")
      #expect(source.warnings.isEmpty, "\(xmp)")
      #expect(source.gainMap?.bindings == ["app2-iso", "xmp", "mpf", "gcontainer"], "\(xmp)")
      var warnings: [Warning] = []
      let packet = try #require(source.xmp)
      let read = try #require(XMPPacket(packet, warnings: &warnings))
      #expect(read.value(HDRGainMapXMP.namespace, "Version") == "1.0", "\(xmp)")
    }
    // Nothing to say of the map: what travels stays byte for byte.
    request.bindings = .iso
    request.xmp = Array(Self.packet.utf8)
    #expect(try decodeImage(encodeAdaptive(request).main).xmp == request.xmp)
    request.xmp = nil
    #expect(try decodeImage(encodeAdaptive(request).main).xmp == nil)
  }

  @Test func longXMPIsExtended() throws {
    var request = AdaptiveJPEG.request()
    let history = String(repeating: "0123456789abcdef", count: 9000)
    let xmp = Self.packet.replacingOccurrences(of: "image/jpeg", with: history)
    request.xmp = Array(xmp.utf8)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.isEmpty)
    let source = try decodeImage(files.main)
    #expect(source.warnings.isEmpty)
    #expect(source.gainMap?.bindings == ["app2-iso", "xmp", "mpf", "gcontainer"])
    // Put together again it is the travelling element.
    let parts = AdaptiveJPEG.segments(try AdaptiveJPEG.streams(files.main).primary)
      .map(\.bytes).filter { $0.dropFirst(4).starts(with: "http://ns.adobe.com/xmp/extension/\0".utf8) }
    #expect(parts.count == 3)
    let whole = parts.flatMap { $0.dropFirst(4 + 35 + 40) }
    let element = try #require(xmp.range(of: "<x:xmpmeta")), end = try #require(xmp.range(of: "</x:xmpmeta>"))
    #expect(String(decoding: whole, as: UTF8.self) == xmp[element.lowerBound..<end.upperBound])
    let digest = MD5.hexadecimal(whole)
    #expect(parts.allSatisfy { $0.dropFirst(4 + 35).prefix(32).elementsEqual(digest.utf8) })
    let standard = AdaptiveJPEG.segments(try AdaptiveJPEG.streams(files.main).primary).map(\.bytes)
      .first { $0.dropFirst(4).starts(with: "http://ns.adobe.com/xap/1.0/\0".utf8) }
    #expect(String(decoding: standard ?? [], as: UTF8.self).contains("HasExtendedXMP=\"\(digest)\""))
    let read = String(decoding: source.xmp ?? [], as: UTF8.self)
    #expect(read.contains(history) && !read.contains("HasExtendedXMP"))
  }

  /// RFC 1321, appendix A.5.
  @Test(arguments: [
    ("", "D41D8CD98F00B204E9800998ECF8427E"), ("abc", "900150983CD24FB0D6963F7D28E17F72"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "D174AB98D277D9F5A5611C2C9F419D9F"
    ),
    (String(repeating: "1234567890", count: 8), "57EDF4A22BE3C955AC49DA2E2107B67A"),
  ])
  func digestsAreThoseOfRFC1321(text: String, digest: String) {
    #expect(MD5.hexadecimal(Array(text.utf8)) == digest)
  }

  // MARK: Kept streams

  @Test func keptStreamsKeepTheirBytes() throws {
    let file = TinyJPEG.withGainMap
    var request = try AdaptiveJPEG.rewriting(file)
    request.exif = TinyExif.orientation(6, littleEndian: true)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.isEmpty)
    let before = try AdaptiveJPEG.streams(file), after = try AdaptiveJPEG.streams(files.main)
    #expect(AdaptiveJPEG.coded(after.primary).elementsEqual(AdaptiveJPEG.coded(before.primary)))
    #expect(AdaptiveJPEG.coded(after.map).elementsEqual(AdaptiveJPEG.coded(before.map)))
    let old = try decodeImage(file), new = try decodeImage(files.main)
    #expect(new.gainMap?.metadata == old.gainMap?.metadata)
    #expect(new.image.channels.map(samples) == old.image.channels.map(samples))
    #expect(new.gainMap?.image.channels.map(samples) == old.gainMap?.image.channels.map(samples))
    // Rows were not turned, so Exif still says how to.
    #expect(new.exif == request.exif && new.geometry.orientation == Orientation(rawValue: 6))
  }

  /// An Adobe segment decides the colour transform: it stays, and no JFIF header may contradict it.
  @Test func storedRGBStaysRGB() throws {
    var request = AdaptiveJPEG.request()
    request.base = .jpegStream(TinyJPEG.rgb)
    let files = try encodeAdaptive(request)
    #expect(files.warnings.map(\.code) == ["jpeg.jfif"])
    let names = AdaptiveJPEG.names(try AdaptiveJPEG.streams(files.main).primary)
    #expect(names.contains("ee Adobe") && !names.contains("e0 JFIF"))
    let old = try decodeImage(TinyJPEG.rgb), new = try decodeImage(files.main)
    #expect(new.image.model == .rgb && new.image.channels.map(samples) == old.image.channels.map(samples))
    #expect(new.gainMap?.bindings == ["app2-iso", "xmp", "mpf", "gcontainer"])
  }

  @Test func aMissingHeaderIsMadeAndOthersGo() throws {
    // Without JFIF, and with an editor's segments, fill bytes and a stale index before the tables.
    let bare = Array(TinyJPEG.color444[..<2]) + TinyJPEG.color444[20...]
    let extra = segment(0xED, Array("Photoshop 3.0\0".utf8)) + [0xFF] + segment(0xE2, Array("MPF\0stale".utf8))
    var request = AdaptiveJPEG.request(width: 9, height: 5)
    request.base = .jpegStream(splice(extra + segment(0xFE, Array("a comment".utf8)), into: bare))
    let files = try encodeAdaptive(request)
    #expect(files.warnings.isEmpty)
    let names = AdaptiveJPEG.names(try AdaptiveJPEG.streams(files.main).primary)
    #expect(names.first == "e0 JFIF" && !names.contains { $0.contains("Photoshop") })
    #expect(names.filter { $0 == "e2 MPF" }.count == 1)
    #expect(Writer.contains(files.main, "FFFE000B 6120636F6D6D656E74"))
    let source = try decodeImage(files.main)
    #expect(source.warnings == [])
    #expect(samples(source.image.channels[0]) == TinyJPEG.luma)
    #expect(source.gainMap?.bindings.contains("mpf") == true)
  }

  @Test func greyStreamsGetNoColourProfile() throws {
    var request = AdaptiveJPEG.request(mapChannels: 1)
    request.base = .jpegStream(TinyJPEG.grey)
    request.baseColor = AdaptiveColor(cicp: .sRGB)
    let source = try decodeImage(encodeAdaptive(request).main)
    #expect(source.color.icc == nil && source.image.model == .grey && source.gainMap != nil)
    request.baseColor = AdaptiveColor(cicp: CICP(1, 4, 0, full: true))
    #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
  }

  // MARK: Taking payloads out

  @Test("kept payloads are the streams of the file, byte for byte")
  func payloadsOfAFile() throws {
    let coded = try codedRenditions(TinyJPEG.withGainMap + [1, 2, 3])
    guard case .jpegStream(let base) = coded.base, case .jpegStream(let map)? = coded.map else {
      Issue.record("not two streams")
      return
    }
    #expect(base + map == TinyJPEG.withGainMap)
    let plain = try codedRenditions(TinyJPEG.color420)
    #expect(plain.map == nil && plain.base.isCoded)
    #expect(throws: DecodeError.self) { try codedRenditions(Array(TinyJPEG.color420.dropLast(2))) }
    #expect(throws: DecodeError.self) { try codedRenditions(TinyJPEG.cmyk) }
    #expect(throws: DecodeError.self) {
      try codedRenditions(TinyJPEG.color420, limits: DecodeLimits(maxPixels: 8))
    }
  }

  @Test func cutFilesNeverTrap() {
    var found = 0
    for count in 0..<TinyJPEG.withGainMap.count {
      if (try? codedRenditions(Array(TinyJPEG.withGainMap.prefix(count)))) != nil { found += 1 }
    }
    // From the primary's EOI on there is a picture.
    #expect(found > 0 && found < TinyJPEG.withGainMap.count)
  }

  /// Whatever travels, the file stays sound.
  @Test func damagedPacketsNeverHideTheMap() throws {
    var request = AdaptiveJPEG.request(width: 8, height: 8)
    let packet = Array(Self.packet.utf8)
    for position in stride(from: 0, to: packet.count, by: 3) {
      for byte in [0x2F, 0x3C, 0x3E, 0x22, 0] as [UInt8] {
        var damaged = packet
        damaged[position] = byte
        request.xmp = damaged
        let map = try decodeImage(encodeAdaptive(request).main, request: .metadata).gainMap
        #expect(map?.metadata == AdaptiveJPEG.threeChannels && map?.bindings.contains("gcontainer") == true)
      }
    }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"), arguments: realFiles)
  func realFilesGoRoundUnchanged(name: String) throws {
    let file = try #require(SharedData.bytes("data/images/gainmap_jpeg/" + name))
    let request = try AdaptiveJPEG.rewriting(file), files = try encodeAdaptive(request)
    let old = try decodeImage(file), new = try decodeImage(files.main)
    let before = try #require(old.gainMap), after = try #require(new.gainMap)
    #expect(ISO21496(after.metadata) == ISO21496(before.metadata))
    #expect(after.bindings == ["app2-iso", "xmp", "mpf", "gcontainer"])
    // A base without a profile gets one that says the same.
    #expect(new.color.encoding == old.color.encoding && (old.color.icc == nil || new.color == old.color))
    #expect(new.geometry == old.geometry && new.exif == old.exif)
    #expect(new.image.channels.map(samples) == old.image.channels.map(samples))
    #expect(after.image.channels.map(samples) == before.image.channels.map(samples))
    #expect(after.alternateColor?.icc == (before.metadata.usesBaseColorSpace ? nil : before.alternateColor?.icc))
    // The second time nothing is left to change.
    #expect(try encodeAdaptive(AdaptiveJPEG.rewriting(files.main)).main == files.main)
  }

  static let realFiles = [
    "gain_mapped-photo-colorful_daisies.jpg", "gain_mapped-test_chart-gray_51.jpg", "made_iso_only_a.jpg",
    "made_uhdr_pq.jpg", "memorial.jpg", "output_uhdr_2.jpg", "paris_exif_xmp_icc_gainmap_bigendian.jpg",
    "seine_sdr_gainmap_srgb.jpg", "small_uhdr.jpg",
  ]

  // MARK: Vectors

  private func vectors(_ kind: String) throws -> [[String: Any]] {
    let file = try #require(SharedData.json("specs/gain-map-vectors.json"))
    let found = try #require(file["vectors"] as? [[String: Any]]).filter { $0["kind"] as? String == kind }
    #expect(!found.isEmpty)
    return found
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func thePrimaryHasTheVersionSegmentOfTheVectors() throws {
    let vector = try #require(try vectors("write_bytes").first { $0["id"] as? String == "write-primary-jpeg-segment" })
    let bytes = hexBytes(try #require((vector["out"] as? [String: Any])?["hex"] as? String))
    let primary = try AdaptiveJPEG.streams(encodeAdaptive(AdaptiveJPEG.request()).main).primary
    #expect(AdaptiveJPEG.segments(primary).contains { $0.bytes.elementsEqual(bytes) })
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func multiPictureIndexesAgreeWithVectorsAndStreams() throws {
    for vector in try vectors("mpf") {
      let input = try #require(vector["in"] as? [String: Any]), output = try #require(vector["out"] as? [String: Any])
      let segment = MultiPicture.segment(
        primarySize: Int(input.number("primary_size")), headerPosition: Int(input.number("tiff_header_position")),
        mapSize: Int(input.number("gain_map_size")))
      #expect(segment == hexBytes(try #require(output["segment_hex"] as? String)))
      #expect(segment.count == MultiPicture.segmentCount && segment.count == Int(output.number("segment_length")))
    }
    // In a file: both sizes and the place of the second picture are those of its streams.
    let file = try encodeAdaptive(AdaptiveJPEG.request()).main
    let (primary, map) = try AdaptiveJPEG.streams(file)
    let segment = try #require(
      AdaptiveJPEG.segments(primary).first { $0.bytes.dropFirst(4).starts(with: "MPF\0".utf8) })
    var warnings: [Warning] = []
    let origin = segment.bytes.startIndex + MultiPicture.headerOffset
    let index = try #require(MultiPicture(file[origin..<segment.bytes.endIndex], origin: origin, warnings: &warnings))
    #expect(index.pictures.map(\.attribute) == [0x030000, 0])
    #expect(index.pictures.map(\.size) == [primary.count, map.count])
    #expect(index.pictures.map(\.position) == [0, map.startIndex] && warnings.isEmpty)
  }

  /// Checks that this writer repeats the metadata of the vectors' packets.
  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func metadataOfTheXMPVectorsIsWrittenAndReadBack() throws {
    var written = 0
    for vector in try vectors("xmp") {
      let xmp = try #require((vector["in"] as? [String: Any])?["xmp"] as? String)
      var warnings: [Warning] = []
      guard let packet = XMPPacket(Array(xmp.utf8), warnings: &warnings),
        let metadata = HDRGainMapXMP.parse(
          packet.properties[HDRGainMapXMP.namespace] ?? [:], warnings: &warnings)
      else { continue }
      let request = AdaptiveJPEG.request(metadata, bindings: .hdrgm)
      if metadata.baseIsHDR {
        #expect(throws: EncodeError.self) { try encodeAdaptive(request) }
        continue
      }
      let read = try #require(try decodeImage(encodeAdaptive(request).main).gainMap?.metadata)
      #expect(ISO21496(read) == ISO21496(metadata))
      written += 1
    }
    #expect(written >= 3)
  }

  private func text(of identifier: String, in stream: ArraySlice<UInt8>) -> String? {
    AdaptiveJPEG.segments(stream).first { $0.bytes.dropFirst(4).starts(with: identifier.utf8) }
      .map { String(decoding: $0.bytes.dropFirst(4 + identifier.utf8.count + 1), as: UTF8.self) }
  }
}

/// Returns a sample of a plane, counted row by row.
private func samples(_ plane: SamplePlane, at index: Int) -> UInt8 {
  let y = index / plane.width, x = index % plane.width
  return plane.buffer.base.load(
    fromByteOffset: plane.offset + y * plane.rowBytes + x * plane.stepBytes, as: UInt8.self)
}
