import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// Finds out what a clip is: its container is read here. Of two children of ffmpeg one decodes the first frame and copies
/// the first packet, which is read here too, and the other copies no more than the times of packets.
struct ClipProbe {
  let ffmpeg: FFmpeg
  let clip: InputFile
  /// True for the times as the file has them; else they count from its start, which another stream may have.
  var keepsStart = false
  /// The stream of pictures that is shown.
  var video = 0

  /// The bytes that ffmpeg may say about a clip.
  private static let textBytes = 1 << 20
  /// The most packets of a clip: 77 hours of 60 frames a second.
  static let maxFrames = 1 << 24

  /// - Throws: `HDRError` for a file without a frame that can be decoded.
  func facts() throws(HDRError) -> ClipFacts {
    var facts = try described()
    try addTimes(&facts)
    return facts
  }

  /// Adds the times of packets, where those count frames.
  func addTimes(_ facts: inout ClipFacts) throws(HDRError) {
    if !facts.isCountUnsure { (facts.timeBase, facts.times, facts.keyFrames) = try index() }
  }

  /// Returns what is known by the first frame, without times.
  func described() throws(HDRError) -> ClipFacts {
    var (outcome, packet) = try firstFrame(copies: true), decoder: [String] = []
    if outcome.text.contains("No codec tag") { (outcome, packet) = try firstFrame(copies: false) }
    var text = ProbeText(outcome.text)
    if !text.hasFrame, outcome.text.contains("(dav1 /") {
      // AV1 of Dolby Vision without a base layer.
      decoder = ["-c:v", "libdav1d"]
      (outcome, packet) = try firstFrame(copies: true, decoder)
      text = ProbeText(outcome.text)
    }
    guard text.hasFrame else { throw failure(outcome) }
    var facts = text.facts
    (facts.decoder, facts.video) = (decoder, video)
    try facts.readContainer(clip)
    facts.read(packet, text.frameLight)
    if let packet { facts.readMetadata(packet.stream, firstPacket: packet.bytes[...], clip) }
    return facts
  }

  /// Decodes the first frame.
  ///
  /// - Parameter copies: true to copy the first packet, too, which fails for codecs that NUT has no name for.
  private func firstFrame(
    copies: Bool, _ decoder: [String] = []
  ) throws(HDRError) -> (LockedProgram.Outcome, FirstPacket?) {
    let copy = FFmpeg.pictures(video) + ["-frames:v", "1", "-c", "copy", "-f", "nut", "-"]
    let program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("verbose") + ffmpeg.keepsShape + decoder + FFmpeg.input
        + FFmpeg.pictures(video) + ["-frames:v", "1", "-vf", "showinfo=checksum=0", "-f", "null", "-"]
        + (copies ? copy : []),
      input: clip.descriptor, givesResults: true, keptBytes: Self.textBytes, ffmpeg.isolation)
    guard let results = program.results else { preconditionFailure("it was asked for") }
    let packet = FirstPacket(results)
    return (program.end(within: Pipe.patience), packet)
  }

  /// Returns the clock of the shown stream, its times, in their order, and which of them are key frames'.
  private func index() throws(HDRError) -> (TimeBase, [Int], [Int]) {
    let program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + (keepsStart ? ["-copyts"] : []) + ["-noautorotate"] + FFmpeg.input
        + FFmpeg.pictures(video) + ["-c", "copy", "-f", "framecrc", "-"],
      input: clip.descriptor, givesResults: true, ffmpeg.isolation)
    guard let results = program.results else { preconditionFailure("it was asked for") }
    var lines = PacketLines(), part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var count = 0, fault: Pipe.Fault?
      part.withUnsafeMutableBytes { memory in
        do throws(Pipe.Fault) { count = try results.read(into: memory) } catch { fault = error }
      }
      if let fault { throw HDRError(fault, of: "ffmpeg, which lists packets") ?? failure(program.end(within: 0)) }
      if count == 0 { break }
      lines.add(part[..<count])
      guard lines.times.count <= Self.maxFrames else {
        throw HDRError(clip: "limit", "the clip has more than \(Self.maxFrames) frames; cut it")
      }
    }
    let outcome = program.end(within: 10)
    guard outcome.isSuccess, let base = lines.timeBase else { throw failure(outcome) }
    guard !lines.hasWildTimes else {
      throw HDRError(clip: "times", "a packet has no time, or a time or a length beyond all bounds")
    }
    let times = lines.times.sorted()
    if let twice = zip(times.dropFirst(), times).first(where: { $0 == $1 }) {
      throw HDRError(clip: "times", "two frames are shown at the same time, \(twice.0) of \(base)")
    }
    return (base, times, times.indices.filter { lines.keys.contains(times[$0]) })
  }

  /// Returns the error of a file that gives no frame.
  private func failure(_ outcome: LockedProgram.Outcome) -> HDRError {
    guard ProgramFailure.didStart(outcome) else { return ProgramFailure.error(outcome) }
    let text = outcome.text, reason = printable(outcome.reason)
    if text.contains("(encv /") || text.contains("(enca /") {
      return HDRError(clip: "encrypted", "the clip is encrypted; decrypt it first")
    }
    if text.contains("matches no streams"), text.contains(" Stream #0:") {
      let videos = ProbeText(text).facts.others.filter { $0.kind == "video" && !$0.isCover }
      guard !videos.isEmpty else { return HDRError(clip: "none", "the file has no video stream") }
      let list = videos.enumerated().map { "\($0.offset + 1) (\($0.element.codec))" }
      return HDRError(
        clip: "none",
        "the file has no video stream \(video + 1); \(setting: "video") takes \(printable(list.joined(separator: ", ")))"
      )
    }
    if text.contains("Decoder (codec") || text.contains("Decoding requested, but no decoder found") {
      return HDRError(
        clip: "codec", "this ffmpeg has no decoder for the clip: \(reason); \(setting: "ffmpeg") names another")
    }
    if FFmpegSource.isCut(text) || text.contains("corrupt input packet") {
      return HDRError(clip: "truncated", "no frame can be decoded: \(reason); take another copy")
    }
    return HDRError(
      code: "decode.malformed", message: "ffmpeg reads no frame: \(reason); the file is damaged or no clip",
      kind: .source)
  }
}

/// The lines that FFmpeg's `framecrc` writes: "#tb 0: 1/12288", then for each packet stream, decoding time, time,
/// duration, bytes and a checksum, with commas between; and the flags as "F=0x0", unless the packet is a key frame's and no
/// more.
struct PacketLines {
  private(set) var timeBase: TimeBase?
  private(set) var times: [Int] = []
  /// The times of packets that a decoder can begin with.
  private(set) var keys: Set<Int> = []
  /// True if a packet has no time, or one that no clip reaches, or lasts longer than a day.
  private(set) var hasWildTimes = false
  private var begun: [UInt8] = []

  /// The longest line that means anything.
  private static let maxLine = 4096

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        read(String(decoding: begun, as: UTF8.self))
        begun = []
      } else if begun.count < Self.maxLine {
        begun.append(byte)
      }
    }
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("#tb 0: ") {
      let sides = line.dropFirst("#tb 0: ".count).split(separator: "/").compactMap { Int($0) }
      if sides.count == 2, sides.allSatisfy({ (1...Int(Int32.max)).contains($0) }) {
        timeBase = TimeBase(sides[0], sides[1])
      }
    } else if !line.hasPrefix("#") {
      let fields = line.split(separator: ",", maxSplits: 6).map { $0.drop { $0 == " " } }
      guard fields.count >= 4 else { return }
      guard let time = Int(fields[2]), time.magnitude < 1 << 52,
        timeBase.map({ $0.seconds(Int(fields[3]) ?? 0) <= 86_400 }) ?? true
      else {
        hasWildTimes = true
        return
      }
      // AV_PKT_FLAG_KEY is 1. AV_PKT_FLAG_DISCARD, 4, is decoded and not shown, as what an edit list cuts off.
      let flags = fields.count < 7 ? 1 : Int(fields[6].dropFirst("F=0x".count), radix: 16) ?? 1
      guard flags & 4 == 0 else { return }
      times.append(time)
      if flags & 1 != 0 { keys.insert(time) }
    }
  }
}
