import CodecService
import HDRCore
import ImageFiles

extension RenderJob {
  /// Makes the output under temporary names until it is complete, verified, accepted and on the disk.
  ///
  /// - Throws: `HDRError`; of kind `.rejected` for a file that was made and is not accepted.
  package func write(to destination: OutputDestination) throws(HDRError) {
    try checkGoal()
    let output = try makeOutput(try makeRequest(), destination)
    do throws(HDRError) {
      try sync(output)
      try hooks.check()
      try accept(output.main, destination)
      try hooks.check()
    } catch {
      discard(output)
      throw error
    }
    do throws(HDRError) {
      try measure(.write) { () throws(HDRError) in try writeBeside(destination) }
    } catch {
      discard(output)
      throw error
    }
    do throws(FileFault) {
      try measure(.write) { () throws(FileFault) in
        let writer = tools.writer
        // The sidecar comes first: if the main file exists, the output is complete.
        if let sidecar = output.sidecar {
          do throws(FileFault) {
            try writer.commit(sidecar, existing: .replace)
          } catch {
            writer.discard(output.main)
            throw error
          }
        }
        try writer.commit(output.main, existing: destination.existing)
      }
    } catch {
      throw HDRError(writing: error)
    }
  }

  /// Encodes a file, at the quality that is asked for or found.
  private func makeOutput(_ request: FileRequest, _ destination: OutputDestination) throws(HDRError) -> StagedOutput {
    try hooks.check()
    try checkTime(.encode)
    let output: StagedOutput
    if let goal = choice.qualityGoal {
      output = try searchQuality(request, goal, destination)
    } else {
      output = try encode(request, destination)
    }
    note(output)
    found.warnings += output.written.files.warnings
    return output
  }

  /// Notes the size and the digest of an output.
  func note(_ output: StagedOutput) {
    (found.bytesOut, found.outputDigest) = (output.byteCount, output.written.mainDigest)
  }

  /// Removes an output that gets no name.
  func discard(_ output: StagedOutput) {
    tools.writer.discard(output.main)
    if let sidecar = output.sidecar { tools.writer.discard(sidecar) }
  }

  /// Encodes and checks the files; only the sync and the final names are missing.
  func encode(_ request: FileRequest, _ destination: OutputDestination) throws(HDRError) -> StagedOutput {
    let (main, sidecar) = try begin(destination)
    let output: StagedOutput
    do throws(CodecError) {
      let written = try measureParts(of: .encode) { () throws(CodecError) in
        try tools.codecs.encode(
          request,
          into: OutputDescriptors(main: main.file, sidecar: sidecar?.file, isHashed: tools.hashesSamples))
      }.value
      output = StagedOutput(main: main, sidecar: sidecar, written: written)
    } catch {
      tools.writer.discard(main)
      if let sidecar { tools.writer.discard(sidecar) }
      throw HDRError(error, writing: main.part, sidecar: sidecar?.part)
    }
    guard let tail else { return output }
    do throws(HDRError) {
      return try measure(.write) { () throws(HDRError) in try append(tail, to: output) }
    } catch {
      discard(output)
      throw error
    }
  }

  /// Makes empty files under temporary names.
  private func begin(
    _ destination: OutputDestination
  ) throws(HDRError) -> (main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?) {
    let writer = tools.writer
    do throws(FileFault) {
      return try measure(.write) { () throws(FileFault) in
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
  }

  /// Forces the files to the disk.
  private func sync(_ output: StagedOutput) throws(HDRError) {
    let files = output.written.files
    do throws(FileFault) {
      try measure(.write) { () throws(FileFault) in
        try tools.writer.sync(output.main, byteCount: files.mainBytes)
        if let sidecar = output.sidecar { try tools.writer.sync(sidecar, byteCount: files.sidecarBytes ?? 0) }
      }
    } catch {
      throw HDRError(writing: error)
    }
  }
}

/// An encoded output that waits for its names.
struct StagedOutput {
  let main: AtomicWriter.Staged
  let sidecar: AtomicWriter.Staged?
  let written: WrittenFiles

  var byteCount: Int { written.files.mainBytes + (written.files.sidecarBytes ?? 0) }
}
