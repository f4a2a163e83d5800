import FileParts
import CDeflate
import COpenEXR
import HDRCore

/// A decoder of DWAA and DWAB chunks, which OpenEXR's C library 3.1 cannot decode: colour as 8x8 cosine transforms of
/// perceptual codes, alpha as runs, other channels without a transform.
///
/// Source: OpenEXR's C++ library, `ImfDwaCompressor` (format); docs/colour-formulas.md#openexr.
struct EXRDWA {
  private enum Scheme: Int {
    case unknown, lossy, runs
  }

  /// A rule that gives channels of a name and type their scheme; `part` is the place in R, G, B coded together.
  private struct Rule {
    var suffix: String
    var scheme: Scheme
    var part: Int
    var ignoresCase: Bool
    var type: Int
  }

  private struct Plane {
    var channel: EXRHeader.Channel
    var width: Int
    var height: Int
    var scheme = Scheme.unknown
    /// The decoded bytes, row by row.
    var bytes: [UInt8] = []

    var samples: Int { width * height }
  }

  private let inflater: OpaquePointer?
  private let window: EXRHeader.Window

  private init(_ inflater: OpaquePointer?, _ window: EXRHeader.Window) {
    (self.inflater, self.window) = (inflater, window)
  }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: "OpenEXR DWA chunk", what: what) }

  /// Decodes one chunk to samples in the layout of `EXRRows`.
  static func unpack(
    _ data: UnsafeRawBufferPointer, _ channels: [EXRHeader.Channel], _ window: EXRHeader.Window,
    inflater: OpaquePointer?, into out: UnsafeMutablePointer<UInt8>
  ) throws(DecodeError) {
    var reader = ByteReader(Array(data), place: "OpenEXR DWA chunk", isLittleEndian: true), numbers: [Int] = []
    for _ in 0..<11 { numbers.append(Int(truncatingIfNeeded: try reader.unsigned(8))) }
    guard numbers.allSatisfy({ $0 >= 0 && $0 <= 1 << 30 }) else { throw fault("its sizes are too large") }
    let version = numbers[0]
    guard version <= 2 else { throw DecodeError.unsupported(feature: "OpenEXR DWA version", found: "\(version)") }
    let rules = version < 2 ? legacyRules : try readRules(&reader)
    var planes = channels.map {
      Plane(
        channel: $0, width: EXRRows.count(window.minX, window.maxX, $0.xSampling),
        height: EXRRows.count(window.minY, window.maxY, $0.ySampling))
    }
    let groups = classify(&planes, rules)
    let decoder = EXRDWA(inflater, window)

    let unknown = try decoder.inflate(&reader, packed: numbers[2], to: numbers[1])
    let lossy = planes.filter { $0.scheme == .lossy }
    let blocks = lossy.reduce(0) { $0 + (($1.width + 7) / 8) * (($1.height + 7) / 8) }
    // A block has up to 63 coefficients after the first, and a mark at the end.
    guard numbers[9] == blocks, numbers[8] <= 64 * blocks else { throw fault("its blocks are not those of its pixels") }
    let ac = try decoder.coefficients(&reader, packed: numbers[3], count: numbers[8], isDeflate: numbers[10] == 1)
    var dc = [UInt16](repeating: 0, count: blocks)
    if numbers[4] > 0, blocks > 0 {
      var bytes = try decoder.inflate(&reader, packed: numbers[4], to: 2 * blocks)
      dc.withUnsafeMutableBytes { dc in
        hdr_exr_merge(&bytes, 2 * blocks, dc.baseAddress!.assumingMemoryBound(to: UInt8.self))
      }
    } else if blocks > 0 {
      throw fault("blocks without their first coefficients")
    }
    let runs = try decoder.runs(&reader, packed: numbers[5], inflated: numbers[6], to: numbers[7])

    try decodeBlocks(&planes, groups, ac, dc)
    try spreadRuns(&planes, runs)
    try copyUnknown(&planes, unknown)
    store(planes, channels, window, into: out)
  }

  // MARK: Which channel is what

  private static let legacyRules: [Rule] = {
    let parts = [("r", 0), ("red", 0), ("g", 1), ("grn", 1), ("green", 1), ("b", 2), ("blu", 2), ("blue", 2)]
    var rules: [Rule] = []
    for type in [1, 2] {
      rules += parts.map { Rule(suffix: $0.0, scheme: .lossy, part: $0.1, ignoresCase: true, type: type) }
      rules += ["y", "by", "ry"].map { Rule(suffix: $0, scheme: .lossy, part: -1, ignoresCase: true, type: type) }
    }
    return rules + [0, 1, 2].map { Rule(suffix: "a", scheme: .runs, part: -1, ignoresCase: true, type: $0) }
  }()

  private static func readRules(_ reader: inout ByteReader) throws(DecodeError) -> [Rule] {
    let size = try reader.u16()
    guard size >= 2 else { throw fault("its rules have no size") }
    var own = ByteReader(try reader.take(size - 2), place: reader.place), rules: [Rule] = []
    while !own.isAtEnd {
      let suffix = try own.cString(most: 255), value = Int(try own.u8()), type = Int(try own.u8())
      guard let scheme = Scheme(rawValue: value >> 2 & 3), type <= 2, value >> 4 <= 3 else {
        throw fault("a rule is unknown")
      }
      rules.append(
        Rule(suffix: suffix, scheme: scheme, part: (value >> 4) - 1, ignoresCase: value & 1 == 1, type: type))
    }
    return rules
  }

  /// Sets the scheme of each plane, and returns the groups of planes that are R, G and B of one layer, by layer name.
  private static func classify(_ planes: inout [Plane], _ rules: [Rule]) -> [[Int]] {
    var parts: [String: [Int]] = [:]
    for index in planes.indices {
      let name = planes[index].channel.name, cut = name.lastIndex(of: ".")
      let suffix = cut.map { String(name[name.index(after: $0)...]) } ?? name
      let prefix = cut.map { String(name[..<$0]) } ?? ""
      let rule = rules.first {
        $0.type == planes[index].channel.type.rawValue
          && ($0.ignoresCase ? $0.suffix.lowercased() == suffix.lowercased() : $0.suffix == suffix)
      }
      guard let rule, rule.scheme != .lossy || rule.type != 0 else { continue }
      planes[index].scheme = rule.scheme
      if rule.part >= 0 { parts[prefix, default: [-1, -1, -1]][rule.part] = index }
    }
    return parts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value).filter { group in
      guard !group.contains(-1) else { return false }
      let (r, g, b) = (planes[group[0]], planes[group[1]], planes[group[2]])
      return group.allSatisfy { planes[$0].scheme == .lossy } && r.width == g.width && r.width == b.width
        && r.height == g.height && r.height == b.height
    }
  }

  // MARK: Streams

  private func inflate(_ reader: inout ByteReader, packed: Int, to size: Int) throws(DecodeError) -> [UInt8] {
    let data = Array(try reader.take(packed))
    guard packed > 0, size > 0 else { return [] }
    guard size <= EXRHeader.maxChunkBytes, size / 1032 <= packed else { throw Self.fault("a stream is too large") }
    var out = [UInt8](repeating: 0, count: size)
    guard libdeflate_zlib_decompress(inflater, data, packed, &out, size, nil) == LIBDEFLATE_SUCCESS else {
      throw Self.fault("a zlib stream is damaged")
    }
    return out
  }

  private func coefficients(
    _ reader: inout ByteReader, packed: Int, count: Int, isDeflate: Bool
  ) throws(DecodeError) -> [UInt16] {
    if isDeflate {
      let bytes = try inflate(&reader, packed: packed, to: 2 * count)
      guard bytes.count == 2 * count else { throw Self.fault("coefficients are missing") }
      return (0..<count).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
    }
    let data = Array(try reader.take(packed))
    var out = [UInt16](repeating: 0, count: count)
    guard count == 0 || hdr_exr_huffman(data, packed, &out, count) == 1 else {
      throw Self.fault("its Huffman codes are damaged")
    }
    return out
  }

  private func runs(
    _ reader: inout ByteReader, packed: Int, inflated: Int, to size: Int
  ) throws(DecodeError) -> [UInt8] {
    let bytes = try inflate(&reader, packed: packed, to: inflated)
    guard size > 0 else { return [] }
    guard size <= EXRHeader.maxChunkBytes, size / 64 <= bytes.count else { throw Self.fault("its runs are too large") }
    var out = [UInt8](repeating: 0, count: size)
    guard hdr_exr_runs_read(bytes, bytes.count, &out, size) == size else { throw Self.fault("its runs are damaged") }
    return out
  }

  // MARK: Planes

  /// The table from perceptual codes to light, as halves: x^2.2 up to 1, e^(2.2 (x - 1)) above.
  private static let linear: [UInt16] = {
    (0..<65_536).map { code in
      let half = Float16(bitPattern: UInt16(code)), x = Double(abs(Float(half)))
      guard x > 0, x.isFinite else { return 0 }
      let light = x <= 1 ? ExactMath.pow(x, 2.2) : ExactMath.pow(ExactMath.pow(2.7182818, 2.2), x - 1)
      let bits = light > 65_519 ? 0x7c00 : Float16(Float(light)).bitPattern
      return bits | (UInt16(code) & 0x8000)
    }
  }()

  /// Decodes the lossy channels: R, G, B together, then each other channel by itself. Coefficients are in that order.
  private static func decodeBlocks(
    _ planes: inout [Plane], _ groups: [[Int]], _ ac: [UInt16], _ dc: [UInt16]
  ) throws(DecodeError) {
    let grouped = Set(groups.flatMap { $0 })
    let others = planes.indices.filter { planes[$0].scheme == .lossy && !grouped.contains($0) }.map { [$0] }
    var usedAC = 0, usedDC = 0
    for group in groups + others {
      let first = planes[group[0]], samples = first.samples
      var halves = [UInt16](repeating: 0, count: samples * group.count)
      let isLinear = group.count == 1 && first.channel.isPerceptuallyLinear != 0
      halves.withUnsafeMutableBufferPointer { halves in
        guard let base = halves.baseAddress else { return }
        var targets = (0..<3).map { Optional(base + min($0, group.count - 1) * samples) }
        ac.withUnsafeBufferPointer { ac in
          dc.withUnsafeBufferPointer { dc in
            guard let dc = dc.baseAddress else { return }
            usedAC += linear.withUnsafeBufferPointer { table in
              hdr_exr_blocks(
                ac.baseAddress.map { $0 + usedAC }, ac.count - usedAC, dc + usedDC, first.width, first.height,
                Int32(group.count), isLinear ? nil : table.baseAddress, &targets)
            }
          }
        }
      }
      usedDC += group.count * ((first.width + 7) / 8) * ((first.height + 7) / 8)
      for (index, plane) in group.enumerated() {
        let own = halves[index * samples..<(index + 1) * samples]
        if planes[plane].channel.type == .half {
          planes[plane].bytes = own.withUnsafeBytes { Array($0) }
        } else {
          var floats = [Float](repeating: 0, count: samples)
          // A number that is none comes of the transform: nobody wrote it into the file.
          _ = own.withUnsafeBytes { bytes in
            hdr_exr_floats(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), 1, samples, &floats)
          }
          planes[plane].bytes = floats.withUnsafeBytes { Array($0) }
        }
      }
    }
  }

  /// Joins the bytes of run-length channels: each channel stores all first bytes, then all second ones, and so on.
  private static func spreadRuns(_ planes: inout [Plane], _ bytes: [UInt8]) throws(DecodeError) {
    var at = 0
    for index in planes.indices where planes[index].scheme == .runs {
      let size = planes[index].channel.type.bytes, samples = planes[index].samples
      guard size * samples <= bytes.count - at else { throw fault("runs are missing") }
      var own = [UInt8](repeating: 0, count: size * samples)
      for byte in 0..<size {
        for sample in 0..<samples { own[sample * size + byte] = bytes[at + byte * samples + sample] }
      }
      planes[index].bytes = own
      at += size * samples
    }
  }

  private static func copyUnknown(_ planes: inout [Plane], _ bytes: [UInt8]) throws(DecodeError) {
    var at = 0
    for index in planes.indices where planes[index].scheme == .unknown {
      let count = planes[index].channel.type.bytes * planes[index].samples
      guard count <= bytes.count - at else { throw fault("channels are missing") }
      planes[index].bytes = Array(bytes[at..<at + count])
      at += count
    }
  }

  private static func store(
    _ planes: [Plane], _ channels: [EXRHeader.Channel], _ window: EXRHeader.Window,
    into out: UnsafeMutablePointer<UInt8>
  ) {
    var rows = [Int](repeating: 0, count: planes.count)
    EXRRows(channels, window).forEachRow(of: Array(planes.indices)) { _, offsets in
      for index in planes.indices where offsets[index] >= 0 {
        let count = planes[index].width * channels[index].type.bytes, from = rows[index] * count
        if count == 0 { continue }
        planes[index].bytes.withUnsafeBytes { bytes in
          (UnsafeMutableRawPointer(out) + offsets[index])
            .copyMemory(from: bytes.baseAddress! + from, byteCount: count)
        }
        rows[index] += 1
      }
    }
  }
}
