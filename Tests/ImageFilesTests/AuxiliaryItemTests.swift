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
    for box in boxes { coded.properties.append(HEIFCodedPicture.Property(box: box, isEssential: true)) }
    return AuxiliaryItem(item: 9, picture: .heif(coded), type: HEIFGainMapTests.auxC(urn), xmp: TinyApple.packet(""))
  }

  static func coded(_ item: AuxiliaryItem) throws -> HEIFCodedPicture {
    try #require(AdaptiveHEIF.kept(item.picture))
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
    #expect(taken.count == 1 && taken[0].xmp == item.xmp && taken[0].type == item.type)
    #expect(try Self.coded(taken[0]) == Self.coded(item))
    let listed = try decodeImage(files.main, request: .metadata).extras.auxiliaries
    #expect(listed.map(\.kind) == ["depth"] && listed[0].width == 45 && listed[0].height == 35)
  }

  @Test("a depth picture as a file of its own is decoded as it was, and samples of it are coded without loss")
  func depthAsSamples() throws {
    let image = AdaptiveHEIF.picture(45, 35, AdaptiveHEIF.Layout(.none, 8)), item = try Self.depth()
    #expect(AdaptiveHEIF.difference(image, try decodeImage(item.file()).image).worst == 0)
    var cut = item, request = AdaptiveHEIF.request(.avif)
    cut.picture = .samples(image)
    request.auxiliaries = [cut]
    let files = try encodeAdaptive(request)
    let taken = try codedRenditions(files.main).auxiliaries
    #expect(taken.count == 1 && taken[0].type == item.type)
    #expect(AdaptiveHEIF.difference(image, try decodeImage(taken[0].file()).image).worst == 0)
    #expect(throws: EncodeError.self) { try cut.file() }
  }

  @Test("XMP of depth that is cut keeps what its codes mean, and nothing of the lens")
  func calibrationsAreCut() throws {
    let names = [
      "apdi:FloatMaxValue", "depthData:Quality", "depthData:IntrinsicMatrix", "depthBlurEffect:RenderingParameters",
    ]
    let spaces = ["apdi": "pixeldatainfo", "depthData": "depthData", "depthBlurEffect": "depthBlurEffect"]
    let declared = spaces.map { " xmlns:\($0.key)=\"http://ns.apple.com/\($0.value)/1.0/\"" }.joined()
    let packet = XMPAssembly.packet([
      "<rdf:Description\(declared)>" + names.map { "<\($0)>1</\($0)>" }.joined() + "</rdf:Description>"
    ])
    let rest = String(decoding: try #require(xmpWithoutCalibration(packet)), as: UTF8.self)
    #expect(names.map { rest.contains("<\($0)>") } == [true, true, false, false])
    #expect(xmpWithoutCalibration(Array("<x".utf8)) == nil)
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
    var other = try Self.depth(), foreign = try Self.coded(other)
    foreign.items[0].type = "hvc1"
    other.picture = .heif(foreign)
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
        let picture = try Self.coded(Self.depth(own)), turned = try #require(picture.turned(turn))
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
