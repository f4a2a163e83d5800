import FileParts
import HDRCore

/// Reads DPX in both byte orders: R, G and B, alpha, luminance; 8, 10, 12 and 16 bits in every packing; eight orientations.
///
/// Codes stay as they are, right-aligned; of linear files light is made, in planes of binary32. Of several elements the
/// first of these kinds is read.
enum DPXDecoder: PlainDecoder {
  static let name = "DPX"
  static let formats = ["DPX"]
  static let extensions = ["dpx"]
  static let format = FileFormat.dpx

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: DPXHeader.bigEndian) || head.starts(with: DPXHeader.littleEndian)
  }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    let header = try DPXHeader(bytes, limits), color = try DPXColor(header, limits.reading), rows = header.rows
    let transfer =
      DPXColor.transfers.indices.contains(header.transfer) ? DPXColor.transfers[header.transfer] : "unknown"
    return PlainPicture(
      image: rows.picture(width: header.width, height: header.height, isLight: color.light != nil),
      color: color.color, orientation: header.orientation,
      statedBitDepth: color.light == nil ? nil : rows.bits,
      header: [
        HeaderField("transfer", "\(header.transfer) (\(transfer))"),
        HeaderField("colorimetric", "\(header.colorimetric)"),
        HeaderField("descriptor", "\(header.descriptor.rawValue)"),
        HeaderField("packing", "\(rows.packing.rawValue)\(rows.isPadded ? "" : ", rows not padded")"),
      ], texts: header.texts, unknown: header.unknown, warnings: header.warnings + color.warnings
    ) { _ throws(DecodeError) in
      rows.read(
        bytes, from: header.start, width: header.width, height: header.height, order: header.descriptor.order,
        light: color.light)
    }
  }
}
