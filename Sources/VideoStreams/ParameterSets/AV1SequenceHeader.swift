import FileParts
import HDRCore

/// The sequence header of AV1, up to what it says about colour (AV1 specification 5.5).
struct AV1SequenceHeader: Sendable, Hashable {
  private static let place = "AV1 sequence header"

  var profile = 0
  var level = 0
  var width = 0
  var height = 0
  var bitDepth = 8
  var chroma = ChromaSubsampling.s420
  var color = BitstreamColor()
  /// 0 not known, 1 vertical, 2 colocated.
  var chromaSamplePosition = 0

  /// Returns the place of chroma samples as H.273 counts: vertical is left, colocated top-left.
  static func chromaLocation(_ position: Int) -> Int? { [1: 0, 2: 2][position] }

  /// Returns the first sequence header among OBUs, each with its size but perhaps the last (AV1 specification 5.3).
  static func first(in unit: ArraySlice<UInt8>) throws(DecodeError) -> AV1SequenceHeader? {
    var units = AV1Units(unit)
    while let next = try units.next() {
      if next.type == AV1Units.Kind.sequenceHeader { return try AV1SequenceHeader(Array(next.body)) }
    }
    return nil
  }

  init(_ bytes: [UInt8]) throws(DecodeError) {
    var reader = BitReader(bytes, place: Self.place)
    profile = try reader.bits(3)
    guard profile <= 2 else { throw .malformed(where: Self.place, what: "profile \(profile) is reserved") }
    try reader.skip(1)
    let isReduced = try reader.bit()
    if isReduced {
      level = try reader.bits(5)
    } else {
      try readOperatingPoints(&reader)
    }
    let widthBits = 1 + (try reader.bits(4)), heightBits = 1 + (try reader.bits(4))
    width = 1 + (try reader.bits(widthBits))
    height = 1 + (try reader.bits(heightBits))
    // Numbers of frames.
    if !isReduced, try reader.bit() { try reader.skip(4 + 3) }
    // Superblocks, filter intra, intra edge filter.
    try reader.skip(3)
    if !isReduced { try skipTools(&reader) }
    // Super resolution, CDEF, restoration.
    try reader.skip(3)
    try readColor(&reader)
  }

  private mutating func readOperatingPoints(_ reader: inout BitReader) throws(DecodeError) {
    var hasModel = false, delayBits = 0
    if try reader.bit() {
      try reader.skip(64)
      // Equal intervals state their number as uvlc (AV1 specification 4.10.3), which has the form of ue(v).
      if try reader.bit() { _ = try reader.ue() }
      hasModel = try reader.bit()
      if hasModel {
        delayBits = 1 + (try reader.bits(5))
        try reader.skip(32 + 5 + 5)
      }
    }
    let hasDelays = try reader.bit(), count = 1 + (try reader.bits(5))
    for point in 0..<count {
      try reader.skip(12)
      let index = try reader.bits(5)
      if point == 0 { level = index }
      if index > 7 { try reader.skip(1) }
      if hasModel, try reader.bit() { try reader.skip(2 * delayBits + 1) }
      if hasDelays, try reader.bit() { try reader.skip(4) }
    }
  }

  private func skipTools(_ reader: inout BitReader) throws(DecodeError) {
    // Interintra, masked, warped, dual filter.
    try reader.skip(4)
    let hasOrderHint = try reader.bit()
    if hasOrderHint { try reader.skip(2) }
    // 2 stands for a choice of each frame.
    let forcesScreenTools = try reader.bit() ? 2 : try reader.bits(1)
    if forcesScreenTools > 0, try !reader.bit() { try reader.skip(1) }
    if hasOrderHint { try reader.skip(3) }
  }

  /// Reads color_config (AV1 specification 5.5.2).
  private mutating func readColor(_ reader: inout BitReader) throws(DecodeError) {
    let isHigh = try reader.bit()
    bitDepth = profile == 2 && isHigh ? (try reader.bit() ? 12 : 10) : isHigh ? 10 : 8
    let isGrey = profile == 1 ? false : try reader.bit()
    if try reader.bit() {
      color.primaries = try reader.bits(8)
      color.transfer = try reader.bits(8)
      color.matrix = try reader.bits(8)
    }
    if isGrey {
      color.fullRange = try reader.bit()
      chroma = .none
      return
    }
    let isSRGB =
      color.primaries == CICP.Primaries.bt709 && color.transfer == CICP.Transfer.sRGB
      && color.matrix == CICP.Matrix.identity
    guard !isSRGB else {
      (color.fullRange, chroma) = (true, .s444)
      return
    }
    color.fullRange = try reader.bit()
    switch profile {
    case 0: chroma = .s420
    case 1: chroma = .s444
    default:
      let isHalf = bitDepth == 12 ? try reader.bit() : true
      let isQuarter = bitDepth == 12 && isHalf ? try reader.bit() : false
      chroma = isQuarter ? .s420 : isHalf ? .s422 : .s444
    }
    if chroma == .s420 { chromaSamplePosition = try reader.bits(2) }
  }
}

extension CodedVideo {
  init(_ header: AV1SequenceHeader) {
    (width, height, codedWidth, codedHeight) = (header.width, header.height, header.width, header.height)
    (chroma, bitDepth, color) = (header.chroma, header.bitDepth, header.color)
    chromaLocation = AV1SequenceHeader.chromaLocation(header.chromaSamplePosition)
    isInterlaced = false
    (profile, level) = (header.profile, header.level)
    dropUnspecified()
  }
}
