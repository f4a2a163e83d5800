import CodecService
import HDRCore
import HDRRender
import VideoStreams

extension ClipJob {
  /// Returns the light of a clip: that of the file that an earlier pass left, else of a pass over all frames, which leaves one.
  func light(of clip: InputFile, _ plan: ClipPlan, _ item: Item, _ digest: Digest?) throws(HDRError) -> ClipLight {
    let kept = LightFile(item)
    if let digest, let light = kept.read(digest, plan.lightSettings) { return light }
    let light = try light(of: clip, plan, .all)
    if let digest, !options.takesDamaged { try kept.write(light, digest, plan.lightSettings, tools.writer) }
    return light
  }

  /// Measures the frames of a part of a clip. Parts that follow each other are appended (`ClipLight.append`).
  func light(of clip: InputFile, _ plan: ClipPlan, _ part: FramePart) throws(HDRError) -> ClipLight {
    let progress = progress, frames = part.frames?.count ?? plan.facts.times.count
    let measuring = ClipMeasuring(try plan.frameLight(options), tools, threads: threads, hooks: hooks) {
      progress(.measure, $0, frames)
    }
    let source = try PartSource(ffmpeg, clip, plan, part, takesDamaged: options.takesDamaged)
    return try measuring.measure(source, first: part.first)
  }
}
