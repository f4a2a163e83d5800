/// Metadata for headroom-adaptive tone mapping: SMPTE ST 2094-50 (second public committee draft, 2026-02-23);
/// docs/tone-formulas.md#st-2094-50.
///
/// The stored picture (the baseline) has a headroom; alternates are curves of log2 gain for displays of other
/// headrooms. Light is linear, 1.0 = the reference white of the metadata.
package struct HeadroomAdaptiveMetadata: Sendable, Hashable {
  /// The number a gain curve is evaluated at: a sum of shares of R, G, B, their largest, their smallest, and the
  /// component itself, which gives each component its own gain.
  package struct Mix: Sendable, Hashable {
    package var red = 0.0, green = 0.0, blue = 0.0, max = 0.0, min = 0.0, component = 0.0

    /// The shares in the order of the metadata.
    package var shares: [Double] { [red, green, blue, max, min, component] }

    package static let maximum = Mix(max: 1)

    /// Returns the mixed number for one component of a colour.
    package func value(_ rgb: [Double], _ component: Int) -> Double {
      let high = Swift.max(rgb[0], rgb[1], rgb[2]), low = Swift.min(rgb[0], rgb[1], rgb[2])
      return red * rgb[0] + green * rgb[1] + blue * rgb[2] + max * high + min * low + self.component * rgb[component]
    }

    var text: String {
      if self == .maximum { return "max(R, G, B)" }
      let names = ["R", "G", "B", "max", "min", "component"]
      return zip(shares, names).filter { $0.0 != 0 }
        .map { $0.0 == 1 ? $0.1 : "\(short($0.0)) \($0.1)" }.joined(separator: " + ")
    }
  }

  /// The picture for a display of another headroom.
  package struct Alternate: Sendable, Hashable {
    package var mix: Mix
    package var curve: ToneGainCurve
    /// The headroom in stops.
    package var headroom: Double { curve.headroom }
  }

  /// The luminance of 1.0 in PQ and HLG pictures, in cd/m²; `nil`: 203.
  package var referenceWhite: Double?
  /// The headroom of the stored picture, in stops, 0...6; `nil` if the metadata has only a reference white.
  package var baselineHeadroom: Double?
  /// True if the curves are those of Reference White Tone Mapping, which follow from the headroom.
  package var usesReferenceWhiteToneMapping = false
  /// The primaries of the light that gains apply to.
  package var primaries = Primaries.bt2020
  /// The alternates, at most 4, with ascending headrooms that differ from the baseline's.
  package var alternates: [Alternate] = []

  package init() {}

  /// Makes metadata for Reference White Tone Mapping of content with this headroom in stops.
  package init(referenceWhiteFor stops: Double) {
    baselineHeadroom = min(max(stops, 0), 6)
    usesReferenceWhiteToneMapping = true
    alternates = ReferenceWhiteCurves.make(contentStops: stops).map { Alternate(mix: .maximum, curve: $0) }
  }
}

// MARK: - Evaluation

extension HeadroomAdaptiveMetadata {
  /// Returns alternates with their shares of the log2 gain on a display (clause 6.2.5): the two neighbours of the
  /// display among baseline and alternates; empty if the baseline is shown unchanged.
  package func shares(displayStops display: Double) -> [(alternate: Alternate, share: Double)] {
    guard let baselineHeadroom else { return [] }
    let all = (alternates.map { ($0.headroom, Alternate?.some($0)) } + [(baselineHeadroom, nil)]).sorted { $0.0 < $1.0 }
    let next = all.firstIndex { $0.0 > display } ?? all.count
    var parts: [(Alternate?, Double)]
    if next == 0 {
      parts = [(all[0].1, 1)]
    } else if next == all.count {
      parts = [(all[next - 1].1, 1)]
    } else {
      let (low, high) = (all[next - 1], all[next]), share = (display - low.0) / (high.0 - low.0)
      parts = [(low.1, 1 - share), (high.1, share)]
    }
    return parts.compactMap { part in part.0.flatMap { part.1 == 0 ? nil : ($0, part.1) } }
  }

  /// Returns the headroom in stops that a display gets: its own, or the nearest that the metadata reaches.
  package func resultStops(displayStops display: Double) -> Double {
    let all = alternates.map(\.headroom) + [baselineHeadroom ?? 0]
    return min(max(display, all.min() ?? 0), all.max() ?? 0)
  }

  /// Returns the log2 gains of R, G, B of a colour in `primaries`.
  package func log2Gains(_ rgb: [Double], displayStops: Double) -> [Double] {
    let parts = shares(displayStops: displayStops)
    return (0..<3).map { channel in
      parts.reduce(0) { $0 + $1.share * $1.alternate.curve.evaluate($1.alternate.mix.value(rgb, channel)) }
    }
  }

  /// True if gains of the largest component in BT.2020 keep every colour below the peak.
  package var staysInside: Bool { primaries == .bt2020 && alternates.allSatisfy { $0.mix == .maximum } }

  /// The space and mix of the gains, as text for records and messages.
  package var space: String {
    let mixes = alternates.map(\.mix.text)
    let names: [(Primaries, String)] = [(.bt2020, "BT.2020"), (.bt709, "BT.709"), (.displayP3, "P3")]
    let name = names.first { $0.0 == primaries }?.1 ?? "primaries of the metadata"
    return "linear \(name), " + (Set(mixes).count == 1 ? mixes[0] : mixes.joined(separator: "; "))
  }

  /// The metadata in one line.
  package var text: String {
    var parts = referenceWhite.map { ["reference white \(short($0)) cd/m²"] } ?? []
    if let baselineHeadroom {
      parts.append("baseline headroom \(short(ExactMath.exp2(baselineHeadroom)))")
      let others = alternates.map { short(ExactMath.exp2($0.headroom)) }.joined(separator: ", ")
      parts.append(others.isEmpty ? "no alternates" : "alternates for \(others)")
      if usesReferenceWhiteToneMapping { parts.append("by Reference White Tone Mapping") }
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}

// MARK: - Binary form

extension HeadroomAdaptiveMetadata {
  /// The prefix of ITU-T T.35: country, provider, the provider's code (docs/tone-formulas.md#st-2094-50).
  static let t35: [UInt8] = [0xb5, 0x00, 0x90, 0x00, 0x01]
  /// The prefixes that are read: some writers take the code 0005.
  private static let t35Prefixes = [t35, [0xb5, 0x00, 0x90, 0x00, 0x05]]
  /// The largest number of bytes read from a file, more than the largest payload.
  package static let maxBytes = 4096

  /// Returns the payload of a T.35 message of this application; `nil` for another one.
  package static func payload(ofT35 message: ArraySlice<UInt8>) -> [UInt8]? {
    t35Prefixes.contains(where: message.starts) ? Array(message.dropFirst(t35.count).prefix(maxBytes)) : nil
  }

  /// Returns a T.35 message of a payload, which may already have the prefix.
  package static func t35Message(_ payload: [UInt8]) -> [UInt8] { t35 + (self.payload(ofT35: payload[...]) ?? payload) }

  /// Returns the payload for Reference White Tone Mapping of a picture with this headroom, 1.0 = 203 cd/m².
  package static func referenceWhitePayload(for headroom: Headroom) -> [UInt8] {
    let stops = Int((min(max(headroom.stops, 0), 6) * 10_000).rounded())
    // Versions 0; no reference white, adaptive; the headroom; by Reference White Tone Mapping, then padding.
    return [0, 0x40, UInt8(stops >> 8), UInt8(stops & 255), 0x80]
  }

  /// Reads the payload of annex C, with or without the T.35 prefix. Bytes after it are ignored.
  ///
  /// - Throws: `.truncated`; `.unsupported` for a version that must not be read as this one; `.malformed` if headrooms
  ///   or control points are not in order, or shares are all 0.
  package init(parsing bytes: [UInt8]) throws(DecodeError) {
    var bits = PayloadBits(Self.payload(ofT35: bytes[...]) ?? bytes)
    _ = try bits.read(3)
    let version = try bits.read(3)
    guard version == 0 else {
      throw .unsupported(feature: "minimum_application_version of ST 2094-50", found: "\(version)")
    }
    _ = try bits.read(2)
    let hasWhite = try bits.flag(), isAdaptive = try bits.flag()
    _ = try bits.read(6)
    if hasWhite { referenceWhite = Double(min(max(try bits.read(16), 1), 50_000)) / 5 }
    guard isAdaptive else { return }
    let baseline = try bits.headroom()
    baselineHeadroom = baseline
    usesReferenceWhiteToneMapping = try bits.flag()
    if usesReferenceWhiteToneMapping {
      alternates = ReferenceWhiteCurves.make(contentStops: baseline).map { Alternate(mix: .maximum, curve: $0) }
      return
    }
    try readAlternates(&bits, baseline)
  }

  private mutating func readAlternates(_ bits: inout PayloadBits, _ baseline: Double) throws(DecodeError) {
    let count = try bits.read(3), mode = try bits.read(2)
    guard count <= 4 else { throw bits.malformed("\(count) alternates, 4 are allowed") }
    let sharesMix = try bits.flag(), sharesCurve = try bits.flag()
    switch mode {
    case 0: primaries = .bt709
    case 1: primaries = .displayP3
    case 2: primaries = .bt2020
    default:
      var points: [Chromaticity] = []
      for _ in 0..<4 { points.append(Chromaticity(try bits.share(), try bits.share())) }
      primaries = Primaries(red: points[0], green: points[1], blue: points[2], white: points[3])
      // A white of y = 0 has no luminance, and primaries on a line make no colours.
      guard points[3].y > 0, let there = Primaries.bt2020.matrix(to: primaries), there.inverse != nil,
        there.rows.allSatisfy({ abs($0) < 1e4 })
      else { throw bits.malformed("the primaries span no colours") }
    }
    var mix = Mix(), shape = PayloadBits.Shape()
    for index in 0..<count {
      let headroom = try bits.headroom()
      guard headroom != baseline, headroom > alternates.last?.headroom ?? -1 else {
        throw bits.malformed("alternate \(index) has a headroom out of order")
      }
      if index == 0 || !sharesMix { mix = try bits.mix() }
      if index == 0 || !sharesCurve { shape = try bits.shape() }
      var curve = ToneGainCurve(headroom: headroom, x: shape.x, gain: [], slope: [])
      let sign: Double = baseline < headroom ? 1 : -1
      for _ in shape.x { curve.gain.append(sign * Double(min(try bits.read(16), 60_000)) / 10_000) }
      if shape.usesPCHIP {
        curve.slope = Self.pchipSlopes(curve.x, curve.gain)
      } else {
        for _ in shape.x {
          let angle = Double(min(max(try bits.read(16), 1), 35_999) - 18_000) * (Double.pi / 36_000)
          let (sine, cosine) = ExactTurn.sineCosine(angle)
          curve.slope.append(sine / cosine)
        }
      }
      alternates.append(Alternate(mix: mix, curve: curve))
    }
  }

  /// Returns slopes at control points of a curve that keeps their order (PCHIP; clause C.3.7 in the form of
  /// docs/tone-formulas.md#st-2094-50). Two points at the same x have a secant of 0.
  package static func pchipSlopes(_ x: [Double], _ y: [Double]) -> [Double] {
    let n = x.count
    if n < 2 { return [Double](repeating: 0, count: n) }
    let h = (0..<n - 1).map { x[$0 + 1] - x[$0] }
    let s = (0..<n - 1).map { h[$0] > 0 ? (y[$0 + 1] - y[$0]) / h[$0] : 0 }
    if n == 2 { return [s[0], s[0]] }
    func end(_ h0: Double, _ h1: Double, _ s0: Double, _ s1: Double) -> Double {
      h0 + h1 > 0 ? ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1) : 0
    }
    var m = [end(h[0], h[1], s[0], s[1])]
    for i in 1..<n - 1 {
      let (s0, s1, h0, h1) = (s[i - 1], s[i], h[i - 1], h[i])
      m.append(s0 * s1 <= 0 ? 0 : 3 * (h0 + h1) * s0 * s1 / ((2 * h0 + h1) * s0 + (h0 + 2 * h1) * s1))
    }
    return m + [end(h[n - 2], h[n - 3], s[n - 2], s[n - 3])]
  }
}

/// A checked cursor over the bits of a payload, most significant first, with the codes of its fields.
private struct PayloadBits {
  /// The positions of control points, and the storage of their slopes.
  struct Shape {
    var x: [Double] = []
    var usesPCHIP = false
  }

  private let bytes: [UInt8]
  private var position = 0
  private static let place = "ST 2094-50 metadata"

  init(_ bytes: [UInt8]) { self.bytes = Array(bytes.prefix(HeadroomAdaptiveMetadata.maxBytes)) }

  func malformed(_ what: String) -> DecodeError { .malformed(where: Self.place, what: what) }

  /// Reads up to 16 bits.
  mutating func read(_ count: Int) throws(DecodeError) -> Int {
    guard count <= bytes.count * 8 - position else { throw .truncated(where: Self.place) }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() throws(DecodeError) -> Bool { try read(1) != 0 }

  /// Reads a headroom in stops, 0...6.
  mutating func headroom() throws(DecodeError) -> Double { Double(min(try read(16), 60_000)) / 10_000 }

  /// Reads a share, 0...1.
  mutating func share() throws(DecodeError) -> Double { Double(min(try read(16), 50_000)) / 50_000 }

  mutating func mix() throws(DecodeError) -> HeadroomAdaptiveMetadata.Mix {
    let type = try read(2), flags = try read(6)
    switch type {
    case 0: return .maximum
    case 1: return .init(component: 1)
    case 2: return .init(red: 1.0 / 6, green: 1.0 / 6, blue: 1.0 / 6, max: 0.5)
    default:
      var list: [Double] = []
      for bit in (0..<6).reversed() { list.append(flags >> bit & 1 == 0 ? 0 : try share()) }
      let sum = list.reduce(0, +)
      guard sum > 0 else { throw malformed("the component mix is of nothing") }
      list = list.map { $0 / sum }
      return .init(red: list[0], green: list[1], blue: list[2], max: list[3], min: list[4], component: list[5])
    }
  }

  mutating func shape() throws(DecodeError) -> Shape {
    let count = try read(5) + 1
    var shape = Shape(usesPCHIP: try flag())
    _ = try read(2)
    for _ in 0..<count {
      let x = Double(min(try read(16), 64_000)) / 1000
      guard x >= shape.x.last ?? 0 else { throw malformed("control points are out of order") }
      shape.x.append(x)
    }
    return shape
  }
}
