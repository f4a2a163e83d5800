import FileParts
import HDRCore

/// The header of one stream of a NUT file (NUT specification, "stream_header").
package struct NUTStream: Sendable, Hashable {
  package enum Kind: Int, Sendable {
    case video, audio, subtitle, other
  }

  package var id = 0
  package var kind = Kind.video
  /// The codec, in bytes as the file has them; raw video names its layout of samples (`PlanarFormat`).
  package var codec: FourCC
  package var timeBase: TimeBase
  /// The size of coded pictures in samples; 0 for streams that are no video.
  package var width: Int
  package var height: Int
  /// The width and height of a sample; `nil`: unknown.
  package var sampleAspect: SampleAspect?
  /// The bytes that a decoder needs before the first packet.
  package var extradata: [UInt8] = []
  /// The most packets that a packet may come early by, before those with smaller time stamps.
  package var decodeDelay = 0

  var ptsBits = 0
  var maxPTSDistance = 0

  package init(
    codec: FourCC, timeBase: TimeBase, width: Int, height: Int, sampleAspect: SampleAspect? = nil
  ) {
    (self.codec, self.timeBase, self.width, self.height) = (codec, timeBase, width, height)
    self.sampleAspect = sampleAspect
  }

  init(_ body: [UInt8], _ main: NUTMainHeader) throws(DecodeError) {
    var reader = ByteReader(body, place: NUTPacketCode.stream.name)
    id = try reader.nutNumber(atMost: main.streamCount - 1, "stream_id")
    kind = Kind(rawValue: try reader.nutNumber()) ?? .other
    // FFmpeg writes four bytes; the specification allows two.
    let code = try reader.nutBytes(atMost: 4, "fourcc")
    codec = FourCC(rawValue: code.reduce(0) { $0 << 8 | UInt32($1) })
    timeBase = main.timeBases[try reader.nutNumber(atMost: main.timeBases.count - 1, "time_base_id")]
    ptsBits = try reader.nutNumber(atMost: 15, "msb_pts_shift")
    maxPTSDistance = try reader.nutNumber()
    decodeDelay = try reader.nutNumber(atMost: 1000, "decode_delay")
    _ = try reader.nutNumber()
    extradata = try reader.nutBytes(atMost: NUTLimits.headerBytes, "codec_specific_data")
    (width, height) = (0, 0)
    guard kind == .video else { return }
    width = try reader.nutNumber(atMost: Int(Int32.max), "width")
    height = try reader.nutNumber(atMost: Int(Int32.max), "height")
    let aspect = SampleAspect(
      try reader.nutNumber(atMost: Int(Int32.max), "sample_width"),
      try reader.nutNumber(atMost: Int(Int32.max), "sample_height"))
    sampleAspect = aspect.isPossible ? aspect : nil
  }

  /// The body of the header of a file with this stream alone.
  var body: [UInt8] {
    var sink = ByteSink()
    sink.nutNumber(id)
    sink.nutNumber(kind.rawValue)
    sink.nutBytes(codec.bytes)
    sink.nutNumber(0)
    sink.nutNumber(ptsBits)
    sink.nutNumber(maxPTSDistance)
    sink.nutNumber(decodeDelay)
    sink.nutNumber(0)
    sink.nutBytes(extradata)
    sink.nutNumber(width)
    sink.nutNumber(height)
    sink.nutNumber(sampleAspect?.horizontal ?? 0)
    sink.nutNumber(sampleAspect?.vertical ?? 0)
    // The colour space is not known: tags of frames say it.
    sink.nutNumber(0)
    return sink.bytes
  }
}
