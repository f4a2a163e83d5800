import FileParts
import HDRCore

/// The header of one part of an OpenEXR file, read and checked by this project before any library sees the file.
///
/// Source: OpenEXR, "File Layout" (openexr.com); limits of docs/formats.md#limits.
struct EXRHeader {
  enum Kind: String {
    case scanLines = "scanlineimage"
    case tiles = "tiledimage"
    case deepScanLines = "deepscanline"
    case deepTiles = "deeptile"

    var isDeep: Bool { self == .deepScanLines || self == .deepTiles }
    var isTiled: Bool { self == .tiles || self == .deepTiles }
  }

  enum SampleType: Int {
    case uint, half, float

    var bytes: Int { self == .half ? 2 : 4 }
  }

  struct Channel {
    var name: String
    var type: SampleType
    /// A hint for lossy compression.
    var isPerceptuallyLinear: UInt8
    /// The sampling: columns and rows that are multiples of these have a sample.
    var xSampling: Int
    var ySampling: Int

    var isSubsampled: Bool { xSampling != 1 || ySampling != 1 }
  }

  /// A rectangle of pixels by their coordinates, both ends inclusive.
  struct Window: Equatable {
    var minX, minY, maxX, maxY: Int

    var width: Int { maxX - minX + 1 }
    var height: Int { maxY - minY + 1 }

    /// Returns the common part; `nil`: there is no common pixel.
    func intersection(_ other: Window) -> Window? {
      let both = Window(
        minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
        maxY: min(maxY, other.maxY))
      return both.minX <= both.maxX && both.minY <= both.maxY ? both : nil
    }
  }

  struct Tiles {
    var width, height: Int
    /// The mode of levels: 0: one level, 1: smaller ones, 2: smaller ones in each direction.
    var levels: Int
    var roundsUp: Bool
  }

  var name: String?
  var kind = Kind.scanLines
  /// The channels, in the order of their samples.
  var channels: [Channel]
  var coding: EXRCoding
  var dataWindow: Window
  var displayWindow: Window
  var tiles: Tiles?
  var chunkCount: Int?
  var pixelAspectRatio: Double
  var chromaticities: Primaries?
  /// The luminance of R = G = B = 1, in cd/m².
  var whiteLuminance: Double?
  var colorInteropID: String?
  /// The content headroom, a factor of reference white, in an attribute of this program.
  var contentHeadroom: Double?
  var xmp: [UInt8]?
  /// All attributes in the order of the file; each name once.
  var attributes: [EXRPart.Attribute] = []

  /// Returns the name of the part in messages.
  func label(_ index: Int) -> String { name.map { "part \"\($0)\"" } ?? "part \(index + 1)" }
}

extension EXRHeader {
  static let place = "OpenEXR header"

  /// The largest distance of a window's edges from the origin.
  static let maxCoordinate = 1 << 30
  static let maxChannels = 256
  static let maxTile = 4096
  /// The largest size of a decoded chunk.
  static let maxChunkBytes = 128 << 20
  /// The largest size of a deep chunk, whose samples become binary32 row by row.
  static let maxDeepBytes = 64 << 20
  static let maxChunks = 1 << 20

  /// Reads the attributes of a part, with the zero byte that ends them.
  ///
  /// - Parameters:
  ///   - attributes: the number of attributes in the file so far; this part's are added.
  ///   - flags: the flags of the whole file.
  init(
    _ reader: inout ByteReader, flags: EXRFlags, attributes: inout Int
  ) throws(DecodeError) {
    func fault(_ what: String) -> DecodeError { .malformed(where: Self.place, what: what) }
    var values: [String: ArraySlice<UInt8>] = [:], names: Set<String> = []
    while true {
      let name = try reader.cString(most: flags.longNames ? 255 : 31)
      if name.isEmpty { break }
      attributes += 1
      guard attributes <= 4096 else {
        throw .limit(what: "attribute count of OpenEXR", found: attributes, allowed: 4096)
      }
      let type = try reader.cString(most: flags.longNames ? 255 : 31)
      let size = try reader.i32()
      guard size >= 0 else { throw fault("an attribute of \(size) bytes") }
      let value = try reader.take(size)
      if names.insert(name).inserted {
        self.attributes.append(EXRPart.Attribute(name: name, type: type, value: Array(value)))
      }
      guard let wanted = Self.types[name], wanted == type else { continue }
      guard values.updateValue(value, forKey: name) == nil else { throw fault("two attributes \(name)") }
    }

    func value(_ name: String, bytes: Int? = nil) throws(DecodeError) -> ByteReader {
      guard let value = values[name] else { throw fault("no attribute \(name)") }
      guard bytes == nil || value.count == bytes else { throw fault("\(name) has \(value.count) bytes") }
      return ByteReader(value, place: Self.place, isLittleEndian: true)
    }
    func number(_ name: String) throws(DecodeError) -> Double? {
      guard values[name] != nil else { return nil }
      var reader = try value(name, bytes: 4)
      return Double(try reader.float())
    }
    func text(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }
    func window(_ name: String) throws(DecodeError) -> Window {
      var reader = try value(name, bytes: 16)
      let window = Window(
        minX: try reader.i32(), minY: try reader.i32(), maxX: try reader.i32(), maxY: try reader.i32())
      let corners = [window.minX, window.minY, window.maxX, window.maxY]
      guard window.minX <= window.maxX, window.minY <= window.maxY, corners.allSatisfy({ abs($0) <= maxCoordinate })
      else {
        throw fault("\(name) is \(window.minX), \(window.minY) to \(window.maxX), \(window.maxY)")
      }
      return window
    }
    let maxCoordinate = Self.maxCoordinate

    kind = flags.isTiled ? .tiles : .scanLines
    if let type = text("type") {
      guard let stated = Kind(rawValue: type) else { throw .unsupported(feature: "OpenEXR part type", found: type) }
      // In a file of one part, only the flag decides whether it is tiled.
      if flags.isMultipart || stated.isDeep { kind = stated }
    } else if flags.isMultipart {
      throw fault("a part has no type")
    }
    if flags.hasDeep, !flags.isMultipart, !kind.isDeep { kind = .deepScanLines }
    name = text("name")
    channels = []
    displayWindow = try window("displayWindow")
    dataWindow = try window("dataWindow")
    var compression = try value("compression", bytes: 1)
    let code = Int(try compression.u8())
    guard let coding = EXRCoding(rawValue: code) else {
      throw .unsupported(feature: "OpenEXR compression", found: "compression \(code)")
    }
    self.coding = coding
    pixelAspectRatio = try number("pixelAspectRatio") ?? 1
    whiteLuminance = try number("whiteLuminance")
    contentHeadroom = try number("hdrbatch:contentHeadroom")
    colorInteropID = text("colorInteropID")
    if values["chromaticities"] != nil {
      var reader = try value("chromaticities", bytes: 32), points: [Chromaticity] = []
      for _ in 0..<4 { points.append(Chromaticity(Double(try reader.float()), Double(try reader.float()))) }
      chromaticities = Primaries(red: points[0], green: points[1], blue: points[2], white: points[3])
    }
    xmp = values["xmp"].map { Array($0) }
    if values["chunkCount"] != nil {
      var reader = try value("chunkCount", bytes: 4)
      chunkCount = try reader.i32()
    }
    if kind.isTiled {
      var reader = try value("tiles", bytes: 9)
      let (width, height, mode) = (try reader.i32(), try reader.i32(), Int(try reader.u8()))
      guard width > 0, height > 0, width <= Self.maxTile, height <= Self.maxTile else {
        throw fault("tiles of \(width)x\(height)")
      }
      guard mode & 15 <= 2, mode >> 4 <= 1 else { throw fault("tile mode \(mode)") }
      tiles = Tiles(width: width, height: height, levels: mode & 15, roundsUp: mode >> 4 == 1)
    }
    channels = try Self.channels(try value("channels"))
    if kind.isTiled, !kind.isDeep, let channel = channels.first(where: \.isSubsampled) {
      throw fault("tiles with subsampled channel \(channel.name)")
    }
  }

  /// The names of the attributes that are read, with their types.
  private static let types = [
    "channels": "chlist", "chromaticities": "chromaticities", "chunkCount": "int", "colorInteropID": "string",
    "compression": "compression", "dataWindow": "box2i", "displayWindow": "box2i",
    "hdrbatch:contentHeadroom": "float", "name": "string", "pixelAspectRatio": "float", "tiles": "tiledesc",
    "type": "string", "whiteLuminance": "float", "xmp": "string",
  ]

  /// True for attributes that describe how samples are stored, which writers make anew.
  static func isOwn(_ name: String) -> Bool {
    types[name] != nil || ["lineOrder", "version", "maxSamplesPerPixel"].contains(name)
  }

  private static func channels(_ reader: ByteReader) throws(DecodeError) -> [Channel] {
    var reader = reader, found: [Channel] = []
    while true {
      let name = try reader.cString(most: 255)
      if name.isEmpty { break }
      guard found.count < maxChannels else {
        throw .limit(what: "channel count of OpenEXR", found: found.count + 1, allowed: maxChannels)
      }
      let type = try reader.i32(), linear = try reader.u8()
      try reader.skip(3)
      let x = try reader.i32(), y = try reader.i32()
      guard let type = SampleType(rawValue: type) else {
        throw .malformed(where: place, what: "sample type \(type)")
      }
      guard x > 0, y > 0, x <= 1 << 16, y <= 1 << 16 else { throw .malformed(where: place, what: "sampling \(x)x\(y)") }
      found.append(Channel(name: name, type: type, isPerceptuallyLinear: linear, xSampling: x, ySampling: y))
    }
    // Samples are in the order of names, whatever the order of the list.
    found.sort { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
    guard !found.isEmpty else { throw .malformed(where: place, what: "no channels") }
    for (one, next) in zip(found, found.dropFirst()) where one.name == next.name {
      throw .malformed(where: place, what: "two channels of one name")
    }
    return found
  }
}

/// The flags in the version field.
struct EXRFlags {
  var isTiled, longNames, hasDeep, isMultipart: Bool

  init(_ version: Int) throws(DecodeError) {
    guard version & 0xff == 2, version & ~0x1eff == 0 else {
      throw .unsupported(feature: "OpenEXR version", found: "\(version & 0xff), flags \(version >> 8)")
    }
    isTiled = version & 0x200 != 0
    longNames = version & 0x400 != 0
    hasDeep = version & 0x800 != 0
    isMultipart = version & 0x1000 != 0
  }
}
