import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import Kernels
import TestFiles
import TestSupport
import Testing

@Suite struct EXRTests {
  static func read(_ bytes: [UInt8], _ change: (inout DecodeLimits) -> Void = { _ in }) throws -> SourceImage {
    var limits = DecodeLimits()
    limits.unsafeCodecs = true
    change(&limits)
    let head = try decodeImage(bytes, request: .metadata, limits: limits)
    let source = try decodeImage(bytes, limits: limits)
    // The head, read before the pixels, holds for them.
    #expect(head.image.width == source.image.width && head.image.height == source.image.height)
    #expect(head.image.format == source.image.format && head.image.model == source.image.model)
    #expect(head.color == source.color && head.warnings == source.warnings && head.pictures == source.pictures)
    return source
  }

  /// The bits of a sample; channel 3 is alpha, which is the last one of grey pictures too.
  static func bits(_ source: SourceImage, _ channel: Int, _ x: Int, _ y: Int) -> UInt32 {
    let image = source.image, plane = channel == 3 ? image.alpha! : image.channels[channel]
    let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    return image.format == .float16
      ? UInt32(at.loadUnaligned(as: UInt16.self)) : at.loadUnaligned(as: UInt32.self)
  }

  static func value(_ source: SourceImage, _ channel: Int, _ x: Int, _ y: Int) -> Float {
    let bits = bits(source, channel, x, y)
    return source.image.format == .float16
      ? Float(Float16(bitPattern: UInt16(bits))) : Float(bitPattern: bits)
  }

  static func pixel(_ source: SourceImage, _ x: Int, _ y: Int) -> [Float] {
    source.image.channels.indices.map { value(source, $0, x, y) }
      + (source.image.alpha == nil ? [] : [value(source, 3, x, y)])
  }

  static let rgb = EXRBuilder.constants(["R": 1, "G": 0.5, "B": 0.25])

  static func file(_ part: EXRBuilder.Part) -> [UInt8] { EXRBuilder(parts: [part]).bytes }

  static func refused(_ bytes: [UInt8], _ change: (inout DecodeLimits) -> Void = { _ in }) -> DecodeError? {
    var limits = DecodeLimits()
    limits.unsafeCodecs = true
    change(&limits)
    do throws(DecodeError) {
      _ = try decodeImage(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// Adaptive HDR can be made of it, and a LUT must say which numbers it takes.
  @Test func linearLightIsHDR() throws {
    let bytes = Self.file(.init(Self.rgb, data: [0, 0, 3, 3], display: [0, 0, 3, 3]))
    let source = try Self.read(bytes)
    #expect(source.isHDR && !source.isHDRTransfer && ContentHeadroom.ofFile(source).headroom == nil)
    #expect(try !decodeImage(TinyJPEG.grey).isHDR)
  }

  // MARK: Windows

  @Test func theDisplayWindowIsThePictureAndTheRestIsBlack() throws {
    let channels = EXRBuilder.constants(["R": 1, "G": 0.5, "B": 0.25, "A": 1])
    let bytes = Self.file(.init(channels, data: [-1, 1, 2, 3], display: [0, 0, 4, 2]))
    let shown = try Self.read(bytes)
    #expect(shown.image.width == 5 && shown.image.height == 3 && shown.image.alphaIsPremultiplied)
    #expect(Self.pixel(shown, 2, 1) == [1, 0.5, 0.25, 1] && Self.pixel(shown, 0, 2) == [1, 0.5, 0.25, 1])
    for (x, y) in [(0, 0), (4, 0), (3, 1), (4, 2)] { #expect(Self.pixel(shown, x, y) == [0, 0, 0, 0]) }
    let all = try Self.read(bytes) { $0.reading.exr.window = .data }
    #expect(all.image.width == 4 && all.image.height == 3)
    #expect(Self.pixel(all, 0, 0) == [1, 0.5, 0.25, 1] && Self.pixel(all, 3, 2) == [1, 0.5, 0.25, 1])
    let apart = try Self.read(Self.file(.init(Self.rgb, data: [0, 0, 3, 3], display: [4, 0, 6, 1])))
    #expect(apart.warnings.map(\.code) == ["exr.window", "ocio.guess"] && Self.pixel(apart, 1, 1) == [0, 0, 0])
  }

  @Test func tilesAreRowsOfTilesAndSmallerAtTheEdges() throws {
    @Sendable func at(_ factor: Int) -> @Sendable (Int, Int) -> UInt32 {
      { UInt32(0x3c00 + factor * ($0 + 3) + 50 * ($1 + 3)) }
    }
    let channels = ["R", "G", "B"].enumerated().map { EXRBuilder.Channel(name: $1, sample: at($0 + 1)) }
    var part = EXRBuilder.Part(channels, data: [-3, -2, 7, 4])
    part.tile = 4
    let source = try Self.read(Self.file(part))
    for (x, y) in [(0, 0), (10, 6), (3, 3), (4, 4), (9, 2)] {
      for channel in 0..<3 { #expect(Self.bits(source, channel, x, y) == at(channel + 1)(x - 3, y - 2)) }
    }
  }

  // MARK: Samples

  @Test func floatsAreCleanAndMixedChannelsAreFloats() throws {
    let odd: [Float] = [.nan, .infinity, -.infinity, -0.0, 0x1p-31, 0x1.8p-3, 3e6, -70_000]
    let channels = [
      EXRBuilder.Channel(name: "R", type: 2) { x, _ in odd[x].bitPattern },
      EXRBuilder.Channel(name: "G") { x, _ in [0x7c00, 0xfc00, 0x7e00, 0x8000, 1, 0x83ff, 0x3555, 0xc900][x] },
      EXRBuilder.Channel(name: "B", type: 2) { _, _ in 0 },
    ]
    let source = try Self.read(Self.file(.init(channels, data: [0, 0, 7, 0])))
    #expect(source.image.format == .float32 && source.image.madeFinite == 6)
    let red = (0..<8).map { Self.value(source, 0, $0, 0) }, green = (0..<8).map { Self.value(source, 1, $0, 0) }
    #expect(red == [0, 0x1p20, -0x1p20, 0, 0, 0x1.8p-3, 0x1p20, -70_000])
    #expect(green == [65504, -65504, 0, 0, 0x1p-24, -0x1.ff8p-15, 0x1.554p-2, -10])
    #expect(green[3].sign == .plus)
  }

  @Test func colourWithoutAlphaGoesUnlessItIsKept() throws {
    let alphas: [Float] = [1, 0, -1, 0.5, .nan, 2]
    for type in [1, 2] {
      @Sendable func bits(_ value: Float) -> UInt32 { type == 1 ? EXRBuilder.half(value) : value.bitPattern }
      let channels = ["R", "G", "B"].map { EXRBuilder.Channel(name: $0, type: type) { _, _ in bits(0.25) } }
      let alpha = EXRBuilder.Channel(name: "A", type: type) { x, _ in bits(alphas[x]) }
      let bytes = Self.file(.init(channels + [alpha], data: [0, 0, 5, 0]))
      let source = try Self.read(bytes), kept = try Self.read(bytes) { $0.reading.exr.emission = .keep }
      #expect((0..<6).map { Self.value(source, 1, $0, 0) } == [0.25, 0, 0, 0.25, 0, 0.25])
      #expect((0..<6).map { Self.value(kept, 1, $0, 0) } == [Float](repeating: 0.25, count: 6))
    }
  }

  @Test("a picture whose alpha is 0 everywhere is shown without it, with a warning", arguments: [1, 2], [nil, 2])
  func alphaZeroEverywhere(type: Int, tile: Int?) throws {
    @Sendable func bits(_ value: Float) -> UInt32 { type == 1 ? EXRBuilder.half(value) : value.bitPattern }
    /// - Parameter covered: the first row whose alpha is 1.
    func file(color: Float, covered: Int = .max) -> [UInt8] {
      let colors = ["R", "G", "B"].map { EXRBuilder.Channel(name: $0, type: type) { _, _ in bits(color) } }
      let alpha = EXRBuilder.Channel(name: "A", type: type) { _, y in bits(y >= covered ? 1 : 0) }
      var part = EXRBuilder.Part(colors + [alpha], data: [0, 0, 4, 4])
      part.tile = tile
      return Self.file(part)
    }
    func column(_ source: SourceImage) -> [Float] { (0..<5).map { Self.value(source, 1, 2, $0) } }
    // Without samples alpha cannot be judged.
    let shown = try decodeImage(file(color: 0.25))
    #expect(shown.image.alpha == nil && column(shown) == [Float](repeating: 0.25, count: 5))
    #expect(shown.warnings.map(\.code) == ["exr.alpha-zero", "ocio.guess"])
    // By the caller's word, where there is no colour (NaN is none), and where some of it is covered, alpha counts.
    for (bytes, emission, expected) in [
      (file(color: 0.25), EXRReading.Emission.drop, [0, 0, 0, 0, 0]), (file(color: 0), .automatic, [0, 0, 0, 0, 0]),
      (file(color: .nan), .automatic, [0, 0, 0, 0, 0]),
      (file(color: 0.25, covered: 3), .automatic, [0, 0, 0, 0.25, 0.25]),
      (file(color: 0.25), .keep, [0.25, 0.25, 0.25, 0.25, 0.25]),
    ] as [([UInt8], EXRReading.Emission, [Float])] {
      let source = try Self.read(bytes) { $0.reading.exr.emission = emission }
      #expect(source.image.alpha != nil && source.warnings.map(\.code) == ["ocio.guess"] && column(source) == expected)
    }
  }

  @Test func premultipliedHalvesAreKeptWhereNothingButPrimariesChanges() throws {
    let channels = EXRBuilder.constants(["R": 1, "G": 0.5, "B": 0.25, "A": 0.5])
    let source = try Self.read(Self.file(.init(channels, data: [0, 0, 1, 1])))
    func stages(_ primaries: Int, isPremultiplied: Bool) throws -> [StageKind] {
      let target = OutputSignal(
        primaries: primaries, encoding: .linear, sink: .rgba16f, isPremultiplied: isPremultiplied)
      return try Planner.plan(source, RenderRecipe(target: target)).passes.flatMap { $0.stages.map(\.kind) }
    }
    #expect(try stages(1, isPremultiplied: true) == [.loadHalf])
    #expect(try stages(9, isPremultiplied: true) == [.loadHalf, .matrix3])
    #expect(try stages(1, isPremultiplied: false) == [.loadHalf, .unpremultiply])
  }

  @Test func greyIsOneChannel() throws {
    let grey = try Self.read(Self.file(.init(EXRBuilder.constants(["Y": 2, "A": 0.5]), data: [0, 0, 1, 1])))
    #expect(grey.image.model == .grey && Self.pixel(grey, 1, 1) == [2, 0.5])
    let one = try Self.read(Self.file(.init(EXRBuilder.constants(["Z": 3]), data: [0, 0, 1, 1])))
    #expect(one.image.model == .grey && Self.pixel(one, 1, 1) == [3])
  }

  @Test(.enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func lumaWithChromaIsThatOfTheVectors() throws {
    let rows = try #require(SharedData.json("specs/more-formats-vectors.json")?["exr_luma_chroma"] as? [[String: Any]])
    func bits(_ row: [String: Any], _ name: String) -> UInt32 { Float(row.number(name)).bitPattern }
    for row in rows {
      let (y, ry, by) = (bits(row, "Y"), bits(row, "RY"), bits(row, "BY"))
      let channels = [
        EXRBuilder.Channel(name: "Y", type: 2) { _, _ in y },
        EXRBuilder.Channel(name: "RY", type: 2, sampling: 2) { _, _ in ry },
        EXRBuilder.Channel(name: "BY", type: 2, sampling: 2) { _, _ in by },
      ]
      var part = EXRBuilder.Part(channels, data: [0, 0, 6, 4])
      if row["name"] as? String == "BT.2020" {
        let points: [Float] = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290]
        part.attributes = [("chromaticities", "chromaticities", points.flatMap(EXRBuilder.float))]
      }
      let source = try Self.read(Self.file(part))
      expectClose(Self.pixel(source, 5, 3).map(Double.init), row.numbers("rgb"), abs: 1e-6, rel: 1e-6)
    }
  }

  @Test func chromaLiesOnEvenColumnsAndRows() throws {
    let channels = [
      EXRBuilder.Channel(name: "Y", type: 2) { _, _ in Float(1).bitPattern },
      EXRBuilder.Channel(name: "RY", type: 2, sampling: 2) { x, y in (Float(x) + 10 * Float(y)).bitPattern },
      EXRBuilder.Channel(name: "BY", type: 2, sampling: 2) { _, _ in 0 },
    ]
    let source = try Self.read(Self.file(.init(channels, data: [2, 4, 7, 7])))
    // R is RY + 1; the last column and row have no neighbour.
    #expect([0, 1, 2, 4, 5].map { Self.value(source, 0, $0, 0) } == [43, 44, 45, 47, 47])
    #expect([0, 1, 2, 3].map { Self.value(source, 0, 0, $0) } == [43, 53, 63, 63])
    let broken = channels.dropLast() + [EXRBuilder.Channel(name: "BY", sampling: 2) { _, _ in 0x7e00 }]
    #expect(try Self.read(Self.file(.init(Array(broken), data: [2, 4, 7, 7]))).image.madeFinite == 6)
  }

  // MARK: Colour

  @Test func primariesComeFromTheNameThenFromChromaticities() throws {
    func colour(_ points: [Float]?, _ id: String?, _ more: [(String, String, [UInt8])] = []) throws -> SourceImage {
      var part = EXRBuilder.Part(Self.rgb, data: [0, 0, 0, 0])
      part.attributes = more
      if let points {
        part.attributes.append(("chromaticities", "chromaticities", points.flatMap(EXRBuilder.float)))
      }
      if let id { part.attributes.append(("colorInteropID", "string", Array(id.utf8))) }
      return try Self.read(Self.file(part))
    }
    let p3: [Float] = [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.3290]
    let ap0: [Float] = [0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767]
    let flat: [Float] = [0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3]
    #expect(try colour(nil, nil).color.encoding == .cicp(primaries: 1, transfer: 8))
    #expect(try colour(nil, nil).color.cicp == nil)
    let both = try colour(p3, "lin_rec2020_scene")
    #expect(both.color.cicp == CICP(9, 8, 0, full: true) && both.warnings.map(\.code) == ["exr.color"])
    #expect(try colour(p3, "lin_p3d65_scene").warnings.isEmpty)
    // Only the name says that there is a curve.
    let encoded = try colour(p3, "srgb_p3d65_scene")
    #expect(encoded.color.encoding == NamedSpace.named("srgb_p3d65_scene")?.encoding && encoded.warnings.isEmpty)
    #expect(try colour(nil, "lin_rec2020_scene").color.encoding == .cicp(primaries: 9, transfer: 8))
    #expect(try colour(flat, "lin_p3d65_scene").color.encoding == .cicp(primaries: 12, transfer: 8))
    #expect(try colour(flat, nil).warnings.map(\.code) == ["exr.chromaticities"])
    #expect(try colour(nil, "my_space").warnings.map(\.code) == ["exr.color"])
    let own = try colour(p3, "show:my_space")
    #expect(own.color.cicp == CICP(12, 8, 0, full: true) && own.warnings.map(\.code) == ["exr.color"])
    #expect(own.exr?.otherID == "show:my_space" && both.exr?.otherID == nil)
    #expect(try colour(nil, nil).warnings.map(\.code) == ["ocio.guess"])
    #expect(try colour(nil, "lin_rec709_scene").warnings.isEmpty)
    guard case .matrixTRC(let curves, let matrix, nil) = try colour(ap0, nil).color.encoding else {
      return #expect(Bool(false), "AP0 has no code")
    }
    // White stays white.
    #expect(curves == [.identity, .identity, .identity])
    expectClose(Matrix3(matrix) * [1, 1, 1], [1, 1, 1], abs: 1e-9, rel: 0)
    guard case .matrixTRC(_, let xyz, nil) = try colour(nil, "lin_ciexyzd65_scene").color.encoding else {
      return #expect(Bool(false), "XYZ of D65 has no code")
    }
    expectClose(Matrix3(xyz) * Primaries.xyz(Primaries.d65), [1, 1, 1], abs: 1e-9, rel: 0)
  }

  @Test func spacesOfTheListComeFromPrimariesAndNames() throws {
    func read(_ name: String, _ type: String, _ bytes: [UInt8]) throws -> SourceImage {
      var part = EXRBuilder.Part(Self.rgb, data: [0, 0, 0, 0])
      part.attributes = [(name, type, bytes)]
      return try Self.read(Self.file(part))
    }
    for space in NamedSpace.all {
      if let id = space.interopID {
        let found = try read("colorInteropID", "string", Array(id.utf8))
        #expect(found.exr?.space == space.name && found.warnings.isEmpty, "\(id)")
        if space.kind != .linear { #expect(found.color.encoding == space.encoding, "\(id)") }
      }
      guard space.kind == .linear, let primaries = space.primaries, let matrix = space.toBT2020 else { continue }
      let points = primaries.points.flatMap { [Float($0.x), Float($0.y)] }
      let found = try read("chromaticities", "chromaticities", points.flatMap { EXRBuilder.float($0) })
      #expect(found.exr?.space == space.name, "\(space.name)")
      // Binary32 of the file does not show in the matrix.
      if case .matrixTRC(_, let rows, _) = found.color.encoding { #expect(rows == matrix.rows, "\(space.name)") }
    }
  }

  @Test func luminanceCountsWhenItIsAskedFor() throws {
    var part = EXRBuilder.Part(Self.rgb, data: [0, 0, 0, 0])
    part.attributes = [("whiteLuminance", "float", EXRBuilder.float(406))]
    #expect(try Self.read(Self.file(part)).color.encoding == .cicp(primaries: 1, transfer: 8))
    let absolute = try Self.read(Self.file(part)) { $0.reading.exr.luminance = .absolute }
    guard case .matrixTRC(_, let matrix, 1) = absolute.color.encoding else {
      return #expect(Bool(false), "not scaled")
    }
    expectClose(Matrix3(matrix) * [1, 1, 1], [2, 2, 2], abs: 1e-9, rel: 0)
    part.attributes = []
    let none = try Self.read(Self.file(part)) { $0.reading.exr.luminance = .absolute }
    #expect(none.warnings.map(\.code) == ["exr.luminance", "ocio.guess"])
  }

  // MARK: Parts and layers

  @Test func thePictureIsThatOfTheRootOrAsChosen() throws {
    var depth = EXRBuilder.Part(EXRBuilder.constants(["Z": 9]), data: [0, 0, 2, 2])
    depth.name = "depth"
    var beauty = EXRBuilder.Part(
      EXRBuilder.constants(["R": 1, "G": 1, "B": 1, "fog.R": 2, "fog.G": 2, "fog.B": 2, "fog.A": 1, "id": 5]),
      data: [0, 0, 1, 1])
    beauty.name = "left"
    let bytes = EXRBuilder(parts: [depth, beauty]).bytes
    let main = try Self.read(bytes)
    #expect(main.pictures.map(\.name) == ["depth/Z", "left", "left/id", "left/fog"])
    #expect(main.picture == 2 && Self.pixel(main, 0, 0) == [1, 1, 1])
    #expect(main.pictures[0] == FilePicture(name: "depth/Z", width: 3, height: 3, note: "half, uncompressed"))
    let fog = try Self.read(bytes) { $0.reading.picture = "left/fog" }
    #expect(fog.picture == 4 && Self.pixel(fog, 1, 1) == [2, 2, 2, 1])
    let third = try Self.read(bytes) { $0.reading.picture = "3" }
    #expect(Self.pixel(third, 1, 1) == [5])
    let error = Self.refused(bytes) { $0.reading.picture = "smoke" }
    #expect("\(error!)".contains("left/fog"), "names those there are")
    let layers = EXRBuilder.constants([
      "a.R": 1, "a.G": 1, "a.B": 1, "View.Combined.R": 3, "View.Combined.G": 3, "View.Combined.B": 3,
    ])
    #expect(Self.pixel(try Self.read(Self.file(.init(layers, data: [0, 0, 1, 1]))), 0, 0) == [3, 3, 3])
  }

  @Test func unknownCompressionsAreRefusedByName() {
    var part = EXRBuilder.Part(Self.rgb, data: [0, 0, 1, 1])
    part.compression = 99
    #expect("\(Self.refused(Self.file(part))!)".contains("compression 99"))
  }

  // MARK: Faults

  @Test func aTableThatWasNeverWrittenIsMadeFromTheChunks() throws {
    var builder = EXRBuilder(parts: [.init(Self.rgb, data: [0, 0, 3, 5])])
    builder.isUnfinished = true
    #expect(Self.pixel(try Self.read(builder.bytes), 3, 5) == [1, 0.5, 0.25])
    builder.chunksLeftOut = 1
    #expect(Self.refused(builder.bytes)?.code == "decode.truncated")
  }

  @Test func everyCutFileIsAnError() {
    let whole = Self.file(.init(Self.rgb, data: [0, 0, 3, 2]))
    for count in 4..<whole.count { #expect(Self.refused(Array(whole[..<count])) != nil, "\(count) bytes") }
  }

  @Test func limitsHoldForBothWindows() {
    let most = 100
    for (data, display) in [([0, 0, 10, 10], [0, 0, 1, 1]), ([0, 0, 1, 1], [0, 0, 10, 10])] {
      let bytes = Self.file(.init(Self.rgb, data: data, display: display))
      #expect(Self.refused(bytes) { $0.maxPixels = most }?.code == "decode.limit")
    }
    var tiny = EXRBuilder.Part(Self.rgb, data: [0, 0, 1, 1])
    tiny.tile = 5000
    #expect(Self.refused(Self.file(tiny))?.code == "decode.malformed")
  }

  /// Only pixels reach the library with known holes.
  @Test func librariesWithHolesWantASandbox() throws {
    var part = EXRBuilder.Part(Self.rgb, data: [0, 0, 3, 3])
    for (compression, isRefused) in [(0, false), (1, false), (4, true), (5, true), (6, true)] {
      part.compression = compression
      let error = Self.refused(Self.file(part)) { $0.unsafeCodecs = false }
      #expect((error?.code == "decode.unsupported") == isRefused, "\(compression)")
      if isRefused { #expect(error.map { "\($0)" }?.contains("unsafe-codecs") == true) }
      #expect(try decodeImage(Self.file(part), request: .metadata, limits: DecodeLimits()).image.width == 4)
    }
  }

  @Test(.enabled(if: SharedData.hasMalformed, "skipped: no data"))
  func theMalformedSetIsRefused() throws {
    let folder = try #require(SharedData.url("data/malformed"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".exr") }.sorted()
    #expect(names.count >= 20)
    // Files that break no rule: an odd attribute that is not read, numbers that are not finite, primaries ignored.
    // And Huffman codes that are damaged, but codes.
    let sound = [
      "exr-half-nan-inf.exr", "exr-chromaticities-degenerate.exr", "exr-piz-huffman-corrupt.exr",
      "up-exr-rowsperstrip-zero.exr",
    ]
    for name in names {
      let bytes = try #require(SharedData.bytes("data/malformed/" + name))
      #expect((Self.refused(bytes) == nil) == sound.contains(name), "\(name)")
    }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func realFilesGiveTheOraclesWords() throws {
    let folder = try #require(SharedData.url("data/images/expected"))
    let tables = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      // That of luminance with chroma holds the stored channels.
      .filter { $0.contains(".exr.OpenEXR") && !$0.hasPrefix("Rec709_YC") }.sorted()
    #expect(tables.count >= 9)
    for table in tables {
      let name = String(table[..<table.range(of: ".OpenEXR")!.lowerBound])
      let bytes = try #require(SharedData.bytes("data/images/exr/" + name))
      // The tables are of the data window.
      let source = try Self.read(bytes) {
        $0.reading.exr.window = .data
        $0.reading.exr.emission = .keep
      }
      let text = String(decoding: try #require(SharedData.bytes("data/images/expected/" + table)), as: UTF8.self)
      let isLossy = name == "comp_dwab_v2.exr"
      var count = 0, off = 0
      for line in text.split(separator: "\n") where line.first?.isNumber == true {
        let fields = line.split(separator: "\t").compactMap { Double($0) }
        let pixel = Self.pixel(source, Int(fields[0]), Int(fields[1])).map(Double.init)
        for (found, wanted) in zip(pixel, fields.dropFirst(2)) where wanted.isFinite {
          count += 1
          let bound = isLossy ? 0.03 * abs(wanted) + 0.003 : 1e-3 * abs(wanted) + 1e-7
          if abs(found - wanted) > bound { off += 1 }
        }
      }
      #expect(count > 500, "\(name)")
      #expect(Double(off) <= (isLossy ? 0.05 : 0) * Double(count), "\(name): \(off) of \(count)")
    }
  }
}
