import HDRCore
import PlainData
@testable import Video
@testable import VideoStreams

/// Texts about clips: what ffmpeg says of one, and measured light that a pass leaves for the next.
extension Target {
  static let probe = Target("probe", maxLength: 4096) { bytes in
    let probe = ProbeText(String(decoding: bytes, as: UTF8.self)), facts = probe.facts
    demand(facts.sampleAspect?.isPossible ?? true, "a sample without a side")
    demand(facts.rotation.isFinite && facts.start.isFinite, "a turn or a start that is no number")
    let light = probe.frameLight, display = light.mdcv
    demand(
      [display?.maxLuminance, display?.minLuminance, light.clli?.maxCLL, light.clli?.maxFALL]
        .allSatisfy { $0?.isFinite ?? true }, "light that is no number")
    _ = facts.dolby
    var whole = PacketLines(), pieces = PacketLines()
    whole.add(bytes[...])
    for start in stride(from: 0, to: bytes.count, by: 3) { pieces.add(bytes[start..<min(start + 3, bytes.count)]) }
    demand(whole.times == pieces.times && whole.timeBase == pieces.timeBase, "pieces that change what is read")
    demand(whole.keys.isSubset(of: whole.times), "a key frame that is not among the frames")
    demand(whole.times.allSatisfy { $0.magnitude < 1 << 52 }, "a time beyond all bounds")
    if let base = whole.timeBase, !whole.hasWildTimes {
      let rising = Array(Set(whole.times)).sorted()
      demand(FrameRate(rising, base)?.perSecond ?? 1 > 0, "a rate of nothing")
    }
  }

  static let clipLight = Target("clip-light", maxLength: 1 << 13) { bytes in
    guard let json = try? JSON(parsing: bytes), let light = try? ClipLight(json) else { return }
    demand((try? ClipLight(light.json)) == light, "other light than was written")
    var twice = light
    demand((try? twice.append(light)) != nil && twice.frames.count == 2 * light.frames.count, "no clip of two segments")
    let ignored = light.darkBorders
    demand((0...light.pixels).contains(ignored), "borders of more pixels than a frame has")
    if let peak = light.peak(ignoring: ignored) {
      demand((0...10_000).contains(peak.light) && light.frames.indices.contains(peak.frame), "a peak of no frame")
    }
    for usesPercentile in [false, true] {
      let level = light.level(ignoring: ignored, usesPercentile: usesPercentile)
      demand(level.map { $0.maxFALL <= $0.maxCLL } ?? true, "a mean above the largest")
    }
  }
}
