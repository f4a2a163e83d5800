import HDRCore
import HDRRender
import VideoStreams

/// A frame of a clip: planes behind each other without gaps, as `FrameShape` says.
package struct VideoFrame: Sendable {
  package let samples: PixelBuffer
  /// The time at which it is shown, in units of the time base of its source.
  package var pts: Int
  /// The frame's metadata change its codes so; `nil`: they do not.
  package var reshape: DolbyReshape?
  /// The payload of ST 2094-50 that the frame is tone mapped by; `nil`: none.
  package var curves: [UInt8]?

  package init(_ samples: PixelBuffer, pts: Int) { (self.samples, self.pts) = (samples, pts) }
}

/// All frames of a stream have this shape.
package struct FrameShape: Sendable, Hashable {
  package var format: PlanarFormat
  package var width: Int
  package var height: Int

  package init(_ format: PlanarFormat, width: Int, height: Int) {
    (self.format, self.width, self.height) = (format, width, height)
  }

  package var byteCount: Int { format.byteCount(width: width, height: height) }
}

/// Decoded frames, in the order in which they are shown. What decodes them is not seen.
package protocol FrameSource: Sendable {
  var shape: FrameShape { get }
  var timeBase: TimeBase { get }
  /// Returns the next frame; `nil` behind the last one, when all has been decoded without a fault.
  ///
  /// - Throws: `HDRError`, `video.truncated` for frames that cannot be decoded, `video.size-change`.
  func next() throws(HDRError) -> VideoFrame?
}

/// A clip that is written, frame by frame. What encodes it is not seen.
package protocol FrameSink: Sendable {
  /// - Parameter frame: with the shape and the time base that the sink was made for, later than the one before.
  func write(_ frame: VideoFrame) throws(HDRError)
  /// Ends the clip. Call once, behind the last frame; without, nothing whole is written.
  ///
  /// - Throws: `HDRError`, `video.encode` if the encoder failed.
  func finish() throws(HDRError)
}
