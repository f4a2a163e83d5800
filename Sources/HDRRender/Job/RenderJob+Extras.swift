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
}

extension RenderJob {
  /// Decides what becomes of the parts beside a source's picture, and warns about what the output loses.
  ///
  /// - Returns: the video that the output announces; its bytes follow once it is encoded.
  func takeExtras(_ source: SourceImage, into format: FileFormat) -> MotionVideo? {
    if task.isStream { return nil }
    var dropped = DroppedExtras(extras: source.extras)
    let video = takeVideo(source.extras.motion, into: format, &dropped)
    found.warn(dropped.warnings)
    return video
  }

  private func takeVideo(
    _ video: MotionVideo?, into format: FileFormat, _ dropped: inout DroppedExtras
  ) -> MotionVideo? {
    tail = nil
    beside = []
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
      // A video may hold places and names, and is never read.
      dropped.reason = ", which may hold what \(Settings.files.metadata.name) leaves out"
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
