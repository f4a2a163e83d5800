import FileParts
import HDRCore
import HDRRecipe
import ImageFiles

/// Bytes of an input that follow those of an encoded output.
struct CopiedTail {
  /// The bytes before them, as a box's header.
  var header: [UInt8]
  var range: FileRange
  var file: InputFile

  var byteCount: Int { header.count + range.byteCount }
}

extension FileFormat {
  /// True for files that hold the video of a motion photo.
  fileprivate var holdsVideo: Bool { [.jpeg, .heic, .avif].contains(self) }
  fileprivate var holdsExif: Bool { [.jpeg, .heic, .avif, .png, .tiff, .jxl].contains(self) }
}

extension RenderJob {
  /// Decides what becomes of the parts beside a source's picture, and warns about what the output loses.
  ///
  /// - Parameter isKept: true if the coded picture is copied.
  /// - Returns: the video that the output announces, whose bytes follow once it is encoded, and the pictures that it holds
  ///   beside the picture.
  /// - Throws: `HDRError` `c2pa.refused`.
  func takeExtras(
    _ source: SourceImage, into format: FileFormat, isKept: Bool = false
  ) throws(HDRError) -> (motion: MotionVideo?, auxiliaries: [AuxiliaryItem]) {
    if task.isStream { return (nil, []) }
    // A part that is taken out is all that was asked for.
    if case .extract = choice.product { return (nil, []) }
    var dropped = DroppedExtras(extras: source.extras)
    (tail, beside) = (nil, [])
    try takeCredentials(source.extras.credentials, &dropped)
    let video = takeVideo(source.extras.motion, into: format, &dropped)
    let auxiliaries = try takeAuxiliaries(source, into: format, isKept: isKept, &dropped)
    // Texts are metadata, and go where all of that was not wanted.
    if choice.rendition.metadata != .all { dropped.extras.trailers.removeAll { $0.kind == .text } }
    found.warn(dropped.warnings)
    takeLiveVideo(source.extras.liveIdentifier, into: format)
    return (video, auxiliaries)
  }

  /// Copies the video of a Live Photo beside the output, or warns that the output is without it. A photo that has no video
  /// beside it is complete as it is.
  private func takeLiveVideo(_ identifier: String?, into format: FileFormat) {
    guard identifier != nil, case .file(let item) = task.source, item.frame == nil else { return }
    let video = ["MOV", "mov"].lazy.compactMap { ending in
      let video = InputReference(
        path: item.file.with(ending: ending), relative: item.relative.with(ending: ending), roots: item.roots)
      return (try? InputFile(video, maxBytes: self.tools.limits.maxFileBytes)).map { (ending: ending, file: $0) }
    }.first
    guard let video else { return }
    let rendition = choice.rendition, hasLink = rendition.metadata == .all && format.holdsExif
    if rendition.copiesLive { beside.append(FileBeside(ending: video.ending, pieces: [], file: video.file)) }
    if rendition.copiesLive && hasLink { return }
    let reason: Message =
      rendition.copiesLive
      ? "has no maker note, which names the pair" : "is without it; \(setting: Settings.files.copyLive.name) copies it"
    found.warn([Warning("live.unpaired", "a Live Photo, whose video is a file of its own: the output \(reason)")])
  }

  private func takeCredentials(
    _ credentials: ContentCredentials?, _ dropped: inout DroppedExtras
  ) throws(HDRError) {
    guard let credentials else { return }
    switch choice.rendition.credentials {
    case .drop: break
    case .refuse:
      throw HDRError(
        code: "c2pa.refused",
        message: "the file has C2PA content credentials, which no output can hold; "
          + "\(setting: Settings.files.c2pa.name) drop leaves them out", kind: .source)
    case .sidecar:
      let pieces = credentials.pieces, count = pieces.reduce(0) { $0 + $1.byteCount }
      guard let file = openedSource, !pieces.isEmpty, pieces.allSatisfy({ $0.lies(in: file.byteCount) }),
        count <= file.byteCount
      else { return }
      beside.append(FileBeside(ending: "c2pa", pieces: pieces, file: file))
      dropped.extras.credentials = nil
    }
  }

  private func takeVideo(
    _ video: MotionVideo?, into format: FileFormat, _ dropped: inout DroppedExtras
  ) -> MotionVideo? {
    guard let video, let file = openedSource, video.range.lies(in: file.byteCount) else { return nil }
    let rendition = choice.rendition, change = PictureChange(rendition)
    switch rendition.motion {
    case .drop: return nil
    case .extract:
      beside.append(FileBeside(ending: video.fileExtension, pieces: [video.range], file: file))
      dropped.extras.motion = nil
      return nil
    case .keep: break
    }
    guard format.holdsVideo else { return nil }
    guard rendition.metadata == .all else {
      // It is never read.
      dropped.reason = ", which may hold what this choice of metadata leaves out"
      return nil
    }
    guard change != .cut else {
      dropped.reason = ", for the picture was cut or moved"
      return nil
    }
    if change == .turned {
      found.warn([Warning("motion.orientation", "the video beside the picture is kept, and not turned with it")])
    } else if change == .edited {
      found.warn([Warning("motion.unedited", "the video beside the picture is kept without the edits")])
    }
    dropped.extras.motion = nil
    tail = CopiedTail(header: MotionPhoto.header(of: video, in: format), range: video.range, file: file)
    return video
  }
}
