import FileParts
import HDRCore

/// The part of an HEVC sequence parameter set that a still picture needs: format, size, and the colour of its VUI
/// (H.265 clauses 7.3.2.2 and E.2.1).
package struct HEVCSequenceParameterSet: Sendable, Hashable {
  /// The size of the conformance window, in luma samples.
  package var width = 0
  package var height = 0
  package var format: CodedFormat

  /// The largest number of samples of a side that the window may hide.
  static let paddingLimit = 1024

  /// Reads a parameter set.
  ///
  /// - Parameter unit: the NAL unit with its two header bytes.
  init(_ unit: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = BitReader(unescaping: unit.dropFirst(2), place: "HEVC sequence parameter set")
    try reader.skip(4)
    let subLayers = try reader.bits(3)
    try reader.skip(1)
    try Self.skipProfileTierLevel(&reader, subLayers: subLayers)
    _ = try reader.ue()
    let chromaFormat = try reader.ue(atMost: 3, "chroma_format_idc")
    // Three separate planes are three grey pictures, which no camera writes.
    if chromaFormat == 3, try reader.bit() {
      throw .unsupported(feature: "HEVC separate colour planes", found: "separate_colour_plane_flag 1")
    }
    let chroma = HEVCConfiguration.subsampling(chromaFormat)
    let codedWidth = try reader.ue(atMost: 1 << 20, "picture width")
    let codedHeight = try reader.ue(atMost: 1 << 20, "picture height")
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
    let bitDepth = 8 + (try reader.ue(atMost: 8, "bit depth of luma"))
    let chromaBitDepth = 8 + (try reader.ue(atMost: 8, "bit depth of chroma"))
    guard chroma == .none || bitDepth == chromaBitDepth else {
      throw .unsupported(feature: "HEVC with unequal depths", found: "\(bitDepth) and \(chromaBitDepth) bits")
    }
    format = CodedFormat(bitDepth: bitDepth, chroma: chroma, siting: .left, color: .unstatedHEVC)
    // The rest only describes colour. If it cannot be read, the file's own colour boxes or the defaults are used.
    do throws(DecodeError) {
      try Self.skipToVUI(&reader, subLayers: subLayers)
      try readVUI(&reader)
    } catch {
      format.siting = .left
      format.color = .unstatedHEVC
    }
  }

  private static func skipProfileTierLevel(_ reader: inout BitReader, subLayers: Int) throws(DecodeError) {
    try reader.skip(88 + 8)
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<subLayers { present.append((try reader.bit(), try reader.bit())) }
    if subLayers > 0 { try reader.skip(2 * (8 - subLayers)) }
    for layer in present { try reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
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
    // Aspect ratio (255: written out), overscan.
    if try reader.bit(), try reader.bits(8) == 255 { try reader.skip(32) }
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
    var siting = ChromaSiting.left
    if try reader.bit() {
      let location = try reader.ue(atMost: 5, "chroma_sample_loc_type")
      _ = try reader.ue()
      // The model cannot express types 4 and 5 (bottom); their vertical position is taken as midway.
      siting = ChromaSiting(
        horizontallyCosited: location % 2 == 0, verticallyCosited: location == 2 || location == 3)
    }
    format.color = color
    // The location applies to 4:2:0; 4:2:2 is always co-sited in HEVC.
    if format.chroma == .s420 { format.siting = siting }
  }
}
