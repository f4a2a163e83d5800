import HDRCore
import ImageFiles

// Messages about the meaning of pictures; fields are in the order of their declarations.

extension ColorModel: WireRaw {}
extension FileFormat: WireRaw {}
extension SampleFormat: WireRaw {}
extension ChromaSubsampling: WireRaw {}
extension Orientation: WireRaw {}
extension GainMapKind: WireRaw {}
extension HEVCDecoder: WireRaw {}
extension Phase: WireRaw {}
extension OutputKind: WireRaw {}
extension AdaptiveContainer: WireRaw {}
extension AdaptiveBindings: WireRaw {}
extension LightMetadata.Place: WireRaw {}

extension EXRReading.Luminance: WireRaw {}
extension EXRReading.Window: WireRaw {}
extension EXRReading.Emission: WireRaw {}
extension EXRCompression: WireRaw {}
extension JXRReading.Alpha: WireRaw {}
extension JXRReading.Peak: WireRaw {}
extension PlainReading.Exposure: WireRaw {}
extension MetadataChoice: WireRaw {}
extension NamedSpace: WireRaw {}

extension ClosedRange<Int> {
  /// The sides of pictures that are described, not decoded.
  static var sides: Self { 0...1 << 32 }
  /// The code points of H.273.
  fileprivate static var codes: Self { 0...65_535 }
}

extension ClosedRange<Double> {
  /// Light, and its ratios in stops.
  static var notNegative: Self { 0 ... .greatestFiniteMagnitude }
  static var positive: Self { .leastNonzeroMagnitude ... .greatestFiniteMagnitude }
}

extension DecodeRequest: Cases {
  package static var blanks: [DecodeRequest] { [.metadata, .pixels] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.number(self == .pixels ? 1 : 0)
  }
}

extension DecodeLimits: Fields {
  package static var blank: DecodeLimits { DecodeLimits() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("maxPixels", &maxPixels)
    try coder("maxSide", &maxSide)
    try coder("maxFileBytes", &maxFileBytes)
    try coder("maxICCBytes", &maxICCBytes)
    try coder("maxMetadataBytes", &maxMetadataBytes)
    try coder("hevcDecoder", &hevcDecoder)
    try coder("reading", &reading)
    try coder("unsafeCodecs", &unsafeCodecs)
    try coder("evaluatesProfiles", &evaluatesProfiles)
    try coder("threads", &threads, in: 1...1024)
    try coder("leastScan", &leastScan, in: 0...1 << 48)
  }
}

extension ReadingOptions: Fields {
  package static var blank: ReadingOptions { ReadingOptions() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("picture", &picture)
    try coder("number", &number)
    try coder("exr", &exr)
    try coder("camera", &camera)
    try coder("jxr", &jxr)
    try coder("plain", &plain)
    try coder("readsCinema", &readsCinema)
    try coder("fullRange", &fullRange)
    try coder("scale", &scale)
    try coder("space", &space)
    try coder("raw", &raw)
    try coder("sidecar", &sidecar)
  }
}

extension DecodeScale: Fields {
  package static var blank: DecodeScale { .whole }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("base", &base, in: 1...8)
    try coder("map", &map, in: 1...8)
  }
}

extension EXRReading: Fields {
  package static var blank: EXRReading { EXRReading() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("luminance", &luminance)
    try coder("window", &window)
    try coder("emission", &emission)
  }
}

extension JXRReading: Fields {
  package static var blank: JXRReading { JXRReading() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("white", &white, in: 1...10_000)
    try coder("alpha", &alpha)
    try coder("peak", &peak)
  }
}

extension PlainReading: Fields {
  package static var blank: PlainReading { PlainReading() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("exposure", &exposure)
    try coder("white", &white, in: .positive)
    try coder("log", &log)
  }
}

extension FilmLog: Fields {
  package static var blank: FilmLog { FilmLog() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("black", &black)
    try coder("white", &white)
    try coder("gamma", &gamma)
    try coder.demand(isUsable, "a logarithm whose white is not brighter than its black")
  }
}

extension RawDescription: Fields {
  package static var blank: RawDescription { RawDescription() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("layout", &layout)
    try coder("primaries", &primaries)
    try coder("transfer", &transfer)
    try coder("matrix", &matrix)
    try coder("fullRange", &fullRange)
    try coder("siting", &siting)
  }
}

extension RawLayout: Fields {
  package static var blank: RawLayout { RawLayout(RawFormat.allCases[0], width: 0, height: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var name = format.name
    try coder("format", &name)
    guard let format = RawFormat.named(name) else { return try coder.refuse("an unknown raw format") }
    self.format = format
    try coder("width", &width)
    try coder("height", &height)
    try coder("stride", &stride)
    try coder.check { fault }
  }
}

extension FilePicture: Fields {
  package static var blank: FilePicture { FilePicture(width: 0, height: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("width", &width, in: .sides)
    try coder("height", &height, in: .sides)
    try coder("note", &note)
    try coder("isReduced", &isReduced)
  }
}

extension Warning: Fields {
  package static var blank: Warning { Warning("", "") }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("code", &code)
    try coder("message", &message)
  }

  /// Writes the first warnings, and one that counts the rest.
  package static func write(_ list: [Warning], to wire: inout WireWriter) {
    let kept = list.count > CodecProtocol.maxWarnings ? cut(list, of: list.count) : list
    wire.put(kept.count)
    for warning in kept { wire.put(warning) }
  }

  /// Reads the first warnings, skips the rest and adds one warning that counts them.
  package static func list(from wire: inout WireReader) throws(WireError) -> [Warning] {
    let most = CodecProtocol.maxWarnings, count = try wire.count(least: 16)
    var first: [Warning] = []
    // A list that the writer has cut is one longer than `maxWarnings`.
    let kept = count == most + 1 ? count : min(count, most)
    for _ in 0..<kept { first.append(try wire.take()) }
    for _ in kept..<count {
      try wire.skipData()
      try wire.skipData()
    }
    return kept < count ? cut(first, of: count) : first
  }

  private static func cut(_ warnings: [Warning], of count: Int) -> [Warning] {
    let most = CodecProtocol.maxWarnings
    return warnings.prefix(most) + [Warning("warnings.more", "\(count - most) more warnings")]
  }
}

extension CICP: Fields {
  package static var blank: CICP { .unspecified }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("primaries", &primaries, in: .codes)
    try coder("transfer", &transfer, in: .codes)
    try coder("matrix", &matrix, in: .codes)
    try coder("fullRange", &fullRange)
  }
}

extension ContentLightLevel: Fields {
  package static var blank: ContentLightLevel { ContentLightLevel(maxCLL: 0, maxFALL: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("maxCLL", &maxCLL, in: .notNegative)
    try coder("maxFALL", &maxFALL, in: .notNegative)
  }
}

extension Chromaticity: Fields {
  package static var blank: Chromaticity { Chromaticity(0, 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("x", &x)
    try coder("y", &y)
  }
}

extension MasteringDisplay: Fields {
  package static var blank: MasteringDisplay { MasteringDisplay(primaries: nil, maxLuminance: 0, minLuminance: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("primaries", &primaries)
    try coder.demand(primaries?.count ?? 4 == 4, "mastering primaries are not four")
    try coder("maxLuminance", &maxLuminance, in: .notNegative)
    try coder("minLuminance", &minLuminance, in: .notNegative)
  }
}

extension ContentColorVolume: Fields {
  package static var blank: ContentColorVolume { ContentColorVolume() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("primaries", &primaries)
    try coder.demand(primaries?.count ?? 3 == 3, "content primaries are not three")
    try coder("minLuminance", &minLuminance, in: .notNegative)
    try coder("maxLuminance", &maxLuminance, in: .notNegative)
    try coder("averageLuminance", &averageLuminance, in: .notNegative)
  }
}

extension AmbientViewing: Fields {
  package static var blank: AmbientViewing { AmbientViewing(illuminance: 0, white: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("illuminance", &illuminance, in: .notNegative)
    try coder("white", &white)
  }
}

extension ReferenceEnvironment: Fields {
  package static var blank: ReferenceEnvironment {
    ReferenceEnvironment(surround: 0, surroundWhite: .blank, periphery: 0, peripheryWhite: .blank)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("surround", &surround, in: .notNegative)
    try coder("surroundWhite", &surroundWhite)
    try coder("periphery", &periphery, in: .notNegative)
    try coder("peripheryWhite", &peripheryWhite)
  }
}

extension LightMetadata: Fields {
  package static var blank: LightMetadata { LightMetadata() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("clli", &clli)
    try coder("mdcv", &mdcv)
    try coder("cclv", &cclv)
    try coder("amve", &amve)
    try coder("reve", &reve)
    try coder("diffuseWhite", &diffuseWhite, in: .positive)
    try coder("toneMetadata", &toneMetadata)
    try coder("isSceneReferred", &isSceneReferred)
    for field in fields { try coder("places", &places[field]) }
  }
}

extension ToneCurve: Cases {
  package static var blanks: [ToneCurve] {
    [.gamma(0), .parametric(g: 0, a: 0, b: 0, c: 0, d: 0, e: 0, f: 0), .table([]), .sRGB, .identity]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .gamma(let gamma):
      try coder.number(0)
      self = .gamma(try coder(gamma))
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      try coder.number(1)
      self = .parametric(
        g: try coder(g), a: try coder(a), b: try coder(b), c: try coder(c), d: try coder(d), e: try coder(e),
        f: try coder(f))
    case .table(var samples):
      try coder.number(2)
      try coder("samples of a curve", &samples, count: 2...65_536)
      self = .table(samples)
    case .sRGB: try coder.number(3)
    case .identity: try coder.number(4)
    }
  }
}

extension ColorEncoding: Cases {
  package static var blanks: [ColorEncoding] {
    [
      .cicp(primaries: 0, transfer: 0), .matrixTRC(curves: [], toBT2020: [], primaries: nil),
      .bakedLUT(size: 0, values: []), .space(NamedSpace.all[0]),
    ]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .cicp(var primaries, var transfer):
      try coder.number(0)
      try coder("primaries", &primaries, in: .codes)
      try coder("transfer", &transfer, in: .codes)
      self = .cicp(primaries: primaries, transfer: transfer)
    case .matrixTRC(var curves, var matrix, var primaries):
      try coder.number(1)
      try coder("curves", &curves)
      try coder("coefficients", &matrix, count: 9...9)
      try coder("primaries", &primaries, in: .codes)
      try coder.demand(curves.count == 3 || curves.count == 1, "a profile of \(curves.count) curves")
      self = .matrixTRC(curves: curves, toBT2020: matrix, primaries: primaries)
    case .bakedLUT(var size, var values):
      try coder.number(2)
      try coder.cube(&size, &values)
      self = .bakedLUT(size: size, values: values)
    case .space(var space):
      try coder.number(3)
      try coder("space", &space)
      self = .space(space)
    }
  }
}

extension FieldCoder {
  /// Codes a table of three values for each node of a cube.
  fileprivate mutating func cube(_ size: inout Int, _ values: inout [Float]) throws(Failure) {
    try self("LUT size", &size, in: 2...129)
    try self("values", &values)
    try demand(values.count == 3 * size * size * size, "a LUT of \(values.count) values for \(size) nodes")
  }
}

extension DeviceSpace: Fields {
  package static var blank: DeviceSpace { DeviceSpace(description: "", toBT2020: [], coding: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("description", &description)
    try coder("toBT2020", &toBT2020, count: 9...9)
    try coder.demand(Matrix3(toBT2020).inverse != nil, "a profile without a matrix")
    try coder("coding", &coding)
  }
}

extension DeviceSpace.Coding: Cases {
  package static var blanks: [DeviceSpace.Coding] { [.curves([]), .table(size: 0, values: [])] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .curves(var curves):
      try coder.number(0)
      try coder("curves", &curves, count: 3...3)
      try coder.demand(curves.allSatisfy(\.isIncreasing), "a profile of curves that fall")
      self = .curves(curves)
    case .table(var size, var values):
      try coder.number(1)
      try coder.cube(&size, &values)
      self = .table(size: size, values: values)
    }
  }
}

/// `reshape` does not cross: frames of clips never come from codec processes.
extension SourceColor: Fields {
  package static var blank: SourceColor { SourceColor(matrix: 0, fullRange: false, encoding: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("matrix", &matrix, in: .codes)
    try coder("fullRange", &fullRange)
    try coder("encoding", &encoding)
    try coder("cicp", &cicp)
    try coder("icc", &icc)
    try coder("iccDescription", &iccDescription)
    try coder("replaced", &replaced)
  }
}

extension PixelRect: Fields {
  package static var blank: PixelRect { PixelRect(x: 0, y: 0, width: 0, height: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("x", &x, in: 0...1 << 40)
    try coder("y", &y, in: 0...1 << 40)
    try coder("width", &width, in: 1...1 << 40)
    try coder("height", &height, in: 1...1 << 40)
  }
}

extension Geometry: Fields {
  package static var blank: Geometry { Geometry(crop: .blank, orientation: .up) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("crop", &crop)
    try coder("orientation", &orientation)
  }

  func isInside(_ image: SampleImage) -> Bool {
    crop.x + crop.width <= image.width && crop.y + crop.height <= image.height
  }
}

extension AppleGainMap: Fields {
  package static var blank: AppleGainMap { AppleGainMap() }
  /// Codes the statements of the file, of which a reader computes the headroom again, or the headroom that was given.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var given = rule == .given ? headroom : nil
    try coder("version", &version)
    try coder("xmpHeadroom", &xmpHeadroom)
    try coder("tag33", &tag33)
    try coder("tag48", &tag48)
    try coder("headroom", &given, in: 1 ... .greatestFiniteMagnitude)
    self =
      given.map { AppleGainMap(given: $0, version: version) }
      ?? AppleGainMap(version: version, xmpHeadroom: xmpHeadroom, tag33: tag33, tag48: tag48)
  }
}

extension GainMapMetadata: Fields {
  package static var blank: GainMapMetadata {
    GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 0, min: [], max: [])
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("kind", &kind)
    try coder("baseHeadroom", &baseHeadroom, in: .notNegative)
    try coder("alternateHeadroom", &alternateHeadroom, in: .notNegative)
    try coder("min", &min, count: 3...3)
    try coder("max", &max, count: 3...3)
    try coder("gamma", &gamma, count: 3...3)
    try coder.demand(gamma.allSatisfy { $0 > 0 }, "a gamma of a gain map is negative")
    try coder("baseOffset", &baseOffset, count: 3...3)
    try coder("alternateOffset", &alternateOffset, count: 3...3)
    try coder("isMultichannel", &isMultichannel)
    try coder("usesBaseColorSpace", &usesBaseColorSpace)
    try coder("rawPayload", &rawPayload)
    try coder("apple", &apple)
    try coder.demand((kind == .apple) == (apple != nil), "a gain map of two kinds")
  }
}

extension GainMap: Fields {
  package static var blank: GainMap {
    GainMap(metadata: .blank, image: .blank, matrix: 0, fullRange: false, alternateColor: nil, bindings: [])
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("metadata", &metadata)
    try coder("image", &image)
    try coder("matrix", &matrix, in: .codes)
    try coder("fullRange", &fullRange)
    try coder("alternateColor", &alternateColor)
    try coder("alternateLight", &alternateLight)
    try coder("bindings", &bindings)
  }
}

extension Primaries: Fields {
  package static var blank: Primaries { Primaries(red: .blank, green: .blank, blue: .blank, white: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("red", &red)
    try coder("green", &green)
    try coder("blue", &blue)
    try coder("white", &white)
  }
}

extension EXRPart.Channel: Fields {
  package static var blank: EXRPart.Channel { EXRPart.Channel(name: "", type: "") }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("type", &type)
    try coder("isShown", &isShown)
  }
}

extension EXRPart.Attribute: Fields {
  package static var blank: EXRPart.Attribute { EXRPart.Attribute(name: "", type: "", value: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("type", &type)
    try coder("value", &value)
  }
}

extension EXRPart.Outline: Fields {
  package static var blank: EXRPart.Outline {
    EXRPart.Outline(dataWindow: .blank, displayWindow: .blank, compression: "", channels: [])
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("number", &number, in: 1...64)
    try coder("name", &name)
    try coder("storage", &storage)
    try coder("hasLevels", &hasLevels)
    try coder("dataWindow", &dataWindow)
    try coder("displayWindow", &displayWindow)
    try coder("compression", &compression)
    try coder("channels", &channels, count: 0...256)
  }
}

extension EXRPart.Window: Fields {
  package static var blank: EXRPart.Window { EXRPart.Window(left: 0, top: 0, width: 0, height: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    let places = -(1 << 30)...1 << 30, sides = 0...1 << 31 + 1
    try coder("left", &left, in: places)
    try coder("top", &top, in: places)
    try coder("width", &width, in: sides)
    try coder("height", &height, in: sides)
  }
}

extension EXRPart: Fields {
  package static var blank: EXRPart {
    EXRPart(outline: .blank)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("space", &space)
    try coder("otherID", &otherID)
    try coder("primaries", &primaries)
    try coder("outline", &outline)
    try coder("layer", &layer)
    try coder("pixelAspectRatio", &pixelAspectRatio, in: .positive)
    try coder("attributes", &attributes, count: 0...4096)
    try coder("others", &others, count: 0...63)
  }
}

extension HeaderField: Fields {
  package static var blank: HeaderField { HeaderField("", "") }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("text", &text)
  }
}

extension SourceImage: Fields {
  package static var blank: SourceImage {
    SourceImage(format: .memory, image: .blank, color: .blank, geometry: .blank)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("format", &format)
    try coder("image", &image)
    try coder("color", &color)
    try coder("geometry", &geometry)
    try coder("gainMap", &gainMap)
    try coder("light", &light)
    try coder("exif", &exif)
    try coder("xmp", &xmp)
    try coder("photoshop", &photoshop)
    try coder("warnings", &warnings)
    try coder("decoder", &decoder)
    try coder("pictures", &pictures)
    try coder("picture", &picture, in: 1...max(1, pictures.count))
    try coder("sensor", &sensor)
    try coder("payloadFormat", &payloadFormat)
    try coder("exr", &exr)
    try coder("extras", &extras)
    try coder("header", &header, count: 0...HeaderField.most)
    try coder("statedBitDepth", &statedBitDepth)
    try coder.check { fault(coder.limits) }
  }

  /// Returns the first contradiction between fields.
  private func fault(_ limits: DecodeLimits) -> String? {
    guard (1...64).contains(bitDepth) else { return "\(bitDepth) bits a sample" }
    guard sensor?.describes(image) ?? true else { return "samples of another sensor" }
    // Image resources may contain IPTC that the file holds in another place.
    let largest = [exif, xmp, photoshop].reduce(0) { max($0, $1?.count ?? 0) }
    guard largest <= 2 * limits.maxMetadataBytes else { return "metadata of \(largest) bytes" }
    guard geometry.isInside(image) else { return "a crop outside its picture" }
    guard image.channels.isEmpty || gainMap == nil || gainMap?.image.holdsPixels == true else {
      return "a gain map without samples"
    }
    for (matrix, chroma) in [(color.matrix, image.chroma)] + (gainMap.map { [($0.matrix, $0.image.chroma)] } ?? []) {
      guard matrix != CICP.Matrix.identity || !chroma.isSubsampled else {
        return "identity matrix with \(chroma.rawValue) chroma"
      }
    }
    return nil
  }
}

extension DecodeError: Cases {
  package static var blanks: [DecodeError] {
    [
      .malformed(where: "", what: ""), .truncated(where: ""), .unsupported(feature: "", found: ""),
      .limit(what: "", found: 0, allowed: 0), .memory(block: 0, allowed: 0),
      .library(name: "", code: 0, message: ""), .undescribed(what: "", give: ""), .io(""),
      .unavailable(library: "", package: "", why: ""),
    ]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .malformed(let place, let what):
      try coder.number(0)
      self = .malformed(where: try coder(place), what: try coder(what))
    case .truncated(let place):
      try coder.number(1)
      self = .truncated(where: try coder(place))
    case .unsupported(let feature, let found):
      try coder.number(2)
      self = .unsupported(feature: try coder(feature), found: try coder(found))
    case .limit(let what, let found, let allowed, let raise):
      try coder.number(3)
      self = .limit(
        what: try coder(what), found: try coder(found), allowed: try coder(allowed), raise: try coder(raise))
    case .memory(let block, let allowed):
      try coder.number(4)
      self = .memory(block: try coder(block), allowed: try coder(allowed))
    case .library(let name, let code, let message):
      try coder.number(5)
      self = .library(name: try coder(name), code: try coder(code), message: try coder(message))
    case .undescribed(let what, let give):
      try coder.number(6)
      self = .undescribed(what: try coder(what), give: try coder(give))
    case .io(let message):
      try coder.number(7)
      self = .io(try coder(message))
    case .unavailable(let library, let package, let why):
      try coder.number(8)
      self = .unavailable(library: try coder(library), package: try coder(package), why: try coder(why))
    }
  }
}

extension EncodeError: Cases {
  package static var blanks: [EncodeError] {
    [
      .unsupported(feature: "", found: ""), .library(name: "", code: 0, message: ""), .verification(""), .io(""),
    ]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .unsupported(let feature, let found):
      try coder.number(0)
      self = .unsupported(feature: try coder(feature), found: try coder(found))
    case .library(let name, let code, let message):
      try coder.number(1)
      self = .library(name: try coder(name), code: try coder(code), message: try coder(message))
    case .verification(let message):
      try coder.number(2)
      self = .verification(try coder(message))
    case .io(let message):
      try coder.number(3)
      self = .io(try coder(message))
    }
  }
}

extension CodecError: Cases {
  package static var blanks: [CodecError] {
    [.decode(.blank), .encode(.blank), .read(0), .write(0, isSidecar: false)]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .decode(let error):
      try coder.number(0)
      self = .decode(try coder(error))
    case .encode(let error):
      try coder.number(1)
      self = .encode(try coder(error))
    case .read(let number):
      try coder.number(2)
      self = .read(try coder.systemError(number))
    case .write(let number, let isSidecar):
      try coder.number(3)
      self = .write(try coder.systemError(number), isSidecar: try coder(isSidecar))
    // Only the main process can report a lost process, so this is never sent.
    case .lost(_, let message, _):
      self = .decode(.io(message.description))
      try fields(with: &coder)
    }
  }
}

extension FieldCoder {
  fileprivate mutating func systemError(_ number: Int32) throws(Failure) -> Int32 {
    var value = Int(number)
    try self("an error number", &value, in: 1...4095)
    return Int32(value)
  }
}
