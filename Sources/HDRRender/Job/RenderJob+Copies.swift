import CodecService
import Glibc
import HDRCore

/// A file beside an output, of bytes of an input.
struct FileBeside {
  /// The ending in the place of the output's.
  var ending: String
  /// The bytes of the input, in order; empty: all of it.
  var pieces: [FileRange]
  var file: InputFile
}

extension RenderJob {
  /// The bytes that are copied at a time.
  private static let pieceBytes = 1 << 20

  /// Appends the tail of an output to its part file, and reads all of it back.
  func append(_ tail: CopiedTail, to output: StagedOutput) throws(HDRError) -> StagedOutput {
    var written = output.written, end = Digest.Hasher(), whole = Digest.Hasher(), back = Digest.Hasher()
    let start = written.files.mainBytes
    do throws(FileFault) {
      try tools.writer.files.write(tail.header, to: output.main.file, output.main.part)
    } catch {
      throw HDRError(writing: error)
    }
    end.add(tail.header)
    try copy([tail.range], of: tail.file, to: output.main) { end.add($0) }
    written.files.mainBytes += tail.byteCount
    let all = FileRange(start: 0, byteCount: written.files.mainBytes)
    try read([all], of: output.main.file.descriptor) { (bytes, at) in
      whole.add(bytes)
      if at + bytes.count > start { back.add(Array(bytes[max(0, start - at)...])) }
    } failure: {
      HDRError(writing: FileFault(call: "reading back", number: $0, path: output.main.part))
    }
    guard back.finish() == end.finish() else {
      throw HDRError(
        code: "encode.verification", message: "the bytes behind the picture are not those of the input", kind: .output)
    }
    written.mainDigest = whole.finish()
    return StagedOutput(main: output.main, sidecar: output.sidecar, written: written)
  }

  /// Writes the files beside an output, which come before it: if the output exists, they do.
  func writeBeside(_ destination: OutputDestination) throws(HDRError) {
    for side in beside {
      let path = destination.path.with(ending: side.ending), writer = tools.writer
      let pieces = side.pieces.isEmpty ? [FileRange(start: 0, byteCount: side.file.byteCount)] : side.pieces
      // A file that lies there already is its own copy.
      if let there = FileIdentity(path), side.file.status.map({ FileIdentity($0) }) == there { continue }
      var digest = Digest.Hasher()
      let staged: AtomicWriter.Staged
      do throws(FileFault) {
        staged = try writer.begin(
          path, in: try writer.folder(of: path, relative: destination.relative?.with(ending: side.ending)))
      } catch {
        throw HDRError(writing: error)
      }
      do throws(HDRError) {
        try copy(pieces, of: side.file, to: staged) { digest.add($0) }
      } catch {
        writer.discard(staged)
        throw error
      }
      do throws(FileFault) {
        try writer.sync(staged, byteCount: pieces.reduce(0) { $0 + $1.byteCount })
        try writer.commit(staged, existing: destination.existing)
      } catch {
        // Two outputs of an input may have the same one.
        guard error.number == EEXIST, (try? InputFile(path, maxBytes: Int.max).digest()) == digest.finish() else {
          throw HDRError(writing: error)
        }
      }
      found.beside.append(path)
    }
  }

  /// Copies parts of an input to the end of a file.
  private func copy(
    _ pieces: [FileRange], of input: InputFile, to staged: AtomicWriter.Staged, seen: ([UInt8]) -> Void
  ) throws(HDRError) {
    var fault: FileFault?
    try read(pieces, of: input.descriptor) { bytes, _ in
      seen(bytes)
      do throws(FileFault) {
        if fault == nil { try tools.writer.files.write(bytes, to: staged.file, staged.part) }
      } catch {
        fault = error
      }
    } failure: {
      HDRError(reading: FileFault(call: "read", number: $0, path: input.path), limit: input.byteCount)
    }
    if let fault { throw HDRError(writing: fault) }
  }

  /// Reads parts of a file piece by piece.
  ///
  /// - Parameters:
  ///   - take: gets each piece and its place in the file.
  ///   - failure: the error of a call that failed, or of a file that is shorter now (`EIO`).
  private func read(
    _ pieces: [FileRange], of descriptor: Int32, _ take: ([UInt8], Int) -> Void, failure: (Int32) -> HDRError
  ) throws(HDRError) {
    for piece in pieces {
      var at = piece.start
      while at < piece.end {
        try hooks.check()
        var number: Int32 = 0
        let most = min(Self.pieceBytes, piece.end - at)
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
          let found = pread(descriptor, buffer.baseAddress, most, off_t(at))
          if found < 0 { number = errno }
          count = max(0, found)
        }
        if bytes.isEmpty {
          if number == EINTR { continue }
          throw failure(number == 0 ? EIO : number)
        }
        take(bytes, at)
        at += bytes.count
      }
    }
  }
}

extension FilePath {
  /// Returns the path with another ending in the place of what follows the last dot of its name.
  func with(ending: String) -> FilePath {
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    let name = bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1
    return FilePath(
      bytes: Array(bytes[..<(dot > name + 1 ? dot : bytes.endIndex)]) + [UInt8(ascii: ".")] + Array(ending.utf8))
  }
}
