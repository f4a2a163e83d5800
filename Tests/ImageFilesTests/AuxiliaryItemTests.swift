import FileParts
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Depth and mattes that go from one HEIF file into another.
@Suite struct AuxiliaryItemTests {
  static let urn = "urn:mpeg:hevc:2015:auxid:2"

  /// A depth picture of 45x35 pixels, lossless, with a type and further properties.
  static func depth(_ boxes: [[UInt8]] = []) throws -> AuxiliaryItem {
    let image = AdaptiveHEIF.picture(45, 35, AdaptiveHEIF.Layout(.none, 8))
    var coded = try AdaptiveHEIF.lossless(image, .avif, cicp: CICP(2, 2, 2, full: true))
    for box in [HEIFGainMapTests.auxC(urn)] + boxes {
      coded.properties.append(HEIFCodedPicture.Property(box: box, isEssential: true))
    }
    return AuxiliaryItem(item: 9, picture: coded, xmp: TinyApple.packet(""))
  }

  static func box(_ type: String, _ value: Int) -> [UInt8] { HEIFBuilder.box(type, [UInt8(value)]) }

  @Test("depth comes out of a written file as it went in, with its XMP")
  func depthStaysBitForBit() throws {
    let item = try Self.depth([Self.box("irot", 1)])
    var request = AdaptiveHEIF.request(.avif)
    request.auxiliaries = [item]
    let files = try encodeAdaptive(request)
    try verifyAdaptive(files, request)
    let taken = try codedRenditions(files.main).auxiliaries
    #expect(taken.count == 1 && taken[0].picture.items == item.picture.items && taken[0].xmp == item.xmp)
    #expect(Set(taken[0].picture.properties.map(\.box)) == Set(item.picture.properties.map(\.box)))
    let listed = try decodeImage(files.main, request: .metadata).extras.auxiliaries
    #expect(listed.map(\.kind) == ["depth"] && listed[0].width == 45 && listed[0].height == 35)
  }

  @Test("a file that lacks a picture that was asked for is not accepted")
  func missingPicturesAreNoticed() throws {
    var request = AdaptiveHEIF.request(.avif)
    let files = try encodeAdaptive(request)
    request.auxiliaries = [try Self.depth()]
    #expect(throws: EncodeError.self) { try verifyAdaptive(files, request) }
  }

  @Test("pictures of another codec, and those cropped after a turn, are left out with a word")
  func picturesThatDoNotFit() throws {
    var item = try Self.depth([
      Self.box("irot", 1), HEIFBox.clap(width: 20, height: 20, codedWidth: 45, codedHeight: 35),
    ])
    item.turn = .down
    var other = try Self.depth()
    other.picture.items[0].type = "hvc1"
    var request = AdaptiveHEIF.request(.avif)
    request.auxiliaries = [item, other]
    let files = try encodeAdaptive(request)
    #expect(files.warnings.map(\.code) == ["aux.dropped", "aux.dropped"])
    #expect(try decodeImage(files.main, request: .metadata).extras.auxiliaries == [])
    try verifyAdaptive(files, request)
  }

  @Test("a turn after a picture's own is one rotation and one mirror", arguments: Orientation.allCases)
  func turns(turn: Orientation) throws {
    for rotation in 0..<4 {
      for mirror in [nil, 0, 1] as [Int?] {
        let own = [Self.box("irot", rotation)] + (mirror.map { [Self.box("imir", $0)] } ?? [])
        let picture = try Self.depth(own).picture, turned = try #require(picture.turned(turn))
        func orientation(_ picture: HEIFCodedPicture) throws -> Orientation {
          let transforms = picture.properties.compactMap { property -> ItemTransform? in
            switch latin1(property.box[4..<8]) {
            case "irot": .rotation(quarterTurns: Int(property.box[8]))
            case "imir": .mirror(exchangesLeftAndRight: property.box[8] == 1)
            default: nil
            }
          }
          #expect(transforms.count <= 2)
          return try Geometry(width: 45, height: 35, transforms: transforms).orientation
        }
        #expect(try orientation(turned) == orientation(picture).then(turn))
      }
    }
  }

  @Test("turns follow each other as pixels do")
  func orientationsOfPixels() {
    for first in Orientation.allCases {
      for second in Orientation.allCases {
        let stored = Geometry(width: 3, height: 2, orientation: first)
        let shown = Geometry(width: stored.outputWidth, height: stored.outputHeight, orientation: second)
        let both = Geometry(width: 3, height: 2, orientation: first.then(second)).mapping
        #expect(Geometry(width: 3, height: 2, orientation: first.then(second)).outputWidth == shown.outputWidth)
        for y in 0..<shown.outputHeight {
          for x in 0..<shown.outputWidth {
            let a = shown.mapping, b = stored.mapping
            let (mx, my) = (a.x0 + x * a.columnX + y * a.rowX, a.y0 + x * a.columnY + y * a.rowY)
            #expect(b.x0 + mx * b.columnX + my * b.rowX == both.x0 + x * both.columnX + y * both.rowX)
            #expect(b.y0 + mx * b.columnY + my * b.rowY == both.y0 + x * both.columnY + y * both.rowY)
          }
        }
      }
    }
  }

  @Test(
    "disparity of an Apple photo is taken out with its calibration",
    .enabled(if: SharedData.hasImages, "skipped: no data"))
  func applePhotos() throws {
    let bytes = try HEIF.bytes("heic_gainmap/pug.heic")
    let listed = try decodeImage(bytes, request: .metadata).extras.auxiliaries.filter { !$0.isPreview }
    #expect(listed.map(\.kind) == ["disparity"])
    let taken = try codedRenditions(bytes).auxiliaries
    #expect(taken.map(\.item) == listed.map(\.item) && (taken[0].xmp?.count ?? 0) > 100)
  }
}
