import CPlatform
import CodecService
import Glibc
import HDRCore
import ImageFiles
import Threads

/// Writes files of packed samples, which need no codec, from the memory that holds the picture: in this process,
/// without a copy to an encoder and back (docs/isolation.md).
struct SampleFiles {
  private let request: EncodeRequest
  private let writer: any SampleWriter.Type

  /// The size of a part, which is hashed and written at a time.
  private static let partBytes = 2 << 20

  /// Returns `nil` for files that a codec makes.
  init?(_ request: FileRequest) {
    guard case .rendition(let request) = request, let writer = request.kind.sampleWriter else { return nil }
    (self.request, self.writer) = (request, writer)
  }

  /// Writes into empty files, then reads what describes the samples again and compares it with the request.
  ///
  /// - Throws: `CodecError.encode`, `.write`.
  func write(into files: OutputDescriptors) throws(CodecError) -> CodecAnswer<WrittenFiles> {
    var clock = PhaseClock(isAlone: false)
    let samples: PackedSamples
    do throws(EncodeError) {
      samples = try clock.measure(.encode) { () throws(EncodeError) in
        try PackedSamples(request, try writer.layout(request), behind: try writer.head(request))
      }
    } catch {
      throw .encode(error)
    }
    let sidecar = files.sidecar.flatMap { file in writer.sidecar(request).map { (file, bytes: $0) } }
    let hash = files.isHashed ? PartHasher(threads: samples.byteCount > Self.partBytes ? 1 : 0) : nil
    let digest = try clock.measure(.write) { () throws(CodecError) in
      try write(samples, hash, files.main)
      if let (file, bytes) = sidecar { try CodecJobs.writeAll(bytes, file.descriptor, isSidecar: true) }
      return hash?.finish()
    }
    clock.add(cpu: hash?.cpuSeconds ?? 0, to: .write)
    try clock.measure(.verify) { () throws(CodecError) in try verify(files.main, sidecar?.0, samples.byteCount) }
    let written = CodedFiles(mainBytes: samples.byteCount, sidecarBytes: sidecar?.bytes.count, warnings: [])
    return CodecAnswer(WrittenFiles(written, mainDigest: digest), clock.seconds)
  }

  /// Writes each part while another thread hashes it.
  private func write(_ samples: PackedSamples, _ hash: PartHasher?, _ file: OpenFile) throws(CodecError) {
    try samples.forEachPart(of: Self.partBytes) { part throws(CodecError) in
      hash?.begin(part)
      let number = CodecJobs.write(part, file.descriptor)
      hash?.wait()
      if number != 0 { throw .write(number, isSidecar: false) }
    }
  }

  private func verify(_ main: OpenFile, _ sidecar: OpenFile?, _ byteCount: Int) throws(CodecError) {
    var status = stat()
    guard fstat(main.descriptor, &status) == 0 else { throw .write(errno, isSidecar: false) }
    let start: [UInt8], description: [UInt8]?
    do throws(CodecError) {
      start = try CodecJobs.read(main.descriptor, byteCount: min(byteCount, PackedSamples.startBytes))
      description = try sidecar.map { file throws(CodecError) in
        try CodecJobs.read(file.descriptor, byteCount: RawSidecar.maxBytes)
      }
    } catch {
      throw .write(EIO, isSidecar: false)
    }
    do throws(EncodeError) {
      try writer.verify(start: start[...], byteCount: Int(status.st_size), sidecar: description, request)
    } catch {
      throw .encode(error)
    }
  }
}

/// Computes a file's digest, part by part, on a thread of its own while the caller does something else with the part.
final class PartHasher: Sendable {
  private struct State {
    /// The part that is being hashed.
    var part: UnsafeRawBufferPointer?
    var isOver = false
    var hasher = Digest.Hasher()
    /// The thread's CPU time, at its end.
    var seconds = 0.0
  }

  private let state = Monitor(State())
  private let thread: WorkerThread?

  /// - Parameter threads: 1, or 0 to hash on the caller's thread.
  init(threads: Int) {
    let state = state
    let thread =
      threads == 0
      ? nil
      : WorkerThread(name: "hash", isService: true) {
        while true {
          // The thread is the only one that uses the hasher until it ends.
          let next = state.wait { state -> (part: UnsafeRawBufferPointer, hasher: Digest.Hasher)?? in
            if let part = state.part { return .some((part, state.hasher)) }
            return state.isOver ? .some(nil) : nil
          }
          guard let (part, start) = next else { break }
          var hasher = start
          hasher.add(part)
          state.change { ($0.part, $0.hasher) = (nil, hasher) }
        }
        state.change { $0.seconds = hdr_thread_cpu_seconds() }
      }
    self.thread = thread?.isRunning == true ? thread : nil
  }

  deinit { end() }

  /// Begins to hash a part, which must stay as it is until `wait` returns.
  func begin(_ part: UnsafeRawBufferPointer) {
    if thread != nil {
      state.change { $0.part = part }
    } else {
      state.change { $0.hasher.add(part) }
    }
  }

  /// Waits until the part is hashed.
  func wait() { state.wait { $0.part == nil ? () : nil } }

  private func end() {
    let isFirst = state.change { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { thread?.join() }
  }

  /// Ends the thread.
  ///
  /// - Returns: the digest of all parts.
  func finish() -> Digest {
    end()
    return state.change { $0.hasher.finish() }
  }

  /// The CPU time of the other thread, after `finish`.
  var cpuSeconds: Double { state.change { $0.seconds } }
}
