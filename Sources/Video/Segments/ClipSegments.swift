import CodecService
import Glibc
import HDRCore
import HDRRender
import Synchronization
import Threads
import VideoStreams

/// A clip that is made in segments, several at a time, and joined. A segment that is done stays: a run that is killed is
/// continued, and several machines make segments of one clip.
final class ClipSegments: Sendable {
  private let job: ClipJob
  private let clip: InputFile
  private let plan: ClipPlan
  private let parts: [FramePart]
  private let options: SegmentOptions
  private let store: SegmentStore
  /// Segments that are made at a time.
  private let jobs: Int
  private let done: Mutex<[Int: SegmentRow]>

  /// - Parameters:
  ///   - parts: the segments.
  ///   - key: the digest of all that decides the bytes of the output.
  /// - Returns: `nil` for a clip that is one segment.
  init?(
    _ job: ClipJob, _ item: ClipJob.Item, _ clip: InputFile, _ plan: ClipPlan, _ parts: [FramePart],
    key: Digest
  ) throws(HDRError) {
    guard let options = job.options.segments, parts.count > 1 else { return nil }
    self.parts = parts
    (self.job, self.clip, self.plan, self.options) = (job, clip, plan, options)
    jobs = options.jobs(needing: job.options.codec.memory(plan, encoder: job.options.encoderMemory))
    store = try SegmentStore(item, key: key, job.tools.writer)
    done = Mutex([:])
  }

  /// Makes the segments that belong to this run; one that resumes leaves out those that are there.
  ///
  /// - Parameter number: that of the clip, which shares its segments out.
  /// - Returns: how many segments there are, and were made.
  /// - Throws: the error of the first segment that failed; those that are done stay.
  func make(ofClip number: Int) throws(HDRError) -> SegmentCount {
    let mine = parts.indices.filter { options.makes($0, of: number) }
    for index in mine where job.options.resumes {
      if let row = store.finished(index) { done.withLock { $0[index] = row } }
    }
    let left = done.withLock { done in mine.filter { done[$0] == nil } }
    let frames = count(mine), missing = count(left), all = job.bytes(plan, of: clip)
    // The segments that are missing, and the whole when they are joined.
    let share = Double(missing) / Double(plan.facts.times.count)
    try job.checkSpace(store.folder.file, Int(Double(all) * share) + (options.joins ? all : 0))
    let ready = Atomic<Int>(frames - missing)
    let failure = Mutex<HDRError?>(nil), made = Atomic<Int>(0)
    shareOut(left.count, among: jobs) { next in
      while failure.withLock({ $0 == nil }), let turn = next() {
        let index = left[turn]
        do throws(HDRError) {
          let row = try self.segment(index) {
            let count = ready.wrappingAdd(1, ordering: .relaxed).newValue
            self.job.progress(.convert, count, frames)
          }
          self.store.add(index, row)
          self.done.withLock { $0[index] = row }
          made.wrappingAdd(1, ordering: .relaxed)
        } catch {
          self.store.add(index, failed: error)
          failure.withLock { if $0 == nil { $0 = error } }
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    if !options.joins { try store.close() }
    return SegmentCount(count: parts.count, made: made.load(ordering: .relaxed))
  }

  /// The number of frames of segments.
  private func count(_ segments: [Int]) -> Int { segments.reduce(0) { $0 + (parts[$1].frames?.count ?? 0) } }

  /// Makes a segment. One whose decoder gives other frames than its packets promise is decoded from the key frame before.
  private func segment(_ index: Int, frame: @escaping @Sendable () -> Void) throws(HDRError) -> SegmentRow {
    do throws(HDRError) {
      return try attempt(index, parts[index], frame)
    } catch {
      guard ["video.frames", "video.times", "video.truncated"].contains(error.code), error.kind == .source,
        let earlier = parts[index].fromEarlier(plan.facts)
      else { throw error }
      return try attempt(index, earlier, frame)
    }
  }

  private func attempt(
    _ index: Int, _ part: FramePart, _ frame: @escaping @Sendable () -> Void
  ) throws(HDRError) -> SegmentRow {
    let writer = job.tools.writer, digits = "\(index)",
      name = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    var staged: AtomicWriter.Staged
    do throws(FileFault) {
      staged = try writer.begin(store.folder.path.appending(Array("\(name).nut".utf8)), in: store.folder)
    } catch {
      throw HDRError(writing: error)
    }
    let frames: EncodedFrames, delay: Int
    do throws(HDRError) {
      frames = try job.encode(
        clip, plan, part: part, into: staged.file, .segment, threads: max(1, min(4, job.threads / jobs))
      ) { _ in frame() }
      delay = try Self.check(staged.file.descriptor, frames, "segment \(index)")
    } catch {
      writer.discard(staged)
      throw error
    }
    do throws(FileFault) {
      let size = try writer.files.size(of: staged.file, staged.part)
      guard let digest = Digest(reading: staged.file) else {
        throw FileFault(call: "reading", number: EIO, path: staged.part)
      }
      let file = "\(name)-\(digest.hex.prefix(8)).nut"
      staged.target = store.folder.path.appending(Array(file.utf8))
      try writer.sync(staged, byteCount: size)
      try writer.commit(staged, existing: .replace)
      return SegmentRow(file: file, byteCount: size, digest: digest, delay: delay, frames: frames)
    } catch {
      writer.discard(staged)
      throw HDRError(writing: error)
    }
  }

  /// Reads a segment again.
  ///
  /// - Returns: the most packets that its encoder held back.
  private static func check(_ file: Int32, _ frames: EncodedFrames, _ name: String) throws(HDRError) -> Int {
    var reader = try SegmentReader(file, frames, name: name)
    while try reader.next() != nil {}
    return reader.delay
  }

  /// Joins all segments into a file: their packets, in their order, with the times of the clip.
  ///
  /// - Returns: what the encoders got together.
  /// - Throws: `HDRError`, `video.segments` if some are not done yet.
  func join(into file: OpenFile, _ container: VideoContainer) throws(HDRError) -> EncodedFrames {
    let rows = try all()
    guard let clock = rows.first?.frames.base, rows.allSatisfy({ $0.frames.base == clock }) else {
      throw HDRError(clip: "segments", "segments have clocks that differ", kind: .encoder)
    }
    var sink: PacketSink?, head: NUTStream?, count = 0
    for (index, row) in rows.enumerated() {
      let segment = try store.file(of: row)
      var reader = try SegmentReader(segment.descriptor, row.frames, name: "segment \(index)")
      if let head {
        guard head.codec == reader.stream.codec,
          job.options.codec.repeatsHeaders || head.extradata == reader.stream.extradata
        else {
          throw HDRError(
            clip: "segments",
            "segment \(index) was encoded with other parameters than segment 0: was it another encoder?",
            kind: .encoder)
        }
      } else {
        head = reader.stream
        var stream = reader.stream
        stream.timeBase = clock
        stream.decodeDelay = rows.map(\.delay).max() ?? 0
        sink = try PacketSink(
          job.ffmpeg, into: file, stream, rate: plan.facts.lastRate,
          words: job.options.codec.tag(container) + plan.output.tags().options + container.words(clock))
      }
      while let (number, packet) = try reader.next() {
        try job.hooks().check()
        let bytes = try reader.payload(atMost: max(1 << 24, 2 * plan.encoded.byteCount))
        try sink?.write(bytes, pts: row.frames.times[number], isKey: packet.isKey)
        count += 1
        job.progress(.join, count, plan.facts.times.count)
      }
    }
    try sink?.finish()
    return try EncodedFrames(joining: rows.map(\.frames))
  }

  /// Returns the rows of all segments.
  private func all() throws(HDRError) -> [SegmentRow] {
    var rows: [SegmentRow] = [], missing: [Int] = []
    for index in parts.indices {
      if let row = done.withLock({ $0[index] }) ?? store.finished(index) {
        guard row.frames.frames == parts[index].frames?.count else {
          throw HDRError(clip: "segments", "segment \(index) has other frames than planned", kind: .encoder)
        }
        rows.append(row)
      } else if let error = store.failure(index) {
        throw error
      } else {
        missing.append(index)
      }
    }
    guard let first = missing.first else { return rows }
    throw HDRError(
      clip: "segments",
      "\(missing.count) of \(parts.count) segments are not done, the first is \(first); run their shards first",
      kind: .cancelled)
  }

  /// Removes the segments: the clip has its name.
  func remove() { store.remove() }
}

extension HDRError {
  /// True if the clip waits for what another run makes first.
  package var isEarly: Bool { (code == "video.segments" || code == "video.measure") && kind == .cancelled }
}
