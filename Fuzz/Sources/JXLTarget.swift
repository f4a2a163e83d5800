import CJXL
import HDRCore
@testable import ImageFiles

extension Target {
  /// Boxes, metadata, gain map, heads of codestreams; payloads put into a new file. Colour as bits.
  static let jxl = Target("jxl", maxLength: 1 << 14, mutate: JXLGrammar.mutate) { bytes in
    colors(bytes)
    let source = try? decodeImage(bytes, request: .metadata)
    guard let source, source.format == .jxl, let coded = try? codedRenditions(bytes) else { return }
    guard case .jxl(let base) = coded.base else { fatalError("the base is no codestream") }
    let map = source.gainMap.flatMap { found -> [UInt8]? in
      guard case .jxl(let map)? = coded.map else { fatalError("the map is no codestream") }
      return try? JHGM(found.metadata, map: map.codestream, base: 1, alternate: nil).serialized
    }
    let file = JXLFile(
      JXLEncoding.Coded(codestream: base.codestream, level: base.level), exif: source.exif, xmp: source.xmp,
      gainMap: map)
    guard let again = try? decodeImage(file.bytes, request: .metadata) else { fatalError("a file that is not read") }
    demand(again.exif == source.exif && again.xmp == source.xmp, "other metadata")
    demand(again.color == source.color && again.geometry == source.geometry, "another picture")
    demand(map == nil || again.gainMap != nil, "no map")
  }

  /// Colour as bits, as code points, and as libjxl's structure.
  private static func colors(_ bytes: [UInt8]) {
    if let color = JXLColor(bits: Array(bytes.prefix(24))) { use(color) }
    // No file begins so: bits of any colour, and a structure of any numbers.
    guard bytes.count > 5, bytes[0] == mark else { return }
    if let color = JXLColor(bits: Array(bytes[1...].prefix(64))) { use(color) }
    if let color = JXLColor(primaries: Int(bytes[1]) % 24, transfer: Int(bytes[2]) % 24, isGrey: bytes[3] & 1 == 1) {
      use(color)
      demand(JXLColor(bits: color.bits) == color, "other bits than were written")
      demand(JXLColor(color.encoding) == color, "another structure than was made")
    }
    var encoding = JxlColorEncoding()
    withUnsafeMutableBytes(of: &encoding) { $0.copyBytes(from: bytes[1...].prefix($0.count)) }
    encoding.color_space = bytes[1] & 1 == 0 ? JXL_COLOR_SPACE_RGB : JXL_COLOR_SPACE_GRAY
    encoding.white_point.rawValue %= 16
    encoding.primaries.rawValue %= 16
    encoding.transfer_function.rawValue = bytes[2] < 32 ? JXL_TRANSFER_FUNCTION_GAMMA.rawValue : UInt32(bytes[2]) % 24
    use(JXLColor(encoding))
  }

  private static func use(_ color: JXLColor) {
    for scale in [1, 2.0] {
      var warnings: [Warning] = []
      if case .matrixTRC(_, let matrix, _) = color.color(scale: scale, warnings: &warnings).encoding {
        demand(matrix.allSatisfy(\.isFinite), "a matrix that is not finite")
      }
    }
  }
}

/// JPEG XL: boxes whose lengths are right.
enum JXLGrammar {
  private static let types = ["jxlc", "jxlp", "jxll", "jxli", "jhgm", "Exif", "xml ", "brob", "jbrd", "jumb", "ftyp"]

  private static let usual: [String: [UInt8]] = [
    "jxll": [10], "xml ": Array("<a/>".utf8), "ftyp": Array(JXLContainer.fileType.dropFirst(8)),
    "Exif": HEIFGrammar.hex("000000004d4d002a00000008000101120003000000010006000000000000"),
    // "xml " and four bytes that Brotli stores as they are.
    "brob": Array("xml ".utf8) + HEIFGrammar.hex("300010") + Array("<a/>".utf8) + [3],
    "jhgm": HEIFGrammar.hex("0000000390470f00000000ff0a"),
  ]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if bytes.first == Target.mark { return [Target.mark] + blindly(Array(bytes.dropFirst()), maxSize: 200) }
    guard bytes.starts(with: JXLContainer.signature) else {
      // A codestream: sometimes into boxes.
      let code = blindly(bytes, maxSize: maxSize - 40)
      return random.one(in: 2) ? code : JXLContainer.signature + JXLContainer.fileType + box("jxlc", code)
    }
    if random.one(in: 8) { return blindly(bytes, maxSize: maxSize) }
    var boxes: [(type: [UInt8], payload: [UInt8])] = [], rest = bytes.dropFirst(JXLContainer.signature.count)
    while rest.count >= 8 {
      let length = min(max(rest.number(0, 4) - 8, 0), rest.count - 8)
      boxes.append((Array(rest.dropFirst(4).prefix(4)), Array(rest.dropFirst(8).prefix(length))))
      rest = rest.dropFirst(8 + length)
    }
    for _ in 0...random.below(3) where !boxes.isEmpty {
      let index = random.below(boxes.count)
      switch random.below(8) {
      case 0: boxes.remove(at: index)
      case 1: boxes.insert(boxes[index], at: random.below(boxes.count + 1))
      case 2: boxes.swapAt(index, random.below(boxes.count))
      case 3:
        let type = random.pick(types)
        boxes.insert((Array(type.utf8), usual[type] ?? []), at: index)
      case 4:
        // A codestream in two parts.
        guard boxes[index].type == Array("jxlc".utf8) else { continue }
        let whole = boxes[index].payload, cut = random.below(whole.count + 1)
        boxes[index] = (Array("jxlp".utf8), u32(0) + whole.prefix(cut))
        boxes.insert((Array("jxlp".utf8), u32(0x8000_0001) + whole.dropFirst(cut)), at: index + 1)
      default: boxes[index].payload = blindly(boxes[index].payload, maxSize: min(maxSize, 8192))
      }
    }
    return JXLContainer.signature + boxes.flatMap { u32(8 + $0.payload.count) + $0.type + $0.payload }
  }

  private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    u32(8 + payload.count) + Array(type.utf8) + payload
  }
}
