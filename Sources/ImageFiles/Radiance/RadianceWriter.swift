import FileParts
import HDRCore
import PlainData

/// Writes Radiance pictures: R, G and B with one exponent, upright, in planes with runs; linear light, 1.0 = reference
/// white. Primaries other than BT.709's are stated. The format has no negative numbers: they become 0, and are counted.
enum RadianceWriter: PlainWriter {
  static let format = FileFormat.hdr
  static let title = "Radiance"

  static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    let rows = try LinearRows(request.image, kind: request.kind)
    guard let primaries = request.linearPrimaries else {
      throw .unsupported(feature: "a Radiance picture in a space without primaries", found: request.space?.name ?? "")
    }
    var sink = ByteSink(reserving: 256 + rows.height * (rows.width * 4 + 4))
    sink.ascii(header(rows.width, rows.height, primaries))
    var clipped = 0, light = [Float](repeating: 0, count: 3 * rows.width)
    var words = [UInt8](repeating: 0, count: 4 * rows.width)
    let hasPlanes = RadianceLines.planeWidths.contains(rows.width)
    for y in 0..<rows.height {
      rows.copy(y, to: &light)
      clipped += code(light, into: &words)
      guard hasPlanes else {
        sink.append(words)
        continue
      }
      sink.append([2, 2, UInt8(rows.width >> 8), UInt8(rows.width & 255)])
      for plane in 0..<4 { write(plane, of: words, rows.width, to: &sink) }
    }
    var warnings = dropped(request)
    if clipped > 0 {
      warnings.append(
        Warning("gamut.clipped", "\(clipped) pixels have negative components, which Radiance cannot hold: they are 0"))
    }
    return EncodedFiles(main: sink.bytes, warnings: warnings)
  }

  static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    let found = try readBack(files, request, by: RadianceDecoder.self)
    let asked = request.linearPrimaries ?? .bt709
    let stated = found.header.first { $0.name == "PRIMARIES" }?.text
    try expect("PRIMARIES", stated, asked == .bt709 ? nil : text(asked))
    try expect("transfer", CICP.Transfer.linear, request.cicp.transfer)
  }

  private static func header(_ width: Int, _ height: Int, _ primaries: Primaries) -> String {
    let stated = primaries == .bt709 ? "" : "PRIMARIES=\(text(primaries))\n"
    return "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\(stated)\n-Y \(height) +X \(width)\n"
  }

  private static func text(_ primaries: Primaries) -> String {
    primaries.points.flatMap { [$0.x, $0.y] }.map(shortest).joined(separator: " ")
  }

  /// Codes a row and returns the number of its pixels with a component below 0 by a step of the pixel or more.
  private static func code(_ light: [Float], into words: inout [UInt8]) -> Int {
    var clipped = 0
    for x in 0..<words.count / 4 {
      let r = light[3 &* x], g = light[3 &* x &+ 1], b = light[3 &* x &+ 2]
      let exponent = RGBE.exponent(max(r, g, b))
      words[4 &* x] = RGBE.mantissa(r, exponent)
      words[4 &* x &+ 1] = RGBE.mantissa(g, exponent)
      words[4 &* x &+ 2] = RGBE.mantissa(b, exponent)
      words[4 &* x &+ 3] = UInt8(exponent)
      if min(r, g, b) <= -max(RGBE.steps[exponent], 0x1p-20) { clipped += 1 }
    }
    return clipped
  }

  /// Writes a plane of a row: runs of four equal bytes or more, and what lies between them.
  private static func write(_ plane: Int, of words: [UInt8], _ width: Int, to sink: inout ByteSink) {
    func run(_ x: Int) -> Int {
      var end = x + 1
      while end < width, end - x < 127, words[4 &* end &+ plane] == words[4 &* x &+ plane] { end += 1 }
      return end - x
    }
    var x = 0
    while x < width {
      let length = run(x)
      if length >= 4 {
        sink.append([UInt8(128 + length), words[4 * x + plane]])
        x += length
        continue
      }
      var end = x + length
      while end < width {
        let next = run(end)
        if next >= 4 || end + next - x > 128 { break }
        end += next
      }
      sink.u8(end - x)
      for index in x..<end { sink.u8(Int(words[4 * index + plane])) }
      x = end
    }
  }
}
