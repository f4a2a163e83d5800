import CodecService
import HDRCore
import HDRRender
import VideoStreams

extension ClipJob {
  /// Returns the light of a clip whose segments are shared out: each shard measures its own, and all of them are the clip's.
  ///
  /// - Returns: `nil` if a shard has measured, and nothing else is to be done.
  /// - Throws: `HDRError`, `video.measure` if segments have not been measured yet.
  func sharedLight(
    of clip: InputFile, _ plan: ClipPlan, _ parts: [FramePart], _ item: Item, _ digest: Digest?
  ) throws(HDRError) -> ClipLight? {
    let settings = plan.lightSettings
    guard let options = options.segments, !self.options.takesDamaged, let digest else {
      return try light(of: clip, plan, item, digest)
    }
    let files = parts.count > 1 ? parts.indices.map { LightFile(item, part: $0) } : [LightFile(item)]
    if self.options.light.measuresOnly, case .shard = options.stage {
      for index in parts.indices where options.makes(index, of: item.number) {
        guard files[index].read(digest, settings) == nil else { continue }
        try files[index].write(try light(of: clip, plan, parts[index]), digest, settings, tools.writer)
      }
      return nil
    }
    if let light = LightFile(item).read(digest, settings) { return light }
    var whole = ClipLight(), missing = 0
    for file in files {
      guard let part = file.read(digest, settings) else {
        missing += 1
        continue
      }
      do throws(DecodeError) {
        try whole.append(part)
      } catch {
        throw HDRError(error)
      }
    }
    if missing == 0 { return whole }
    guard options.stage != .all, parts.count > 1 else { return try light(of: clip, plan, item, digest) }
    throw HDRError(
      clip: "measure",
      "the light of \(missing) of \(files.count) segments is not measured; run \(setting: "measure-only") first",
      kind: .cancelled)
  }
}
