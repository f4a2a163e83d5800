import FileParts
import HDRCore

/// A writer of headers: for output files, and for the library of OpenEXR, which never sees a file's own header.
struct EXRHeaderWriter {
  private var attributes: [String: (type: String, value: [UInt8])] = [:]

  mutating func attribute(_ name: String, _ type: String, _ write: (inout ByteSink) -> Void) {
    var value = ByteSink()
    write(&value)
    attributes[name] = (type, value.bytes)
  }

  private var hasLongChannels = false

  /// The flag for long names, if there are any.
  private var longNames: Int {
    hasLongChannels || attributes.contains { $0.key.utf8.count > 31 || $0.value.type.utf8.count > 31 } ? 0x400 : 0
  }

  /// The header: attributes sorted by name, and the zero byte at the end.
  private var bytes: [UInt8] {
    var sink = ByteSink()
    for (name, attribute) in attributes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      sink.append(Array(name.utf8) + [0] + Array(attribute.type.utf8) + [0])
      sink.littleEndian(attribute.value.count, bytes: 4)
      sink.append(attribute.value)
    }
    return sink.bytes + [0]
  }

  /// Returns the beginning of a file of this part alone.
  ///
  /// - Parameter flags: the bits of the version field above its low byte.
  func file(flags: Int = 0) -> [UInt8] { Self.beginning(flags | longNames) + bytes }

  /// Returns the beginning of a file of several parts.
  ///
  /// - Parameter flags: as above, without that for several parts.
  static func file(of parts: [EXRHeaderWriter], flags: Int) -> [UInt8] {
    beginning(parts.reduce(0x1000 | flags) { $0 | $1.longNames }) + parts.flatMap(\.bytes) + [0]
  }

  private static func beginning(_ flags: Int) -> [UInt8] {
    var sink = ByteSink()
    sink.append(EXRFile.magic)
    sink.littleEndian(2 | flags, bytes: 4)
    return sink.bytes
  }

  mutating func window(_ name: String, _ window: EXRHeader.Window) {
    attribute(name, "box2i") { value in
      for side in [window.minX, window.minY, window.maxX, window.maxY] { value.littleEndian(side, bytes: 4) }
    }
  }

  mutating func channels(_ channels: [EXRHeader.Channel]) {
    hasLongChannels = channels.contains { $0.name.utf8.count > 31 }
    attribute("channels", "chlist") { value in
      for channel in channels {
        value.append(Array(channel.name.utf8) + [0])
        value.littleEndian(channel.type.rawValue, bytes: 4)
        value.u8(Int(channel.isPerceptuallyLinear))
        value.zeros(3)
        value.littleEndian(channel.xSampling, bytes: 4)
        value.littleEndian(channel.ySampling, bytes: 4)
      }
      value.u8(0)
    }
  }

  private mutating func float(_ name: String, _ number: Double) { attribute(name, "float") { $0.floatLE(number) } }

  /// Writes the attributes that every header must have: rows from the top, square pixels, an unused screen window.
  private mutating func usual(tiles: EXRHeader.Tiles? = nil) {
    attribute("lineOrder", "lineOrder") { $0.u8(0) }
    float("pixelAspectRatio", 1)
    attribute("screenWindowCenter", "v2f") { $0.zeros(8) }
    float("screenWindowWidth", 1)
    guard let tiles else { return }
    attribute("tiles", "tiledesc") { value in
      value.littleEndian(tiles.width, bytes: 4)
      value.littleEndian(tiles.height, bytes: 4)
      value.u8(0)
    }
  }

  /// Returns a header with only the attributes needed to decode a part's chunks, for a file of this part and one level.
  static func plain(_ header: EXRHeader) -> [UInt8] {
    var writer = EXRHeaderWriter()
    writer.channels(header.channels)
    writer.attribute("compression", "compression") { $0.u8(header.coding.rawValue) }
    writer.window("dataWindow", header.dataWindow)
    writer.window("displayWindow", header.dataWindow)
    writer.usual(tiles: header.tiles)
    return writer.file(flags: header.kind.isTiled ? 0x200 : 0)
  }

  /// Returns the header of a rendered picture, with the windows and attributes of the file that it is made of.
  ///
  /// Primaries other than the code points 1, 9 and 12 get only chromaticities.
  static func picture(_ request: EncodeRequest) -> EXRHeaderWriter {
    var writer = EXRHeaderWriter()
    writer.channels(((request.hasAlpha ? ["A"] : []) + ["B", "G", "R"]).map { .half($0) })
    let space = request.space ?? .linear(code: request.cicp.primaries)
    if let primaries = space?.primaries ?? Primaries(code: request.cicp.primaries) {
      writer.attribute("chromaticities", "chromaticities") { $0.append(Self.chromaticities(primaries)) }
    }
    if let id = space?.interopID {
      writer.attribute("colorInteropID", "string") { $0.ascii(id) }
    }
    writer.attribute("compression", "compression") { $0.u8(EXRCoding(request.coding.exrCompression).rawValue) }
    let width = request.image.width, height = request.image.height
    let carried = request.carried ?? EXRCarried(width: width, height: height), (x, y) = (carried.left, carried.top)
    writer.window("dataWindow", EXRHeader.Window(minX: x, minY: y, maxX: x + width - 1, maxY: y + height - 1))
    writer.window("displayWindow", EXRHeader.Window(carried.displayWindow))
    let headroom = request.contentHeadroom
    if headroom.isFinite, headroom > 0 { writer.float("hdrbatch:contentHeadroom", headroom) }
    writer.usual()
    writer.float("pixelAspectRatio", carried.pixelAspectRatio)
    writer.float("whiteLuminance", request.white)
    if let xmp = request.xmp { writer.attribute("xmp", "string") { $0.append(xmp) } }
    for attribute in carried.attributes { writer.attribute(attribute) }
    return writer
  }

  mutating func attribute(_ attribute: EXRPart.Attribute) {
    self.attribute(attribute.name, attribute.type) { $0.append(attribute.value) }
  }

  /// The value of an attribute of a name.
  func value(_ name: String) -> [UInt8]? { attributes[name]?.value }

  mutating func remove(_ name: String) { attributes[name] = nil }

  static func chromaticities(_ primaries: Primaries) -> [UInt8] {
    var value = ByteSink()
    for point in [primaries.red, primaries.green, primaries.blue, primaries.white] {
      value.floatLE(point.x)
      value.floatLE(point.y)
    }
    return value.bytes
  }
}

extension EXRHeader.Channel {
  static func half(_ name: String) -> EXRHeader.Channel {
    EXRHeader.Channel(name: name, type: .half, isPerceptuallyLinear: 0, xSampling: 1, ySampling: 1)
  }
}
