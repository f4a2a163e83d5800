import FileParts
import HDRCore
import HDRRender
import VideoStreams

extension TrackColor {
  /// Decides what the samples of a clip mean, by what its stream and its container say.
  ///
  /// - Throws: `HDRError`, `decode.undescribed` for a clip whose colour would be guessed, `video.matrix`.
  init(_ facts: ClipFacts, _ planes: PlanarFormat, _ options: VideoOptions) throws(HDRError) {
    var choice = TrackColorChoice()
    choice.trust = options.trust == .stream ? .stream : .container
    choice.untagged = .init(rawValue: options.untagged.rawValue)
    if let stated = options.stated {
      (choice.primaries, choice.transfer, choice.matrix) = (stated.primaries, stated.transfer, stated.matrix)
    }
    var container = facts.stated
    if facts.coded == nil, container?.color.transfer == nil {
      // A codec or a container that is not read here: ffmpeg says something, though not whose word it is.
      var video = container ?? ContainerVideo()
      video.color = BitstreamColor(
        primaries: facts.primaries, transfer: facts.transfer, matrix: facts.matrix, fullRange: facts.fullRange)
      video.chromaLocation = video.chromaLocation ?? facts.siting?.location
      container = video
    }
    do throws(TrackColorFault) {
      try self.init(
        stream: facts.coded, container: container,
        pictures: TrackPictures(
          codec: TrackCodec(rawValue: facts.codec) ?? .other, height: facts.height, bitDepth: planes.bitDepth,
          model: planes.model, chroma: planes.chroma, isFullRange: facts.pixelFormat.hasPrefix("yuvj")),
        choice: choice)
    } catch {
      throw HDRError(
        code: error.code, message: error.message, kind: error.code == "decode.undescribed" ? .request : .source)
    }
  }
}

extension ClipColor {
  /// Makes the colour that is used: a statement of the caller, else the clip's.
  init(_ color: TrackColor, _ options: VideoOptions) {
    let used = color.used
    self.init(
      used.primaries, used.transfer, used.matrix, fullRange: options.statedRange ?? used.fullRange,
      siting: options.statedSiting ?? color.siting)
  }
}
