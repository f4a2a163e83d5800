import CodecService
import HDRCore
import ImageFiles
import TestFiles
import TestSamples

/// Values of all types that cross the border to codec processes. Each property differs in one of them from what a
/// reader begins with.
enum FieldSamples {
  static var color: SourceColor {
    SourceColor(
      matrix: 9, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16), cicp: CICP(9, 16, 9, full: false),
      icc: [1, 2, 3], iccDescription: "d", replaced: "cicp 1/13/0")
  }

  static var light: LightMetadata {
    var light = LightMetadata(
      clli: ContentLightLevel(maxCLL: 1000, maxFALL: 200),
      mdcv: MasteringDisplay(
        primaries: [0.7, 0.2, 0.1, 0.3].map { Chromaticity($0, 0.3) }, maxLuminance: 1000, minLuminance: 0.01))
    light.cclv = ContentColorVolume(
      primaries: [0.7, 0.2, 0.1].map { Chromaticity($0, 0.3) }, minLuminance: 1, maxLuminance: 100,
      averageLuminance: 50)
    light.diffuseWhite = 2
    light.amve = AmbientViewing(illuminance: 3, white: Chromaticity(0.3, 0.3))
    light.reve = ReferenceEnvironment(
      surround: 5, surroundWhite: Chromaticity(0.3, 0.3), periphery: 6, peripheryWhite: Chromaticity(0.3, 0.4))
    light.toneMetadata = [4, 5]
    light.isSceneReferred = true
    let places = LightMetadata.Place.allCases
    for (index, field) in LightMetadata.Field.allCases.enumerated() {
      light.places[field] = places[index % places.count]
    }
    return light
  }

  static var gainMap: GainMap {
    var metadata = GainMapMetadata(
      kind: .iso, baseHeadroom: 0.5, alternateHeadroom: 3, min: [0, 0, 0], max: [3, 3, 3], gamma: [2, 2, 2],
      baseOffset: [0, 0, 1], alternateOffset: [0, 1, 0])
    (metadata.isMultichannel, metadata.usesBaseColorSpace, metadata.rawPayload) = (true, false, [8])
    // Interleaved, so that planes begin at an offset.
    var image = SampleImage.interleaved(width: 31, height: 22, channelCount: 3, format: .uint8, bitDepth: 8)
    image.reduction = Reduction(scale: 4, width: 122, height: 88)
    var map = GainMap(
      metadata: metadata, image: image, matrix: 6, fullRange: true, alternateColor: color, bindings: ["tmap"])
    map.alternateLight = light
    return map
  }

  static var picture: SourceImage {
    var image = SampleImage.planar(
      width: 61, height: 43, model: .ycc, format: .uint16, bitDepth: 10, chroma: .s420, siting: .topLeft, hasAlpha: true
    )
    (image.lowZeroBits, image.alphaIsPremultiplied, image.madeFinite) = (6, true, 7)
    var source = SourceImage(
      format: .heic, image: image, color: color,
      geometry: Geometry(crop: PixelRect(x: 1, y: 2, width: 50, height: 40), orientation: .left), gainMap: gainMap,
      light: light, exif: [0x49, 0x49, 0x2A, 0], xmp: [6], photoshop: [7], warnings: [Warning("a.b", "c")],
      decoder: "libavcodec 1.2.3")
    source.pictures = [
      FilePicture(width: 1, height: 2, note: "grid", isReduced: true),
      FilePicture(name: "beauty", width: 3, height: 4),
    ]
    source.picture = 2
    (source.payloadFormat, source.statedBitDepth) = (.jpeg, 10)
    source.exr = EXRPart(
      space: "AP1", otherID: "a:b", primaries: .bt709,
      outline: .init(
        number: 2, name: "left", storage: "tiles", hasLevels: true,
        dataWindow: .init(left: -1, top: 2, width: 3, height: 4),
        displayWindow: .init(left: 5, top: 6, width: 7, height: 8), compression: "ZIP",
        channels: [.init(name: "R", type: "half", isShown: true)]))
    source.exr?.layer = "beauty"
    source.exr?.pixelAspectRatio = 1.5
    source.exr?.attributes = [.init(name: "owner", type: "string", value: [1, 2])]
    let others = source.exr.map { [$0.outline] } ?? []
    source.exr?.others = others
    source.extras.motion = MotionVideo(
      range: FileRange(start: 100, byteCount: 200), finder: .samsung, isQuickTime: true, moment: 3)
    source.extras.credentials = ContentCredentials(
      place: "caBX", pieces: [FileRange(start: 7, byteCount: 8)], byteCount: 9)
    source.extras.auxiliaries = [AuxiliaryPicture(type: "depth", width: 5, height: 6, item: 7, isPreview: true)]
    source.extras.liveIdentifier = "id"
    source.extras.trailers = [FileTrailer(.insta360, byteCount: 11, names: ["a"])]
    source.header = [HeaderField("EXPOSURE", "2")]
    return source
  }

  /// Pictures of which a decoder hands the scan over, or says why it does not.
  static var handovers: [SampleImage] {
    get throws {
      var limits = DecodeLimits(), one = BaselineJPEG(width: 61, height: 45)
      limits.leastScan = 0
      one.restartInterval = 2
      let image = try decodeImage(one.file, request: .pixels, limits: limits).image
      var refused = image
      refused.handover = .refused(.scans)
      return [image, refused]
    }
  }

  static var sensor: SensorPicture {
    var sensor = SensorPicture.sample
    sensor.levels.linearization = [0, 8192]
    let area = SensorOpcode.Area(
      top: 1, left: 1, bottom: 8, right: 10, plane: 1, planes: 1, rowPitch: 2, columnPitch: 2)
    sensor.opcodes[0] += [.trimBounds(top: 1, left: 2, bottom: 8, right: 10), .scalePerRow(area, [1, 2, 3, 4])]
    sensor.profile.calibration?.first.calibration = Matrix3.identity * 2
    sensor.profile.calibration?.analogBalance = [1, 2, 1]
    sensor.profile.lookTable = HueSatMap(
      hues: 2, saturations: 3, values: 2, data: [Float](repeating: 1, count: 36), isEncoded: true)
    sensor.profile.gainTableMap = GainTableMap(
      rows: 1, columns: 1, depth: 3, spacing: [1, 1], origin: [0, 0], weights: [0.25, 0.25, 0.25, 0, 0.25], gamma: 2,
      storage: .float16, gains: [3, 2, 1])
    sensor.profile.dynamicRange = CameraProfile.DynamicRange(isHDR: true, peak: 1)
    (sensor.profile.exposureOffset, sensor.profile.keepsBlack, sensor.profile.hasRGBTables) = (-1, true, true)
    return sensor
  }

  static var sensorPicture: SourceImage {
    var source = SourceImage(
      format: .dng, image: .planar(width: 10, height: 8, model: .grey, format: .uint16, bitDepth: 12), color: color,
      geometry: Geometry(width: 10, height: 8))
    source.sensor = sensor
    return source
  }

  static var encodings: [ColorEncoding] {
    let curves: [ToneCurve] = [
      .gamma(2.2), .parametric(g: 2.4, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6), .table([0, 0.25, 1]),
    ]
    return [
      .cicp(primaries: 9, transfer: 16),
      .matrixTRC(curves: curves, toBT2020: [1, 2, 3, 4, 5, 6, 7, 8, 9], primaries: 12),
      .matrixTRC(curves: [.sRGB, .identity, .sRGB], toBT2020: [1, 2, 3, 4, 5, 6, 7, 8, 9], primaries: nil),
      .bakedLUT(size: 2, values: (0..<24).map { Float($0) / 7 }), .space(NamedSpace.all[3]),
    ]
  }

  static var deviceSpaces: [DeviceSpace] {
    let codings: [DeviceSpace.Coding] = [
      .curves([.gamma(2.2), .sRGB, .identity]), .table(size: 2, values: (0..<24).map { Float($0) }),
    ]
    return codings.map {
      DeviceSpace(description: "d", toBT2020: Primaries.bt709.matrix(to: .bt2020)!.rows, coding: $0)
    }
  }

  static let errors: [CodecError] = [
    .decode(.malformed(where: "a", what: "b")), .decode(.truncated(where: "c")),
    .decode(.unsupported(feature: "d", found: "e")),
    .decode(.limit(what: "f", found: Int.max, allowed: Int.min, raise: "\(setting: "max-side") to 7")),
    .decode(.limit(what: "f", found: 2, allowed: 1)),
    .decode(.memory(block: 1, allowed: 2)), .decode(.library(name: "h", code: -3, message: "i")),
    .decode(.undescribed(what: "r", give: "\(setting: "cicp") 9/8")), .decode(.io("j")),
    .decode(.unavailable(library: "s", package: "t", why: "u")),
    .encode(.unsupported(feature: "k", found: "l")),
    .encode(.library(name: "m", code: 4, message: "n")), .encode(.verification("o")), .encode(.io("p")), .read(5),
    .write(28, isSidecar: true),
  ]

  static let appleMaps = [
    AppleGainMap(version: 65_536, xmpHeadroom: 3.5), AppleGainMap(tag33: 0.8, tag48: 0.01),
    // exp2(log2(x)) is another number than x, the factor of this headroom.
    AppleGainMap(headroom: Headroom(stops: 0.5625), version: 131_072), AppleGainMap(),
  ]

  static var order: DecodeOrder {
    var limits = DecodeLimits(
      maxPixels: 1, maxSide: 2, maxFileBytes: 3, maxICCBytes: 4, maxMetadataBytes: 5,
      hevcDecoder: HEVCDecoder.allCases.last ?? .automatic)
    limits.reading = ReadingOptions(
      picture: "beauty",
      raw: RawDescription(
        RawFormat.named("p010").map { RawLayout($0, width: 16, height: 8, stride: 64) }, primaries: 9, transfer: 18,
        matrix: 9, fullRange: false, siting: .topLeft))
    (limits.reading.number, limits.reading.fullRange, limits.reading.sidecar) = (3, true, [1, 2])
    limits.reading.scale = DecodeScale(base: 4, map: 2)
    limits.reading.space = NamedSpace.all[5]
    limits.reading.exr.luminance = .absolute
    (limits.reading.exr.window, limits.reading.exr.emission) = (.data, .keep)
    (limits.reading.plain.exposure, limits.reading.plain.white) = (.apply, 2)
    limits.reading.plain.log = FilmLog(black: 64, white: 940, gamma: 0.5)
    (limits.reading.camera.source, limits.reading.camera.crop) = (.sensor, .active)
    (limits.reading.jxr.white, limits.reading.jxr.alpha, limits.reading.jxr.peak) = (400, .keep, .measured)
    limits.reading.readsCinema = true
    (limits.unsafeCodecs, limits.evaluatesProfiles, limits.threads) = (true, false, 7)
    limits.leastScan = 8
    return DecodeOrder(file: 6, byteCount: 7, request: .pixels, limits: limits, free: 8..<9, wantsDigest: false)
  }

  static let coded = AdaptivePicture.heif(
    HEIFCodedPicture(
      items: [HEIFCodedItem(type: "hvc1", configuration: [1], data: [2, 3], width: 64, height: 48)], grid: [4],
      width: 60, height: 40, properties: [HEIFCodedPicture.Property(box: [5], isEssential: true)]))

  static var auxiliary: AuxiliaryItem {
    var item = AuxiliaryItem(item: 4, picture: coded, type: [6, 7], xmp: [5])
    item.turn = .left
    return item
  }

  static var renditions: CodedRenditions {
    var coded = CodedRenditions(base: coded, map: .jpegStream([8]))
    coded.appleMap = AppleMapItem(picture: .jxl(JXLCodedPicture(codestream: [1], level: 5)), xmp: [2])
    coded.preview = [3]
    coded.auxiliaries = [auxiliary]
    return coded
  }

  static var requests: [FileRequest] {
    let source = picture, map = gainMap
    var rendition = EncodeRequest(
      kind: .sdrJPEG, image: source.image, hasAlpha: true, cicp: CICP(9, 16, 9, full: false), exif: [1], xmp: [2, 3],
      coding: CodingOptions(
        quality: 71, optimizesJPEG: true, pngEffort: 3, deflatesInChunks: true, jxlEffort: 4, exrCompression: .rle),
      contentHeadroom: 4.5,
      displayHeadroom: 2.5, threads: 7)
    (rendition.photoshop, rendition.icc, rendition.white) = ([9], [10], 100)
    (rendition.coding.dpxBits, rendition.coding.isProgressiveJPEG) = (16, true)
    (rendition.light, rendition.space, rendition.profileTone) = (light, NamedSpace.all[1], [11, 12])
    rendition.auxiliaries = [auxiliary]
    rendition.motion = MotionVideo(range: FileRange(start: 1, byteCount: 2), finder: .directory, moment: 4)
    var carried = EXRCarried(width: 3, height: 4)
    (carried.left, carried.top, carried.pixelAspectRatio) = (-1, 2, 1.5)
    carried.attributes = [.init(name: "owner", type: "string", value: [1, 2])]
    var kept = EXRKept(
      file: [7, 8], part: 2, layer: "beauty", channels: [1, 3], parts: [1],
      window: .init(left: 1, top: -2, width: 30, height: 40))
    kept.mapping = SourceMapping(x0: 5, y0: 6, columnX: 0, columnY: -1, rowX: 1, rowY: 0)
    (kept.isMoved, kept.metadata, kept.unsafeCodecs) = (true, .noLocation, true)
    carried.kept = kept
    rendition.carried = carried
    var adaptive = AdaptiveRequest(
      container: .heic, base: coded, baseColor: AdaptiveColor(cicp: .sRGB, icc: [4]), map: .jpegStream([7]),
      mapColor: CICP(1, 13, 6, full: true), metadata: GainMapMetadata(appleMaps[0]),
      alternateColor: AdaptiveColor(cicp: .sRGB), alternateDepth: 12, alternateLight: source.light,
      baseLight: source.light, bindings: [.iso, .hdrgm], exif: [1], xmp: [2], quality: 1, mapQuality: 2, threads: 3)
    (adaptive.photoshop, adaptive.effort, adaptive.optimizesJPEG) = ([5], 4, true)
    (adaptive.deflatesInChunks, adaptive.isProgressiveJPEG) = (true, true)
    adaptive.appleMap = AppleMapItem(picture: .samples(map.image), xmp: [6])
    adaptive.auxiliaries = [auxiliary]
    adaptive.motion = MotionVideo(range: FileRange(start: 1, byteCount: 2), finder: .directory, isQuickTime: true)
    let recompress = RecompressRequest(
      jpeg: [1], map: .samples(map.image), metadata: map.metadata, primaries: 9,
      alternateColor: AdaptiveColor(cicp: .sRGB), threads: 2)
    var encoded = rendition
    encoded.image.scan = JPEGScan([1, 2, 3], chroma: .s420, codes: JPEGCodes.standard)
    encoded.image = encoded.image.forEncoder
    var deflated = rendition
    deflated.image.deflated = DeflatedRows(PNGLine(width: 5, sampleBytes: 2, keepsAlpha: true), [4, 5])
    deflated.image = deflated.image.forEncoder
    var strips = deflated, chunks = deflated
    strips.image.deflated = DeflatedRows(.tiff(TIFFLine(.floats, width: 5, channels: 4)), [[4, 5], [6]])
    chunks.image.deflated = DeflatedRows(.exr(EXRLine(width: 5, channels: 3)), [[4, 5], [6]])
    return [
      .rendition(rendition), .rendition(encoded), .rendition(deflated), .rendition(strips), .rendition(chunks),
      .adaptive(adaptive), .recompress(recompress),
      .copy([1]),
    ]
  }

  static var kernels: [KernelAnswer] {
    let kinds: [KernelHead.Parameter.Kind] = [
      .number(1, -2...3), .count(4, -5...6), .flag(true), .vector([1, 2], 0.5...3), .color([1, 2, 3]),
    ]
    let rules: [KernelHead.HeadroomRule] = [.keeps, .unknown, .scales("gain")]
    return rules.map { rule in
      var head = KernelHead(name: "a", summary: "b")
      head.parameters = kinds.enumerated().map { KernelHead.Parameter("p\($0.offset)", $0.element, "c") }
      (head.radius, head.inputs, head.isHDRSafe, head.headroom, head.makesAlpha) = (3, ["d"], true, rule, true)
      return .compiled(CompiledKernel(head: head, words: [1, 0xFFFF_FFFF]))
    } + [.refused(KernelTextFault("e", line: 9))]
  }
}
