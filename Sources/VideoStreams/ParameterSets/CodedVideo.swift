import FileParts
import HDRCore

/// The statements of a clip's bitstream about its pictures, whatever its container says.
package struct CodedVideo: Sendable, Hashable {
  /// The size of the pictures that a decoder shows, and of those that are coded; 0: not stated here.
  package var width = 0
  package var height = 0
  package var codedWidth = 0
  package var codedHeight = 0
  package var chroma: ChromaSubsampling?
  package var bitDepth: Int?
  package var hasAlpha = false
  /// Code points of ITU-T H.273; what is not stated is `nil`.
  package var color = BitstreamColor()
  /// The type of the place of chroma samples, 0...5 (ITU-T H.273, figure 1).
  package var chromaLocation: Int?
  package var sampleAspect: SampleAspect?
  /// True if pictures are of two fields; `nil`: not stated.
  package var isInterlaced: Bool?
  package var profile: Int?
  package var level: Int?

  package init() {}

  /// Reads what the record of a container says, in which codecs repeat their parameter sets.
  ///
  /// - Returns: `nil` if there is no record, or the codec has none: then the first packet says it.
  /// - Throws: `DecodeError` for a record without readable parameter sets.
  package init?(_ codec: TrackCodec, configuration: [UInt8]) throws(DecodeError) {
    guard !configuration.isEmpty else { return nil }
    var reader = ByteReader(configuration, place: "configuration of \(codec.rawValue)")
    switch codec {
    case .hevc:
      let record = try HEVCConfiguration(&reader)
      guard !record.nalUnits.isEmpty else { return nil }
      self.init(try record.sequenceParameterSet())
    case .h264:
      guard let found = try H264SequenceParameterSet.first(inConfiguration: &reader) else { return nil }
      self.init(found)
    case .av1:
      let record = try AV1Configuration(&reader)
      if let header = try AV1SequenceHeader.first(in: record.configOBUs) {
        self.init(header)
      } else {
        self.init()
        (bitDepth, chroma) = (record.bitDepth, record.chroma)
        chromaLocation = AV1SequenceHeader.chromaLocation(record.chromaSamplePosition)
      }
    case .vp9: try self.init(vp9Configuration: &reader)
    default: return nil
    }
  }

  /// Reads what the first packet of a stream says.
  ///
  /// - Parameter lengthSize: the bytes of the length before each NAL unit; `nil`: start codes are between them.
  /// - Returns: `nil` if the packet has no header of a sequence, or the codec none that is read here.
  package init?(_ codec: TrackCodec, packet: ArraySlice<UInt8>, lengthSize: Int?) throws(DecodeError) {
    switch codec {
    case .hevc:
      let units = try Self.units(packet, lengthSize)
      guard
        let unit = units.first(where: {
          HEVCUnitHeader($0).map { $0.type == HEVCUnitHeader.sequenceParameterSet && $0.layer == 0 } ?? false
        })
      else { return nil }
      self.init(try HEVCSequenceParameterSet(unit))
    case .h264:
      let units = try Self.units(packet, lengthSize)
      guard let unit = units.first(where: { $0.first.map { $0 & 31 == H264SequenceParameterSet.unit } ?? false })
      else { return nil }
      self.init(try H264SequenceParameterSet(unit))
    case .av1:
      guard let header = try AV1SequenceHeader.first(in: packet) else { return nil }
      self.init(header)
    case .vp9:
      guard let header = try VP9FrameHeader(packet) else { return nil }
      self.init(header)
    case .prores: self.init(try ProResFrameHeader(packet))
    default: return nil
    }
  }

  init(_ set: HEVCSequenceParameterSet) {
    (width, height, codedWidth, codedHeight) = (set.width, set.height, set.codedWidth, set.codedHeight)
    (chroma, bitDepth, color) = (set.chroma, set.bitDepth, set.color)
    chromaLocation = set.chroma == .s420 ? set.chromaLocation : nil
    sampleAspect = set.sampleAspect
    isInterlaced = set.isFields || set.isInterlacedSource
    (profile, level) = (set.profile, set.level)
    dropUnspecified()
  }

  /// Makes code points of 2 what they mean: not stated.
  mutating func dropUnspecified() {
    if color.primaries == CICP.Primaries.unspecified { color.primaries = nil }
    if color.transfer == CICP.Transfer.unspecified { color.transfer = nil }
    if color.matrix == CICP.Matrix.unspecified { color.matrix = nil }
  }

  /// Returns the first units of a packet: parameter sets come first.
  private static func units(
    _ packet: ArraySlice<UInt8>, _ lengthSize: Int?
  ) throws(DecodeError) -> [ArraySlice<UInt8>] {
    try AccessUnit.units(of: packet, lengthSize.map { .lengths($0) } ?? .startCodes, atMost: 64).map(\.bytes)
  }
}
