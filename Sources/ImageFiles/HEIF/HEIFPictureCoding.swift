import HDRCore

/// An encoder of samples to a picture of a HEIF file: one item, or a grid if the codec cannot hold the whole picture.
enum HEIFPictureCoding {
  struct Settings {
    var container: AdaptiveContainer
    var quality: Int
    var isLossless = false
    var threads: Int
  }

  /// Encodes samples.
  ///
  /// - Parameter cicp: the code points of the bitstream; the caller adds boxes.
  /// - Returns: a picture with empty `properties`.
  static func code(_ image: SampleImage, cicp: CICP, _ settings: Settings) throws(EncodeError) -> HEIFCodedPicture {
    switch settings.container {
    case .heic: try hevc(image, cicp: cicp, settings)
    case .avif: try av1(image, cicp: cicp, settings)
    case .jpeg, .jxl, .png:
      throw .unsupported(feature: "HEIF picture for container", found: settings.container.rawValue)
    }
  }

  /// Encodes samples as HEVC, whose 4:2:0 needs even dimensions. A `clap` box would have to be equal on base and map,
  /// whatever their sizes. A grid of one larger tile crops each by itself, and every HEIC reader supports grids.
  private static func hevc(
    _ image: SampleImage, cicp: CICP, _ settings: Settings
  ) throws(EncodeError) -> HEIFCodedPicture {
    let coded = try HEVCEncoder.encode(
      image, cicp: cicp,
      settings: HEVCEncoder.Settings(
        quality: settings.quality, isLossless: settings.isLossless, threads: settings.threads))
    let item = HEIFCodedItem(
      type: "hvc1", configuration: HEIFBox.hvcC(coded.configuration), data: coded.data, width: coded.width,
      height: coded.height)
    let fits = coded.width == image.width && coded.height == image.height
    return HEIFCodedPicture(
      items: [item],
      grid: fits ? nil : HEIFBox.grid(rows: 1, columns: 1, width: image.width, height: image.height),
      width: image.width, height: image.height, properties: [])
  }

  /// The side of the tiles for a picture that is too large for one AV1 frame.
  private static let tileSide = 4096

  private static func av1(
    _ image: SampleImage, cicp: CICP, _ settings: Settings
  ) throws(EncodeError) -> HEIFCodedPicture {
    try image.checkForCoding(codec: "AV1", depths: AV1Encoder.depths)
    func item(_ image: SampleImage) throws(EncodeError) -> HEIFCodedItem {
      let coded = try AV1Encoder.encode(
        image, cicp: cicp, settings: AV1Encoder.Settings(quality: settings.quality, isLossless: settings.isLossless))
      return HEIFCodedItem(
        type: "av01", configuration: HEIFBox.av1C(coded.configuration), data: coded.data, width: coded.width,
        height: coded.height)
    }
    let fits =
      image.pixelCount <= AV1Encoder.largestFrame && max(image.width, image.height) <= AV1Encoder.longestSide
    if fits {
      return HEIFCodedPicture(
        items: [try item(image)], width: image.width, height: image.height, properties: [])
    }
    // Readers demand even sides for grids in 4:2:0 (ISO/IEC 23000-22, 7.3.11.4.2).
    guard image.chroma != .s420 || image.width % 2 + image.height % 2 == 0 else {
      throw .unsupported(
        feature: "AVIF of more than 35 megapixels with odd sides in 4:2:0", found: "\(image.width)x\(image.height)")
    }
    let columns = (image.width + tileSide - 1) / tileSide, rows = (image.height + tileSide - 1) / tileSide
    // Equal tiles of at least 64 by 64, with as little padding as even sides allow.
    let width = max(64, ((image.width + columns - 1) / columns + 1) & ~1)
    let height = max(64, ((image.height + rows - 1) / rows + 1) & ~1)
    var items: [HEIFCodedItem] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let tile = image.padded(x: column * width, y: row * height, width: width, height: height)
        items.append(try item(tile))
      }
    }
    return HEIFCodedPicture(
      items: items, grid: HEIFBox.grid(rows: rows, columns: columns, width: image.width, height: image.height),
      width: image.width, height: image.height, properties: [])
  }
}
