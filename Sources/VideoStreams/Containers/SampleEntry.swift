import FileParts
import HDRCore

/// The reader of visual sample entries: the size of pictures, and boxes about the codec, colour, light and shape
/// (ISO/IEC 14496-12 clause 12.1; QuickTime File Format, video sample descriptions).
enum SampleEntry {
  /// The records that decoders need.
  private static let configurations: Set<FourCC> = ["hvcC", "avcC", "av1C", "vpcC", "vvcC", "apvC"]

  static func read(
    _ reader: inout ByteReader, _ type: FourCC, _ track: inout ContainerTrack, _ warnings: inout [Warning]
  ) throws(DecodeError) {
    var video = ContainerVideo(), kind = type
    try reader.skip(24)
    video.width = try reader.u16()
    video.height = try reader.u16()
    // Resolution, frames a sample, name, depth (32: with alpha), colour table.
    try reader.skip(14 + 32)
    video.hasAlpha = try reader.u16() == 32
    try reader.skip(2)
    var light: [LightProperty] = []
    while reader.remaining >= 8 {
      // QuickTime ends the list with four zeros.
      guard try Self.nextSize(reader) != 0 else { break }
      let box = try Box(&reader)
      do throws(DecodeError) {
        try read(box, &video, &track, &kind)
      } catch {
        warnings.append(Warning("video.box", "the box \(box.type) is ignored: \(error)"))
      }
      let property = LightProperty(type: box.type, payload: box.payload)
      if LightBoxes.named(box.type) != nil, !property.isUnknown { light.append(property) }
    }
    video.light = LightMetadata(
      light, .box, transfer: video.color.transfer ?? CICP.Transfer.unspecified, warnings: &warnings)
    track.codec = TrackCodec(entry: kind)
    track.video = video
  }

  private static func nextSize(_ reader: ByteReader) throws(DecodeError) -> Int {
    var copy = reader
    return try copy.u32()
  }

  private static func read(
    _ box: Box, _ video: inout ContainerVideo, _ track: inout ContainerTrack, _ kind: inout FourCC
  ) throws(DecodeError) {
    var reader = box.reader
    switch box.type {
    case "colr" where video.color == BitstreamColor():
      switch try reader.code() {
      case "nclx":
        video.color = try color(&reader)
        video.color.fullRange = try reader.u8() & 0x80 != 0
      // QuickTime's states no range.
      case "nclc": video.color = try color(&reader)
      default: break
      }
    case "pasp":
      let aspect = SampleAspect(try reader.u32(), try reader.u32())
      if aspect.isPossible { video.sampleAspect = aspect }
    case "clap":
      let part = try CleanAperture(&reader).rectangle(width: video.width, height: video.height)
      if part != PixelRect(x: 0, y: 0, width: video.width, height: video.height) { video.crop = part }
    case "fiel": video.isInterlaced = try reader.u8() == 2
    case "sinf":
      if let frame = try box.children().first(where: { $0.type == "frma" }) {
        var reader = frame.reader
        kind = try reader.code()
      }
    case "vexu", "lhvC": video.hasViews = true
    case let type where DolbyConfiguration.boxes.contains(type):
      video.dolby = try DolbyConfiguration(Array(box.payload))
    case let type where configurations.contains(type):
      track.configuration = Array(box.payload)
      // VP9's record states colour, as its stream has no code points.
      if type == "vpcC", video.color == BitstreamColor() { video.color = try color(ofVP9: &reader) }
    default: break
    }
  }

  /// Reads the colour of a `vpcC` box ("VP Codec ISO Media File Format Binding", clause 2.2).
  private static func color(ofVP9 reader: inout ByteReader) throws(DecodeError) -> BitstreamColor {
    try reader.skip(6)
    let isFullRange = try reader.u8() & 1 == 1
    let codes = try reader.take(3).map { Int($0) == CICP.Primaries.unspecified ? nil : Int($0) }
    return BitstreamColor(primaries: codes[0], transfer: codes[1], matrix: codes[2], fullRange: isFullRange)
  }

  /// Reads three code points; 2 is not stated.
  private static func color(_ reader: inout ByteReader) throws(DecodeError) -> BitstreamColor {
    func code() throws(DecodeError) -> Int? {
      let value = try reader.u16()
      return value == CICP.Primaries.unspecified ? nil : value
    }
    return BitstreamColor(primaries: try code(), transfer: try code(), matrix: try code())
  }
}
