import HDRCore

/// Sink `store_rgba16f`: R G B A binary16, to nearest, ties to even, saturating.
public enum StoreRGBA16F {
  @inlinable @inline(always) public static func run(_ s: Strip, _ out: PlaneView) {
    let p = s.base, row = (out.base + s.y &* out.rowBytes + s.x &* 8).assumingMemoryBound(to: UInt16.self)
    for i in 0..<s.count {
      row[4 &* i] = UInt16(truncatingIfNeeded: E32.half(p[i]))
      row[4 &* i &+ 1] = UInt16(truncatingIfNeeded: E32.half(p[i &+ Strip.stride]))
      row[4 &* i &+ 2] = UInt16(truncatingIfNeeded: E32.half(p[i &+ 2 &* Strip.stride]))
      row[4 &* i &+ 3] = UInt16(truncatingIfNeeded: E32.half(p[i &+ 3 &* Strip.stride]))
    }
  }
}
