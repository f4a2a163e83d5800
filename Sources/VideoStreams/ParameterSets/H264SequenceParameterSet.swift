import FileParts
import HDRCore

/// The part of an H.264 sequence parameter set that describes pictures (H.264 clauses 7.3.2.1.1 and E.1.1).
struct H264SequenceParameterSet: Sendable, Hashable {
  /// The type of its NAL unit.
  static let unit: UInt8 = 7

  var width = 0
  var height = 0
  var codedWidth = 0
  var codedHeight = 0
  var chroma = ChromaSubsampling.s420
  var bitDepth = 8
  var profile = 0
  var level = 0
  /// True if all pictures are frames; others may be fields.
  var isProgressive = true
  /// H.264 infers limited range where none is stated.
  var color = BitstreamColor(inferredFullRange: false)
  var chromaLocation: Int?
  var sampleAspect: SampleAspect?

  private static let place = "H.264 sequence parameter set"
  /// Profiles whose sets state chroma and depth (clause 7.3.2.1.1).
  private static let highProfiles: Set<Int> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

  /// Returns the first set of an `avcC` box (ISO/IEC 14496-15 clause 5.3.3.1); `nil` if it has none.
  static func first(inConfiguration reader: inout ByteReader) throws(DecodeError) -> H264SequenceParameterSet? {
    try reader.skip(5)
    guard try reader.u8() & 31 > 0 else { return nil }
    return try H264SequenceParameterSet(try reader.take(try reader.u16()))
  }

  /// Returns the bytes of the length before each NAL unit by an `avcC` box.
  static func lengthSize(_ configuration: [UInt8]) -> Int? {
    configuration.count > 4 ? Int(configuration[4] & 3) + 1 : nil
  }

  /// Reads a set.
  ///
  /// - Parameter unit: the NAL unit with its header byte.
  init(_ unit: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = BitReader(unescaping: unit.dropFirst(), place: Self.place)
    profile = try reader.bits(8)
    try reader.skip(8)
    level = try reader.bits(8)
    _ = try reader.ue()
    if Self.highProfiles.contains(profile) { try readFormat(&reader) }
    _ = try reader.ue()
    switch try reader.ue(atMost: 2, "pic_order_cnt_type") {
    case 0: _ = try reader.ue()
    case 1:
      try reader.skip(1)
      for _ in 0..<2 { _ = try reader.ue() }
      for _ in 0..<(try reader.ue(atMost: 255, "num_ref_frames_in_pic_order_cnt_cycle")) { _ = try reader.ue() }
    default: break
    }
    _ = try reader.ue()
    try reader.skip(1)
    codedWidth = 16 * (1 + (try reader.ue(atMost: 1 << 16, "picture width")))
    let rows = 1 + (try reader.ue(atMost: 1 << 16, "picture height"))
    isProgressive = try reader.bit()
    let fields = isProgressive ? 1 : 2
    codedHeight = 16 * rows * fields
    if !isProgressive { try reader.skip(1) }
    try reader.skip(1)
    (width, height) = (codedWidth, codedHeight)
    if try reader.bit() { try readCrop(&reader, fields: fields) }
    // The rest only describes colour and shape, as in HEVC.
    do throws(DecodeError) {
      if try reader.bit() { try readVUI(&reader) }
    } catch {}
  }

  private mutating func readFormat(_ reader: inout BitReader) throws(DecodeError) {
    let format = try reader.ue(atMost: 3, "chroma_format_idc")
    if format == 3, try reader.bit() {
      throw .unsupported(feature: "H.264 separate colour planes", found: "separate_colour_plane_flag 1")
    }
    chroma = HEVCConfiguration.subsampling(format)
    bitDepth = 8 + (try reader.ue(atMost: 6, "bit depth of luma"))
    let chromaDepth = 8 + (try reader.ue(atMost: 6, "bit depth of chroma"))
    guard chroma == .none || chromaDepth == bitDepth else {
      throw .unsupported(feature: "H.264 with unequal depths", found: "\(bitDepth) and \(chromaDepth) bits")
    }
    try reader.skip(1)
    guard try reader.bit() else { return }
    for list in 0..<(format == 3 ? 12 : 8) {
      if try reader.bit() { try skipScalingList(&reader, count: list < 6 ? 16 : 64) }
    }
  }

  /// Skips a list whose end a number says (clause 7.3.2.1.1.1).
  private func skipScalingList(_ reader: inout BitReader, count: Int) throws(DecodeError) {
    var last = 8, next = 8
    for _ in 0..<count {
      if next != 0 { next = (last + (try reader.se())) & 255 }
      last = next == 0 ? last : next
    }
  }

  /// Reads the cropping window, in units of chroma samples and of rows of both fields (clause 7.4.2.1.1).
  private mutating func readCrop(_ reader: inout BitReader, fields: Int) throws(DecodeError) {
    var edges = [0, 0, 0, 0]
    for edge in 0..<4 { edges[edge] = try reader.ue(atMost: 1 << 20, "cropping window") }
    width -= (edges[0] + edges[1]) << chroma.horizontalShift
    height -= ((edges[2] + edges[3]) << chroma.verticalShift) * fields
    guard width > 0, height > 0 else {
      throw .malformed(where: Self.place, what: "the cropping window leaves nothing")
    }
  }

  private mutating func readVUI(_ reader: inout BitReader) throws(DecodeError) {
    let aspect = try reader.bit() ? try SampleAspect(&reader) : nil
    // Overscan.
    if try reader.bit() { try reader.skip(1) }
    var color = self.color
    if try reader.bit() {
      try reader.skip(3)
      color.fullRange = try reader.bit()
      if try reader.bit() {
        color.primaries = try reader.bits(8)
        color.transfer = try reader.bits(8)
        color.matrix = try reader.bits(8)
      }
    }
    if try reader.bit() {
      chromaLocation = try reader.ue(atMost: 5, "chroma_sample_loc_type")
      _ = try reader.ue()
    }
    (self.color, sampleAspect) = (color, aspect)
  }
}

extension CodedVideo {
  init(_ set: H264SequenceParameterSet) {
    (width, height, codedWidth, codedHeight) = (set.width, set.height, set.codedWidth, set.codedHeight)
    (chroma, bitDepth, color, sampleAspect) = (set.chroma, set.bitDepth, set.color, set.sampleAspect)
    chromaLocation = set.chroma == .s420 ? set.chromaLocation : nil
    // Pictures that may be fields are mostly frames in files: the container says it, or each picture.
    isInterlaced = set.isProgressive ? false : nil
    (profile, level) = (set.profile, set.level)
    dropUnspecified()
  }
}
