import CodecService
import HDRCore
import HDRPlan
import ImageFiles

/// A stream gets this of a picture.
package struct StreamedFile: Sendable {
  /// The bytes before the first frame only; empty for formats that are a sequence of frames.
  package var head: [UInt8] = []
  /// The bytes before each frame.
  package var mark: [UInt8] = []
  /// The frame's samples, or a file.
  package var frame: PixelBuffer
  /// True if the frame is the source's samples as they are, and so is each that follows it.
  package var isPassedOn = false
}

extension RenderJob {
  /// Makes the output in memory. Samples are packed here; the codecs encode and verify files.
  ///
  /// - Parameter rate: frames per second, for formats that state it.
  package func streamed(rate: (numerator: Int, denominator: Int)?) throws(HDRError) -> StreamedFile {
    let request = try makeRequest()
    try hooks.check()
    if case .rendition(let picture) = request, picture.kind.raw != nil {
      do throws(EncodeError) {
        return try measure(.encode) { () throws(EncodeError) in try packed(picture, rate: rate) }
      } catch {
        throw HDRError(error)
      }
    }
    let main: EncodedMemory, sidecar: EncodedMemory
    do throws(FileFault) {
      (main, sidecar) = (try EncodedMemory(), try EncodedMemory())
    } catch {
      throw HDRError(writing: error)
    }
    var hasSidecar = false
    if case .rendition(let picture) = request { hasSidecar = picture.kind.hasSidecar }
    do throws(CodecError) {
      let written = try measureParts(of: .encode) { () throws(CodecError) in
        try tools.codecs.encode(
          request, into: OutputDescriptors(main: main.file, sidecar: hasSidecar ? sidecar.file : nil))
      }.value
      found.warn(written.files.warnings)
      let bytes = try CodecJobs.read(main.file.descriptor, byteCount: written.files.mainBytes)
      return StreamedFile(frame: PixelBuffer(copying: bytes))
    } catch {
      throw HDRError(error)
    }
  }

  /// Makes the output as a file in memory, without its sidecar.
  func fileInMemory() throws(HDRError) -> [UInt8] {
    guard choice.qualityGoal == nil else {
      throw HDRError(code: "option.value", message: "a quality is searched for files on a disk: state it, or write")
    }
    let file = try streamed(rate: nil)
    found.bytesOut = file.head.count + file.mark.count + file.frame.byteCount
    return file.head + file.mark + UnsafeRawBufferPointer(start: file.frame.base, count: file.frame.byteCount)
  }

  /// Returns the samples as a frame, without a copy where they lie so already.
  private func packed(
    _ picture: EncodeRequest, rate: (numerator: Int, denominator: Int)?
  ) throws(EncodeError) -> StreamedFile {
    let packed = try PackedSamples(picture, try RawWriter.layout(picture))
    var file: StreamedFile
    if case .picture(let source) = task.source, let own = source.image.channels.first?.buffer, packed.lie(in: own) {
      file = StreamedFile(frame: own)
      // The light of this frame may have decided that nothing is done.
      file.isPassedOn = !task.choice.dependsOnPicture && found.report?.contentHeadroomSource != "measured"
    } else if let planes = framePlanes, packed.lie(in: planes) {
      file = StreamedFile(frame: planes)
    } else {
      file = StreamedFile(frame: packed.samples)
    }
    if picture.kind.format == .y4m {
      file.head = Array(try Y4MWriter.header(picture, rate: rate).text.utf8)
      file.mark = Y4M.frame + [UInt8(ascii: "\n")]
    }
    return file
  }

  /// Returns an allocator of planes that lie behind each other as a stream's format wants them, and sets `framePlanes`;
  /// `nil` for formats that are packed of other planes.
  func frameMemory(for plan: Plan) -> ((Int) -> PixelBuffer)? {
    guard task.isStream, case .rendition = choice.product, let format = choice.rendition.kind.raw,
      format.packing == .planar, format.sample == .uint16, let pass = plan.passes.last, pass.sink.kind == .planarYCC
    else { return nil }
    let layout = RawLayout(format, width: pass.width, height: pass.height)
    let whole = PixelBuffer(uninitializedByteCount: layout.byteCount)
    framePlanes = whole
    var planes = layout.planes[...]
    return { byteCount in
      guard let plane = planes.first, plane.rowBytes * plane.height == byteCount else {
        return PixelBuffer(uninitializedByteCount: byteCount)
      }
      planes.removeFirst()
      return PixelBuffer(adopting: whole.base + plane.offset, byteCount: byteCount, in: whole.block) { _ in
        withExtendedLifetime(whole) {}
      }
    }
  }
}
