import HDRCore

/// A place between four pixels of a picture; places outside are moved to its border.
@usableFromInline struct Bilinear {
  @usableFromInline let x: Int
  @usableFromInline let y: Int
  @usableFromInline let right: Int
  @usableFromInline let below: Int
  @usableFromInline let fx: Float
  @usableFromInline let fy: Float

  @inlinable @inline(always) init(_ px: Float, _ py: Float, _ width: Int, _ height: Int) {
    let lastX = Float(Int32(truncatingIfNeeded: width &- 1)), lastY = Float(Int32(truncatingIfNeeded: height &- 1))
    let lowX: Float = px > 0 ? px : 0, lowY: Float = py > 0 ? py : 0
    let qx: Float = lowX < lastX ? lowX : lastX, qy: Float = lowY < lastY ? lowY : lastY
    let cellX = LUT3DStage.cell(qx, lastX), cellY = LUT3DStage.cell(qy, lastY)
    fx = qx - cellX
    fy = qy - cellY
    x = Int((cellX + 8_388_608).pattern & 0x7f_ffff)
    y = Int((cellY + 8_388_608).pattern & 0x7f_ffff)
    right = x &+ 1 < width ? x &+ 1 : x
    below = y &+ 1 < height ? y &+ 1 : y
  }

  @inlinable @inline(always) func value(
    _ views: UnsafePointer<ChannelView>, _ channels: Int, _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) -> SIMD4<Float> {
    let a = Self.sample(views, x, y, channels, pixel), b = Self.sample(views, right, y, channels, pixel)
    let c = Self.sample(views, x, below, channels, pixel), d = Self.sample(views, right, below, channels, pixel)
    return (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy
  }

  /// Interpolates a pixel of halves or of binary32 planes; without a fourth plane the fourth is 0.
  @inlinable @inline(always) static func sample(
    _ views: UnsafePointer<ChannelView>, _ x: Int, _ y: Int, _ channels: Int,
    _ pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) -> SIMD4<Float> {
    if views[0].stepBytes == 8 { return pixel(views[0].base + y &* views[0].rowBytes + 8 &* x) }
    @inline(always) func plane(_ channel: Int) -> Float {
      (views[channel].base + y &* views[channel].rowBytes).assumingMemoryBound(to: Float.self)[x]
    }
    return SIMD4(plane(0), plane(1), plane(2), channels == 4 ? plane(3) : 0)
  }
}
