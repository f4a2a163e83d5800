/// Gain map metadata of ISO 21496-1 with all numbers as they are in the file.
///
/// Source: ISO 21496-1:2025 Annex C.2.2 (docs/gain-map-maths.md#metadata). All integers are big-endian:
/// two u16 versions, one byte of flags, two headrooms, one or three channel records of five fractions.
package struct ISO21496: Sendable, Hashable {
  /// A channel record: fractions of log2 gains, gamma, and linear offsets.
  package struct Channel: Sendable, Hashable {
    package var min: Rational32
    package var max: Rational32
    package var gamma: Rational32
    package var baseOffset: Rational32
    package var alternateOffset: Rational32

    package init(
      min: Rational32, max: Rational32, gamma: Rational32, baseOffset: Rational32, alternateOffset: Rational32
    ) {
      self.min = min
      self.max = max
      self.gamma = gamma
      self.baseOffset = baseOffset
      self.alternateOffset = alternateOffset
    }
  }

  /// The container of the payload, which the bytes alone do not tell.
  package enum Container: Sendable, Hashable {
    /// HEIF and AVIF `tmap` item: one version byte of the ToneMapImage structure comes first.
    case tmap
    /// JPEG APP2 segment, after the 28-byte identifier.
    case jpeg
  }

  /// The reason why a payload cannot be used. The picture itself is still good.
  package enum ParseError: Error, Sendable, Hashable {
    case truncated
    case unsupportedVersion
    case invalid(String)
  }

  package var minimumVersion: Int
  package var writerVersion: Int
  package var isMultichannel: Bool
  package var usesBaseColorSpace: Bool
  /// The headroom of the base, log2.
  package var baseHeadroom: Rational32
  /// The headroom of the alternate, log2.
  package var alternateHeadroom: Rational32
  /// The channel records: one, or three for R, G, B.
  package var channels: [Channel]
  /// True if the payload has the common-denominator draft layout of older libultrahdr, which is read and never written.
  package var isLegacyLayout: Bool
  /// True if the draft's "backward direction" was set; base and alternate are already exchanged here.
  package var wasBackward: Bool
  /// The number of bytes after the last known field.
  package var trailingByteCount: Int

  package init(
    baseHeadroom: Rational32, alternateHeadroom: Rational32, channels: [Channel], usesBaseColorSpace: Bool
  ) {
    minimumVersion = 0
    writerVersion = 0
    isMultichannel = channels.count == 3
    self.usesBaseColorSpace = usesBaseColorSpace
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.channels = channels
    isLegacyLayout = false
    wasBackward = false
    trailingByteCount = 0
  }
}

// MARK: - Reading

extension ISO21496 {
  private enum Flag {
    static let multichannel: UInt8 = 0x80
    static let baseColorSpace: UInt8 = 0x40
    static let commonDenominator: UInt8 = 0x08
    static let backward: UInt8 = 0x04
  }

  /// Reads a payload and checks it (docs/gain-map-maths.md#metadata).
  ///
  /// - Parameter payload: without identifiers; with the leading version byte for `.tmap`.
  /// - Throws: `.unsupportedVersion` when the map must be ignored, `.truncated` and `.invalid` when it is broken.
  package init(parsing payload: ArraySlice<UInt8>, container: Container) throws(ParseError) {
    var bytes = Cursor(payload)
    if container == .tmap, try bytes.unsigned(1) != 0 { throw .unsupportedVersion }
    minimumVersion = Int(try bytes.unsigned(2))
    guard minimumVersion == 0 else { throw .unsupportedVersion }
    writerVersion = Int(try bytes.unsigned(2))
    let flags = UInt8(try bytes.unsigned(1))
    isMultichannel = flags & Flag.multichannel != 0
    usesBaseColorSpace = flags & Flag.baseColorSpace != 0
    let count = isMultichannel ? 3 : 1
    // The draft layout has one length only; a plain payload with that reserved bit set has another.
    isLegacyLayout = flags & Flag.commonDenominator != 0 && bytes.remaining == 12 + 20 * count
    wasBackward = isLegacyLayout && flags & Flag.backward != 0

    if isLegacyLayout {
      let denominator = UInt32(try bytes.unsigned(4))
      baseHeadroom = Rational32(try bytes.unsigned(4), denominator)
      alternateHeadroom = Rational32(try bytes.unsigned(4), denominator)
      channels = []
      for _ in 0..<count {
        channels.append(
          Channel(
            min: Rational32(try bytes.signed(), denominator), max: Rational32(try bytes.signed(), denominator),
            gamma: Rational32(try bytes.unsigned(4), denominator),
            baseOffset: Rational32(try bytes.signed(), denominator),
            alternateOffset: Rational32(try bytes.signed(), denominator)))
      }
    } else {
      baseHeadroom = try bytes.unsignedRational()
      alternateHeadroom = try bytes.unsignedRational()
      channels = []
      for _ in 0..<count {
        channels.append(
          Channel(
            min: try bytes.signedRational(), max: try bytes.signedRational(), gamma: try bytes.unsignedRational(),
            baseOffset: try bytes.signedRational(), alternateOffset: try bytes.signedRational()))
      }
    }
    if wasBackward {
      swap(&baseHeadroom, &alternateHeadroom)
      channels = channels.map {
        Channel(
          min: $0.min, max: $0.max, gamma: $0.gamma, baseOffset: $0.alternateOffset, alternateOffset: $0.baseOffset)
      }
    }
    trailingByteCount = bytes.remaining
    if trailingByteCount > 0, writerVersion == 0, container == .tmap {
      throw .invalid("\(trailingByteCount) bytes follow a version 0 payload")
    }
    try validate()
  }

  /// Checks the rules of docs/gain-map-maths.md#metadata on the stored integers: doubles would round the comparison of
  /// `max` and `min`.
  private func validate() throws(ParseError) {
    guard baseHeadroom.denominator != 0 else { throw .invalid("base headroom has denominator 0") }
    guard alternateHeadroom.denominator != 0 else { throw .invalid("alternate headroom has denominator 0") }
    for row in channels {
      for fraction in [row.min, row.max, row.gamma, row.baseOffset, row.alternateOffset]
      where fraction.denominator == 0 {
        throw .invalid("a channel field has denominator 0")
      }
      guard row.gamma.numerator != 0 else { throw .invalid("gamma is 0") }
      // |i32| * u32 stays below 2^63.
      guard row.max.numerator * Int64(row.min.denominator) >= row.min.numerator * Int64(row.max.denominator) else {
        throw .invalid("maximum gain is below minimum gain")
      }
      // The maximum is the larger of the two, so it alone can leave the range of float32.
      guard row.max.value < largestUsableGain else { throw .invalid("gain of 2^\(row.max.value) is not finite") }
    }
  }
}

/// The bound of x: 2^x rounds to a finite float32 below it.
let largestUsableGain = 128.0 - 0x1p-23

/// A reader of the payload's big-endian integers; throws `.truncated` at the end.
private struct Cursor {
  var rest: ArraySlice<UInt8>
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
  var remaining: Int { rest.count }

  mutating func unsigned(_ count: Int) throws(ISO21496.ParseError) -> Int64 {
    guard rest.count >= count else { throw .truncated }
    var value: Int64 = 0
    for byte in rest.prefix(count) { value = value << 8 | Int64(byte) }
    rest = rest.dropFirst(count)
    return value
  }

  mutating func signed() throws(ISO21496.ParseError) -> Int64 {
    Int64(Int32(truncatingIfNeeded: try unsigned(4)))
  }

  mutating func unsignedRational() throws(ISO21496.ParseError) -> Rational32 {
    let numerator = try unsigned(4)
    return Rational32(numerator, UInt32(try unsigned(4)))
  }

  mutating func signedRational() throws(ISO21496.ParseError) -> Rational32 {
    let numerator = try signed()
    return Rational32(numerator, UInt32(try unsigned(4)))
  }
}

// MARK: - Meaning

extension GainMapMetadata {
  /// Takes the numbers of an ISO payload as doubles, in three rows.
  package init(_ iso: ISO21496, rawPayload: [UInt8]) {
    let rows = iso.channels.count == 3 ? iso.channels : Array(repeating: iso.channels[0], count: 3)
    self.init(
      kind: .iso, baseHeadroom: iso.baseHeadroom.value, alternateHeadroom: iso.alternateHeadroom.value,
      min: rows.map(\.min.value), max: rows.map(\.max.value), gamma: rows.map(\.gamma.value),
      baseOffset: rows.map(\.baseOffset.value), alternateOffset: rows.map(\.alternateOffset.value),
      isMultichannel: iso.isMultichannel, usesBaseColorSpace: iso.usesBaseColorSpace, rawPayload: rawPayload)
  }
}

/// Reads the payload of a `tmap` item (HEIF, AVIF), leading version byte included.
///
/// - Returns: the metadata, its `rawPayload` without the leading byte; `nil` if the map must be ignored. `warnings`
///   then has the reason: `gainmap.version`, `gainmap.truncated` or `gainmap.invalid`. Warnings with a result are
///   `gainmap.prefix`, `gainmap.trailing`, `gainmap.legacy`, `gainmap.headrooms`, `gainmap.offset`, `gainmap.range`.
/// - Source: docs/gain-map-maths.md#metadata.
package func parseISO21496(tmapPayload: ArraySlice<UInt8>, warnings: inout [Warning]) -> GainMapMetadata? {
  // Some writers forget the version byte. The length is then that of the bare payload, which begins with zeros; read
  // with a version byte, the flags would be the wrong byte.
  if tmapPayload.count == 61 || tmapPayload.count == 141, tmapPayload.prefix(4).allSatisfy({ $0 == 0 }),
    let iso = try? ISO21496(parsing: tmapPayload, container: .jpeg), iso.trailingByteCount == 0
  {
    warnings.append(Warning("gainmap.prefix", "the tmap payload lacks its version byte; read without it"))
    return metadata(iso, raw: tmapPayload, warnings: &warnings)
  }
  do throws(ISO21496.ParseError) {
    let iso = try ISO21496(parsing: tmapPayload, container: .tmap)
    return metadata(iso, raw: tmapPayload.dropFirst(), warnings: &warnings)
  } catch {
    warnings.append(warning(for: error))
    return nil
  }
}

/// Reads the APP2 payload of a gain map JPEG, after its identifier. Results and warnings are those of `tmap`.
package func parseISO21496(jpegPayload: ArraySlice<UInt8>, warnings: inout [Warning]) -> GainMapMetadata? {
  do throws(ISO21496.ParseError) {
    let iso = try ISO21496(parsing: jpegPayload, container: .jpeg)
    return metadata(iso, raw: jpegPayload, warnings: &warnings)
  } catch {
    warnings.append(warning(for: error))
    return nil
  }
}

private func metadata(
  _ iso: ISO21496, raw: ArraySlice<UInt8>, warnings: inout [Warning]
) -> GainMapMetadata {
  let result = GainMapMetadata(iso, rawPayload: Array(raw))
  if iso.trailingByteCount > 0, iso.writerVersion == 0 {
    warnings.append(Warning("gainmap.trailing", "\(iso.trailingByteCount) bytes after the metadata were ignored"))
  }
  if iso.isLegacyLayout {
    let direction = iso.wasBackward ? ", baseline and alternate exchanged" : ""
    warnings.append(Warning("gainmap.legacy", "metadata in the common-denominator draft layout\(direction)"))
  }
  warnAboutOddValues(result, warnings: &warnings)
  return result
}

/// Warns about values that are legal and probably mistakes.
func warnAboutOddValues(_ metadata: GainMapMetadata, warnings: inout [Warning]) {
  if metadata.baseHeadroom == metadata.alternateHeadroom {
    warnings.append(Warning("gainmap.headrooms", "both headrooms are equal: the map is never applied"))
  }
  if (metadata.baseOffset + metadata.alternateOffset).contains(where: { $0 < 0 }) {
    warnings.append(Warning("gainmap.offset", "an offset is negative"))
  }
  let stops = [metadata.baseHeadroom, metadata.alternateHeadroom] + metadata.min + metadata.max
  if stops.contains(where: { $0.magnitude > 16 }) {
    warnings.append(Warning("gainmap.range", "a gain or headroom is beyond 16 stops"))
  }
}

private func warning(for error: ISO21496.ParseError) -> Warning {
  switch error {
  case .truncated: Warning("gainmap.truncated", "gain map ignored: its ISO 21496-1 metadata is too short")
  case .unsupportedVersion: Warning("gainmap.version", "gain map ignored: its metadata needs a newer reader")
  case .invalid(let why): Warning("gainmap.invalid", "gain map ignored: \(why)")
  }
}

// MARK: - Writing

extension ISO21496 {
  /// Makes the fractions to write: the payload's own if `metadata` still holds its numbers unchanged.
  ///
  /// Returns `nil` if a number does not fit its field, and for Apple's maps: their codes mean something else
  /// (`AppleGainMap.isoMetadata`). Identical rows become one record. Pixels must be quantised with the values of the
  /// result, not with those of `metadata` (docs/gain-map-maths.md#metadata).
  package init?(_ metadata: GainMapMetadata) {
    guard metadata.kind != .apple else { return nil }
    if metadata.kind == .iso,
      let kept = try? ISO21496(parsing: metadata.rawPayload[...], container: .jpeg), !kept.isLegacyLayout,
      GainMapMetadata(kept, rawPayload: metadata.rawPayload) == metadata
    {
      self = kept
      trailingByteCount = 0
      writerVersion = 0
      return
    }
    guard let base = Rational32(approximating: metadata.baseHeadroom, signed: false),
      let alternate = Rational32(approximating: metadata.alternateHeadroom, signed: false)
    else { return nil }
    var rows: [Channel] = []
    for index in 0..<3 {
      guard let min = Rational32(approximating: metadata.min[index], signed: true),
        let max = Rational32(approximating: metadata.max[index], signed: true),
        let gamma = Rational32(approximating: metadata.gamma[index], signed: false),
        let baseOffset = Rational32(approximating: metadata.baseOffset[index], signed: true),
        let alternateOffset = Rational32(approximating: metadata.alternateOffset[index], signed: true)
      else { return nil }
      rows.append(
        Channel(min: min, max: max, gamma: gamma, baseOffset: baseOffset, alternateOffset: alternateOffset))
    }
    if rows[1] == rows[0], rows[2] == rows[0] { rows.removeLast(2) }
    self.init(
      baseHeadroom: base, alternateHeadroom: alternate, channels: rows,
      usesBaseColorSpace: metadata.usesBaseColorSpace)
  }

  /// Returns the bytes for a container; version 0, plain layout. `parsing` them gives the same numbers.
  package func serialized(for container: Container) -> [UInt8] {
    var bytes: [UInt8] = container == .tmap ? [0] : []
    func append(_ value: UInt32) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
    func append(_ fraction: Rational32) {
      append(UInt32(truncatingIfNeeded: fraction.numerator))
      append(fraction.denominator)
    }
    append(0)
    bytes.append((channels.count == 3 ? Flag.multichannel : 0) | (usesBaseColorSpace ? Flag.baseColorSpace : 0))
    append(baseHeadroom)
    append(alternateHeadroom)
    for row in channels {
      for fraction in [row.min, row.max, row.gamma, row.baseOffset, row.alternateOffset] { append(fraction) }
    }
    return bytes
  }
}
