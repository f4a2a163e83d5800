import HDRCore
import ImageFiles

// Messages about the meaning of pictures; fields are in the order of their declarations.

extension ColorModel: WireName {}
extension FileFormat: WireName {}
extension SampleFormat: WireName {}
extension ChromaSubsampling: WireName {}
extension GainMapKind: WireName {}
extension HEVCDecoder: WireName {}
extension Phase: WireName {}
extension OutputKind: WireName {}
extension AdaptiveContainer: WireName {}

extension EXRReading.Luminance: WireName {}
extension EXRReading.Window: WireName {}
extension EXRReading.Emission: WireName {}
extension EXRCompression: WireName {}

extension DecodeRequest: WireValue {
  package func write(to wire: inout WireWriter) { wire.put(self == .pixels) }
  package init(from wire: inout WireReader) throws(WireError) {
    self = try wire.take(Bool.self) ? .pixels : .metadata
  }
}

extension DecodeLimits: WireValue {
  package func write(to wire: inout WireWriter) {
    for value in [maxPixels, maxSide, maxFileBytes, maxICCBytes, maxMetadataBytes] { wire.put(value) }
    wire.put(hevcDecoder)
    wire.put(reading)
    wire.put(unsafeCodecs)
    wire.put(evaluatesProfiles)
    wire.put(threads)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      maxPixels: try wire.take(), maxSide: try wire.take(), maxFileBytes: try wire.take(),
      maxICCBytes: try wire.take(), maxMetadataBytes: try wire.take(), hevcDecoder: try wire.take())
    reading = try wire.take()
    unsafeCodecs = try wire.take()
    evaluatesProfiles = try wire.take()
    threads = try wire.int(1...1024, "a count of threads")
  }
}

extension ReadingOptions: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(picture)
    wire.put(number)
    wire.put(exr)
    wire.put(camera)
    wire.put(fullRange)
    wire.put(raw)
    wire.put(sidecar)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(picture: try wire.take())
    number = try wire.take()
    exr = try wire.take()
    camera = try wire.take()
    fullRange = try wire.take()
    raw = try wire.take()
    sidecar = try wire.take()
  }
}

extension EXRReading: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(luminance)
    wire.put(window)
    wire.put(emission)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init()
    luminance = try wire.take()
    window = try wire.take()
    emission = try wire.take()
  }
}

extension RawDescription: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(layout)
    for code in [primaries, transfer, matrix] { wire.put(code) }
    wire.put(fullRange)
    wire.put(siting?.horizontallyCosited)
    wire.put(siting?.verticallyCosited)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      try wire.take(), primaries: try wire.take(), transfer: try wire.take(), matrix: try wire.take(),
      fullRange: try wire.take())
    let across = try wire.take(Bool?.self), down = try wire.take(Bool?.self)
    if let across, let down { siting = ChromaSiting(horizontallyCosited: across, verticallyCosited: down) }
  }
}

extension RawLayout: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(format.name)
    wire.put(width)
    wire.put(height)
    wire.put(stride)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    guard let format = RawFormat.named(try wire.take()) else { throw WireError("an unknown raw format") }
    self.init(format, width: try wire.take(), height: try wire.take(), stride: try wire.take())
    if let fault { throw WireError(fault) }
  }
}

extension FilePicture: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(name)
    wire.put(width)
    wire.put(height)
    wire.put(note)
    wire.put(isReduced)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let sides = 0...1 << 32
    self.init(
      name: try wire.take(), width: try wire.int(sides, "a width"), height: try wire.int(sides, "a height"),
      note: try wire.take(), isReduced: try wire.take())
  }
}

extension Warning: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(code)
    wire.put(message)
  }
  package init(from wire: inout WireReader) throws(WireError) { self.init(try wire.take(), try wire.take()) }
}

extension CICP: WireValue {
  package func write(to wire: inout WireWriter) {
    for value in [primaries, transfer, matrix] { wire.put(value) }
    wire.put(fullRange)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let codes = 0...65_535
    self.init(
      try wire.int(codes, "primaries"), try wire.int(codes, "transfer"), try wire.int(codes, "matrix"),
      full: try wire.take())
  }
}

extension ContentLightLevel: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(maxCLL)
    wire.put(maxFALL)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(maxCLL: try wire.take(), maxFALL: try wire.take())
  }
}

extension Chromaticity: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(x)
    wire.put(y)
  }
  package init(from wire: inout WireReader) throws(WireError) { self.init(try wire.take(), try wire.take()) }
}

extension MasteringDisplay: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(primaries)
    wire.put(maxLuminance)
    wire.put(minLuminance)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let primaries = try wire.take([Chromaticity]?.self)
    guard primaries == nil || primaries?.count == 4 else { throw WireError("mastering primaries are not four") }
    self.init(primaries: primaries, maxLuminance: try wire.take(), minLuminance: try wire.take())
  }
}

extension ContentColorVolume: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(primaries)
    for value in [minLuminance, maxLuminance, averageLuminance] { wire.put(value) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let primaries = try wire.take([Chromaticity]?.self)
    guard primaries == nil || primaries?.count == 3 else { throw WireError("content primaries are not three") }
    self.init(
      primaries: primaries, minLuminance: try wire.take(), maxLuminance: try wire.take(),
      averageLuminance: try wire.take())
  }
}

extension AmbientViewing: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(illuminance)
    wire.put(white)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(illuminance: try wire.take(), white: try wire.take())
  }
}

extension ReferenceEnvironment: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(surround)
    wire.put(surroundWhite)
    wire.put(periphery)
    wire.put(peripheryWhite)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      surround: try wire.take(), surroundWhite: try wire.take(), periphery: try wire.take(),
      peripheryWhite: try wire.take())
  }
}

extension LightMetadata.Field: WireName {}
extension LightMetadata.Place: WireName {}

extension LightMetadata: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(clli)
    wire.put(mdcv)
    wire.put(cclv)
    wire.put(amve)
    wire.put(reve)
    wire.put(diffuseWhite)
    wire.put(toneMetadata)
    wire.put(isSceneReferred)
    for field in fields { wire.put(places[field]) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init()
    clli = try wire.take()
    mdcv = try wire.take()
    cclv = try wire.take()
    amve = try wire.take()
    reve = try wire.take()
    diffuseWhite = try wire.take()
    toneMetadata = try wire.take()
    isSceneReferred = try wire.take()
    for field in fields { places[field] = try wire.take() }
    let numbers = [
      clli?.maxCLL, clli?.maxFALL, mdcv?.maxLuminance, mdcv?.minLuminance, cclv?.maxLuminance, cclv?.minLuminance,
      cclv?.averageLuminance, amve?.illuminance, reve?.surround, reve?.periphery,
    ]
    guard numbers.allSatisfy({ $0 ?? 0 >= 0 }), diffuseWhite ?? 1 > 0 else { throw WireError("light below black") }
  }
}

extension ToneCurve: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .gamma(let gamma):
      wire.byte(0)
      wire.put(gamma)
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      wire.byte(1)
      for value in [g, a, b, c, d, e, f] { wire.put(value) }
    case .table(let values):
      wire.byte(2)
      wire.put(values)
    case .sRGB: wire.byte(3)
    case .identity: wire.byte(4)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: self = .gamma(try wire.take())
    case 1:
      self = .parametric(
        g: try wire.take(), a: try wire.take(), b: try wire.take(), c: try wire.take(), d: try wire.take(),
        e: try wire.take(), f: try wire.take())
    case 2:
      let values = try wire.take([Double].self)
      guard (2...65_536).contains(values.count) else { throw WireError("a curve of \(values.count) samples") }
      self = .table(values)
    case 3: self = .sRGB
    case 4: self = .identity
    case let other: throw WireError("tone curve \(other)")
    }
  }
}

extension ColorEncoding: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .cicp(let primaries, let transfer):
      wire.byte(0)
      wire.put(primaries)
      wire.put(transfer)
    case .matrixTRC(let curves, let toBT2020, let primaries):
      wire.byte(1)
      wire.put(curves)
      wire.put(toBT2020)
      wire.put(primaries)
    case .bakedLUT(let size, let values):
      wire.byte(2)
      wire.put(cube: size, values)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let codes = 0...65_535
    switch try wire.byte() {
    case 0: self = .cicp(primaries: try wire.int(codes, "primaries"), transfer: try wire.int(codes, "transfer"))
    case 1:
      let curves = try wire.take([ToneCurve].self), matrix = try wire.take([Double].self)
      guard curves.count == 3 || curves.count == 1, matrix.count == 9 else {
        throw WireError("a profile of \(curves.count) curves and \(matrix.count) coefficients")
      }
      let primaries = try wire.take(Bool.self) ? try wire.int(codes, "primaries") : nil
      self = .matrixTRC(curves: curves, toBT2020: matrix, primaries: primaries)
    case 2:
      let (size, values) = try wire.cube()
      self = .bakedLUT(size: size, values: values)
    case let other: throw WireError("colour encoding \(other)")
    }
  }
}

extension WireWriter {
  fileprivate mutating func put(cube size: Int, _ values: [Float]) {
    put(size)
    put(values.count)
    for value in values { put(Double(value)) }
  }
}

extension WireReader {
  fileprivate mutating func cube() throws(WireError) -> (size: Int, values: [Float]) {
    let size = try int(2...129, "LUT size"), count = try count(least: 8)
    guard count == 3 * size * size * size else { throw WireError("a LUT of \(count) values for \(size) nodes") }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      let value = Float(try take(Double.self))
      guard value.isFinite else { throw WireError("a LUT value is \(value)") }
      values.append(value)
    }
    return (size, values)
  }
}

extension DeviceSpace: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(description)
    wire.put(toBT2020)
    switch coding {
    case .curves(let curves):
      wire.byte(0)
      wire.put(curves)
    case .table(let size, let values):
      wire.byte(1)
      wire.put(cube: size, values)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let description = try wire.take(String.self), matrix = try wire.take([Double].self)
    guard matrix.count == 9, Matrix3(matrix).inverse != nil else { throw WireError("a profile without a matrix") }
    let coding: Coding
    switch try wire.byte() {
    case 0:
      let curves = try wire.take([ToneCurve].self)
      guard curves.count == 3, curves.allSatisfy(\.isIncreasing) else {
        throw WireError("a profile of \(curves.count) curves")
      }
      coding = .curves(curves)
    case 1:
      let (size, values) = try wire.cube()
      coding = .table(size: size, values: values)
    case let other: throw WireError("device coding \(other)")
    }
    self.init(description: description, toBT2020: matrix, coding: coding)
  }
}

extension SourceColor: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(matrix)
    wire.put(fullRange)
    wire.put(encoding)
    wire.put(cicp)
    wire.put(icc)
    wire.put(iccDescription)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      matrix: try wire.int(0...65_535, "matrix"), fullRange: try wire.take(), encoding: try wire.take(),
      cicp: try wire.take(), icc: try wire.take(), iccDescription: try wire.take())
  }
}

extension Geometry: WireValue {
  package func write(to wire: inout WireWriter) {
    for value in [crop.x, crop.y, crop.width, crop.height, orientation.rawValue] { wire.put(value) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let sides = 0...1 << 40
    let crop = PixelRect(
      x: try wire.int(sides, "crop"), y: try wire.int(sides, "crop"), width: try wire.int(1...1 << 40, "crop"),
      height: try wire.int(1...1 << 40, "crop"))
    guard let orientation = Orientation(rawValue: try wire.take()) else { throw WireError("no such orientation") }
    self.init(crop: crop, orientation: orientation)
  }

  func isInside(_ image: SampleImage) -> Bool {
    crop.x + crop.width <= image.width && crop.y + crop.height <= image.height
  }
}

extension AppleGainMap: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(version)
    wire.put(xmpHeadroom)
    wire.put(tag33)
    wire.put(tag48)
    wire.put(rule == .given ? headroom : nil)
  }
  /// Reads a map; its headroom is computed again from the file's metadata.
  package init(from wire: inout WireReader) throws(WireError) {
    let version = try wire.take(Int?.self)
    self.init(
      version: version, xmpHeadroom: try wire.take(), tag33: try wire.take(), tag48: try wire.take())
    if let given = try wire.take(Double?.self) {
      guard given >= 1 else { throw WireError("a headroom of \(given)") }
      self = AppleGainMap(headroom: Headroom(factor: given), version: version)
    }
  }
}

extension GainMapMetadata: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(kind)
    wire.put(baseHeadroom)
    wire.put(alternateHeadroom)
    for row in [min, max, gamma, baseOffset, alternateOffset] { wire.put(row) }
    wire.put(isMultichannel)
    wire.put(usesBaseColorSpace)
    wire.put(rawPayload)
    wire.put(apple)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let kind = try wire.take(GainMapKind.self)
    let base = try wire.take(Double.self), alternate = try wire.take(Double.self)
    var rows: [[Double]] = []
    for _ in 0..<5 {
      rows.append(try wire.take())
      guard rows.last?.count == 3 else { throw WireError("a gain map row is not three numbers") }
    }
    guard base >= 0, alternate >= 0, rows[2].allSatisfy({ $0 > 0 }) else {
      throw WireError("a headroom or gamma of a gain map is negative")
    }
    self.init(
      kind: kind, baseHeadroom: base, alternateHeadroom: alternate, min: rows[0], max: rows[1], gamma: rows[2],
      baseOffset: rows[3], alternateOffset: rows[4], isMultichannel: try wire.take(),
      usesBaseColorSpace: try wire.take(), rawPayload: try wire.take(), apple: try wire.take())
    guard (kind == .apple) == (apple != nil) else { throw WireError("a gain map of two kinds") }
  }
}

extension GainMap: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(metadata)
    wire.put(image)
    wire.put(matrix)
    wire.put(fullRange)
    wire.put(alternateColor)
    wire.put(bindings)
    wire.put(alternateLight)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      metadata: try wire.take(), image: try wire.take(), matrix: try wire.int(0...65_535, "matrix"),
      fullRange: try wire.take(), alternateColor: try wire.take(), bindings: try wire.take())
    alternateLight = try wire.take()
  }
}

extension Primaries: WireValue {
  package func write(to wire: inout WireWriter) { for point in [red, green, blue, white] { wire.put(point) } }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(red: try wire.take(), green: try wire.take(), blue: try wire.take(), white: try wire.take())
  }
}

extension EXRPart.Channel: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(name)
    wire.put(type)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(name: try wire.take(), type: try wire.take())
  }
}

extension EXRPart.Window: WireValue {
  package func write(to wire: inout WireWriter) { for number in [left, top, width, height] { wire.put(number) } }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(left: try wire.take(), top: try wire.take(), width: try wire.take(), height: try wire.take())
  }
}

extension EXRPart: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(space)
    wire.put(primaries)
    wire.put(dataWindow)
    wire.put(displayWindow)
    wire.put(compression)
    wire.put(channels)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      space: try wire.take(), primaries: try wire.take(), dataWindow: try wire.take(),
      displayWindow: try wire.take(), compression: try wire.take(), channels: try wire.take())
    guard channels.count <= 256 else { throw WireError("\(channels.count) channels of OpenEXR") }
  }
}

extension SourceImage: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(format)
    wire.put(image)
    wire.put(color)
    wire.put(geometry)
    wire.put(gainMap)
    wire.put(light)
    wire.put(exif)
    wire.put(xmp)
    wire.put(photoshop)
    wire.put(warnings: warnings)
    wire.put(decoder)
    wire.put(pictures)
    wire.put(picture)
    wire.put(sensor)
    wire.put(payloadFormat)
    wire.put(exr)
    wire.put(statedBitDepth)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      format: try wire.take(), image: try wire.take(), color: try wire.take(), geometry: try wire.take(),
      gainMap: try wire.take(), light: try wire.take(), exif: try wire.take(), xmp: try wire.take(),
      photoshop: try wire.take(), warnings: try wire.warnings(), decoder: try wire.take())
    pictures = try wire.take()
    picture = try wire.int(1...max(1, pictures.count), "a picture's number")
    sensor = try wire.take()
    payloadFormat = try wire.take()
    exr = try wire.take()
    statedBitDepth = try wire.take()
    guard (1...64).contains(bitDepth) else { throw WireError("\(bitDepth) bits a sample") }
    guard sensor?.describes(image) ?? true else { throw WireError("samples of another sensor") }
    // Image resources may contain IPTC that the file holds in another place.
    let largest = [exif, xmp, photoshop].reduce(0) { max($0, $1?.count ?? 0) }
    guard largest <= 2 * wire.pixels.limits.maxMetadataBytes else { throw WireError("metadata of \(largest) bytes") }
    guard geometry.isInside(image) else { throw WireError("a crop outside its picture") }
    guard image.channels.isEmpty || gainMap == nil || gainMap?.image.channels.isEmpty == false else {
      throw WireError("a gain map without samples")
    }
    for (matrix, chroma) in [(color.matrix, image.chroma)] + (gainMap.map { [($0.matrix, $0.image.chroma)] } ?? []) {
      guard matrix != CICP.Matrix.identity || !chroma.isSubsampled else {
        throw WireError("identity matrix with \(chroma.rawValue) chroma")
      }
    }
  }
}

extension DecodeError: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .malformed(let place, let what):
      wire.byte(0)
      wire.put(place)
      wire.put(what)
    case .truncated(let place):
      wire.byte(1)
      wire.put(place)
    case .unsupported(let feature, let found):
      wire.byte(2)
      wire.put(feature)
      wire.put(found)
    case .limit(let what, let found, let allowed, let setting):
      wire.byte(3)
      wire.put(what)
      wire.put(found)
      wire.put(allowed)
      wire.put(setting)
    case .library(let name, let code, let message):
      wire.byte(4)
      wire.put(name)
      wire.put(code)
      wire.put(message)
    case .io(let message):
      wire.byte(5)
      wire.put(message)
    case .undescribed(let what, let setting):
      wire.byte(6)
      wire.put(what)
      wire.put(setting)
    case .memory(let block, let allowed, let setting):
      wire.byte(7)
      wire.put(block)
      wire.put(allowed)
      wire.put(setting)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: self = .malformed(where: try wire.take(), what: try wire.take())
    case 1: self = .truncated(where: try wire.take())
    case 2: self = .unsupported(feature: try wire.take(), found: try wire.take())
    case 3:
      self = .limit(what: try wire.take(), found: try wire.take(), allowed: try wire.take(), setting: try wire.take())
    case 4: self = .library(name: try wire.take(), code: try wire.take(), message: try wire.take())
    case 5: self = .io(try wire.take())
    case 6: self = .undescribed(what: try wire.take(), setting: try wire.take())
    case 7: self = .memory(block: try wire.take(), allowed: try wire.take(), setting: try wire.take())
    case let other: throw WireError("decoding error \(other)")
    }
  }
}

extension EncodeError: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .unsupported(let feature, let found):
      wire.byte(0)
      wire.put(feature)
      wire.put(found)
    case .library(let name, let code, let message):
      wire.byte(1)
      wire.put(name)
      wire.put(code)
      wire.put(message)
    case .verification(let message):
      wire.byte(2)
      wire.put(message)
    case .io(let message):
      wire.byte(3)
      wire.put(message)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: self = .unsupported(feature: try wire.take(), found: try wire.take())
    case 1: self = .library(name: try wire.take(), code: try wire.take(), message: try wire.take())
    case 2: self = .verification(try wire.take())
    case 3: self = .io(try wire.take())
    case let other: throw WireError("encoding error \(other)")
    }
  }
}

extension CodecError: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .decode(let error):
      wire.byte(0)
      wire.put(error)
    case .encode(let error):
      wire.byte(1)
      wire.put(error)
    case .read(let number):
      wire.byte(2)
      wire.put(Int(number))
    case .write(let number, let isSidecar):
      wire.byte(3)
      wire.put(Int(number))
      wire.put(isSidecar)
    // Only the main process can report a lost worker, so this is never sent.
    case .lost(_, let message, _):
      wire.byte(0)
      wire.put(DecodeError.io(message))
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: self = .decode(try wire.take())
    case 1: self = .encode(try wire.take())
    case 2: self = .read(Int32(try wire.int(1...4095, "an error number")))
    case 3: self = .write(Int32(try wire.int(1...4095, "an error number")), isSidecar: try wire.take())
    case let other: throw WireError("error \(other)")
    }
  }
}
