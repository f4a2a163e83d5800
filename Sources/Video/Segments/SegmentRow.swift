import CodecService
import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// A row of a journal describes a segment that is done: its file, and the frames that the encoder got.
struct SegmentRow: Sendable {
  /// The name of its file in the folder of segments.
  var file: String
  var byteCount: Int
  var digest: Digest
  /// The most packets that the encoder held back.
  var delay: Int
  var frames: EncodedFrames

  init(file: String, byteCount: Int, digest: Digest, delay: Int, frames: EncodedFrames) {
    (self.file, self.byteCount, self.digest, self.delay, self.frames) = (file, byteCount, digest, delay, frames)
  }

  var json: JSON {
    let times = frames.times, start = times.first ?? 0
    let isCounted = times.enumerated().allSatisfy { $0.element == start + $0.offset }
    return [
      "file": .string(file), "bytes": .int(byteCount), "digest": .string(digest.hex), "delay": .int(delay),
      "clock": .array([.int(frames.base.numerator), .int(frames.base.denominator)]),
      "start": .int(start), "frames": .int(times.count), "times": isCounted ? .null : .array(times.map { .int($0) }),
      "samples": .maybe(frames.digest?.hex), "firstFrame": .maybe(frames.first?.hex),
      "lastFrame": .maybe(frames.last?.hex), "light": frames.light.frames.isEmpty ? .null : frames.light.json,
      "warnings": .array(
        frames.warnings.map { .array([.string($0.code), .string($0.message.text(dashes: false))]) }),
    ]
  }

  /// Reads a row; `nil` for one of another form.
  init?(_ json: JSON) {
    func digest(_ key: String) -> Digest? { json[key]?.string.flatMap { Digest(hex: $0) } }
    guard let file = json["file"]?.string, let bytes = json["bytes"]?.integer, let content = digest("digest"),
      let delay = json["delay"]?.integer, (0...1000).contains(delay), let clock = json["clock"]?.array,
      clock.count == 2, let up = clock[0].integer, let down = clock[1].integer,
      (1...Int(Int32.max)).contains(up), (1...Int(Int32.max)).contains(down),
      let start = json["start"]?.integer, start.magnitude < 1 << 61, let count = json["frames"]?.integer,
      (1...ClipProbe.maxFrames).contains(count), let samples = digest("samples")
    else { return nil }
    let times = json["times"]?.array?.compactMap(\.integer) ?? Array(start..<start + count)
    guard times.count == count, times.allSatisfy({ $0.magnitude < 1 << 61 }),
      zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    var light = ClipLight()
    if let measured = json["light"], measured != .null {
      guard let found = try? ClipLight(measured) else { return nil }
      light = found
    }
    let warnings = (json["warnings"]?.array ?? []).compactMap { pair -> Warning? in
      guard let pair = pair.array, pair.count == 2, let code = pair[0].string, let text = pair[1].string else {
        return nil
      }
      return Warning(code, "\(text)")
    }
    self.init(
      file: file, byteCount: bytes, digest: content, delay: delay,
      frames: EncodedFrames(
        times: times, TimeBase(up, down), samples, first: digest("firstFrame"), last: digest("lastFrame"), light: light,
        warnings: warnings))
  }
}
