import FileParts
import HDRCore

/// A writer of headers: for output files, and for the library of OpenEXR, which never sees a file's own header.
struct EXRHeaderWriter {
  private var sink = ByteSink()

  /// Begins a header.
  ///
  /// - Parameter flags: the bits of the version field above its low byte.
  private init(flags: Int) {
    sink.append(EXRFile.magic)
    sink.littleEndian(2 | flags, bytes: 4)
  }

  mutating func attribute(_ name: String, _ type: String, _ write: (inout ByteSink) -> Void) {
    var value = ByteSink()
    write(&value)
    sink.ascii(name + "\0" + type + "\0")
    sink.littleEndian(value.count, bytes: 4)
    sink.append(value.bytes)
  }

  private mutating func window(_ name: String, _ window: EXRHeader.Window) {
    attribute(name, "box2i") { value in
      for side in [window.minX, window.minY, window.maxX, window.maxY] { value.littleEndian(side, bytes: 4) }
    }
  }

  private mutating func channels(_ channels: [EXRHeader.Channel]) {
    attribute("channels", "chlist") { value in
      for channel in channels {
        value.ascii(channel.name + "\0")
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
    let hasLongNames = header.channels.contains { $0.name.utf8.count > 31 }
    var writer = EXRHeaderWriter(flags: (header.kind.isTiled ? 0x200 : 0) | (hasLongNames ? 0x400 : 0))
    writer.channels(header.channels)
    writer.attribute("compression", "compression") { $0.u8(header.coding.rawValue) }
    writer.window("dataWindow", header.dataWindow)
    writer.window("displayWindow", header.dataWindow)
    writer.usual(tiles: header.tiles)
    return writer.sink.bytes + [0]
  }

  /// Returns a file's header, with the zero byte at its end; attributes are sorted by name.
  ///
  /// - Parameters:
  ///   - primaries: the code point; others than 1, 9, 12 get only chromaticities.
  ///   - space: a space of the list instead.
  ///   - contentHeadroom: a factor of reference white; 0: unknown.
  ///   - white: the luminance of 1.0 in cd/m².
  static func file(
    width: Int, height: Int, hasAlpha: Bool, coding: EXRCoding, primaries code: Int, space: NamedSpace?,
    contentHeadroom: Double, white: Double, xmp: [UInt8]?
  ) -> [UInt8] {
    var writer = EXRHeaderWriter(flags: 0)
    writer.channels(
      ((hasAlpha ? ["A"] : []) + ["B", "G", "R"]).map {
        EXRHeader.Channel(name: $0, type: .half, isPerceptuallyLinear: 0, xSampling: 1, ySampling: 1)
      })
    let space = space ?? .linear(code: code)
    if let primaries = space?.primaries ?? Primaries(code: code) {
      writer.attribute("chromaticities", "chromaticities") { value in
        for point in [primaries.red, primaries.green, primaries.blue, primaries.white] {
          value.floatLE(point.x)
          value.floatLE(point.y)
        }
      }
    }
    if let id = space?.interopID {
      writer.attribute("colorInteropID", "string") { $0.ascii(id) }
    }
    writer.attribute("compression", "compression") { $0.u8(coding.rawValue) }
    let window = EXRHeader.Window(minX: 0, minY: 0, maxX: width - 1, maxY: height - 1)
    writer.window("dataWindow", window)
    writer.window("displayWindow", window)
    if contentHeadroom.isFinite, contentHeadroom > 0 { writer.float("hdrbatch:contentHeadroom", contentHeadroom) }
    writer.usual()
    writer.float("whiteLuminance", white)
    if let xmp { writer.attribute("xmp", "string") { $0.append(xmp) } }
    return writer.sink.bytes + [0]
  }
}
