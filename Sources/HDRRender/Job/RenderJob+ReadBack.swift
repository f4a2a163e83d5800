import CodecService
import HDRCore
import HDRRecipe
import ImageFiles

extension RenderJob {
  /// Reads an encoded file back, as any input is read: by a codec process, with this run's isolation. The limits of inputs
  /// do not hold for it, as its size is our own.
  ///
  /// - Parameter path: the file, whose bytes are all written.
  /// - Throws: `HDRError` `accept.unread`, which says that the output is meant and not the input.
  package func readBack(_ path: FilePath) throws(HDRError) -> SourceImage {
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: Int.max)
    } catch {
      throw HDRError(writing: error)
    }
    do throws(CodecError) {
      let answer = try measureParts(of: .verify) { () throws(CodecError) in
        try tools.codecs.decode(file, request: .pixels, limits: ownLimits(file.byteCount))
      }
      if let digest = found.outputDigest, let read = answer.inputDigest, read != digest {
        throw CodecError.decode(.io("the bytes are not those that were written"))
      }
      return answer.value
    } catch {
      var failure = HDRError(error, reading: file)
      if failure.kind == .unavailable { throw failure }
      failure.message = "the output was written and cannot be read back: \(failure.message) [\(failure.code)]"
      (failure.code, failure.kind) = (Self.unreadCode, .encoder)
      throw failure
    }
  }

  /// The code of an output that cannot be read back. No quarantine holds it against the input.
  package static let unreadCode = "accept.unread"

  /// The limits for a file of our own.
  private func ownLimits(_ byteCount: Int) -> DecodeLimits {
    var limits = tools.limits
    limits.reading = ReadingOptions()
    (limits.reading.exr.window, limits.reading.picture) = (.data, writtenPicture)
    limits.threads = tools.codecThreads
    limits.maxPixels = max(limits.maxPixels, 2 * found.width * found.height)
    limits.maxSide = max(limits.maxSide, found.width, found.height)
    limits.maxFileBytes = max(limits.maxFileBytes, byteCount)
    // Metadata that travel are as large as the input's, and the file's own come on top.
    (limits.maxICCBytes, limits.maxMetadataBytes) = (2 * limits.maxICCBytes, 2 * limits.maxMetadataBytes)
    return limits
  }

  /// The pictures that judging makes at most: four renditions of the file and of what it was made of.
  private static let judgedPictures = 8

  /// Compares an encoded file with the rendition that it was made of.
  ///
  /// Judging has the time of an item for itself, each time: it may take longer than the file did.
  ///
  /// - Returns: the verdict and the values of the conditions; `nil` if no reference was kept or nobody judges.
  /// - Throws: `HDRError`, `render.timeout` among them.
  package func judge(_ path: FilePath, by expression: AcceptExpression) throws(HDRError) -> Judgement? {
    guard let reference, let judge = tools.judge else { return nil }
    let written = try readBack(path)
    let time = ItemTime(tools.itemLimits)
    time.allow(pixels: Self.judgedPictures * reference.light.image.pixelCount)
    do throws(HDRError) {
      return try measure(.verify) { () throws(HDRError) in
        try judge.judge(
          written, against: reference, by: expression, on: tools.backends, deadline: Deadline { time.isOver },
          notice: hooks.lost)
      }
    } catch {
      throw error.code == Deadline.code ? late(.verify, time) : error
    }
  }
}
