import FileParts
import HDRCore

/// A picture of a TIFF file: its sample layout, from its IFD, checked against the limits before a sample is read.
/// Source: TIFF 6.0.
struct TIFFPage {
  let structure: TIFFStructure
  let directory: TIFFStructure.Directory
  let width: Int
  let height: Int
  let samplesPerPixel: Int
  let type: TIFFSampleType
  let photometric: Int
  let compression: Int
  /// True if each sample of a pixel is in its own plane.
  let isPlanar: Bool
  let orientation: Orientation
  /// The number of colour samples of a pixel, which come first.
  let colors: Int
  /// The index of the alpha sample.
  let alpha: Int?
  let isAssociated: Bool
  let isTiled: Bool
  /// The size of a tile or strip; a strip is as wide as the picture.
  let blockWidth: Int
  let blockHeight: Int

  private static let place = "TIFF directory"
  static let maxBlocks = 1 << 20, maxTileBytes = 256 << 20, maxSamples = 16

  /// Reads and checks the layout.
  ///
  /// - Parameters:
  ///   - parent: the IFD that supplies a missing orientation.
  ///   - isSensor: true for samples of a camera's sensor, whose strips and tiles are only checked by `checkBlocks`.
  /// - Throws: `.unsupported` with the name of a feature that is not read; `.limit`, `.malformed` and `.truncated` for
  ///   impossible sizes and places.
  init(
    _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, parent: TIFFStructure.Directory? = nil,
    isSensor: Bool = false, limits: DecodeLimits, warnings: inout [Warning]
  ) throws(DecodeError) {
    func number(_ tag: Int, _ fallback: Int) -> Int { structure.integer(tag, in: directory) ?? fallback }
    self.structure = structure
    self.directory = directory
    width = number(TIFFTag.width, 0)
    height = number(TIFFTag.height, 0)
    _ = try checkedPixels(width, height, limits, place: Self.place)
    compression = number(TIFFTag.compression, TIFFCompression.none)
    guard (isSensor ? TIFFCompression.isSensor : TIFFCompression.isRead).contains(compression) else {
      throw .unsupported(feature: "this TIFF compression", found: TIFFCompression.name(compression))
    }
    let stated = structure.integer(TIFFTag.photometric, in: directory)
    // Old JPEG is Y'CbCr unless it is grey, whatever its writer says.
    let isOld = compression == TIFFCompression.oldJPEG && ![0, 1].contains(stated)
    samplesPerPixel = number(TIFFTag.samplesPerPixel, isOld ? 3 : 1)
    guard samplesPerPixel > 0 else { throw .malformed(where: Self.place, what: "no samples a pixel") }
    guard samplesPerPixel <= Self.maxSamples else {
      throw .limit(what: "samples a pixel", found: samplesPerPixel, allowed: Self.maxSamples)
    }
    photometric =
      isOld ? TIFFPhotometric.ycc : stated ?? (samplesPerPixel < 3 ? TIFFPhotometric.blackIsZero : TIFFPhotometric.rgb)
    let isLogarithm = TIFFPhotometric.isLogarithm(photometric)
    guard isLogarithm == TIFFCompression.isLogarithm(compression) else {
      throw .unsupported(
        feature: "\(TIFFPhotometric.name(photometric)) TIFF of this compression",
        found: TIFFCompression.name(compression))
    }
    let type =
      isLogarithm
      ? .logarithm
      : try TIFFSampleType(structure, directory, samples: samplesPerPixel, missingBits: isOld ? 8 : 1)
    self.type = type
    let colors = isSensor ? samplesPerPixel : try type.colors(photometric, samples: samplesPerPixel)
    self.colors = colors
    guard !isLogarithm || samplesPerPixel == colors else {
      throw .malformed(
        where: Self.place, what: "\(samplesPerPixel) samples a pixel in \(TIFFPhotometric.name(photometric))")
    }
    if photometric == TIFFPhotometric.separated, number(TIFFTag.inkSet, 1) != 1 {
      throw .unsupported(feature: "inks other than CMYK", found: "InkSet \(number(TIFFTag.inkSet, 1))")
    }
    let planar = number(TIFFTag.planarConfiguration, 1)
    guard (1...2).contains(planar) else {
      throw .malformed(where: Self.place, what: "PlanarConfiguration is \(planar)")
    }
    isPlanar = planar == 2 && samplesPerPixel > 1
    if photometric == TIFFPhotometric.ycc || isLogarithm, isPlanar {
      throw .unsupported(
        feature: "\(TIFFPhotometric.name(photometric)) in planes", found: "PlanarConfiguration 2")
    }
    let extra = (structure.integers(TIFFTag.extraSamples, in: directory) ?? []).prefix(samplesPerPixel - colors)
    let found = photometric == TIFFPhotometric.palette ? nil : extra.firstIndex { $0 == 1 || $0 == 2 }
    alpha = found.map { colors + $0 }
    isAssociated = found.map { extra[$0] == 1 } ?? false
    let idle = samplesPerPixel - colors - (found == nil ? 0 : 1)
    if idle > 0 { warnings.append(Warning("tiff.extra", "\(idle) samples of each pixel have no meaning here")) }
    let turn = number(TIFFTag.orientation, parent.flatMap { structure.integer(TIFFTag.orientation, in: $0) } ?? 1)
    if Orientation(rawValue: turn) == nil {
      warnings.append(Warning("tiff.orientation", "the orientation is none of 1 to 8; taken as 1"))
    }
    orientation = Orientation(rawValue: turn) ?? .up
    isTiled = directory.entries[TIFFTag.tileWidth] != nil
    let rows = number(isTiled ? TIFFTag.tileHeight : TIFFTag.rowsPerStrip, isTiled ? 0 : height)
    blockWidth = isTiled ? number(TIFFTag.tileWidth, 0) : width
    blockHeight = isTiled ? rows : min(rows, height)
    if !isSensor { try checkBlocks() }
  }

  var bits: Int { type.bits }
  var isFloat: Bool { type.kind == .float }

  // MARK: Strips and tiles

  /// The number of blocks along a row, and along a column, of the picture.
  var blocksAcross: Int { isTiled ? (width + blockWidth - 1) / blockWidth : 1 }
  var blocksDown: Int { (height + blockHeight - 1) / blockHeight }
  var blocksPerPlane: Int { blocksAcross * blocksDown }
  /// The number of interleaved samples of a pixel.
  var samplesTogether: Int { isPlanar ? 1 : samplesPerPixel }
  /// The bytes of a row of a decoded block; rows begin at a whole byte.
  var blockRowBytes: Int { (blockWidth * samplesTogether * bits + 7) / 8 }

  /// The number of luma columns and rows of a chroma sample.
  var subsampling: (horizontal: Int, vertical: Int) {
    let pair = structure.integers(TIFFTag.yccSubsampling, in: directory) ?? [2, 2]
    return pair.count == 2 ? (pair[0], pair[1]) : (2, 2)
  }

  /// Checks the places and sizes of strips and tiles.
  func checkBlocks() throws(DecodeError) {
    let name = isTiled ? "tile" : "strip"
    guard (1...65_535).contains(blockWidth) || !isTiled, blockHeight > 0, blockHeight <= 65_535 || !isTiled else {
      throw .malformed(where: Self.place, what: "\(name)s of \(blockWidth)x\(blockHeight)")
    }
    let bytes = blockRowBytes * blockHeight
    guard !isTiled || bytes <= Self.maxTileBytes else {
      throw .limit(what: "bytes of a TIFF tile", found: bytes, allowed: Self.maxTileBytes)
    }
    let blocks = blocksPerPlane * (isPlanar ? samplesPerPixel : 1)
    guard blocks <= Self.maxBlocks else {
      throw .limit(what: "\(name)s of a TIFF", found: blocks, allowed: Self.maxBlocks)
    }
    let offsets =
      isTiled
      ? structure.integers(TIFFTag.tileOffsets, in: directory) : structure.integers(TIFFTag.stripOffsets, in: directory)
    if isOneOldJPEG(blocks) { return }
    guard let offsets, offsets.count >= blocks else {
      throw .malformed(where: Self.place, what: "places of \(offsets?.count ?? 0) \(name)s, \(blocks) expected")
    }
    guard
      let counts = structure.integers(isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts, in: directory)
    else {
      // The size of uncompressed samples follows from the picture's size.
      guard compression == TIFFCompression.none, blocks == 1, !isTiled, offsets[0] <= structure.bytes.count - bytes
      else { throw .malformed(where: Self.place, what: "the sizes of \(name)s are missing") }
      return
    }
    guard counts.count >= blocks else {
      throw .malformed(where: Self.place, what: "sizes of \(counts.count) \(name)s, \(blocks) expected")
    }
    let isDeflate = compression == TIFFCompression.deflate || compression == 32946
    var sum = 0
    for (index, (offset, count)) in zip(offsets, counts).prefix(blocks).enumerated() {
      guard count <= structure.bytes.count, offset <= structure.bytes.count - count else {
        throw .truncated(where: "TIFF \(name) \(index)")
      }
      sum += count
      // Deflate makes at most 1032 bytes of one. The last strip may have fewer rows.
      let rows = isTiled ? blockHeight : min(blockHeight, height - index % blocksPerPlane * blockHeight)
      if isDeflate, count > 0, blockRowBytes * rows > 1032 * (count + 64) {
        throw .malformed(where: "TIFF \(name) \(index)", what: "\(count) bytes cannot hold its samples")
      }
    }
    guard sum <= 4 * structure.bytes.count else {
      throw .malformed(where: Self.place, what: "its \(name)s have more bytes than four times the file")
    }
  }

  /// True for a picture of one old JPEG that has a place of its own instead of a strip's; libtiff bounds it by the file.
  private func isOneOldJPEG(_ blocks: Int) -> Bool {
    compression == TIFFCompression.oldJPEG && blocks == 1 && !isTiled
      && directory.entries[TIFFTag.stripOffsets] == nil && directory.entries[TIFFTag.jpegPlace] != nil
  }
}
