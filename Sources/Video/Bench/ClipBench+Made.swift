import Glibc
import HDRCore
import HDRRender
import VideoStreams

extension ClipBench {
  /// Encodes made pictures as a clip of 24 frames a second, by x265.
  ///
  /// - Parameters:
  ///   - pictures: of 4:2:0 and 10 bits, shown one after the other again and again.
  ///   - transfer: what their codes mean, of BT.2020.
  package static func make(
    _ path: FilePath, _ pictures: [SampleImage], frames: Int, transfer: Int, _ ffmpeg: FFmpeg
  ) throws(HDRError) {
    guard let first = pictures.first, let codec = VideoCodec.all.first(where: { $0.name == "x265" }),
      let container = VideoContainer.named("mp4")
    else { return }
    let file = OpenFile(path.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) })
    guard file.descriptor >= 0 else {
      throw HDRError(clip: "bench", "\(path.display) cannot be written: \(errorText(errno))", kind: .output)
    }
    let shape = FrameShape(PlanarFormat(.s420, bitDepth: 10), width: first.width, height: first.height)
    let color = ClipColor(CICP.Primaries.bt2020, transfer, CICP.Matrix.bt2020, fullRange: false, siting: .left)
    let sink: any FrameSink = try FFmpegSink(
      ffmpeg, into: file, codec, container, shape, timeBase: TimeBase(1, 24), sampleAspect: nil, rate: FrameRate(24, 1),
      color, further: ["-preset", "fast"])
    let samples = pictures.map { packed($0, shape) }
    for number in 0..<frames { try sink.write(VideoFrame(samples[number % samples.count], pts: number)) }
    try sink.finish()
  }

  /// Returns the samples of a picture in planes behind each other.
  private static func packed(_ picture: SampleImage, _ shape: FrameShape) -> PixelBuffer {
    let samples = PixelBuffer(byteCount: shape.byteCount), low = UInt16(picture.lowZeroBits)
    var place = 0
    for plane in picture.channels {
      for y in 0..<plane.height {
        let row = plane.buffer.base + plane.offset + y * plane.rowBytes
        for x in 0..<plane.width {
          let code = (row + x * plane.stepBytes).loadUnaligned(as: UInt16.self) >> low
          samples.base.storeBytes(of: code, toByteOffset: place, as: UInt16.self)
          place += 2
        }
      }
    }
    return samples
  }
}
