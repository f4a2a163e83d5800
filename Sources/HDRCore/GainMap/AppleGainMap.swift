/// The curve from a value of Apple's map to a share of the gain. Apple's article calls it Rec. 709; other programs take
/// sRGB or a power of 1.961 or 2.2. At headroom 8 sRGB is up to 0.20 stops darker (docs/gain-map-maths.md#apple).
package enum AppleMapTransfer: String, Sendable, Hashable, Codable, CaseIterable {
  case bt709, srgb, pow1961, pow22

  /// Converts a map value 0...1 to linear 0...1.
  package func decode(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    return switch self {
    case .bt709: value < 0.081 ? value / 4.5 : ExactMath.pow((value + 0.099) / 1.099, 1 / 0.45)
    case .srgb: Transfer.sRGBDecode(value)
    case .pow1961: ExactMath.pow(value, 1.961)
    case .pow22: ExactMath.pow(value, 2.2)
    }
  }
}

/// The use of Apple's map on a display between SDR and the picture's own headroom (docs/gain-map-maths.md#apple).
package enum ApplePartialHeadroom: String, Sendable, Hashable, Codable, CaseIterable {
  /// The formula takes the display's headroom if that is smaller.
  case capped
  /// The whole gain to the power of display over own headroom, both in stops, as in ISO 21496-1.
  case geometric
}

/// Apple's gain map of 2020 to 2023 (`urn:com:apple:photo:2020:aux:hdrgainmap`): a grey map with its own formula.
///
/// `hdr = sdr * (1 + (headroom - 1) * D(value))` in linear light of the base's primaries, one gain for R, G and B.
/// Source: Apple developer article "Applying Apple HDR effect to your photos"; docs/gain-map-maths.md#apple.
package struct AppleGainMap: Sendable, Hashable {
  package static let urn = "urn:com:apple:photo:2020:aux:hdrgainmap"
  /// The namespace of the map's XMP: `HDRGainMapVersion`, `HDRGainMapHeadroom`.
  package static let namespace = "http://ns.apple.com/HDRGainMap/1.0/"
  /// Headrooms above this factor (16 stops) are treated as invalid.
  package static let largestHeadroom = 65_536.0

  /// The source of the headroom.
  package enum Rule: String, Sendable, Hashable, Codable {
    /// `HDRGainMapHeadroom` of the map's XMP.
    case xmp
    /// Tags 33 and 48 of the maker note.
    case makerNote = "maker-note"
    /// Tag 33 alone; tag 48 is taken as 0.
    case makerNoteTag33 = "maker-note-33"
    /// A headroom given by the caller, not by the file.
    case given
    /// The headroom is not stated: the map is kept and not applied.
    case unknown
  }

  /// `HDRGainMapVersion`: 65536 is 1.0 (no headroom in the XMP), 131072 is 2.0.
  package var version: Int?
  /// The value of `HDRGainMapHeadroom`, a factor.
  package var xmpHeadroom: Double?
  package var tag33: Double?
  package var tag48: Double?
  /// Peak of the HDR rendition over reference white, a factor, >= 1; `nil` if not stated.
  package private(set) var headroom: Double?
  package private(set) var rule: Rule

  /// Decides the headroom: XMP above 1, else the maker note, else the XMP value (at most 1: no HDR), else unknown.
  package init(version: Int? = nil, xmpHeadroom: Double? = nil, tag33: Double? = nil, tag48: Double? = nil) {
    self.version = version
    self.xmpHeadroom = xmpHeadroom
    self.tag33 = tag33
    self.tag48 = tag48
    (headroom, rule) = (nil, .unknown)
    if let xmpHeadroom, xmpHeadroom > 1, xmpHeadroom <= Self.largestHeadroom {
      (headroom, rule) = (xmpHeadroom, .xmp)
    } else if let tag33 {
      let factor = ExactMath.exp2(AppleHeadroom.stops(tag33: tag33, tag48: tag48 ?? 0))
      if factor <= Self.largestHeadroom { (headroom, rule) = (factor, tag48 == nil ? .makerNoteTag33 : .makerNote) }
    } else if let xmpHeadroom, xmpHeadroom <= 1 {
      (headroom, rule) = (1, .xmp)
    }
  }

  /// Takes a headroom from the caller, for a file that states none.
  package init(headroom: Headroom, version: Int? = nil) { self.init(given: headroom.factor, version: version) }

  /// Takes the caller's headroom as a factor, whose logarithm might not lead back to it.
  package init(given factor: Double, version: Int?) {
    self.version = version
    headroom = max(1, min(factor, Self.largestHeadroom))
    rule = .given
  }

  /// Returns the log2 gain of a map value 0...1 for a picture of `headroom`: log2(1 + (headroom - 1) * D(value)).
  /// `headroom` is a factor; `nil` means the map's own, or 1 if that is unknown.
  package func log2Gain(
    _ value: Double, transfer: AppleMapTransfer = .bt709, headroom: Double? = nil
  ) -> Double {
    ExactMath.log2(1 + ((headroom ?? self.headroom ?? 1) - 1) * transfer.decode(value))
  }

  /// Returns linear light of one channel for a display of `display`, in binary64; pixels go through tables.
  package func applied(
    to base: Double, value: Double, display: Headroom, transfer: AppleMapTransfer = .bt709,
    partial: ApplePartialHeadroom = .capped
  ) -> Double {
    let full = headroom ?? 1
    switch partial {
    case .capped:
      return base * ExactMath.exp2(log2Gain(value, transfer: transfer, headroom: min(full, max(display.factor, 1))))
    case .geometric:
      let weight = GainMapWeight.weight(base: 0, alternate: ExactMath.log2(full), display: display.stops)
      return base * ExactMath.exp2(weight * log2Gain(value, transfer: transfer))
    }
  }
}

// MARK: As ISO 21496-1

extension AppleGainMap {
  /// The metadata of the exact conversion: min 0, max log2(headroom), gamma 1, offsets 0, gains in the base's
  /// primaries. `nil` without a headroom. The map's codes must be converted too (`isoValue`, `isoTable`): unconverted
  /// ones are up to 0.2 stops too bright in the middle. Partial headrooms then follow `ApplePartialHeadroom.geometric`.
  /// Source: docs/gain-map-maths.md#apple.
  package var isoMetadata: GainMapMetadata? {
    guard headroom != nil else { return nil }
    var metadata = GainMapMetadata(self)
    metadata.kind = .iso
    metadata.apple = nil
    return metadata
  }

  /// Returns the converted map's value 0...1 for a value 0...1 of this one; 0 without a headroom.
  package func isoValue(_ value: Double, transfer: AppleMapTransfer = .bt709) -> Double {
    guard let headroom, headroom > 1 else { return 0 }
    return log2Gain(value, transfer: transfer) / ExactMath.log2(headroom)
  }

  /// Returns the converted map's code in `bits` bits for a code of this one in `codeBits` bits, rounded to nearest.
  package func isoCode(_ code: Int, codeBits: Int = 8, bits: Int = 10, transfer: AppleMapTransfer = .bt709) -> Int {
    let value = Double(code) / Double(1 << codeBits - 1)
    return Int((min(max(isoValue(value, transfer: transfer), 0), 1) * Double(1 << bits - 1)).rounded())
  }
}

extension GainMapMetadata {
  /// Makes the metadata of Apple's map. Minimum, maximum and headrooms state its ends; between them `apple` decides,
  /// not `gamma`. Without a headroom both ends are 0 and the map is not applied.
  package init(_ apple: AppleGainMap) {
    let stops = ExactMath.log2(apple.headroom ?? 1)
    self.init(
      kind: .apple, baseHeadroom: 0, alternateHeadroom: stops, min: [0, 0, 0], max: [stops, stops, stops],
      baseOffset: [0, 0, 0], alternateOffset: [0, 0, 0], usesBaseColorSpace: true, apple: apple)
  }

  /// True if the metadata is enough to apply the map. Only Apple's can lack something: the headroom.
  package var isComplete: Bool { kind != .apple || apple?.headroom != nil }
}
