import HDRCore

/// The structure of an ICC profile: header, tag table, and the tags that this program reads itself.
///
/// Nothing here calls a library, so that a hostile profile is checked against our limits first. Source: ICC.1:2022
/// clauses 7 to 10.
package struct ICCProfile {
  /// The reason why a profile cannot be used; the picture is then read as if it had none.
  package struct Fault: Error {
    package var code: String
    package var what: String
    package init(_ code: String, _ what: String) {
      self.code = "icc." + code
      self.what = what
    }
  }

  /// The limits of docs/isolation.md#limits.
  package static let maxBytes = 4 << 20
  static let maxTags = 100
  static let maxLUTEntries = 1 << 22
  /// The limits on the library's work for each of 65³ nodes: inputs of one table (interpolation visits 2^n corners),
  /// elements of a pipeline, segments of a curve.
  package static let maxLUTInputs = 4, maxElements = 16, maxSegments = 64

  package let bytes: [UInt8]
  /// The colour space: 'RGB ', 'GRAY', ...
  package let colorSpace: String
  /// The device class: 'mntr', 'scnr', 'spac', 'prtr', ...
  let deviceClass: String
  private var tags: [String: Range<Int>] = [:]

  package init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.maxBytes else { throw Fault("limit", "\(bytes.count) bytes, limit \(Self.maxBytes)") }
    guard bytes.count >= 132 else { throw Fault("truncated", "\(bytes.count) bytes are no profile") }
    self.bytes = bytes
    guard latin1(bytes[36..<40]) == "acsp" else { throw Fault("invalid", "signature 'acsp' is missing") }
    colorSpace = latin1(bytes[16..<20])
    deviceClass = latin1(bytes[12..<16])
    let size = word(0)
    guard size >= 132, size <= bytes.count else {
      throw Fault("truncated", "the profile says \(size) bytes, \(bytes.count) are here")
    }
    let count = word(128)
    guard count <= Self.maxTags else { throw Fault("limit", "\(count) tags, limit \(Self.maxTags)") }
    guard 132 + 12 * count <= size else { throw Fault("truncated", "the tag table passes the end") }
    for index in 0..<count {
      let entry = 132 + 12 * index
      let offset = word(entry + 4), length = word(entry + 8)
      // Two u32 values: the sum cannot overflow Int.
      guard length >= 8, offset + length <= size else {
        throw Fault("invalid", "tag '\(latin1(bytes[entry..<entry + 4]))' lies outside the profile")
      }
      let name = latin1(bytes[entry..<entry + 4])
      if tags[name] == nil { tags[name] = offset..<offset + length }
    }
  }

  package func has(_ tag: String) -> Bool { tags[tag] != nil }

  /// True if there are colorants and curves of R, G and B.
  var hasMatrix: Bool { ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"].allSatisfy(has) }

  // MARK: Numbers at absolute positions inside `bytes`; callers have checked the range.

  private func word(_ at: Int) -> Int {
    Int(bytes[at]) << 24 | Int(bytes[at + 1]) << 16 | Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
  }

  private func half(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }

  private func s15Fixed16(_ at: Int) -> Double { Double(Int32(truncatingIfNeeded: word(at))) / 65536 }

  /// Returns the range of a tag of type `type` with at least `count` bytes.
  private func range(_ tag: String, type: String, atLeast count: Int) -> Range<Int>? {
    guard let range = tags[tag], range.count >= count, self.type(of: range) == type else { return nil }
    return range
  }

  private func type(of range: Range<Int>) -> String { latin1(bytes[range.prefix(4)]) }

  // MARK: Tags

  /// `cicp`: the four code points (clause 9.2.17), from the 12-byte form or the 16-byte one that Little CMS 2.14
  /// writes.
  package var cicp: CICP? {
    guard let range = range("cicp", type: "cicp", atLeast: 12) else { return nil }
    let start =
      range.count >= 16 && bytes[range.lowerBound + 8..<range.lowerBound + 12].allSatisfy({ $0 == 0 })
      ? range.lowerBound + 12 : range.lowerBound + 8
    guard start + 4 <= range.upperBound, bytes[start + 3] <= 1 else { return nil }
    return CICP(Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]), full: bytes[start + 3] == 1)
  }

  /// Reads an XYZ tag, one triple.
  func xyz(_ tag: String) -> [Double]? {
    guard let range = range(tag, type: "XYZ ", atLeast: 20) else { return nil }
    return (0..<3).map { s15Fixed16(range.lowerBound + 8 + 4 * $0) }
  }

  /// `chad`: the matrix from the device's white to D50.
  var chromaticAdaptation: Matrix3? {
    guard let range = range("chad", type: "sf32", atLeast: 44) else { return nil }
    return Matrix3((0..<9).map { s15Fixed16(range.lowerBound + 8 + 4 * $0) })
  }

  /// `HAGC`: SMPTE ST 2094-50 metadata after a type, 4 zero bytes and a size of 32 bits (ICC.1 version 4.5, draft);
  /// `nil` if the profile has none. Apple's private `hdgm`, which repeats the numbers of a gain map, is not this tag.
  ///
  /// - Throws: `Fault` for a tag of another type, or whose size is not that of its bytes.
  package func toneMetadata() throws(Fault) -> [UInt8]? {
    guard has("HAGC") else { return nil }
    guard let range = range("HAGC", type: "hagc", atLeast: 13) else {
      throw Fault("hagc", "its HAGC tag is of another type or empty")
    }
    let size = word(range.lowerBound + 8)
    guard size > 0, size <= range.count - 12 else {
      throw Fault("hagc", "its HAGC tag says \(size) bytes and has \(range.count - 12)")
    }
    return Array(bytes[range.lowerBound + 12..<range.lowerBound + 12 + size])
  }

  /// Returns the tag `HAGC` of a payload.
  static func toneTag(_ payload: [UInt8]) -> [UInt8] {
    var tag = ByteSink()
    tag.ascii("hagc")
    tag.zeros(4)
    tag.u32(payload.count)
    tag.append(payload)
    return tag.bytes
  }

  /// True for a `ciis` of scene colorimetry estimates (clause 9.2.13): samples are light of the scene, not of a
  /// display.
  var isSceneReferred: Bool {
    guard let range = range("ciis", type: "sig ", atLeast: 12) else { return false }
    return latin1(bytes[range.lowerBound + 8..<range.lowerBound + 12]) == "scoe"
  }

  /// `desc`: the readable name, without control characters, at most 200 characters.
  package var description: String? {
    guard let range = tags["desc"] else { return nil }
    var text = ""
    if type(of: range) == "desc", range.count >= 12 {
      let end = Swift.min(range.upperBound, range.lowerBound + 12 + word(range.lowerBound + 8))
      text = latin1(bytes[range.lowerBound + 12..<end].prefix { $0 != 0 })
    } else if type(of: range) == "mluc", range.count >= 28 {
      let length = word(range.lowerBound + 20) & ~1, offset = word(range.lowerBound + 24)
      guard offset + length <= range.count else { return nil }
      let units = stride(from: 0, to: Swift.min(length, 1024), by: 2).map {
        UInt16(half(range.lowerBound + offset + $0))
      }
      text = String(decoding: units, as: UTF16.self)
    }
    let scalars = text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }.prefix(200)
    let cleaned = String(String.UnicodeScalarView(scalars))
    return cleaned.isEmpty ? nil : cleaned
  }

  /// Reads a tone curve tag: `curv` or `para` (clauses 10.6 and 10.18).
  package func curve(_ tag: String) throws(Fault) -> ToneCurve {
    guard let range = tags[tag], range.count >= 12 else { throw Fault("invalid", "curve '\(tag)' is missing") }
    switch type(of: range) {
    case "curv": return try sampledCurve(range, tag)
    case "para": return try parametricCurve(range, tag)
    default: throw Fault("invalid", "curve '\(tag)' has an unknown type")
    }
  }

  private func sampledCurve(_ range: Range<Int>, _ tag: String) throws(Fault) -> ToneCurve {
    let count = word(range.lowerBound + 8)
    guard count <= (range.count - 12) / 2 else { throw Fault("truncated", "curve '\(tag)' passes the end of its tag") }
    switch count {
    case 0: return .identity
    case 1:
      // u8Fixed8
      let gamma = Double(half(range.lowerBound + 12)) / 256
      guard gamma > 0 else { throw Fault("invalid", "curve '\(tag)' has gamma 0") }
      return gamma == 1 ? .identity : .gamma(gamma)
    default:
      return .table((0..<count).map { Double(half(range.lowerBound + 12 + 2 * $0)) / 65535 })
    }
  }

  private func parametricCurve(_ range: Range<Int>, _ tag: String) throws(Fault) -> ToneCurve {
    let kind = half(range.lowerBound + 8)
    let counts = [1, 3, 4, 5, 7]
    guard kind < counts.count else { throw Fault("invalid", "curve '\(tag)' has function type \(kind)") }
    guard range.count >= 12 + 4 * counts[kind] else { throw Fault("truncated", "curve '\(tag)' is too short") }
    let p = (0..<counts[kind]).map { s15Fixed16(range.lowerBound + 12 + 4 * $0) }
    guard p[0] > 0 else { throw Fault("invalid", "curve '\(tag)' has exponent \(p[0])") }
    if kind == 0 { return p[0] == 1 ? .identity : .gamma(p[0]) }
    var (c, d, e, f) = (0.0, 0.0, 0.0, 0.0)
    switch kind {
    case 1, 2:
      guard p[1] != 0 else { throw Fault("invalid", "curve '\(tag)' divides by 0") }
      d = -p[2] / p[1]
      if kind == 2 { (e, f) = (p[3], p[3]) }
    case 3: (c, d) = (p[3], p[4])
    default: (c, d, e, f) = (p[3], p[4], p[5], p[6])
    }
    // A negative base has no fractional power: curves that would have one inside 0...1 are refused. The tolerance is
    // one unit of s15Fixed16, for curves that begin exactly where the base is 0.
    let lowest = Swift.min(p[1] * Swift.max(d, 0) + p[2], p[1] + p[2])
    guard d > 1 || lowest >= -1.0 / 65536 else { throw Fault("invalid", "curve '\(tag)' is not defined over 0...1") }
    let srgb = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0]
    if zip([p[0], p[1], p[2], c, d, e, f], srgb).allSatisfy({ ($0 - $1).magnitude <= 1e-4 }) { return .sRGB }
    return .parametric(g: p[0], a: p[1], b: p[2], c: c, d: d, e: e, f: f)
  }

  // MARK: Guard for the library

  /// Refuses lookup tables that lack bytes for their size or exceed `maxLUTEntries`, before a library allocates them.
  package func checkTables() throws(Fault) {
    for (name, range) in tags {
      switch type(of: range) {
      case "mft1", "mft2":
        guard range.count >= 32 else { throw Fault("truncated", "table '\(name)' is too short") }
        let at = range.lowerBound
        try checkCLUT(
          name, grid: Array(repeating: Int(bytes[at + 10]), count: Int(bytes[at + 8])), outputs: Int(bytes[at + 9]),
          sampleBytes: type(of: range) == "mft1" ? 1 : 2, room: range.count)
      case "mAB ", "mBA ":
        guard range.count >= 32 else { throw Fault("truncated", "table '\(name)' is too short") }
        let at = range.lowerBound, offset = word(at + 24), inputs = Int(bytes[at + 8])
        if offset == 0 { continue }
        guard inputs <= 16, offset <= range.count - 20 else {
          throw Fault("invalid", "table '\(name)' is out of shape")
        }
        try checkCLUT(
          name, grid: (0..<inputs).map { Int(bytes[at + offset + $0]) }, outputs: Int(bytes[at + 9]),
          sampleBytes: Swift.max(1, Int(bytes[at + offset + 16])), room: range.count - offset)
      case "mpet": try checkElements(name, range)
      default: break
      }
    }
  }

  private func checkElements(_ name: String, _ range: Range<Int>) throws(Fault) {
    guard range.count >= 16 else { throw Fault("truncated", "elements '\(name)' are too short") }
    let count = word(range.lowerBound + 12)
    guard count <= Self.maxElements, 16 + 8 * count <= range.count else {
      throw Fault("limit", "'\(name)' has \(count) elements")
    }
    for index in 0..<count {
      let offset = word(range.lowerBound + 16 + 8 * index)
      guard offset + 12 <= range.count else { throw Fault("invalid", "an element of '\(name)' lies outside") }
      let at = range.lowerBound + offset
      let kind = latin1(bytes[at..<at + 4])
      if kind == "cvst" { try checkCurveSet(name, range, offset) }
      guard kind == "clut" else { continue }
      let inputs = half(at + 8)
      guard offset + 28 <= range.count, inputs <= 16 else { throw Fault("invalid", "table '\(name)' is out of shape") }
      try checkCLUT(
        name, grid: (0..<inputs).map { Int(bytes[at + 12 + $0]) }, outputs: half(at + 10), sampleBytes: 4,
        room: range.count - offset)
    }
  }

  /// Checks a curve set of a pipeline: type, reserved, u16 inputs and outputs, then place and size of each curve; a
  /// curve is 'curf', reserved, u16 segments (ICC.1:2022 clauses 10.18.3 and 10.18.3.2).
  private func checkCurveSet(_ name: String, _ range: Range<Int>, _ offset: Int) throws(Fault) {
    let start = range.lowerBound + offset, curves = half(start + 8)
    guard offset + 12 + 8 * curves <= range.count else { throw Fault("truncated", "curves of '\(name)' lie outside") }
    for curve in 0..<curves {
      let at = offset + word(start + 12 + 8 * curve)
      guard at + 12 <= range.count else { throw Fault("truncated", "curves of '\(name)' lie outside") }
      let segments = half(range.lowerBound + at + 8)
      guard segments <= Self.maxSegments else { throw Fault("limit", "a curve of '\(name)' has \(segments) segments") }
    }
  }

  private func checkCLUT(
    _ name: String, grid: [Int], outputs: Int, sampleBytes: Int, room: Int
  ) throws(Fault) {
    guard grid.count <= Self.maxLUTInputs else { throw Fault("limit", "table '\(name)' has \(grid.count) inputs") }
    var entries = outputs
    for side in grid {
      let (product, overflow) = entries.multipliedReportingOverflow(by: side)
      guard !overflow, product <= Self.maxLUTEntries else {
        throw Fault("limit", "table '\(name)' asks for more than \(Self.maxLUTEntries) entries")
      }
      entries = product
    }
    guard entries > 0, entries * sampleBytes <= room else {
      throw Fault("truncated", "table '\(name)' passes the end of its tag")
    }
  }
}
