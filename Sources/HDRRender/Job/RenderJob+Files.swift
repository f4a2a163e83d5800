import CodecService
import HDRCore
import ImageFiles

extension RenderJob {
  /// Makes the output under temporary names until it is complete, verified, accepted and on the disk.
  ///
  /// - Throws: `HDRError`; of kind `.rejected` for a file that was made and is not accepted.
  package func write(to destination: OutputDestination) throws(HDRError) {
    let (main, sidecar) = try makeFiles(try makeRequest(), destination)
    do throws(HDRError) {
      try hooks.check()
      try accept(main, destination)
      try hooks.check()
    } catch {
      tools.writer.discard(main)
      if let sidecar { tools.writer.discard(sidecar) }
      throw error
    }
    do throws(FileFault) {
      try measure(.write) { () throws(FileFault) in
        let writer = tools.writer
        // The sidecar comes first: if the main file exists, the output is complete.
        if let sidecar {
          do throws(FileFault) {
            try writer.commit(sidecar, existing: .replace)
          } catch {
            writer.discard(main)
            throw error
          }
        }
        try writer.commit(main, existing: destination.existing)
      }
    } catch {
      throw HDRError(writing: error)
    }
  }

  /// Encodes and checks the files; only the final names are missing.
  private func makeFiles(
    _ request: FileRequest, _ destination: OutputDestination
  ) throws(HDRError) -> (main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?) {
    try hooks.check()
    try checkTime(.encode)
    let writer = tools.writer
    let main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?
    do throws(FileFault) {
      (main, sidecar) = try measure(.write) { () throws(FileFault) in
        let folder = try writer.folder(of: destination.path, relative: destination.relative)
        let main = try writer.begin(destination.path, in: folder)
        guard let path = destination.sidecar else { return (main, nil) }
        do throws(FileFault) {
          return (main, try writer.begin(path, in: folder))
        } catch {
          writer.discard(main)
          throw error
        }
      }
    } catch {
      throw HDRError(writing: error)
    }
    do throws(HDRError) {
      try fill(main, sidecar, request)
    } catch {
      writer.discard(main)
      if let sidecar { writer.discard(sidecar) }
      throw error
    }
    return (main, sidecar)
  }

  /// Lets the codecs encode, write and check the files, and forces them to the disk.
  private func fill(
    _ main: AtomicWriter.Staged, _ sidecar: AtomicWriter.Staged?, _ request: FileRequest
  ) throws(HDRError) {
    let written: WrittenFiles
    do throws(CodecError) {
      written = try measureParts(of: .encode) { () throws(CodecError) in
        try tools.codecs.encode(request, into: OutputDescriptors(main: main.file, sidecar: sidecar?.file))
      }.value
    } catch {
      throw HDRError(error, writing: main.part, sidecar: sidecar?.part)
    }
    let files = written.files
    found.warnings += files.warnings
    found.bytesOut = files.mainBytes + (files.sidecarBytes ?? 0)
    found.outputDigest = written.mainDigest
    do throws(FileFault) {
      try measure(.write) { () throws(FileFault) in
        try tools.writer.sync(main, byteCount: files.mainBytes)
        if let sidecar { try tools.writer.sync(sidecar, byteCount: files.sidecarBytes ?? 0) }
      }
    } catch {
      throw HDRError(writing: error)
    }
  }
}
