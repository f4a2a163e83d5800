import CodecService
import HDRCore
import HDRRender
import VideoStreams

/// Reads a written clip again and compares it with what was to be written: frames, times, size, tags, and the samples of
/// the first and the last frame where the codec keeps them.
struct OutputCheck {
  private let ffmpeg: FFmpeg
  let options: VideoOptions
  let plan: ClipPlan
  let sums: EncodedFrames
  /// False if the other streams could not be copied.
  let carriesOthers: Bool
  private var codec: VideoCodec { options.codec }

  init(_ ffmpeg: FFmpeg, _ options: VideoOptions, _ plan: ClipPlan, _ sums: EncodedFrames, carriesOthers: Bool) {
    (self.ffmpeg, self.options, self.plan, self.sums) = (ffmpeg, options, plan, sums)
    self.carriesOthers = carriesOthers
  }

  /// - Throws: `HDRError`, `video.verify` with the first thing that differs.
  func check(_ staged: AtomicWriter.Staged) throws(HDRError) {
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(staged.part, maxBytes: Int.max)
    } catch {
      throw HDRError(writing: error)
    }
    let facts: ClipFacts
    do throws(HDRError) {
      facts = try ClipProbe(ffmpeg: ffmpeg, clip: file, keepsStart: true).facts()
    } catch {
      throw Self.differs("the output cannot be read again: \(error.message)")
    }
    try compare("frames", "\(facts.times.count)", "\(sums.frames)")
    try compare("size", "\(facts.width)x\(facts.height)", "\(plan.encoded.width)x\(plan.encoded.height)")
    // ProRes is decoded to 12 bits.
    let found = PlanarFormat(named: facts.pixelFormat)
    try compare("chroma", found?.chroma.rawValue ?? facts.pixelFormat, plan.encoded.format.chroma.rawValue)
    if codec.isLossless { try compare("layout", facts.pixelFormat, plan.encoded.format.name) }
    try checkTags(facts)
    try checkDescription(facts)
    try checkTimes(facts)
    guard codec.isLossless else { return }
    try checkFrame(file, .firstFrame, sums.first, "first")
    // From the start of the file to half a frame before the last one.
    let last = facts.times.suffix(2).map { facts.timeBase.seconds($0) - facts.start }
    if last.count == 2 { try checkFrame(file, .from((last[0] + last[1]) / 2), sums.last, "last") }
  }

  private func checkTags(_ facts: ClipFacts) throws(HDRError) {
    let wanted = plan.output
    let pairs = [
      ("primaries", facts.primaries, ColorNames.primaries[wanted.primaries] != nil ? wanted.primaries : nil),
      ("transfer", facts.transfer, ColorNames.transfers[wanted.transfer] != nil ? wanted.transfer : nil),
      ("matrix", facts.matrix, ColorNames.matrices[wanted.matrix] != nil ? wanted.matrix : nil),
    ]
    for (name, found, expected) in pairs {
      try compare(name, found.map { "\($0)" } ?? "none", expected.map { "\($0)" } ?? "none")
    }
    if let full = facts.fullRange { try compare("range", "\(full)", "\(wanted.fullRange)") }
    if plan.encoded.format.chroma == .s420, let siting = facts.siting {
      try compare("siting", siting.name, wanted.siting.name)
    }
  }

  /// Compares all times, which a container may round to its own clock. Matroska has no times before 0: with a sound that
  /// begins there, as AAC does, ffmpeg 5.1 moves all streams alike.
  private func checkTimes(_ facts: ClipFacts) throws(HDRError) {
    let tick = facts.timeBase.seconds(1)
    var late = 0.0
    if options.container != "mp4", options.container != "mov", plan.carried.contains(where: { $0.kind == "audio" }),
      let found = facts.times.first, let sent = sums.times.first
    {
      late = min(1, max(0, facts.timeBase.seconds(found) - sums.base.seconds(sent)))
      if late <= tick { late = 0 }
    }
    for (number, (found, sent)) in zip(facts.times, sums.times).enumerated() {
      let off = abs(facts.timeBase.seconds(found) - sums.base.seconds(sent) - late)
      guard off <= tick * (late > 0 ? 1.5001 : 0.5001) else {
        throw Self.differs(
          "frame \(number) is shown at \(decimals(facts.timeBase.seconds(found), 6)) s instead of "
            + "\(decimals(sums.base.seconds(sent), 6)) s")
      }
    }
  }

  private func checkFrame(
    _ file: InputFile, _ part: FFmpegSource.Part, _ wanted: Digest?, _ name: String
  ) throws(HDRError) {
    let source = try FFmpegSource(ffmpeg, file, format: plan.encoded.format.name, part: part)
    guard let frame = try source.next(), Digest(frame) == wanted else {
      throw Self.differs("the \(name) frame has other samples than were encoded")
    }
  }

  func compare(_ what: String, _ found: String, _ wanted: String) throws(HDRError) {
    guard found == wanted else { throw Self.differs("\(what): \(found) instead of \(wanted)") }
  }

  static func differs(_ what: Message) -> HDRError {
    HDRError(clip: "verify", "the output is not what was to be written, and is removed: \(what)", kind: .encoder)
  }
}
