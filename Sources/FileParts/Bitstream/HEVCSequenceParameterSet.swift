import HDRCore

/// The part of an HEVC sequence parameter set that describes pictures: format, size, and what its VUI says (H.265 clauses
/// 7.3.2.2 and E.2.1).
package struct HEVCSequenceParameterSet: Sendable, Hashable {
  /// The size of the conformance window, in luma samples.
  package var width = 0
  package var height = 0
  /// The size of the coded picture, of whole coding blocks.
  package let codedWidth: Int
  package let codedHeight: Int
  package let chroma: ChromaSubsampling
  package let bitDepth: Int
  /// The general profile and level, which is 30 times its number.
  package let profile: Int
  package let level: Int
  /// True if the source was interlaced, and not progressive (general_interlaced_source_flag).
  package let isInterlacedSource: Bool
  package private(set) var color = BitstreamColor.unstatedHEVC
  /// The type of the place of chroma samples in 4:2:0, 0...5; `nil`: not stated.
  package private(set) var chromaLocation: Int?
  /// The width and height of a sample; `nil`: not stated.
  package private(set) var sampleAspect: SampleAspect?
  /// True if each coded picture is a field (field_seq_flag).
  package private(set) var isFields = false

  /// The largest number of samples of a side that the window may hide.
  package static let paddingLimit = 1024

  /// Reads a parameter set.
  ///
  /// - Parameter unit: the NAL unit with its two header bytes.
  package init(_ unit: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = BitReader(unescaping: unit.dropFirst(2), place: "HEVC sequence parameter set")
    try reader.skip(4)
    let subLayers = try reader.bits(3)
    try reader.skip(1)
    (profile, isInterlacedSource, level) = try Self.profileTierLevel(&reader, subLayers: subLayers)
    _ = try reader.ue()
    let chromaFormat = try reader.ue(atMost: 3, "chroma_format_idc")
    // Three separate planes are three grey pictures, which no camera writes.
    if chromaFormat == 3, try reader.bit() {
      throw .unsupported(feature: "HEVC separate colour planes", found: "separate_colour_plane_flag 1")
    }
    chroma = HEVCConfiguration.subsampling(chromaFormat)
    codedWidth = try reader.ue(atMost: 1 << 20, "picture width")
    codedHeight = try reader.ue(atMost: 1 << 20, "picture height")
    var window = [0, 0, 0, 0]
    if try reader.bit() {
      for side in 0..<4 { window[side] = try reader.ue(atMost: 1 << 20, "conformance window") }
    }
    width = codedWidth - (window[0] + window[1]) << chroma.horizontalShift
    height = codedHeight - (window[2] + window[3]) << chroma.verticalShift
    guard width > 0, height > 0 else {
      throw .malformed(where: "HEVC sequence parameter set", what: "the conformance window leaves nothing")
    }
    // The window hides the padding to whole coding blocks. A small window in a huge picture would exhaust memory.
    guard codedWidth - width <= Self.paddingLimit, codedHeight - height <= Self.paddingLimit else {
      throw .malformed(where: "HEVC sequence parameter set", what: "the conformance window hides most of the picture")
    }
    bitDepth = 8 + (try reader.ue(atMost: 8, "bit depth of luma"))
    let chromaBitDepth = 8 + (try reader.ue(atMost: 8, "bit depth of chroma"))
    guard chroma == .none || bitDepth == chromaBitDepth else {
      throw .unsupported(feature: "HEVC with unequal depths", found: "\(bitDepth) and \(chromaBitDepth) bits")
    }
    // The rest only describes colour and shape. If it cannot be read, the file's own boxes or the defaults are used.
    do throws(DecodeError) {
      try Self.skipToVUI(&reader, subLayers: subLayers)
      try readVUI(&reader)
    } catch {}
  }

  private static func profileTierLevel(
    _ reader: inout BitReader, subLayers: Int
  ) throws(DecodeError) -> (profile: Int, isInterlaced: Bool, level: Int) {
    try reader.skip(3)
    let profile = try reader.bits(5)
    try reader.skip(32)
    let isProgressive = try reader.bit(), isInterlaced = try reader.bit()
    try reader.skip(46)
    let level = try reader.bits(8)
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<subLayers { present.append((try reader.bit(), try reader.bit())) }
    if subLayers > 0 { try reader.skip(2 * (8 - subLayers)) }
    for layer in present { try reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    return (profile, isInterlaced && !isProgressive, level)
  }

  private static func skipToVUI(_ reader: inout BitReader, subLayers: Int) throws(DecodeError) {
    let orderCountBits = 4 + (try reader.ue(atMost: 12, "log2_max_pic_order_cnt"))
    let orderingForAll = try reader.bit()
    for _ in 0..<(orderingForAll ? subLayers + 1 : 1) * 3 { _ = try reader.ue() }
    for _ in 0..<6 { _ = try reader.ue() }
    if try reader.bit(), try reader.bit() { try skipScalingLists(&reader) }
    try reader.skip(2)
    if try reader.bit() {
      try reader.skip(8)
      for _ in 0..<2 { _ = try reader.ue() }
      try reader.skip(1)
    }
    try skipReferencePictureSets(&reader)
    if try reader.bit() {
      let count = try reader.ue(atMost: 32, "number of long-term pictures")
      try reader.skip(count * (orderCountBits + 1))
    }
    try reader.skip(2)
  }

  private static func skipScalingLists(_ reader: inout BitReader) throws(DecodeError) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard try reader.bit() else {
          _ = try reader.ue()
          continue
        }
        // Signed and unsigned codes have equal lengths.
        let count = min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0)
        for _ in 0..<count { _ = try reader.ue() }
      }
    }
  }

  private static func skipReferencePictureSets(_ reader: inout BitReader) throws(DecodeError) {
    let sets = try reader.ue(atMost: 64, "number of reference picture sets")
    var previousCount = 0
    for index in 0..<sets {
      var count = 0
      if index > 0, try reader.bit() {
        try reader.skip(1)
        _ = try reader.ue()
        for _ in 0...previousCount {
          let isUsed = try reader.bit()
          let isKept = isUsed ? true : try reader.bit()
          if isKept { count += 1 }
        }
      } else {
        let negative = try reader.ue(atMost: 16, "negative pictures")
        count = negative + (try reader.ue(atMost: 16, "positive pictures"))
        for _ in 0..<count {
          _ = try reader.ue()
          try reader.skip(1)
        }
      }
      guard count <= 32 else { throw .malformed(where: "reference picture set", what: "\(count) pictures") }
      previousCount = count
    }
  }

  private mutating func readVUI(_ reader: inout BitReader) throws(DecodeError) {
    guard try reader.bit() else { return }
    let aspect = try reader.bit() ? try SampleAspect(&reader) : nil
    // Overscan.
    if try reader.bit() { try reader.skip(1) }
    var color = BitstreamColor.unstatedHEVC
    if try reader.bit() {
      try reader.skip(3)
      color.fullRange = try reader.bit()
      if try reader.bit() {
        color.primaries = try reader.bits(8)
        color.transfer = try reader.bits(8)
        color.matrix = try reader.bits(8)
      }
    }
    var location: Int?
    if try reader.bit() {
      location = try reader.ue(atMost: 5, "chroma_sample_loc_type")
      _ = try reader.ue()
    }
    (self.color, chromaLocation, sampleAspect) = (color, location, aspect)
    try reader.skip(1)
    isFields = try reader.bit()
  }
}
