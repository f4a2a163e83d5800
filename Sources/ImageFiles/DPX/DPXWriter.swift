import FileParts
import HDRCore

/// Writes DPX: R, G and B of 10 bits, three in a word with the padding below, or of 16 bits; big endian, upright, samples
/// from byte 8192 on. It has no dates, so that equal pictures give equal bytes.
///
/// SDR has the curve of video and BT.709; `dpx-log` is linear light by Cineon's logarithm. The standard has no numbers of PQ
/// and HLG: they and other primaries are user defined, with a warning, and for PQ and HLG with a sidecar.
/// Source: SMPTE 268M-2003.
enum DPXWriter: PlainWriter {
  static let format = FileFormat.dpx
  static let title = "DPX"
  static let statesColor = false

  private static let start = 8192

  static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let image = request.image, bits = request.coding.dpxBits
    guard request.kind.bitDepths.contains(bits) else { throw .unsupported(feature: "DPX depth", found: "\(bits) bits") }
    let codes = try DPXCodes(request), rowBytes = codes.rowBytes
    var sink = ByteSink(reserving: start + rowBytes * image.height)
    sink.append(header(request, byteCount: start + rowBytes * image.height))
    var row = [UInt16](repeating: 0, count: 3 * image.width), clipped = 0
    for y in 0..<image.height {
      clipped += codes.copy(y, to: &row)
      codes.write(row, to: &sink)
    }
    var warnings = dropped(request)
    if clipped > 0 {
      warnings.append(
        Warning(
          "dpx.clipped", "\(clipped) samples are brighter than the largest code and have that of 13.5 times white"))
    }
    return EncodedFiles(
      main: sink.bytes, sidecar: request.kind.hasSidecar ? RawSidecar(request).bytes : nil, warnings: warnings)
  }

  static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    let found = try readBack(files, request, by: DPXDecoder.self)
    try expect("bit depth", found.bitDepth, request.coding.dpxBits)
    let stated = found.header.first { $0.name == "transfer" }?.text.split(separator: " ").first
    try expect("transfer", stated, "\(transfer(request))")
    let asked = request.cicp.transfer
    switch request.kind.curve {
    case .sdr: try expect("curve", request.kind.transfer, asked)
    case .linear: try expect("curve", CICP.Transfer.linear, asked)
    case .pq, .hlg: try RawSidecar.verify(files.sidecar, request)
    }
  }

  private static func transfer(_ request: EncodeRequest) -> Int {
    switch request.kind.curve {
    case .sdr: 6
    case .linear: 3
    case .pq, .hlg: 0
    }
  }

  // MARK: Header

  private static func header(_ request: EncodeRequest, byteCount: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: start)
    func put(_ value: Int, at offset: Int, bytes count: Int = 4) {
      for index in 0..<count { header[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index))) }
    }
    /// Marks numbers as undefined; texts are empty instead.
    func undefine(_ ranges: Range<Int>...) { for range in ranges { for index in range { header[index] = 0xFF } } }
    header.replaceSubrange(0..<4, with: DPXHeader.bigEndian)
    put(start, at: 4)
    header.replaceSubrange(8..<12, with: Array("V1.0".utf8))
    put(byteCount < 0xFFFF_FFFF ? byteCount : 0xFFFF_FFFF, at: 16)
    // A new frame; sizes of the generic and the industry's header.
    for (index, value) in [1, 1664, 384].enumerated() { put(value, at: 20 + 4 * index) }
    // No key of encryption.
    undefine(660..<664)
    put(1, at: 770, bytes: 2)
    put(request.image.width, at: 772)
    put(request.image.height, at: 776)
    element(request, &header)
    for index in 1..<8 { undefine((780 + 72 * index)..<(780 + 72 * index + 40)) }
    // Offsets, centre and sizes of the scan, its border; then square pixels.
    undefine(1408..<1432, 1620..<1628)
    for offset in [1628, 1632] { put(1, at: offset) }
    // Film and television.
    undefine(1712..<1732, 1920..<1972)
    return header
  }

  private static func element(_ request: EncodeRequest, _ header: inout [UInt8]) {
    func put(_ value: Int, at offset: Int, bytes count: Int) {
      for index in 0..<count {
        header[780 + offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
      }
    }
    let bits = request.coding.dpxBits, isPlain = request.space == nil && request.cicp.primaries == CICP.Primaries.bt709
    put(1 << bits - 1, at: 12, bytes: 4)
    // The quantities of the references are undefined.
    for offset in [8, 16] { put(0xFFFF_FFFF, at: offset, bytes: 4) }
    put(DPXHeader.Descriptor.rgb.rawValue, at: 20, bytes: 1)
    put(transfer(request), at: 21, bytes: 1)
    put(isPlain ? transfer(request) : 0, at: 22, bytes: 1)
    put(bits, at: 23, bytes: 1)
    put(bits == 10 ? FilmRows.Packing.paddedBelow.rawValue : 0, at: 24, bytes: 2)
    put(start, at: 28, bytes: 4)
  }
}

/// The codes of the rows of a DPX file, of 10 or 16 bits.
private struct DPXCodes {
  private enum Source {
    /// Codes of 16 bits.
    case codes(PixelRows)
    /// Linear light, and the curve to codes.
    case light(LinearRows, CodeCurve)
  }

  private let source: Source
  private let width: Int
  private let isWide: Bool
  private let largest: Double

  init(_ request: EncodeRequest) throws(EncodeError) {
    width = request.image.width
    isWide = request.coding.dpxBits == 16
    largest = isWide ? 65_535 : 1023
    if request.kind.curve == .linear, case .curve(let curve)? = FilmLog().space.steps.first {
      source = .light(try LinearRows(request.image, kind: request.kind), curve)
    } else {
      source = .codes(try PixelRows(request.image, format: .uint16, kind: request.kind))
    }
  }

  var rowBytes: Int { isWide ? (3 * width + 1) / 2 * 4 : 4 * width }

  /// Copies the codes of a row and returns the number of samples that are brighter than the largest.
  func copy(_ y: Int, to row: inout [UInt16]) -> Int {
    switch source {
    case .codes(let rows):
      let codes = rows.row(y).assumingMemoryBound(to: UInt16.self)
      for x in 0..<width {
        for channel in 0..<3 {
          let code = codes[4 &* x &+ channel]
          // The earlier rounding to 16 bits adds an error of at most 0.008 of a code.
          row[3 &* x &+ channel] =
            isWide ? code : UInt16(truncatingIfNeeded: (UInt32(code) &* 1023 &+ 32_767) / 65_535)
        }
      }
      return 0
    case .light(let rows, let curve):
      var light = [Float](repeating: 0, count: 3 * width), clipped = 0
      rows.copy(y, to: &light)
      for index in light.indices {
        let code = (curve.encode(Double(boundedLight(light[index]))) * largest).rounded()
        if code > largest { clipped += 1 }
        row[index] = UInt16(min(max(code, 0), largest))
      }
      return clipped
    }
  }

  func write(_ row: [UInt16], to sink: inout ByteSink) {
    if isWide {
      for code in row { sink.u16(Int(code)) }
      if row.count % 2 != 0 { sink.u16(0) }
    } else {
      for x in 0..<width {
        sink.u32((Int(row[3 &* x]) << 22) | (Int(row[3 &* x &+ 1]) << 12) | (Int(row[3 &* x &+ 2]) << 2))
      }
    }
  }
}
