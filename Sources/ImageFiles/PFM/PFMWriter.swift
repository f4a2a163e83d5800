import FileParts
import HDRCore

/// Writes PFM: R, G and B of binary32, little endian, rows from the bottom; linear light, 1.0 = reference white. The format
/// says nothing of primaries: others than BT.709's have a warning.
enum PFMWriter: PlainWriter {
  static let format = FileFormat.pfm
  static let title = "PFM"
  static let statesColor = false

  static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let rows = try LinearRows(request.image, kind: request.kind)
    var sink = ByteSink(reserving: 64 + 12 * rows.width * rows.height)
    sink.ascii("PF\n\(rows.width) \(rows.height)\n-1.0\n")
    var light = [Float](repeating: 0, count: 3 * rows.width)
    for y in (0..<rows.height).reversed() {
      rows.copy(y, to: &light)
      // Words of this machine are little endian, as those of the file.
      light.withUnsafeBytes { sink.append($0) }
    }
    return EncodedFiles(main: sink.bytes, warnings: dropped(request))
  }

  static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    _ = try readBack(files, request, by: PFMDecoder.self)
    try expect("transfer", CICP.Transfer.linear, request.cicp.transfer)
  }
}
