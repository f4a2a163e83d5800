import HDRCore

/// Sink `store_float_planes`: 1, 3 or 4 planes of binary32.
public enum StoreFloatPlanes {
  public typealias Parameters = LoadFloatPlanes.Parameters

  package static func words(channels: Int) -> [UInt32] { Parameters(channels: channels.word).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext, _ planes: UnsafePointer<PlaneView>) {
    for channel in 0..<Int(c.words(Parameters.self).channels) {
      let out = planes[channel]
      let row = (out.base + s.y &* out.rowBytes + s.x &* 4).assumingMemoryBound(to: Float.self)
      row.update(from: s.plane(channel), count: s.count)
    }
  }
}
