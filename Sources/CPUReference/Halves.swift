import HDRPlan
import Kernels

/// Conversion of binary16 from and to binary32. With F16C the machine's own conversions give the same bits as the
/// integer coder, after clamping and clearing -0 (docs/exact-arithmetic.md#halves). Halves to decode are finite.
enum Halves {
  /// Decodes consecutive halves.
  @inline(__always) static func decode(
    _ from: UnsafeRawPointer, _ to: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    #if LANES16
      let halves = from.assumingMemoryBound(to: Float16.self)
      for i in 0..<count { to[i] = Float(halves[i]) }
    #else
      let halves = from.assumingMemoryBound(to: UInt16.self)
      for i in 0..<count { to[i] = E32.float(half: UInt32(halves[i])) }
    #endif
  }

  @inline(__always) static func encode(
    _ from: UnsafePointer<Float>, _ to: UnsafeMutableRawPointer, _ count: Int
  ) {
    let halves = to.assumingMemoryBound(to: UInt16.self)
    for i in 0..<count {
      #if LANES16
        let low: Float = from[i] < -65504 ? -65504 : from[i]
        let bits = Float16(low > 65504 ? 65504 : low).bitPattern
        halves[i] = bits == 0x8000 ? 0 : bits
      #else
        halves[i] = UInt16(truncatingIfNeeded: E32.half(from[i]))
      #endif
    }
  }

  /// Decodes one pixel, R G B A side by side.
  @inline(__always) static func pixel(_ from: UnsafeRawPointer) -> SIMD4<Float> {
    #if LANES16
      return SIMD4<Float>(from.loadUnaligned(as: SIMD4<Float16>.self))
    #else
      let h = SIMD4<UInt32>(truncatingIfNeeded: from.loadUnaligned(as: SIMD4<UInt16>.self))
      let m = h & 0x7fff
      let normal = (m &<< 13) &+ 0x3800_0000
      let tiny = unsafeBitCast(
        SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: m)) * 0x1p-24, to: SIMD4<UInt32>.self)
      let bits = normal.replacing(with: tiny, where: m .< 0x400)
      return unsafeBitCast(bits | ((h & 0x8000) &<< 16), to: SIMD4<Float>.self)
    #endif
  }

  /// Runs the stage `load_float_planes` on a half-float picture.
  static func load(_ s: Strip, _ c: StageContext) {
    let from = c.source(s.x, s.y), channels = Int(c.words(LoadFloatPlanes.Parameters.self).channels)
    for channel in 0..<channels {
      let v = c.channels[channel], out = s.plane(channel)
      let first = v.base + (from.y &* v.rowBytes &+ from.x &* v.stepBytes)
      let step = c.mapping.columnX &* v.stepBytes &+ c.mapping.columnY &* v.rowBytes
      decode(first, step: step, out, s.count, gather: s.scratch(channel))
      for i in s.count..<s.padded { out[i] = 0 }
    }
    if channels != 4 { for i in 0..<s.padded { s.alpha[i] = 1 } }
  }

  /// Decodes halves that lie `step` bytes apart.
  @inline(__always) static func decode(
    _ first: UnsafeRawPointer, step: Int, _ to: UnsafeMutablePointer<Float>, _ count: Int,
    gather: UnsafeMutablePointer<Float>
  ) {
    if step == 2 { return decode(first, to, count) }
    let halves = UnsafeMutableRawPointer(gather).assumingMemoryBound(to: UInt16.self)
    for i in 0..<count { halves[i] = (first + i &* step).loadUnaligned(as: UInt16.self) }
    decode(halves, to, count)
  }

  /// Runs the sink `store_rgba16f`: first each plane by itself, then the four side by side.
  static func store(_ s: Strip, _ plane: PlaneView) {
    #if LANES16
      for channel in 0..<4 { encode(s.plane(channel), s.scratch(channel), s.count) }
      @inline(__always) func halves(_ channel: Int) -> UnsafePointer<UInt16> {
        UnsafePointer(UnsafeMutableRawPointer(s.scratch(channel)).assumingMemoryBound(to: UInt16.self))
      }
      let r = halves(0), g = halves(1), b = halves(2), a = halves(3)
      let words = (plane.base + s.y &* plane.rowBytes + s.x &* 8).assumingMemoryBound(to: UInt32.self)
      for i in 0..<s.count {
        words[2 &* i] = UInt32(r[i]) | (UInt32(g[i]) &<< 16)
        words[2 &* i &+ 1] = UInt32(b[i]) | (UInt32(a[i]) &<< 16)
      }
    #else
      StoreRGBA16F.run(s, plane)
    #endif
  }

  /// Runs the sink `store_rgba16f` into planes.
  static func store(_ s: Strip, _ planes: UnsafePointer<PlaneView>, channels: Int) {
    for channel in 0..<channels {
      let row = planes[channel].base + s.y &* planes[channel].rowBytes + s.x &* 2
      encode(s.plane(channel), row, s.count)
    }
  }
}
