import CodecService
import FileParts
import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// The last step of a clip: puts what players need to know into the encoded pictures, and copies them with the other
/// streams of the source into the container of the output.
struct ClipFinish {
  private let ffmpeg: FFmpeg
  private let plan: ClipPlan
  private let options: VideoOptions
  private let container: VideoContainer
  /// The part of the source that the pictures are of; `nil`: all of it.
  private let cut: ClipPart?

  init(_ ffmpeg: FFmpeg, _ plan: ClipPlan, _ options: VideoOptions, _ cut: ClipPart?) {
    (self.ffmpeg, self.plan, self.options, self.cut) = (ffmpeg, plan, options, cut)
    guard let container = VideoContainer.named(options.container) else { preconditionFailure("a row of the list") }
    self.container = container
  }

  /// Makes the output of encoded pictures, which are removed.
  ///
  /// - Parameters:
  ///   - part: the encoded pictures, in `VideoCodec.work`.
  ///   - sums: the times of their frames.
  /// - Returns: the output, under a temporary name, and whether the other streams are left out because they could not be
  ///   copied.
  func run(
    _ part: AtomicWriter.Staged, of clip: InputFile, _ sums: EncodedFrames, _ writer: AtomicWriter
  ) throws(HDRError) -> (output: AtomicWriter.Staged, lost: Warning?) {
    try describe(part.file)
    let whole = try writer.another(part)
    do throws(HDRError) {
      var lost: Warning?, outcome = try copy(part.file, clip, sums, plan.carried, into: whole.file)
      if !outcome.isSuccess, ProgramFailure.didStart(outcome), !plan.carried.isEmpty, !options.isStrict {
        lost = Warning("video.stream-dropped", "the other streams cannot be copied: \(Self.reason(outcome))")
        outcome = try copy(part.file, clip, sums, [], into: whole.file)
      }
      guard outcome.isSuccess else {
        guard ProgramFailure.didStart(outcome) else { throw ProgramFailure.error(outcome) }
        throw HDRError(
          clip: "encode", "the streams cannot be put together: \(Self.reason(outcome))", kind: .encoder)
      }
      try state(whole.file)
      writer.discard(part)
      return (whole, lost)
    } catch {
      writer.discard(whole)
      throw error
    }
  }

  /// Returns the first line that ffmpeg said: those behind it are consequences.
  private static func reason(_ outcome: LockedProgram.Outcome) -> String {
    printable(outcome.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? outcome.reason)
  }

  /// Puts light metadata, and the turn for viewing where FFmpeg copies it, into the encoded pictures.
  private func describe(_ file: OpenFile) throws(HDRError) {
    let boxes = plan.light.boxes + plan.metadata.boxes, turn = container.isISO ? plan.shape.stated : .up
    guard !boxes.isEmpty || turn != .up else { return }
    do throws(DecodeError) {
      let change = try MovieBoxes.change(try FileAccess(file.descriptor), adding: boxes, orientation: turn)
      try change.write(to: file.descriptor)
    } catch {
      throw HDRError(clip: "encode", "the encoded pictures cannot be described: \(error)", kind: .encoder)
    }
  }

  /// Puts what FFmpeg does not copy into the output: the part that is shown, and into Matroska the turn.
  private func state(_ file: OpenFile) throws(HDRError) {
    let (turn, crop) = (plan.shape.stated, plan.shape.crop)
    guard crop != nil || !container.isISO && turn != .up else { return }
    do throws(DecodeError) {
      let access = try FileAccess(file.descriptor), change: MovieBoxes.Change
      if container.isISO, let crop {
        let box = CleanAperture(crop, width: plan.encoded.width, height: plan.encoded.height).box
        change = try MovieBoxes.change(access, adding: [box])
      } else {
        change = try MatroskaChange.change(access, orientation: turn, crop: crop)
      }
      try change.write(to: file.descriptor)
    } catch {
      throw HDRError(clip: "encode", "the output cannot be described: \(error)", kind: .encoder)
    }
  }

  /// Copies the pictures and streams of the source.
  private func copy(
    _ part: OpenFile, _ clip: InputFile, _ sums: EncodedFrames, _ others: [ClipPlan.Carried], into file: OpenFile
  ) throws(HDRError) -> LockedProgram.Outcome {
    let start = sums.times.first.map { sums.base.seconds($0) } ?? 0, facts = plan.facts
    var words = FFmpeg.start("error")
    // ffmpeg lets each file begin at 0: the pictures begin later if another stream of the source is the first.
    words += ["-itsoffset", decimals(start, 6)] + FFmpeg.input(of: LockedProgram.secondInput)
    words += (cut?.words ?? []) + FFmpeg.input
    words += ["-map", "0:v:0"] + others.flatMap { ["-map", "1:\($0.number)"] }
    words += ["-c", "copy"]
    for (index, other) in others.enumerated() {
      if case .converted(let encoder) = other.carriage { words += ["-c:\(index + 1)", encoder] }
    }
    words += texts(others) + (cut?.outputWords ?? [])
    words += ["-map_chapters", options.metadata == .none || cut != nil ? "-1" : "1"]
    // A container of boxes does not say the range of all codecs, and none the place of chroma.
    words += ["-color_range:v:0", plan.output.fullRange ? "pc" : "tv"]
    if plan.encoded.format.chroma.isSubsampled { words += ["-chroma_sample_location:v:0", plan.output.siting.name] }
    var flags = options.isFastStart ? ["faststart"] : []
    // Names of Apple's, and places in MP4, which has no box for them.
    if facts.keys.contains(where: { options.metadata.keeps($0) && isApples($0) }) { flags.append("use_metadata_tags") }
    // FLAC in MP4 is an experiment of 5.1's, Dolby Vision there not official.
    words += container.words(sums.base) + ["-strict", "experimental"]
    if container.isISO, !flags.isEmpty { words += ["-movflags", "+" + flags.joined(separator: "+")] }
    let program = try LockedProgram(
      ffmpeg.path, words + ["-y", FFmpeg.output], input: (cut?.clip ?? clip).descriptor, secondInput: part.descriptor,
      output: file.descriptor, ffmpeg.isolation)
    // At least 4 MB a second.
    return program.end(within: 600 + Double(clip.byteCount) / 4e6)
  }

  private func isApples(_ key: String) -> Bool {
    key.hasPrefix("com.") || container.name == "mp4" && key.lowercased().hasPrefix("location")
  }

  /// Returns the words that copy texts: those of the file, and of each stream from the one that it was. Empty texts are none.
  private func texts(_ others: [ClipPlan.Carried]) -> [String] {
    let choice = options.metadata, facts = plan.facts
    let keys = facts.keys + facts.videoKeys + facts.others.flatMap(\.keys)
    guard keys.count <= Self.mostKeys, keys.allSatisfy({ $0.utf8.count <= Self.longestKey }) else {
      // No command line is that long. All texts of the file go in, or none.
      return ["-map_metadata", choice == .all ? "1" : "-1", "-map_metadata:s", "-1"]
    }
    var words = ["-map_metadata", "1", "-map_metadata:s:0", "1:s:\(facts.number)"]
    for key in facts.keys where Self.ofFile.contains(key.lowercased()) || !choice.keeps(key) {
      words += ["-metadata", "\(key)="]
    }
    for key in facts.videoKeys where !(Self.ofPictures.contains(key.lowercased()) && choice.keeps(key)) {
      // FFmpeg 5.1 takes it for a turn, even without a value.
      if key != "language", key != "rotate" || plan.shape.stated == .up { words += ["-metadata:s:0", "\(key)="] }
    }
    for (index, other) in others.enumerated() {
      words += ["-map_metadata:s:\(index + 1)", "1:s:\(other.number)"]
      for key in facts.others.first(where: { $0.number == other.number })?.keys ?? []
      where !Self.ofAttachments.contains(key.lowercased())
        && (!choice.keeps(key) || !container.isISO && Self.ofBoxes.contains(key))
      {
        words += ["-metadata:s:\(index + 1)", "\(key)="]
      }
    }
    return words
  }

  /// The most texts that are told apart, and the most bytes of a name.
  private static let mostKeys = 1000, longestKey = 200

  /// Texts about the file itself, which its writer makes.
  private static let ofFile: Set<String> = ["major_brand", "minor_version", "compatible_brands", "encoder"]
  /// Texts about pictures that stay true when those are coded anew.
  private static let ofPictures: Set<String> = ["title", "timecode", "creation_time", "comment", "reel_name"]
  /// Fields of boxes, which FFmpeg makes texts of.
  private static let ofBoxes: Set<String> = ["handler_name", "vendor_id"]
  /// Texts without which there is no attachment.
  private static let ofAttachments: Set<String> = ["filename", "mimetype", "language"]
}

extension ClipPlan {
  /// A stream of the source that goes into the output.
  struct Carried: Sendable, Hashable {
    var number: Int
    var kind: String
    var carriage: VideoContainer.Carriage

    var record: JSON {
      var action = "copied"
      if case .converted(let encoder) = carriage { action = "converted to " + encoder }
      return ["number": .int(number), "kind": .string(kind), "action": .string(action)]
    }
  }
}

extension AtomicWriter {
  /// Begins another part file for the output of one.
  func another(_ part: Staged) throws(HDRError) -> Staged {
    do throws(FileFault) {
      return try begin(part.target, in: part.folder)
    } catch {
      throw HDRError(writing: error)
    }
  }
}
