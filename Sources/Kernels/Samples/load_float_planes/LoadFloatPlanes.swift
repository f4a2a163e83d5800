import HDRCore

/// Stage `load_float_planes`: the binary32 planes of an earlier pass as R, G, B (one plane: the same value three
/// times); A is the fourth plane, or 1.
public enum LoadFloatPlanes: KernelStage {
  public struct Parameters: StageParameters {
    public let channels: UInt32
  }

  package static func words(channels: Int) -> [UInt32] { Parameters(channels: channels.word).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let from = c.source(s.x, s.y), n = s.padded, channels = c.words(Parameters.self).channels
    for index in 0..<(channels == 4 ? 4 : 3) {
      let v = c.channels[channels == 1 ? 0 : index], out = s.plane(index)
      let first = v.base + (from.y &* v.rowBytes &+ from.x &* v.stepBytes)
      let step = c.mapping.columnX &* v.stepBytes &+ c.mapping.columnY &* v.rowBytes
      if step == 4 {
        out.update(from: first.assumingMemoryBound(to: Float.self), count: s.count)
      } else {
        for i in 0..<s.count { out[i] = (first + i &* step).loadUnaligned(as: Float.self) }
      }
      for i in s.count..<n { out[i] = 0 }
    }
    if channels != 4 { for i in 0..<n { s.alpha[i] = 1 } }
  }
}
