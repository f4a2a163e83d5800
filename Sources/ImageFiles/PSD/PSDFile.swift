import FileParts
import HDRCore

/// The sections of a Photoshop file (PSD, PSB), without pixels. Source: Adobe Photoshop File Formats Specification.
struct PSDFile {
  static let signature = Array("8BPS".utf8)
  /// The limits: channels of a picture, blocks behind the layers.
  static let maxChannels = 56, maxBlocks = 4096

  static let grey = 1, rgb = 3, duotone = 8

  let bytes: [UInt8]
  let channels: Int
  let width: Int
  let height: Int
  /// The bits of a sample: 8, 16, or 32 for floats.
  let bits: Int
  let mode: Int
  /// True for PSB, whose lengths are longer.
  let isBig: Bool
  let resources: Range<Int>
  /// The number of layers.
  private(set) var layers = 0
  /// True if the first channel behind the colours is the merged picture's alpha.
  private(set) var hasAlpha = false
  /// The place of the merged picture: its compression, then its samples.
  let data: Range<Int>

  /// Reads the sections.
  ///
  /// - Throws: `.unsupported` for modes and depths that are not read, `.limit`, `.malformed`, `.truncated`.
  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    var reader = ByteReader(bytes[...], place: "PSD header")
    guard try reader.take(4).elementsEqual(Self.signature) else { throw .malformed(where: "PSD", what: "no signature") }
    let version = try reader.u16()
    guard (1...2).contains(version) else { throw .unsupported(feature: "this version of PSD", found: "\(version)") }
    isBig = version == 2
    try reader.skip(6)
    channels = try reader.u16()
    height = try reader.u32()
    width = try reader.u32()
    bits = try reader.u16()
    mode = try reader.u16()
    _ = try checkedPixels(width, height, limits, place: "PSD header")
    guard channels > 0 else { throw .malformed(where: "PSD header", what: "no channels") }
    guard channels <= Self.maxChannels else {
      throw .limit(what: "channels of a PSD", found: channels, allowed: Self.maxChannels)
    }
    guard [Self.grey, Self.duotone, Self.rgb].contains(mode) else {
      throw .unsupported(feature: "this colour mode of PSD", found: Self.name(mode))
    }
    guard [8, 16, 32].contains(bits) else { throw .unsupported(feature: "PSD samples", found: "\(bits) bits") }
    self.bytes = bytes
    guard channels >= (mode == Self.rgb ? 3 : 1) else {
      throw .malformed(where: "PSD header", what: "\(channels) channels are no \(Self.name(mode))")
    }
    try reader.skip(try reader.u32())
    let resourceBytes = try reader.take(try reader.u32())
    resources = resourceBytes.startIndex..<resourceBytes.endIndex
    let layerBytes = try reader.take(isBig ? Self.long(&reader) : try reader.u32())
    let rest = try reader.take(reader.remaining)
    data = rest.startIndex..<rest.endIndex
    readLayers(layerBytes)
  }

  private static func long(_ reader: inout ByteReader) throws(DecodeError) -> Int {
    let value = try reader.unsigned(8)
    guard value <= UInt64(reader.remaining) else { throw .truncated(where: "PSD layers") }
    return Int(value)
  }

  static func name(_ mode: Int) -> String {
    let names = [
      0: "bitmap", grey: "grey", 2: "indexed colour", rgb: "RGB", 4: "CMYK", 7: "multichannel", duotone: "duotone",
      9: "Lab",
    ]
    return names[mode] ?? "mode \(mode)"
  }

  /// The number of colour channels, which come first.
  var colors: Int { mode == Self.rgb ? 3 : 1 }

  /// Returns the data of an image resource.
  func resource(_ id: Int, _ blocks: [PhotoshopResources.Block]) -> ArraySlice<UInt8>? {
    blocks.first { $0.id == id }.map {
      bytes[resources][(resources.lowerBound + $0.data.lowerBound)..<(resources.lowerBound + $0.data.upperBound)]
    }
  }

  // MARK: Layers

  /// Reads the number of layers, which is negative if the merged picture has alpha. Faults are no errors, as no layer is
  /// read.
  private mutating func readLayers(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes, place: "PSD layers")
    func length() throws(DecodeError) -> Int { isBig ? try Self.long(&reader) : try reader.u32() }
    do throws(DecodeError) {
      guard reader.remaining > 0 else { return }
      let info = try reader.take(try length())
      if info.count >= 2 { count(info) }
      try reader.skip(try reader.u32())
      // Files of 16 and 32 bits have their layers in a block of its own.
      for _ in 0..<Self.maxBlocks where reader.remaining >= 12 {
        let signature = try reader.code(), key = try reader.code()
        guard signature == "8BIM" || signature == "8B64" else { return }
        let hasLong = isBig && Self.longKeys.contains("\(key)")
        let block = try reader.take(hasLong ? try Self.long(&reader) : try reader.u32())
        if ["Lr16", "Lr32", "Layr"].contains("\(key)"), block.count >= 2 { count(block) }
        if ["Mtrn", "Mt16", "Mt32"].contains("\(key)") { hasAlpha = true }
        try reader.skip(min(reader.remaining, -block.count & 3))
      }
    } catch { return }
  }

  private static let longKeys: Set<String> = [
    "LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn", "Alph", "FMsk", "lnk2", "FEid", "FXid", "PxSD",
  ]

  private mutating func count(_ info: ArraySlice<UInt8>) {
    let number = Int(Int16(truncatingIfNeeded: Int(info[info.startIndex]) << 8 | Int(info[info.startIndex + 1])))
    layers = max(layers, abs(number))
    if number < 0 { hasAlpha = true }
  }
}
