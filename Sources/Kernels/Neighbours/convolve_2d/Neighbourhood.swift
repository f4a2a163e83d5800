import HDRCore

/// Code that stages share which read pixels around each pixel.
@usableFromInline enum Neighbourhood {
  @inlinable @inline(always) static func inside(_ i: Int, _ size: Int) -> Int {
    i > 0 ? (i < size ? i : size &- 1) : 0
  }

  /// Returns a row of a plane from `reach` pixels before a strip to `reach` after it. If it passes the border, it is a
  /// copy in `copy`, with the border's pixel repeated.
  @inlinable @inline(always) static func row(
    _ view: ChannelView, _ y: Int, _ s: Strip, reach: Int, width: Int, _ copy: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    let row = (view.base + y &* view.rowBytes).assumingMemoryBound(to: Float.self)
    let start = s.x &- reach, count = s.count &+ 2 &* reach
    if start >= 0 && start &+ count <= width { return row + start }
    for i in 0..<count { copy[i] = row[inside(start &+ i, width)] }
    return UnsafePointer(copy)
  }
}
