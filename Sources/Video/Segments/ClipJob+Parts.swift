import HDRCore
import HDRRender

extension ClipJob {
  /// Returns the segments of a clip. It is one segment where no others are asked for, or where a decoder that begins at its key
  /// frames gives other frames than its packets promise.
  func parts(of clip: InputFile, _ plan: ClipPlan) -> [FramePart] {
    guard let segments = options.segments else { return [.all] }
    return parts(of: clip, plan, least: segments.least)
  }

  /// Returns the parts of a clip that decoders can begin with.
  func parts(of clip: InputFile, _ plan: ClipPlan, least: SegmentLength) -> [FramePart] {
    guard !options.takesDamaged else { return [.all] }
    let parts = SegmentPlan(plan.facts, least: least).parts
    guard let last = parts.last, parts.count > 1 else { return [.all] }
    return begins(parts[1], clip, plan) && begins(last, clip, plan) ? parts : [.all]
  }

  /// The frames that are decoded to see if a key frame is one: those of open GOPs fail within as many.
  private static let tried = 12

  /// Returns true if a decoder can begin with a segment.
  private func begins(_ part: FramePart, _ clip: InputFile, _ plan: ClipPlan) -> Bool {
    do throws(HDRError) {
      let source = try PartSource(ffmpeg, clip, plan, part)
      for _ in 0..<Self.tried { if try source.next() == nil { break } }
      return true
    } catch {
      return false
    }
  }
}
