import FileParts
import HDRCore

/// The place of each sample of an uncompressed picture: a supported configuration with the picture's size. Everything
/// is checked here, so that the sizes below need no more checks.
struct UncompressedLayout: Sendable {
  /// The samples of a component in one tile.
  struct Channel: Sendable {
    /// The plane of the picture: 0...2, 3 for alpha, `nil` for padding.
    var plane: Int?
    var bits: Int
    /// The bytes of the word that holds a sample; 0: bits follow each other.
    var word: Int
    var columns: Int
    var rows: Int
  }

  /// Rows that hold the same components side by side.
  struct Rows: Sendable {
    /// The indices into `channels`, with the bit offset of each first sample in the row.
    var samples: [(channel: Int, bit: Int)]
    /// The number of bits from a sample to the next of its component.
    var bitStride: Int
    /// The bytes of a row, padding included.
    var bytes: Int
    var count: Int
  }

  let channels: [Channel]
  let format: CodedFormat
  let isLittleEndian: Bool
  let tileWidth: Int
  let tileHeight: Int
  let tileColumns: Int
  let tileRows: Int
  /// The parts of the item in which tiles follow each other: one part, or one for each component.
  let parts: [Part]

  /// A part: tiles of equal size, one after another.
  struct Part: Sendable {
    /// The blocks of rows in a tile: one after another, or alternating row by row if `alternate` is true.
    var rows: [Rows]
    var alternate: Bool
    var tileBytes: Int
  }

  /// The bytes of the decompressed item.
  var byteCount: Int { parts.reduce(0) { $0 + $1.tileBytes * tileColumns * tileRows } }

  /// The bytes of the samples without padding.
  var sampleBytes: Int {
    channels.reduce(0) { $0 + ($1.bits + 7) / 8 * $1.columns * $1.rows * tileColumns * tileRows }
  }

  /// Makes the layout of a picture.
  ///
  /// - Parameter types: the component types of `cmpd`.
  /// - Throws: `.malformed` for layouts that ISO/IEC 23001-17 excludes, `.unsupported`, with a name, for those that it
  ///   allows and this reader lacks.
  init(
    _ uncC: UncompressedConfiguration, types: [ComponentType?]?, width: Int, height: Int
  ) throws(DecodeError) {
    try Self.check(uncC, width: width, height: height)
    let components = try Self.named(uncC, types)
    let format = try Self.format(uncC, components.map(\.type))
    self.format = format
    isLittleEndian = uncC.isLittleEndian
    (tileColumns, tileRows) = (uncC.tileColumns, uncC.tileRows)
    let (tileWidth, tileHeight) = (width / uncC.tileColumns, height / uncC.tileRows)
    (self.tileWidth, self.tileHeight) = (tileWidth, tileHeight)
    let h = format.chroma.horizontalShift, v = format.chroma.verticalShift
    guard tileWidth & ((1 << h) - 1) == 0, tileHeight & ((1 << v) - 1) == 0 else {
      throw .malformed(where: "uncC box", what: "\(format.chroma.rawValue) tiles of \(tileWidth)x\(tileHeight) pixels")
    }
    let channels = components.map { component, type in
      let isChroma = type == .cb || type == .cr
      return Channel(
        plane: Self.plane(type), bits: component.bitDepth, word: component.alignSize,
        columns: isChroma ? tileWidth >> h : tileWidth, rows: isChroma ? tileHeight >> v : tileHeight)
    }
    self.channels = channels
    parts = try Self.parts(uncC, channels, components.map(\.type))
  }

  private static func plane(_ type: ComponentType) -> Int? {
    switch type {
    case .monochrome, .luma, .red: 0
    case .cb, .green: 1
    case .cr, .blue: 2
    case .alpha: 3
    default: nil
    }
  }

  // MARK: - Checks

  private static func check(_ uncC: UncompressedConfiguration, width: Int, height: Int) throws(DecodeError) {
    guard uncC.blockSize == 0, uncC.blockFlags == 0 else {
      throw .unsupported(feature: "uncompressed picture packed in blocks", found: "blocks of \(uncC.blockSize) bytes")
    }
    guard uncC.interleaving != .multiY else {
      throw .unsupported(feature: "interleaving of an uncompressed picture", found: "several Y a pixel")
    }
    guard uncC.pixelSize == 0 || uncC.interleaving == .pixel else {
      throw .malformed(where: "uncC box", what: "a pixel size without whole pixels")
    }
    for (what, size) in [("pixel", uncC.pixelSize), ("row", uncC.rowAlign), ("tile", uncC.tileAlign)] {
      guard size <= BoxLimits.sampleAlignment else {
        throw .malformed(where: "uncC box", what: "\(what)s of a multiple of \(size) bytes")
      }
    }
    guard uncC.tileColumns <= width, uncC.tileRows <= height, width % uncC.tileColumns == 0,
      height % uncC.tileRows == 0
    else {
      throw .malformed(
        where: "uncC box",
        what: "\(uncC.tileColumns) columns and \(uncC.tileRows) rows of tiles in \(width)x\(height) pixels")
    }
    guard uncC.tileColumns * uncC.tileRows <= BoxLimits.pictureDecodes else {
      throw .malformed(
        where: "uncC box", what: "\(uncC.tileColumns * uncC.tileRows) tiles, more than \(BoxLimits.pictureDecodes)")
    }
  }

  /// Returns the components with their types; all types are supported ones.
  private static func named(
    _ uncC: UncompressedConfiguration, _ types: [ComponentType?]?
  ) throws(DecodeError) -> [(component: UncompressedConfiguration.Component, type: ComponentType)] {
    guard let types = uncC.types ?? types else { throw .malformed(where: "cmpd box", what: "there is none") }
    var result: [(component: UncompressedConfiguration.Component, type: ComponentType)] = []
    for component in uncC.components {
      guard types.indices.contains(component.index) else {
        throw .malformed(where: "uncC box", what: "component \(component.index) of \(types.count)")
      }
      guard let type = types[component.index] else {
        throw .unsupported(feature: "component of an uncompressed picture", found: "an unknown type")
      }
      if type.rawValue > ComponentType.alpha.rawValue && type != .padding {
        throw .unsupported(feature: "component of an uncompressed picture", found: type.name)
      }
      guard component.format == 0 else {
        throw .unsupported(
          feature: "number format of an uncompressed picture",
          found: component.format == 1 ? "floating point" : component.format == 2 ? "complex" : "\(component.format)")
      }
      guard component.alignSize <= 8, component.alignSize == 0 || component.bitDepth <= 8 * component.alignSize else {
        throw .malformed(
          where: "uncC box", what: "\(component.bitDepth) bits in words of \(component.alignSize) bytes")
      }
      guard type == .padding || !result.contains(where: { $0.type == type }) else {
        throw .malformed(where: "uncC box", what: "two \(type.name) components")
      }
      result.append((component, type))
    }
    for (component, type) in result where type != .padding {
      guard (8...16).contains(component.bitDepth) else {
        throw .unsupported(
          feature: "component of an uncompressed picture", found: "\(component.bitDepth) bits of \(type.name)")
      }
    }
    return result
  }

  private static func format(
    _ uncC: UncompressedConfiguration, _ types: [ComponentType]
  ) throws(DecodeError) -> CodedFormat {
    let colors = Set(types).subtracting([.alpha, .padding])
    let chroma: ChromaSubsampling
    switch colors {
    case [.monochrome], [.luma]: chroma = .none
    case [.luma, .cb, .cr]: chroma = uncC.sampling
    case [.red, .green, .blue]: chroma = .s444
    default:
      let names = types.map(\.name).joined(separator: ", ")
      throw .unsupported(feature: "uncompressed picture", found: names.isEmpty ? "no components" : names)
    }
    guard chroma == uncC.sampling || uncC.sampling == .s444 else {
      throw .malformed(where: "uncC box", what: "\(uncC.sampling.rawValue) without Cb and Cr")
    }
    if chroma.isSubsampled, uncC.interleaving != .component, uncC.interleaving != .mixed {
      throw .malformed(where: "uncC box", what: "\(chroma.rawValue) with components side by side")
    }
    let depths = zip(types, uncC.components).filter { colors.contains($0.0) }.map(\.1.bitDepth)
    guard let depth = depths.first, depths.allSatisfy({ $0 == depth }) else {
      throw .unsupported(
        feature: "uncompressed picture whose components differ in depth",
        found: depths.map { "\($0)" }.joined(separator: ", ") + " bits")
    }
    var format = CodedFormat(bitDepth: depth, chroma: chroma, siting: .left, color: BitstreamColor())
    format.isRGB = colors.contains(.red)
    format.alphaBitDepth = types.firstIndex(of: .alpha).map { uncC.components[$0].bitDepth }
    return format
  }

  // MARK: - Sizes

  private static func parts(
    _ uncC: UncompressedConfiguration, _ channels: [Channel], _ types: [ComponentType]
  ) throws(DecodeError) -> [Part] {
    func rows(_ indices: [Int]) throws(DecodeError) -> Rows { try Rows(indices, channels, uncC) }
    var all: [Rows] = []
    switch uncC.interleaving {
    case .pixel: all = [try rows(Array(channels.indices))]
    case .mixed:
      guard let cb = types.firstIndex(of: .cb), let cr = types.firstIndex(of: .cr), abs(cb - cr) == 1 else {
        throw .malformed(where: "uncC box", what: "mixed interleaving without Cb beside Cr")
      }
      for index in channels.indices where index != max(cb, cr) {
        all.append(try rows(index == min(cb, cr) ? [index, index + 1] : [index]))
      }
    default: for index in channels.indices { all.append(try rows([index])) }
    }
    func part(_ rows: [Rows]) -> Part {
      let bytes = rows.reduce(0) { $0 + $1.bytes * $1.count }
      return Part(rows: rows, alternate: uncC.interleaving == .row, tileBytes: aligned(bytes, uncC.tileAlign))
    }
    return uncC.interleaving == .tileComponent ? all.map { part([$0]) } : [part(all)]
  }
}

extension UncompressedLayout.Rows {
  /// Makes rows of these components; several are interleaved pixel by pixel.
  fileprivate init(
    _ indices: [Int], _ channels: [UncompressedLayout.Channel], _ uncC: UncompressedConfiguration
  ) throws(DecodeError) {
    let whole = indices.allSatisfy { channels[$0].word > 0 || channels[$0].bits % 8 == 0 }
    guard whole || indices.allSatisfy({ channels[$0].word == 0 }) else {
      throw .unsupported(feature: "pixels of an uncompressed picture", found: "both words and single bits")
    }
    guard whole || !uncC.isLittleEndian else {
      throw .unsupported(feature: "little-endian uncompressed picture", found: "values that are not whole bytes")
    }
    samples = []
    var bit = 0
    for index in indices {
      let channel = channels[index], size = channel.word > 0 ? 8 * channel.word : channel.bits
      // A value is in the low bits of its word; in little-endian order they are in the first byte.
      samples.append((index, uncC.isLittleEndian ? bit : bit + size - channel.bits))
      bit += size
    }
    if uncC.pixelSize > 0 {
      guard bit <= 8 * uncC.pixelSize else {
        throw .malformed(where: "uncC box", what: "\(bit) bits in pixels of \(uncC.pixelSize) bytes")
      }
      bit = 8 * uncC.pixelSize
    }
    bitStride = bit
    bytes = aligned((bit * channels[indices[0]].columns + 7) / 8, uncC.rowAlign)
    count = channels[indices[0]].rows
  }
}

private func aligned(_ count: Int, _ size: Int) -> Int { size == 0 ? count : (count + size - 1) / size * size }
