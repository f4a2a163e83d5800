import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// `--image`: which of a file's pictures is read.
@Suite struct SeveralPicturesTests {
  /// Grey pictures of 12, 14 and 16 columns, the second the primary one, and a thumbnail of 4.
  static let file: [UInt8] = {
    var builder = HEIFBuilder()
    builder.brands = ["mif1", "mif2"]
    builder.primary = 2
    for (id, width) in [(1, 12), (2, 14), (3, 16), (4, 4)] {
      var item = UncompressedFile([0], bits: 8).with { $0.width = width }.builder.items[0]
      item.id = id
      builder.items.append(item)
    }
    builder.references = [("thmb", 4, [2])]
    return builder.bytes
  }()

  static func read(_ picture: String?) throws -> SourceImage { try decodeImage(file, picture: picture) }

  @Test func picturesAreListedAndChosenByNumber() throws {
    let main = try Self.read(nil)
    #expect(main.pictures.map(\.width) == [12, 14, 16] && main.picture == 2 && main.image.width == 14)
    for (number, width) in [("1", 12), ("2", 14), ("3", 16)] {
      let found = try Self.read(number)
      #expect(found.image.width == width && found.picture == Int(number) && !found.image.channels.isEmpty)
    }
  }

  @Test func picturesAreChosenByName() throws {
    let pictures = [FilePicture(name: "2", width: 1, height: 1), FilePicture(name: "beauty", width: 1, height: 1)]
    #expect(try ReadingOptions(picture: "beauty").index(among: pictures, main: 0) == 1)
    // A name that is a number.
    #expect(try ReadingOptions(picture: "2").index(among: pictures, main: 1) == 0)
    #expect(try ReadingOptions().index(among: pictures, main: 1) == 1)
    var second = ReadingOptions(picture: "beauty")
    second.number = 1
    #expect(try second.index(among: pictures, main: 1) == 0, "a number counts before names")
    second.number = 3
    #expect(throws: DecodeError.unsupported(feature: "picture 3", found: "2 pictures: 2, beauty")) {
      try second.index(among: pictures, main: 1)
    }
  }

  @Test(arguments: ["0", "4", "-1", "sky"]) func picturesThatAreNotThereAreNamed(picture: String) throws {
    let expected = DecodeError.unsupported(feature: "picture \(picture)", found: "3 pictures")
    #expect(throws: expected) { try Self.read(picture) }
  }

  @Test func smallerVersionsAreNoPicturesOfTheirOwn() {
    let small = FilePicture(width: 1, height: 1, isReduced: true), whole = FilePicture(width: 2, height: 2)
    #expect([small, whole, small, whole].numbers == [2, 4] && [small, small].numbers == [1, 2])
  }

  @Test func sequencesAreReadAsTheirStillOrRefused() throws {
    var still = UncompressedFile([0], bits: 8).builder
    still.brands = ["avis", "msf1"]
    let movie = HEIFBuilder.box("moov", [])
    let found = try decodeImage(still.bytes + movie)
    #expect(found.warnings.map(\.code) == ["heif.sequence"] && found.image.width == 12 && found.pictures.isEmpty)
    let expected = DecodeError.unsupported(feature: "image sequence without a still picture", found: "avis")
    #expect(throws: expected) { try decodeImage(still.ftyp + movie) }
    #expect(readableExtensions.contains("avifs"))
  }

  @Test func filesOfOnePictureHaveNoSecond() throws {
    for bytes in [TinyJPEG.grey, UncompressedFile([0], bits: 8).bytes] {
      #expect(try decodeImage(bytes, picture: "1").pictures.isEmpty)
      #expect(throws: DecodeError.unsupported(feature: "picture 2", found: "one picture")) {
        try decodeImage(bytes, picture: "2")
      }
    }
  }
}

/// Reads one of a file's pictures, by number or name; `nil`: the main one.
func decodeImage(_ bytes: [UInt8], picture: String?) throws -> SourceImage {
  var limits = DecodeLimits()
  limits.reading.picture = picture
  return try decodeImage(bytes, limits: limits)
}
