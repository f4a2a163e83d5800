import CodecService
import HDRCore
import HDRRender
import VideoStreams

extension ClipJob {
  /// Converts a clip. One whose pictures change becomes an output for each part, if that is asked for.
  ///
  /// - Parameter done: called with the record of each output.
  package func run(_ item: Item, done: (ClipRecord) -> Void) {
    guard options.splits, options.stills == nil else { return done(run(item)) }
    do throws(HDRError) {
      guard let split = try ClipSplit(self, item) else { return done(run(item)) }
      for _ in 0..<split.count {
        let (part, file) = try split.next()
        let record = options.skipsExisting && fileStatus(part.output) != nil ? skipped(part) : run(part)
        tools.writer.discard(file)
        done(record)
        if let error = record.error, error.kind == .cancelled, !error.isEarly { return }
      }
    } catch {
      var record = ClipRecord(item.input.path, item.output, options.codec, ffmpeg)
      record.error = error
      done(record)
    }
  }
}

/// Divides a clip where its pictures change: the packets of each part go into a file of their own, one after the other.
final class ClipSplit {
  private let job: ClipJob
  private let item: ClipJob.Item
  private let clip: InputFile
  private let whole: ClipFacts
  private let changes: ClipChanges
  private let digest: Digest?
  private let source: PacketSource
  private var made = 0

  var count: Int { changes.parts.count }

  /// - Returns: `nil` if the pictures do not change where they can be told apart: in HEVC, H.264, AV1, VP9 and ProRes with
  ///   times.
  init?(_ job: ClipJob, _ item: ClipJob.Item) throws(HDRError) {
    (self.job, self.item) = (job, item)
    clip = try item.open()
    let video = job.options.video
    let probe = ClipProbe(ffmpeg: job.ffmpeg, clip: clip, video: video)
    var whole = try probe.described()
    guard !whole.isCountUnsure else { return nil }
    if ClipPart.searched.contains(whole.container) { try probe.addTimes(&whole) }
    self.whole = whole
    changes = try ClipChanges(
      job.ffmpeg, clip, video: video, transfer: whole.transfer ?? CICP.Transfer.unspecified)
    guard changes.parts.count > 1 else { return nil }
    digest = Digest(reading: clip.descriptor)
    source = try PacketSource(job.ffmpeg, clip.descriptor, video: video)
  }

  /// Writes the file of the next part.
  ///
  /// - Returns: the part as a clip, and its file, which is to be removed.
  func next() throws(HDRError) -> (item: ClipJob.Item, file: AtomicWriter.Staged) {
    let part = changes.parts[made], isLast = made + 1 == count, writer = job.tools.writer
    made += 1
    var found = item
    found.output = item.output.numbered(made)
    found.relative = item.relative?.numbered(made)
    let staged: AtomicWriter.Staged
    do throws(FileFault) {
      let folder = try writer.folder(of: found.output, relative: found.relative)
      staged = try writer.begin(
        folder.path.appending(found.output.name + Array(".nut".utf8)), in: folder)
    } catch {
      throw HDRError(writing: error)
    }
    do throws(HDRError) {
      try job.checkSpace(staged.file, clip.byteCount / count)
      try write(part, into: staged.file)
      let packets: InputFile
      do throws(FileFault) {
        packets = try InputFile(staged.part, maxBytes: Int.max)
      } catch {
        throw HDRError(writing: error)
      }
      found.part = ClipPart(
        number: made, count: count, packets: packets, clip: clip, whole: whole, digest: digest,
        start: made > 1 ? seconds(part) : nil,
        end: isLast ? nil : seconds(changes.parts[made]))
    } catch {
      writer.discard(staged)
      throw error
    }
    return (found, staged)
  }

  /// Returns the time at which a part begins, behind the start of the file. Packets of the clip are later by what their
  /// decoder needs.
  private func seconds(_ part: ClipChanges.Part) -> Double {
    let first = whole.times.first.map { whole.timeBase.seconds($0) } ?? 0
    return first + changes.timeBase.seconds(part.start - changes.parts[0].start)
  }

  /// Copies the packets of a part. The stream's record is of the first one; others have their headers in their packets.
  private func write(_ part: ClipChanges.Part, into file: OpenFile) throws(HDRError) {
    var stream = source.stream
    if made > 1 { stream.extradata = [] }
    let rate = FrameRate(part.last, changes.timeBase)
    let sink = try PacketSink(job.ffmpeg, into: file, stream, rate: rate, words: ["-f", "nut"])
    for _ in 0..<part.packets {
      try job.hooks().check()
      guard let packet = try source.next() else {
        throw HDRError(clip: "truncated", "the clip has fewer packets than before; was it changed?")
      }
      var bytes = try source.bytes()
      do throws(DecodeError) {
        if made > 1 { bytes = try source.stream.withoutRecord(bytes) }
      } catch {
        throw HDRError(error)
      }
      try sink.write(bytes, pts: packet.pts - part.start, isKey: packet.isKey)
    }
    try sink.finish()
  }
}

extension FilePath {
  /// Returns the path with a number before the ending of its name: `clip.2.mp4`.
  fileprivate func numbered(_ number: Int) -> FilePath {
    let name = name, dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return parent.appending(Array(name[..<dot]) + Array(".\(number)".utf8) + Array(name[dot...]))
  }
}
