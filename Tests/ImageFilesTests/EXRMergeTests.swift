import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests files of a rendered picture and of channels and parts of another file.
@Suite struct EXRMergeTests {
  private static let window = EXRPart.Window(left: -2, top: 1, width: 12, height: 18)

  /// R, G, B, a layer, floats and integers whose values name their pixels.
  private static let channels =
    EXRBuilder.constants(["R": 1, "G": 1, "B": 1, "diffuse.R": 3, "diffuse.G": 4, "diffuse.B": 5])
    + [
      EXRBuilder.Channel(name: "Z", type: 2) { x, y in (Float(x) + 100 * Float(y)).bitPattern },
      EXRBuilder.Channel(name: "id", type: 0) { x, y in UInt32(bitPattern: Int32(x + 1000 * y)) },
    ]

  private static func part(_ channels: [EXRBuilder.Channel], _ name: String? = nil) -> EXRBuilder.Part {
    var part = EXRBuilder.Part(channels, data: [-2, 1, 9, 18], display: [0, 0, 7, 9])
    part.name = name
    return part
  }

  /// A request that keeps channels, of a picture of the size of the window.
  private static func request(
    _ file: [UInt8], channels: [Int], parts: [Int] = [], part: Int = 1, layer: String = "", width: Int = 12,
    height: Int = 18
  ) -> EncodeRequest {
    var request = EXRWriterTests.request(EXRWriterTests.image(width, height), hasAlpha: false, primaries: 1)
    var carried = EXRCarried(width: 8, height: 10)
    (carried.left, carried.top) = (window.left, window.top)
    var kept = EXRKept(
      file: file, part: part, layer: layer, channels: channels, parts: parts, window: window)
    kept.unsafeCodecs = true
    carried.kept = kept
    request.carried = carried
    return request
  }

  private static func read(_ files: EncodedFiles, _ picture: String? = nil) throws -> SourceImage {
    var limits = DecodeLimits()
    limits.unsafeCodecs = true
    (limits.reading.exr.window, limits.reading.exr.emission, limits.reading.picture) = (.data, .keep, picture)
    return try decodeImage(files.main, limits: limits)
  }

  @Test("kept channels have the words of the input", arguments: EXRCompression.allCases, [1, 3])
  func words(_ compression: EXRCompression, threads: Int) throws {
    let file = EXRBuilder(parts: [Self.part(Self.channels)]).bytes
    // In the order of names: B G R Z diffuse.B diffuse.G diffuse.R id.
    var request = Self.request(file, channels: [3, 4, 5, 6, 7])
    (request.coding.exrCompression, request.threads) = (compression, threads)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(files.warnings.isEmpty)
    let main = try Self.read(files)
    #expect(EXRWriterTests.words(main.image, 3) == EXRWriterTests.words(request.image, 3))
    #expect(
      main.exr?.outline.channels.map(\.name) == ["B", "G", "R", "Z", "diffuse.B", "diffuse.G", "diffuse.R", "id"])
    #expect(
      main.exr?.outline.channels.map(\.type) == ["half", "half", "half", "float", "half", "half", "half", "uint"])
    let (z, id) = (try Self.read(files, "Z"), try Self.read(files, "id"))
    #expect(EXRTests.pixel(try Self.read(files, "diffuse"), 4, 4) == [3, 4, 5])
    for (x, y) in [(0, 0), (11, 0), (5, 17), (11, 17)] {
      #expect(EXRTests.pixel(z, x, y) == [Float(x - 2 + 100 * (y + 1))])
      #expect(EXRTests.pixel(id, x, y) == [max(0, Float(x - 2 + 1000 * (y + 1)))])
    }
  }

  @Test func movedChannelsFollowThePicture() throws {
    let file = EXRBuilder(parts: [Self.part(Self.channels)]).bytes
    var request = Self.request(file, channels: [3, 7], width: 5, height: 4)
    // A crop of 4x5 at 1, 2, turned to the left.
    let mapping = Geometry(crop: PixelRect(x: 1, y: 2, width: 4, height: 5), orientation: .left).mapping
    request.carried?.kept?.mapping = mapping
    request.carried?.kept?.isMoved = true
    let files = try encodeImage(request), z = try Self.read(files, "Z")
    try verifyEncoded(files, request)
    for y in 0..<4 {
      for x in 0..<5 {
        let column = mapping.x0 + x * mapping.columnX + y * mapping.rowX
        let row = mapping.y0 + x * mapping.columnY + y * mapping.rowY
        #expect(EXRTests.pixel(z, x, y) == [Float(column - 2 + 100 * (row + 1))], "\(x), \(y)")
      }
    }
    request.carried?.kept?.mapping.x0 = 40
    #expect(throws: EncodeError.self) { try encodeImage(request) }
  }

  /// A part of tiles, the picture's, one of other windows, and a deep one.
  private static var several: [UInt8] {
    var tiles = part(EXRBuilder.constants(["R": 7, "G": 8, "B": 9]), "tiles")
    tiles.tile = 5
    let picture = part(EXRBuilder.constants(["R": 1, "G": 1, "B": 1, "Z": 2]), "picture")
    var small = EXRBuilder.Part([EXRBuilder.Channel(name: "id", type: 0) { x, _ in UInt32(x) }], data: [3, 3, 6, 5])
    (small.name, small.display) = ("small", [0, 0, 7, 9])
    small.attributes = [("owner", "string", Array("me".utf8)), ("latitude", "float", EXRBuilder.float(1))]
    var deep = part(["A", "B", "G", "R"].map { EXRBuilder.Channel(name: $0) }, "deep")
    deep.deep = { _, _ in [[0.5, 1, 2, 3]] }
    return EXRBuilder(parts: [tiles, picture, small, deep]).bytes
  }

  @Test func partsThatStayAreCopied() throws {
    var request = Self.request(Self.several, channels: [3], parts: [1, 3, 4], part: 2)
    request.carried?.kept?.metadata = .noLocation
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let picture = try Self.read(files, "picture")
    #expect(EXRWriterTests.words(picture.image, 3) == EXRWriterTests.words(request.image, 3))
    #expect(picture.exr?.outline.number == 2 && picture.exr?.others.map(\.name) == ["tiles", "small", "deep"])
    #expect(EXRTests.pixel(try Self.read(files, "tiles"), 11, 17) == [7, 8, 9])
    let small = try Self.read(files, "small/id")
    #expect(small.exr?.outline.dataWindow == .init(left: 3, top: 3, width: 4, height: 3))
    #expect(EXRTests.pixel(small, 3, 2) == [6] && small.exr?.attributes.map(\.name) == ["owner"])
    #expect(EXRTests.pixel(try Self.read(files, "deep"), 0, 0) == [3, 2, 1, 0.5])
    #expect(EXRTests.pixel(try Self.read(files, "picture/Z"), 0, 0) == [2])
  }

  @Test func partsThatMoveAreStoredAnewAndDeepOnesDropped() throws {
    var request = Self.request(Self.several, channels: [3], parts: [1, 3, 4], part: 2)
    request.carried?.kept?.mapping = Geometry(width: 12, height: 18, orientation: .upMirrored).mapping
    request.carried?.kept?.isMoved = true
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(files.warnings.map(\.code) == ["exr.channels-dropped"] && "\(files.warnings[0].message)".contains("deep"))
    #expect(try Self.read(files, "picture").exr?.others.map(\.name) == ["tiles", "small"])
    let small = try Self.read(files, "small/id")
    // Column 3 of the input is the sixth of the window, and the sixth from the right of the result.
    #expect(small.image.width == 12 && EXRTests.pixel(small, 6, 2) == [3] && EXRTests.pixel(small, 6, 1) == [0])
    #expect(EXRTests.pixel(small, 3, 2) == [6] && EXRTests.pixel(small, 2, 2) == [0])
  }

  @Test func aLayerIsWrittenBackWithItsName() throws {
    let file = EXRBuilder(parts: [Self.part(Self.channels)]).bytes
    let request = Self.request(file, channels: [0, 1, 2, 3, 7], layer: "diffuse"), files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(EXRTests.pixel(try Self.read(files), 0, 0) == [1, 1, 1])
    let layer = try Self.read(files, "diffuse")
    #expect(EXRWriterTests.words(layer.image, 3) == EXRWriterTests.words(request.image, 3))
  }

  @Test func whatCannotBeKeptIsSaid() throws {
    let odd = [EXRBuilder.Channel(name: "RY", sampling: 2), EXRBuilder.Channel(name: "Z", type: 2)]
    let file = EXRBuilder(parts: [Self.part(EXRBuilder.constants(["red": 1, "green": 1, "blue": 1, "R": 2]) + odd)])
      .bytes
    // R RY Z blue green red.
    let request = Self.request(file, channels: [0, 1, 2]), files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(
      files.warnings.map { "\($0.code): \($0.message)" } == [
        "exr.channels-dropped: R cannot be kept: the picture has or would get channels of these names",
        "exr.channels-dropped: RY cannot be kept: not every pixel has a sample",
      ])
    // Layers in other colours than the picture.
    var other = Self.request(EXRBuilder(parts: [Self.part(Self.channels)]).bytes, channels: [4, 5, 6])
    other.cicp.primaries = 9
    #expect(try encodeImage(other).warnings.map(\.code) == ["exr.channels-space"])
    // PIZ is decoded in a sandbox only.
    var piz = Self.part(Self.channels)
    piz.compression = 4
    var unsafe = Self.request(EXRBuilder(parts: [piz]).bytes, channels: [3])
    unsafe.carried?.kept?.unsafeCodecs = false
    #expect(try encodeImage(unsafe).warnings.map(\.code) == ["exr.channels-dropped"])
  }

  @Test func damagedInputsAreErrorsOfTheFile() throws {
    var file = EXRBuilder(parts: [Self.part(Self.channels)]).bytes
    let request = Self.request(file, channels: [3])
    file.removeLast(40)
    var cut = request
    cut.carried?.kept?.file = file
    let error = #expect(throws: EncodeError.self) { try encodeImage(cut) }
    #expect(error.map { "\($0)" }?.contains("channels") == true)
    cut.carried?.kept?.file = [1, 2, 3]
    #expect(throws: EncodeError.self) { try encodeImage(cut) }
    cut.carried?.kept?.part = 2
    #expect(throws: EncodeError.self) { try encodeImage(cut) }
    // A table that names one chunk many times would make a file larger than the input.
    var tiles = Self.part(EXRBuilder.constants(["R": 7, "G": 8, "B": 9]), "tiles")
    tiles.compression = 3
    let picture = Self.part(EXRBuilder.constants(["R": 1, "G": 1, "B": 1]), "picture")
    var bytes = EXRBuilder(parts: [picture, tiles]).bytes
    bytes.removeLast(600)
    let files = try encodeImage(Self.request(bytes, channels: [], parts: [2]))
    #expect(files.warnings.map(\.code) == ["exr.channels-dropped"])
  }
}
