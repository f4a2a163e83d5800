import FileParts
import HDRCore

/// The statements of a container about one track.
package struct ContainerTrack: Sendable, Hashable {
  package enum Kind: String, Sendable { case video, audio, subtitle, other }

  /// The number that the file gives the track.
  package var id = 0
  package var kind = Kind.other
  /// The codec by the container's own name: a sample entry, or a codec ID of Matroska.
  package var entry = ""
  package var codec = TrackCodec.other
  /// False for a track that is not to be shown.
  package var isEnabled = true
  package var isEncrypted = false
  /// The language, as ISO 639-2 or BCP 47 writes it; `nil`: not stated.
  package var language: String?
  /// The clock of time stamps; `nil` if the file states an impossible one.
  package var timeBase: TimeBase?
  /// The length in units of the clock, and the number of samples; `nil`: not stated.
  package var duration: Int?
  package var sampleCount: Int?
  /// The record that a decoder needs before the first sample (`hvcC`, `av1C`, `avcC`, `vpcC`), without the header of a
  /// box.
  package var configuration: [UInt8] = []
  /// The statements about pictures; `nil` for other tracks.
  package var video: ContainerVideo?

  package init() {}
}

/// The statements of a container about the pictures of a track.
package struct ContainerVideo: Sendable, Hashable {
  /// The size of pictures in samples.
  package var width = 0
  package var height = 0
  package var sampleAspect: SampleAspect?
  /// The part that is shown; `nil`: all.
  package var crop: PixelRect?
  /// The turn for viewing; `nil` if it is no multiple of 90 degrees.
  package var orientation: Orientation? = .up
  /// Code points of ITU-T H.273; what is not stated is `nil`.
  package var color = BitstreamColor()
  /// The type of the place of chroma samples, 0...5 (ITU-T H.273, figure 1).
  package var chromaLocation: Int?
  package var light = LightMetadata()
  /// True if pictures are of two fields; `nil`: not stated.
  package var isInterlaced: Bool?
  package var bitDepth: Int?
  package var hasAlpha = false
  /// True if there are pictures for two eyes in one track.
  package var hasViews = false
  package var dolby: DolbyConfiguration?

  package init() {}
}
