import FileParts
import HDRCore

/// A reader that takes the coded picture out of a file that libheif has just written, and corrects its headers.
enum HEVCPayload {
  /// The profile that the headers shall state.
  enum Profile {
    /// Main 10. x265 marks a single picture as "Main 10 Intra" of the range extensions, which hardware decoders of Main
    /// 10 refuse; a 10-bit 4:2:0 stream that uses none of their tools is Main 10 too (H.265, A.3.3 and A.3.5).
    case main10
    case asCoded
  }

  /// The parameter sets of H.265 table 7-1.
  private enum Unit {
    static let video = 32, sequence = 33, picture = 34
  }

  /// Reads the picture of a file.
  ///
  /// - Parameters:
  ///   - width: the width of the picture inside the coded one; written into the parameter set, as far as chroma allows.
  /// - Returns: a rebuilt configuration record, NAL units without SEI, and the size that the parameter set states.
  static func read(
    _ bytes: [UInt8], profile: Profile, width: Int, height: Int
  ) throws(DecodeError) -> CodedHEVCPicture {
    let file = try HEIFFile(bytes)
    guard var hevc = try file.properties(of: file.primaryID).hevc else {
      throw .malformed(where: "hvcC box", what: "there is none")
    }
    let units = try hevc.split(file.data(of: file.primaryID), place: "HEVC item")
    for index in hevc.nalUnits.indices {
      var unit = try relabelled(hevc.nalUnits[index], profile)
      if HEVCUnitHeader(unit[...])?.type == Unit.sequence { unit = try windowed(unit, width: width, height: height) }
      hevc.nalUnits[index] = unit[...]
    }
    let sequence = try hevc.sequenceParameterSet()
    return CodedHEVCPicture(
      configuration: try record(hevc), data: item(units), width: sequence.width, height: sequence.height)
  }

  /// Joins the slices, each with four bytes of length before it.
  private static func item(_ units: [ArraySlice<UInt8>]) -> [UInt8] {
    var result = ByteSink(reserving: units.reduce(0) { $0 + $1.count + 4 })
    for unit in units {
      // Parameter sets are stored in hvcC only; x265's SEI is left out because it describes the machine.
      guard let header = HEVCUnitHeader(unit), header.isSlice else { continue }
      result.u32(unit.count)
      result.append(unit)
    }
    return result.bytes
  }

  /// Makes an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1.2). It is rebuilt because libheif 1.15.1 leaves
  /// the general constraint flags at 0; profile, tier, constraints and level come from the sequence parameter set.
  private static func record(_ hevc: HEVCConfiguration) throws(DecodeError) -> [UInt8] {
    guard let sequence = hevc.nalUnits.first(where: { HEVCUnitHeader($0)?.type == Unit.sequence }) else {
      throw .malformed(where: "hvcC box", what: "no sequence parameter set")
    }
    var record = ByteSink()
    record.u8(1)
    let start = profileOffset(Unit.sequence), parameters = EmulationPrevention.removed(sequence)
    guard parameters.count > start + 12 else { throw .truncated(where: "HEVC parameter set") }
    record.append(parameters[start..<start + 12])
    // Spatial segmentation 0 and parallelism 0: unknown. The rest of these bytes are ones by definition.
    record.u16(0xF000)
    record.u8(0xFC)
    let chromaFormat =
      switch hevc.chroma {
      case .none: 0
      case .s420: 1
      case .s422: 2
      default: 3
      }
    record.u8(0xFC | chromaFormat)
    record.u8(0xF8 | (hevc.bitDepth - 8))
    record.u8(0xF8 | (hevc.chromaBitDepth - 8))
    // No frame rate; one temporal layer, nested; lengths of four bytes.
    record.u16(0)
    record.u8(0 << 6 | 1 << 3 | 1 << 2 | 3)
    let types = [Unit.video, Unit.sequence, Unit.picture]
    record.u8(types.count)
    for type in types {
      let units = hevc.nalUnits.filter { HEVCUnitHeader($0)?.type == type }
      // Top bit: all units of this type are here, none in the item.
      record.u8(0x80 | type)
      record.u16(units.count)
      for unit in units {
        record.u16(unit.count)
        record.append(unit)
      }
    }
    return record.bytes
  }

  // MARK: - Profile

  /// Returns the offset of profile_tier_level in a parameter set of one temporal layer: after two header bytes and four
  /// bytes of VPS fields or one of SPS fields (H.265, 7.3.2.1 and 7.3.2.2).
  private static func profileOffset(_ type: Int) -> Int { type == Unit.video ? 6 : 3 }

  private static func relabelled(_ unit: ArraySlice<UInt8>, _ profile: Profile) throws(DecodeError) -> [UInt8] {
    guard profile == .main10, let type = HEVCUnitHeader(unit)?.type, type == Unit.video || type == Unit.sequence
    else { return Array(unit) }
    var bytes = EmulationPrevention.removed(unit)
    let at = profileOffset(type)
    guard bytes.count > at + 12 else { throw .truncated(where: "HEVC parameter set") }
    // general_profile_idc 2 and the compatibility flag of profile 2 alone: with that of 4 the constraint bits below
    // would be read as the range extensions' own. Tier stays.
    bytes[at] = bytes[at] & 0xE0 | 2
    bytes[at + 1] = 1 << (7 - 2)
    bytes.replaceSubrange(at + 2..<at + 5, with: [0, 0, 0])
    // Of the 48 constraint bits, Main 10 knows the first four (progressive, interlaced, non-packed, frame-only) and
    // one_picture_only, the twelfth.
    bytes[at + 5] &= 0xF0
    bytes[at + 6] &= 0x10
    bytes.replaceSubrange(at + 7..<at + 11, with: [0, 0, 0, 0])
    return EmulationPrevention.added(bytes)
  }

  // MARK: - Conformance window

  /// Returns the sequence parameter set with a conformance window (H.265, 7.4.3.2.1) that ends where the picture does,
  /// as at least 64 x 64 and even sides are coded. The window has the steps of chroma, so that an odd 4:2:0 picture
  /// keeps one row or column too many.
  private static func windowed(_ unit: [UInt8], width: Int, height: Int) throws(DecodeError) -> [UInt8] {
    let place = "HEVC sequence parameter set"
    let bytes = EmulationPrevention.removed(unit[...])
    var source = BitReader(Array(bytes.dropFirst(2)), place: place)
    var target = BitSink()
    func copy(_ count: Int) throws(DecodeError) { for _ in 0..<count { target.bit(try source.bit()) } }
    // The ids, one sub-layer, and profile_tier_level.
    try copy(4)
    let subLayers = try source.bits(3)
    guard subLayers == 0 else { throw .unsupported(feature: "HEVC sub-layers", found: "\(subLayers)") }
    for _ in 0..<3 { target.bit(false) }
    try copy(1 + 96)
    target.ue(try source.ue())
    let chroma = HEVCConfiguration.subsampling(try source.ue(atMost: 3, "chroma_format_idc"))
    target.ue([.none: 0, .s420: 1, .s422: 2][chroma] ?? 3)
    if chroma == .s444 { try copy(1) }
    let codedWidth = try source.ue(atMost: 1 << 17, "picture width")
    let codedHeight = try source.ue(atMost: 1 << 17, "picture height")
    target.ue(codedWidth)
    target.ue(codedHeight)
    var window = [0, 0, 0, 0]
    if try source.bit() { for side in 0..<4 { window[side] = try source.ue(atMost: 1 << 17, "conformance window") } }
    guard window[0] == 0, window[2] == 0, codedWidth >= width, codedHeight >= height else {
      throw .malformed(where: place, what: "\(codedWidth)x\(codedHeight) coded for \(width)x\(height)")
    }
    window[1] = (codedWidth - width) >> chroma.horizontalShift
    window[3] = (codedHeight - height) >> chroma.verticalShift
    target.bit(window[1] + window[3] > 0)
    if window[1] + window[3] > 0 { for side in window { target.ue(side) } }
    try copy(source.remaining)
    return EmulationPrevention.added(Array(bytes.prefix(2)) + target.payload)
  }
}
