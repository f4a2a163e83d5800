import FileParts
import HDRCore
import ImageFiles
import Testing

/// Orientation in Exif, read and reset.
@Suite struct ExifTests {
  @Test func resettingChangesOneValueOnly() {
    for littleEndian in [true, false] {
      for wide in [true, false] {
        let before = TinyExif.orientation(6, littleEndian: littleEndian, wide: wide)
        let after = exifResettingOrientation(before)
        #expect(after == TinyExif.orientation(1, littleEndian: littleEndian, wide: wide))
      }
    }
  }

  @Test func dataWithoutOrientationComesBack() {
    for bytes in [[], [0x4D, 0x4D], Array("II*\0".utf8), [UInt8](repeating: 7, count: 40)] {
      #expect(exifResettingOrientation(bytes) == bytes)
    }
  }

  /// A camera's words about the size of its picture, on a smaller one.
  @Test(arguments: [false, true]) func sizesBecomeTheOutputs(littleEndian: Bool) throws {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return littleEndian ? bytes : bytes.reversed()
    }
    func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(1, 4) + (type == 3 ? number(value, 2) + [0, 0] : number(value, 4))
    }
    func directory(_ entries: [[UInt8]]) -> [UInt8] {
      number(entries.count, 2) + entries.flatMap(\.self) + number(0, 4)
    }
    func exif(_ width: Int, _ height: Int) -> [UInt8] {
      let main = directory([entry(0x100, 4, width), entry(0x101, 3, height), entry(0x8769, 4, 8 + 2 + 36 + 4)])
      return (littleEndian ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]) + number(8, 4) + main
        + directory([entry(0xA002, 3, width), entry(0xA003, 4, height)])
    }
    var request = Writer.request(.sdrPNG, Writer.picture(for: .sdrPNG, 60, 45))
    request.exif = exif(4080, 3072)
    #expect(try decodeImage(try encodeImage(request).main).exif == exif(60, 45))
  }

  @Test func impossibleOrientationIsUpWithAWarning() throws {
    for value in [0, 9, 65535] {
      var warnings: [Warning] = []
      let exif = try #require(Exif(TinyExif.orientation(value, littleEndian: false), warnings: &warnings))
      #expect(exif.orientation == .up && warnings.map(\.code) == ["exif.orientation"])
    }
  }

  @Test func directoriesThatPointAtThemselvesEnd() throws {
    // Next directory = the first one.
    var bytes = TinyExif.orientation(3, littleEndian: false)
    bytes[bytes.count - 1] = 8
    var warnings: [Warning] = []
    let exif = try #require(Exif(bytes, warnings: &warnings))
    #expect(exif.orientation == .down && warnings.map(\.code) == ["exif.loop"])
    #expect(exifResettingOrientation(bytes) != bytes)
  }

  @Test func ofTwoOrientationsTheFirstCountsAndBothAreReset() throws {
    let one = TinyExif.orientation(6, littleEndian: false)
    // The entry once more, with another value.
    let entry = Array(one[10..<22])
    var bytes: [UInt8] = Array(one[..<8]) + [0, 2]
    bytes += entry + entry + [0, 0, 0, 0]
    bytes[31] = 3
    var warnings: [Warning] = []
    #expect(try #require(Exif(bytes, warnings: &warnings)).orientation.rawValue == 6)
    let reset = exifResettingOrientation(bytes)
    #expect((reset[19], reset[31]) == (1, 1) && reset.count == bytes.count)
  }

  @Test func noChangedByteTraps() {
    let whole = TinyExif.orientation(6, littleEndian: true)
    var readable = 0
    for position in whole.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[position] = value
        var warnings: [Warning] = []
        if Exif(bytes, warnings: &warnings) != nil { readable += 1 }
        #expect(exifResettingOrientation(bytes).count == bytes.count)
      }
    }
    for count in 0..<whole.count { #expect(exifResettingOrientation(Array(whole[..<count])).count == count) }
    #expect(readable > 100)
  }
}

/// Exif of one entry.
enum TinyExif {
  static func orientation(_ value: Int, littleEndian: Bool, wide: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return littleEndian ? bytes : bytes.reversed()
    }
    return (littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4) + number(1, 2)
      + number(0x0112, 2) + number(wide ? 4 : 3, 2) + number(1, 4)
      + (wide ? number(value, 4) : number(value, 2) + [0, 0]) + number(0, 4)
  }
}
