import CodecService
import HDRCore
import ImageFiles

/// The bytes of a file for a stream.
package struct StreamedFile: Sendable {
  /// The bytes before the first frame only; empty for formats that are a sequence of frames.
  package var head: [UInt8] = []
  package var frame: [UInt8]
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
        return try measure(.encode) { () throws(EncodeError) in
          let layout = try RawWriter.layout(picture)
          guard picture.kind.format == .y4m else {
            return StreamedFile(frame: try PackedSamples(picture, layout).bytes)
          }
          return StreamedFile(
            head: Array(try Y4MWriter.header(picture, rate: rate).text.utf8),
            frame: try PackedSamples(picture, layout, behind: Y4M.frame + [UInt8(ascii: "\n")]).bytes)
        }
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
      return StreamedFile(frame: try CodecJobs.read(main.file.descriptor, byteCount: written.files.mainBytes))
    } catch {
      throw HDRError(error)
    }
  }
}
