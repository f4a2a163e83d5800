import FileParts
import HDRCore
import PlainData

/// A clip as its file describes it: the container, the track that is shown, and the statements of its bitstream.
package struct ClipDescription: Sendable, Hashable {
  package var file: ContainerFile
  package var track: ContainerTrack
  /// The statements of the stream; `nil` if only its first packet has them.
  package var coded: CodedVideo?

  /// Describes the track of pictures that is shown.
  ///
  /// - Returns: `nil` for files that are neither ISO base media nor Matroska, and for those without pictures.
  /// - Throws: `DecodeError` as `ContainerFile.read` does. A record that cannot be read is a warning.
  package init?(_ source: some RandomAccess) throws(DecodeError) {
    guard let file = try ContainerFile.read(source), let track = file.videoTrack else { return nil }
    (self.file, self.track) = (file, track)
    do throws(DecodeError) {
      coded = try CodedVideo(track.codec, configuration: track.configuration)
    } catch {
      self.file.warnings.append(Warning("video.box", "the configuration of the track is ignored: \(error)"))
    }
  }

  /// The description as a record, with keys in a fixed order; what is not stated is null.
  package var record: JSON {
    let video = track.video ?? ContainerVideo()
    let size = coded.flatMap { $0.width > 0 ? ($0.width, $0.height) : nil } ?? (video.width, video.height)
    return [
      "container": .string(file.kind.rawValue), "codec": .string(track.codec.rawValue), "entry": .string(track.entry),
      "track": .int(track.id), "width": .int(size.0), "height": .int(size.1),
      "bitDepth": .maybe(coded?.bitDepth ?? video.bitDepth), "chroma": .maybe(coded?.chroma?.rawValue),
      "profile": .maybe(coded?.profile), "level": .maybe(coded?.level), "frames": .maybe(track.sampleCount),
      "timeBase": .maybe(track.timeBase?.description),
      "seconds": .maybe(track.duration.flatMap { duration in track.timeBase.map { $0.seconds(duration) } }),
      "tagsStream": coded.map { .string(TrackColor.text($0.color)) } ?? .null,
      "tagsContainer": .string(TrackColor.text(video.color)),
      "chromaLocation": .maybe(coded?.chromaLocation ?? video.chromaLocation),
      "masteringIn": .maybe(video.light.mdcv.map { _ in video.light.text(.mdcv) }),
      "lightIn": .maybe(video.light.clli.map { _ in video.light.text(.clli) }),
      "ambientIn": .maybe(video.light.amve.map { _ in video.light.text(.amve) }),
      "dolby": video.dolby.map { ["profile": .int($0.profile), "compatibility": .int($0.compatibility)] } ?? .null,
      "orientation": .maybe(video.orientation?.rawValue),
      "sar": .maybe((video.sampleAspect ?? coded?.sampleAspect)?.description),
      "crop": video.crop.map { .array([$0.x, $0.y, $0.width, $0.height].map { .int($0) }) } ?? .null,
      "interlaced": [video.isInterlaced, coded?.isInterlaced].compactMap { $0 }.max { !$0 && $1 }.map { .bool($0) }
        ?? .null,
      "alpha": .bool(video.hasAlpha || coded?.hasAlpha == true), "views": .bool(video.hasViews),
      "encrypted": .bool(track.isEncrypted), "language": .maybe(track.language), "cut": .bool(file.isCut),
      "streams": .array(
        file.tracks.map { track in
          [
            "track": .int(track.id), "kind": .string(track.kind.rawValue), "entry": .string(track.entry),
            "language": .maybe(track.language),
          ]
        }),
      "attachments": .int(file.attachments),
      "warnings": .array(file.warnings.map { .string("\($0.code): \($0.message)") }),
    ]
  }
}
