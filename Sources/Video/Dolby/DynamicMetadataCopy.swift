import FileParts
import HDRCore
import HDRRender
import VideoStreams

/// Puts metadata into the frames of an encoder's file, one by one in the order in which they are shown, and measured light
/// into its key frames.
struct DynamicMetadataCopy {
  private let ffmpeg: FFmpeg
  private var plan: ClipPlan
  /// The metadata of the source's frames that are kept, in the order in which they are shown; `nil`: none are.
  private let source: [FrameMetadata]?
  /// The metadata that the frames of the output got.
  private var written: [FrameMetadata] = []

  /// Reads the metadata of a clip that are kept.
  ///
  /// - Returns: `nil` if the output gets none.
  /// - Throws: `HDRError`, `dolby.rpu` for an RPU that is damaged or missing where RPUs are kept.
  init?(_ ffmpeg: FFmpeg, _ clip: InputFile, _ plan: ClipPlan, _ codec: VideoCodec) throws(HDRError) {
    guard plan.metadata.writes || plan.statesMeasuredLight && codec.metadataStream != nil else { return nil }
    (self.ffmpeg, self.plan) = (ffmpeg, plan)
    guard plan.metadata.isCopied else {
      source = nil
      return
    }
    var found = try DynamicMetadataReader(ffmpeg: ffmpeg, clip: clip).all(plan.facts)
    if plan.metadata.configuration != nil { try found.settleRPUs() }
    source = found.shown.map(plan.metadata.kept)
  }

  /// Writes an encoder's file once more, with metadata, and removes the first one.
  ///
  /// - Parameters:
  ///   - part: the encoded pictures, in `VideoCodec.work`.
  ///   - plan: with the light of what was encoded.
  ///   - times: those of the frames in the order in which they are shown, in units of `base`.
  /// - Returns: the same pictures under another temporary name.
  mutating func run(
    _ part: AtomicWriter.Staged, _ plan: ClipPlan, _ codec: VideoCodec, times: [Int], base: TimeBase,
    _ writer: AtomicWriter
  ) throws(HDRError) -> AtomicWriter.Staged {
    self.plan = plan
    // Black has no light level.
    guard plan.metadata.writes || plan.lightOut != nil else { return part }
    let added = plan.metadata.hagc == .authored ? [plan.authoredCurves] : []
    written = (source ?? [FrameMetadata](repeating: FrameMetadata(), count: times.count)).map {
      FrameMetadata(rpu: $0.rpu, messages: $0.messages + added)
    }
    guard written.count == times.count else {
      throw HDRError(
        clip: "frames", "the metadata of \(written.count) frames were read, and \(times.count) frames were encoded")
    }
    let whole = try writer.another(part)
    do throws(HDRError) {
      try copy(part.file, into: whole.file, codec, times, base)
    } catch {
      writer.discard(whole)
      throw error
    }
    writer.discard(part)
    return whole
  }

  private func copy(
    _ encoded: OpenFile, into file: OpenFile, _ codec: VideoCodec, _ times: [Int], _ base: TimeBase
  ) throws(HDRError) {
    func fault(_ what: Message) -> HDRError { HDRError(clip: "encode", what, kind: .encoder) }
    let places = try places(of: encoded)
    guard places.count == times.count else {
      throw fault("the encoder wrote \(places.count) packets for \(times.count) frames")
    }
    let packets = try PacketSource(ffmpeg, encoded.descriptor)
    guard let coding = packets.coding else { throw fault("the encoder's packets have no place for metadata") }
    var stream = packets.stream
    stream.timeBase = base
    // As many packets as come before one that is shown earlier.
    stream.decodeDelay = places.enumerated().reduce(stream.decodeDelay) { max($0, $1.offset - $1.element) }
    let tag = codec.metadataStream == .hevc ? ["-tag:v", "hvc1"] : []
    let sink = try PacketSink(
      ffmpeg, into: file, stream, rate: plan.facts.lastRate, words: tag + codec.work.words(base))
    for (number, place) in places.enumerated() {
      guard let packet = try packets.next() else { throw fault("packet \(number) is missing") }
      var bytes = try packets.bytes()
      do throws(DecodeError) {
        if !written[place].isEmpty { bytes = try written[place].inserted(into: bytes[...], coding) }
        if packet.isKey, plan.statesMeasuredLight, plan.lightOut != nil {
          bytes = try plan.light.metadata.inserted(into: bytes[...], coding)
        }
      } catch {
        throw fault("packet \(number) takes no metadata: \(error.message)")
      }
      try sink.write(bytes, pts: times[place], isKey: packet.isKey)
    }
    try sink.finish()
  }

  /// Returns the place of each packet among the frames as they are shown.
  private func places(of encoded: OpenFile) throws(HDRError) -> [Int] {
    let packets = try PacketSource(ffmpeg, encoded.descriptor)
    var times: [Int] = []
    while let packet = try packets.next() { times.append(packet.pts) }
    var places = [Int](repeating: 0, count: times.count)
    for (place, index) in times.indices.sorted(by: { times[$0] < times[$1] }).enumerated() { places[index] = place }
    return places
  }

  /// Puts into the finished output what ffmpeg did not copy: the box of Dolby Vision into QuickTime, and the sample entry of
  /// a stream without a base layer.
  func describe(_ output: OpenFile, in container: String) throws(HDRError) {
    guard let configuration = plan.metadata.configuration else { return }
    do throws(DecodeError) {
      if container == "mov" {
        try MovieBoxes.change(try FileAccess(output.descriptor), adding: plan.metadata.boxes)
          .write(to: output.descriptor)
      }
      if configuration.profile == 5, container == "mov" || container == "mp4" {
        try MovieBoxes.change(try FileAccess(output.descriptor), entry: "dvh1").write(to: output.descriptor)
      }
    } catch {
      throw HDRError(clip: "encode", "the output cannot be described: \(error.message)", kind: .encoder)
    }
  }

  /// Reads the metadata of the output again.
  ///
  /// - Throws: `HDRError`, `video.verify` if a frame has others than it got.
  func check(_ output: OpenFile) throws(HDRError) {
    guard plan.metadata.writes else { return }
    let found = try ClipMetadata(ffmpeg, output.descriptor).shown
    guard found != written else { return }
    let number = zip(found, written).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? found.count
    throw HDRError(
      clip: "verify", "the output is removed: frame \(number) has other metadata than were written", kind: .encoder)
  }
}

extension ClipPlan {
  /// The message with the curves of the stills' operator for light of the clip's peak (docs/light-metadata.md#hagc).
  fileprivate var authoredCurves: T35Message {
    let peak =
      output.transfer == CICP.Transfer.hlg
      ? 1000 : light.level?.maxCLL ?? light.mastering?.maxLuminance ?? peak?.nits ?? 1000
    return T35Message(
      .headroomAdaptive,
      payload: HeadroomAdaptiveMetadata.referenceWhitePayload(for: Headroom(factor: max(1, peak / ReferenceWhite.nits)))
    )
  }
}
