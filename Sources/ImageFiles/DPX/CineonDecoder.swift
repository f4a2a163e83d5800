import FileParts
import HDRCore

/// Reads Cineon: one or three channels of 10 bits, three samples in a word of 32; codes of Cineon's logarithm.
///
/// Source: Kodak, "Cineon Image File Format" (1995).
enum CineonDecoder: PlainDecoder {
  static let name = "Cineon"
  static let formats = ["Cineon"]
  static let extensions = ["cin"]
  static let format = FileFormat.cineon

  private static let place = "Cineon header"
  private static let magic: [UInt8] = [0x80, 0x2A, 0x5F, 0xD7]
  private static let headerBytes = 1024

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: magic) || head.starts(with: magic.reversed())
  }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    guard recognizes(bytes.prefix(4)) else { throw fault("it begins with no known word") }
    guard bytes.count >= headerBytes else { throw .truncated(where: place) }
    let fields = FilmFields(bytes: bytes, isLittleEndian: !bytes.starts(with: magic))
    let channels = Int(bytes[193]), (width, height) = (fields.u32(200), fields.u32(204))
    guard channels == 1 || channels == 3 else { throw .unsupported(feature: "Cineon channels", found: "\(channels)") }
    _ = try checkedPixels(width, height, limits, place: place)
    for channel in 0..<channels {
      let at = 196 + 28 * channel
      guard (fields.u32(at + 4), fields.u32(at + 8)) == (width, height) else {
        throw .unsupported(feature: "Cineon channels of several sizes", found: "\(fields.u32(at + 4))")
      }
      guard bytes[at + 2] == 10 else { throw .unsupported(feature: "Cineon depth", found: "\(bytes[at + 2]) bits") }
    }
    guard bytes[680] & 0x7F == 0, bytes[681] == 5 else {
      throw .unsupported(feature: "Cineon packing", found: "interleave \(bytes[680]), packing \(bytes[681])")
    }
    let rows = try rows(fields, samples: width * channels, height: height), start = fields.u32(4)
    let turn = Int(bytes[192])
    var warnings: [Warning] = []
    if turn >= orientations.count, turn != 0xFF {
      warnings.append(Warning("dpx.orientation", "orientation \(turn) is unknown; the picture is shown as stored"))
    }
    let texts = texts(fields, end: start)
    let own = SourceColor(film: limits.reading.plain.log), model: ColorModel = channels == 1 ? .grey : .rgb
    return PlainPicture(
      image: rows.picture(width: width, height: height, isLight: false),
      color: try limits.reading.statedColor(inPlaceOf: own, model) ?? own,
      orientation: turn < orientations.count ? orientations[turn] : .up, texts: texts.texts, unknown: texts.unknown,
      warnings: warnings
    ) { _ throws(DecodeError) in
      rows.read(
        bytes, from: start, width: width, height: height, order: channels == 1 ? [0] : [0, 1, 2], light: nil)
    }
  }

  /// Lists the fields of origin and film that are stated.
  private static func texts(_ fields: FilmFields, end: Int) -> FilmTexts {
    var found = FilmTexts(fields, end: end)
    found.list([
      ("label", 452, 200), ("input device", 844, 64), ("input device model", 908, 32),
      ("input serial number", 940, 32), ("film format", 1036, 32), ("frame attribute", 1076, 32), ("slate", 1108, 200),
    ])
    found.listUserData(sizeAt: 16)
    return found
  }

  private static func rows(_ fields: FilmFields, samples: Int, height: Int) throws(DecodeError) -> FilmRows {
    var rows = FilmRows(
      count: samples, bits: 10, packing: .paddedBelow, isLittleEndian: fields.isLittleEndian)
    rows.gap = fields.defined(684) ?? 0
    guard rows.gap <= DPXHeader.maxGap else {
      throw .limit(what: "bytes behind a Cineon line", found: rows.gap, allowed: DPXHeader.maxGap)
    }
    let start = fields.u32(4), wanted = rows.byteCount(rows: height)
    guard start >= headerBytes else { throw fault("samples begin at byte \(start)") }
    guard wanted <= fields.bytes.count - start else {
      throw .truncated(where: "Cineon samples: \(max(0, fields.bytes.count - start)) of \(wanted) bytes")
    }
    return rows
  }

  /// Lines are read left to right or top to bottom, from one corner after another.
  private static let orientations: [Orientation] = [
    .up, .downMirrored, .upMirrored, .down, .leftMirrored, .right, .left, .rightMirrored,
  ]

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}
