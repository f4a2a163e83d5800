import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import Testing

/// Apple's maker note, and the files made here that carry one.
enum TinyApple {
  typealias B = HEIFBuilder

  /// A note with these entries: tag, type, count, numerator and denominator (stored after the directory).
  static func note(_ entries: [(tag: Int, type: Int, count: Int, n: Int, d: Int)]) -> [UInt8] {
    var bytes = Array("Apple iOS\0\0\u{1}MM".utf8) + B.u16(entries.count), values: [UInt8] = []
    let start = 14 + 2 + 12 * entries.count + 4
    for entry in entries {
      bytes += B.u16(entry.tag) + B.u16(entry.type) + B.u32(entry.count) + B.u32(start + values.count)
      values += B.u32(entry.n) + B.u32(entry.d)
    }
    return bytes + B.u32(0) + values
  }

  static func note(tag33: (Int, Int)? = nil, tag48: (Int, Int)? = nil) -> [UInt8] {
    var entries: [(tag: Int, type: Int, count: Int, n: Int, d: Int)] = []
    if let tag33 { entries.append((0x21, 10, 1, tag33.0, tag33.1)) }
    if let tag48 { entries.append((0x30, 10, 1, tag48.0, tag48.1)) }
    return note(entries)
  }

  /// TIFF with an Exif directory that holds the note; the note itself stays big-endian.
  static func exif(note: [UInt8], littleEndian: Bool = false) -> [UInt8] {
    func u16(_ v: Int) -> [UInt8] { littleEndian ? B.u16(v).reversed() : B.u16(v) }
    func u32(_ v: Int) -> [UInt8] { littleEndian ? B.u32(v).reversed() : B.u32(v) }
    let header = littleEndian ? Array("II".utf8) : Array("MM".utf8)
    let first = header + u16(42) + u32(8) + u16(1) + u16(0x8769) + u16(4) + u32(1) + u32(26) + u32(0)
    return first + u16(1) + u16(0x927C) + u16(7) + u32(note.count) + u32(44) + u32(0) + note
  }

  static func packet(_ body: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" \
      xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" \
      xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/">\(body)</rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  static func apple(headroom: String? = nil, version: Int = 131_072) -> String {
    "<HDRGainMap:HDRGainMapVersion>\(version)</HDRGainMap:HDRGainMapVersion>"
      + (headroom.map { "<HDRGainMap:HDRGainMapHeadroom>\($0)</HDRGainMap:HDRGainMapHeadroom>" } ?? "")
  }

  static let hdrgm =
    "<hdrgm:Version>1.0</hdrgm:Version><hdrgm:GainMapMax>3</hdrgm:GainMapMax><hdrgm:HDRCapacityMax>3</hdrgm:HDRCapacityMax>"
}

@Suite struct AppleMakerNoteTests {
  @Test(arguments: [false, true]) func bothTagsAreReadWhateverTheExifsByteOrder(littleEndian: Bool) throws {
    let note = TinyApple.note(tag33: (1_058_986, 1_048_501), tag48: (14_339, 53_241))
    var warnings: [Warning] = []
    let exif = try #require(Exif(TinyApple.exif(note: note, littleEndian: littleEndian), warnings: &warnings))
    let bytes = try #require(exif.makerNote)
    let found = try #require(AppleMakerNote(bytes, warnings: &warnings))
    #expect(found.headroom == 1_058_986.0 / 1_048_501 && found.gain == 14_339.0 / 53_241)
    #expect(warnings.isEmpty)
  }

  @Test func numeratorsAreSigned() throws {
    var warnings: [Warning] = []
    let note = TinyApple.note(tag33: (0xFFFF_FFFF, 2), tag48: (1, 4))
    #expect(AppleMakerNote(note[...], warnings: &warnings)?.headroom == -0.5)
  }

  @Test(arguments: [
    (0x21, 5, 1, 1, 1), (0x21, 10, 2, 1, 1), (0x21, 10, 1, 1, 0), (0x30, 3, 1, 1, 1),
  ])
  func tagsThatAreNoFractionsAreLeftOutWithAWarning(tag: Int, type: Int, count: Int, n: Int, d: Int) throws {
    var warnings: [Warning] = []
    let note = TinyApple.note([(tag, type, count, n, d), (0x22, 10, 1, 9, 9)])
    let found = try #require(AppleMakerNote(note[...], warnings: &warnings))
    #expect(found.headroom == nil && found.gain == nil && warnings.map(\.code) == ["gainmap.makernote"])
  }

  @Test("the identifier of a Live Photo is text that lies in the note")
  func identifiersOfLivePhotos() throws {
    var warnings: [Warning] = []
    let letters = (0x4142_4344, 0x4546_4700)
    let note = TinyApple.note([(0x11, 2, 8, letters.0, letters.1)])
    #expect(AppleMakerNote(note[...], warnings: &warnings)?.contentIdentifier == "ABCDEFG")
    for (type, count) in [(7, 8), (2, 4), (2, 65), (2, 9)] {
      let other = TinyApple.note([(0x11, type, count, letters.0, letters.1)])
      #expect(AppleMakerNote(other[...], warnings: &warnings)?.contentIdentifier == nil)
    }
    let jpeg = splice(segment(0xE1, Array("Exif\0\0".utf8) + TinyApple.exif(note: note)), into: TinyJPEG.color444)
    #expect(try decodeImage(jpeg, request: .metadata).extras.liveIdentifier == "ABCDEFG" && warnings.isEmpty)
  }

  @Test func cutNotesAndNotesOfOtherMakersGiveNoGain() {
    var warnings: [Warning] = []
    #expect(AppleMakerNote(Array("Nikon\0\u{2}MM".utf8)[...], warnings: &warnings) == nil)
    let whole = TinyApple.note(tag33: (1, 1), tag48: (1, 100))
    for count in 0..<whole.count {
      if let found = AppleMakerNote(whole[..<count], warnings: &warnings) {
        // The directory is whole, a value after it is not.
        #expect(count >= 40 && found.gain == nil)
      }
    }
    #expect(AppleMakerNote(([7, 7] + whole)[2...], warnings: &warnings)?.gain == 0.01)
    #expect(Set(warnings.map(\.code)) == ["gainmap.makernote"])
  }

  @Test func changedBytesNeverTrap() {
    let whole = TinyApple.exif(note: TinyApple.note(tag33: (1, 1), tag48: (1, 100)))
    var warnings: [Warning] = []
    var readable = 0
    for index in whole.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        guard let note = Exif(bytes, warnings: &warnings)?.makerNote,
          let found = AppleMakerNote(note, warnings: &warnings)
        else { continue }
        readable += 1
        let map = AppleGainMap(tag33: found.headroom, tag48: found.gain)
        #expect(map.headroom.map { $0 >= 1 && $0 <= AppleGainMap.largestHeadroom } ?? true)
      }
    }
    #expect(readable > 100)
  }
}

/// Tests Apple's map after a JPEG: its headroom and its dialect.
@Suite struct AppleJPEGTests {
  private func file(map: [UInt8], note: [UInt8]? = nil) -> [UInt8] {
    let exif = note.map { segment(0xE1, Array("Exif\0\0".utf8) + TinyApple.exif(note: $0)) } ?? []
    return splice(exif, into: TinyJPEG.color444) + map
  }

  private func map(_ body: String, and more: [UInt8] = []) -> [UInt8] {
    splice(
      segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + TinyApple.packet(body)) + more, into: TinyJPEG.grey)
  }

  /// XMP headroom, tags 33 and 48, what comes out.
  @Test(
    arguments: [
      ("4.532783", (82_317, 54_194), (0, 1), 4.532783, AppleGainMap.Rule.xmp),
      (nil, (82_317, 54_194), (0, 1), 8, .makerNote), (nil, (0, 1), (0, 1), 3.4822022531844965, .makerNote),
      (nil, (0, 1), (8, 1), 1.7326737128001746, .makerNote), (nil, (1, 1), (1, 2), 4.442894, .makerNote),
      (nil, (22_307, 25_388), nil, 3.4822022531844965, .makerNoteTag33), ("1", (1, 1), (0, 1), 8, .makerNote),
      ("nan", (1, 1), (0, 1), 8, .makerNote), ("1", nil, nil, 1, .xmp),
    ] as [(String?, (Int, Int)?, (Int, Int)?, Double, AppleGainMap.Rule)])
  func headroomComesFromXMPElseFromTheMakerNote(
    xmp: String?, a: (Int, Int)?, b: (Int, Int)?, want: Double, rule: AppleGainMap.Rule
  ) throws {
    let note = a == nil && b == nil ? nil : TinyApple.note(tag33: a, tag48: b)
    let source = try decodeImage(file(map: map(TinyApple.apple(headroom: xmp)), note: note))
    let found = try #require(source.gainMap), apple = try #require(found.metadata.apple)
    #expect(abs((apple.headroom ?? 0) - want) < 1e-6 && apple.rule == rule && apple.version == 131_072)
    #expect(found.bindings == ["apple-xmp", "scan"] && found.metadata.kind == .apple)
    #expect(source.warnings.map(\.code) == (xmp == "nan" ? ["gainmap.invalid"] : []))
  }

  @Test(arguments: [nil, "nan", "-3", "1e300", "0x10", ""] as [String?])
  func withoutAnyHeadroomTheMapIsKeptAndNotApplied(xmp: String?) throws {
    let source = try decodeImage(file(map: map(TinyApple.apple(headroom: xmp)), note: TinyApple.note(tag48: (0, 1))))
    let found = try #require(source.gainMap)
    #expect(!found.metadata.isComplete && found.image.width == 9 && !source.isHDR)
    #expect(source.warnings.map(\.code) == (xmp == nil ? [] : ["gainmap.invalid"]) + ["gainmap.apple-headroom"])
    #expect(ContentHeadroom.ofFile(source).headroom == .sdr)
  }

  @Test func theTypeInThePixelDataVocabularyIsEnough() throws {
    let body = "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>"
    let source = try decodeImage(file(map: map(body), note: TinyApple.note(tag33: (1, 1), tag48: (0, 1))))
    #expect(source.gainMap?.metadata.apple?.headroom == 8)
    let disparity = body.replacing("urn:com:apple:photo:2020:aux:hdrgainmap", with: "disparity")
    #expect(try decodeImage(file(map: map(disparity))).gainMap == nil)
  }

  @Test func isoGoesBeforeHdrgmBeforeApple() throws {
    let apple = TinyApple.apple(headroom: "8")
    let both = try #require(try decodeImage(file(map: map(apple + TinyApple.hdrgm))).gainMap)
    #expect(both.metadata.kind == .hdrgm && both.bindings == ["xmp", "apple-xmp", "scan"])
    // Two maps follow one picture: the better metadata counts, not the first.
    let two = try #require(try decodeImage(file(map: map(apple) + map(TinyApple.hdrgm))).gainMap)
    #expect(two.metadata.kind == .hdrgm)
    // An ISO payload that cannot be used leaves the word to the others.
    let broken = segment(0xE2, TinyJPEG.isoIdentifier + [UInt8](repeating: 0, count: 61))
    let source = try decodeImage(file(map: map(apple, and: broken)))
    #expect(source.gainMap?.metadata.kind == .apple && source.warnings.map(\.code) == ["gainmap.invalid"])
    let iso = try #require(
      ISO21496(
        GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 2, min: [0, 0, 0], max: [2, 2, 2])))
    let good = segment(0xE2, TinyJPEG.isoIdentifier + iso.serialized(for: .jpeg))
    let best = try #require(try decodeImage(file(map: map(apple, and: good))).gainMap)
    #expect(best.metadata.kind == .iso && best.bindings == ["app2-iso", "apple-xmp", "scan"])
  }
}
