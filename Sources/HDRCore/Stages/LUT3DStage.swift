/// Stage `lut3d`: a cube of `size`³ nodes, tetrahedral interpolation, and outside the cube the gradient of the boundary
/// cell along each violated axis (specs/filters-and-luts.md §2.2, §2.4).
public enum LUT3DStage {
  /// `offset`: table of size³ nodes of four words (R G B 0), red fastest. `scale`, `bias`: from a value to node units.
  /// `limit`: how far outside, in node units, extrapolation follows the value; 0 clamps to the domain.
  public static func words(offset: UInt32, size: Int, scale: [Double], bias: [Double], limit: Double) -> [UInt32] {
    [offset, size.word] + scale.map(\.word) + bias.map(\.word) + [limit.word]
  }

  /// Largest integer not above `q`, at most `lastCell`; 0 <= q < 2^22.
  @inlinable @inline(always) public static func cell(_ q: Float, _ lastCell: Float) -> Float {
    let nearest = (q + 12_582_912) - 12_582_912
    let floor = nearest > q ? nearest - 1 : nearest
    return floor < lastCell ? floor : lastCell
  }

  /// Tetrahedral value at a point inside the cube, in node units.
  @inlinable @inline(always) static func value(
    _ t: UnsafePointer<Float>, _ size: Int, _ x: Float, _ y: Float, _ z: Float
  ) -> SIMD4<Float> {
    let lastCell = Float(size - 2)
    let cx = cell(x, lastCell), cy = cell(y, lastCell), cz = cell(z, lastCell)
    let fx = x - cx, fy = y - cy, fz = z - cz
    let dy = size, dz = size &* size, all = 1 &+ dy &+ dz
    let hiXY = fx >= fy ? fx : fy, loXY = fx >= fy ? fy : fx
    let stepHiXY = fx >= fy ? 1 : dy, stepLoXY = fx >= fy ? dy : 1
    let hi = hiXY >= fz ? hiXY : fz, lo = loXY >= fz ? fz : loXY
    let mid = loXY >= fz ? loXY : (hiXY >= fz ? fz : hiXY)
    let first = hiXY >= fz ? stepHiXY : dz, lowest = loXY >= fz ? dz : stepLoXY
    let index = node(cx) &+ node(cy) &* dy &+ node(cz) &* dz
    func vertex(_ i: Int) -> SIMD4<Float> {
      UnsafeRawPointer(t + 4 &* i).loadUnaligned(as: SIMD4<Float>.self)
    }
    let near = vertex(index) * (1 - hi) + vertex(index &+ first) * (hi - mid)
    return (near + vertex(index &+ all &- lowest) * (mid - lo)) + vertex(index &+ all) * lo
  }

  /// An integral float below 2^22 as an index.
  @inlinable @inline(always) static func node(_ x: Float) -> Int {
    Int(truncatingIfNeeded: (x + 8_388_608).bitPattern & 0x7f_ffff)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let t = c.table(0), size = c.int(1), last = Float(size - 1), lastCell = Float(size - 2), limit = c.float(8)
    let n = s.padded, p = s.base
    let sx = c.float(2), sy = c.float(3), sz = c.float(4), bx = c.float(5), by = c.float(6), bz = c.float(7)
    // Node, steps to the second and third vertex, and three weights, in lanes.
    let scratch = s.scratch(0)
    let dy = Int32(size), dz = Int32(size &* size), all = 1 &+ dy &+ dz
    var outside: UInt32 = 0
    let index = UnsafeMutableRawPointer(s.scratch(0)).assumingMemoryBound(to: Int32.self)
    for i in 0..<n {
      let ux = p[i] * sx + bx, uy = p[i &+ Strip.stride] * sy + by, uz = p[i &+ 2 &* Strip.stride] * sz + bz
      let lx: Float = ux > 0 ? ux : 0, ly: Float = uy > 0 ? uy : 0, lz: Float = uz > 0 ? uz : 0
      let x = lx < last ? lx : last, y = ly < last ? ly : last, z = lz < last ? lz : last
      outside |= (x.bitPattern ^ ux.bitPattern) | (y.bitPattern ^ uy.bitPattern) | (z.bitPattern ^ uz.bitPattern)
      let cx = cell(x, lastCell), cy = cell(y, lastCell), cz = cell(z, lastCell)
      let fx = x - cx, fy = y - cy, fz = z - cz
      let hiXY = fx >= fy ? fx : fy, loXY = fx >= fy ? fy : fx
      let hi = hiXY >= fz ? hiXY : fz, lo = loXY >= fz ? fz : loXY
      let midTop = hiXY >= fz ? fz : hiXY
      let mid = loXY >= fz ? loXY : midTop
      // The same choices in integers: step of the largest and of the smallest fraction.
      let stepHiXY: Int32 = fx >= fy ? 1 : dy, stepLoXY: Int32 = fx >= fy ? dy : 1
      let first = hiXY >= fz ? stepHiXY : dz
      let lowest = loXY >= fz ? dz : stepLoXY
      let ix = Int32(bitPattern: (cx + 8_388_608).bitPattern & 0x7f_ffff)
      let iy = Int32(bitPattern: (cy + 8_388_608).bitPattern & 0x7f_ffff)
      let iz = Int32(bitPattern: (cz + 8_388_608).bitPattern & 0x7f_ffff)
      index[i] = (ix &+ iy &* dy) &+ iz &* dz
      index[i &+ Strip.stride] = first
      index[i &+ 2 &* Strip.stride] = all &- lowest
      scratch[i &+ 3 &* Strip.stride] = 1 - hi
      scratch[i &+ 4 &* Strip.stride] = hi - mid
      scratch[i &+ 5 &* Strip.stride] = mid - lo
      scratch[i &+ 6 &* Strip.stride] = lo
    }
    let follows = (outside & 0x7fff_ffff) != 0 && limit > 0
    let nodes = UnsafeRawPointer(t), opposite = Int(all) &* 16
    func pixel(_ i: Int) -> SIMD4<Float> {
      let at = nodes + Int(index[i]) &* 16
      let v0 = at.loadUnaligned(as: SIMD4<Float>.self)
      let v1 = (at + Int(index[i &+ Strip.stride]) &* 16).loadUnaligned(as: SIMD4<Float>.self)
      let v2 = (at + Int(index[i &+ 2 &* Strip.stride]) &* 16).loadUnaligned(as: SIMD4<Float>.self)
      let v3 = (at + opposite).loadUnaligned(as: SIMD4<Float>.self)
      let w0 = SIMD4<Float>(repeating: scratch[i &+ 3 &* Strip.stride])
      let w1 = SIMD4<Float>(repeating: scratch[i &+ 4 &* Strip.stride])
      let w2 = SIMD4<Float>(repeating: scratch[i &+ 5 &* Strip.stride])
      let w3 = SIMD4<Float>(repeating: scratch[i &+ 6 &* Strip.stride])
      return ((v0 * w0 + v1 * w1) + v2 * w2) + v3 * w3
    }
    if follows { keepDistance(s, c) }
    for i in stride(from: 0, to: n, by: 4) {
      let a = pixel(i), b = pixel(i &+ 1), e = pixel(i &+ 2), f = pixel(i &+ 3)
      UnsafeMutableRawPointer(p + i).storeBytes(of: SIMD4(a.x, b.x, e.x, f.x), as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(p + (i &+ Strip.stride)).storeBytes(
        of: SIMD4(a.y, b.y, e.y, f.y), as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(p + (i &+ 2 &* Strip.stride)).storeBytes(
        of: SIMD4(a.z, b.z, e.z, f.z), as: SIMD4<Float>.self)
    }
    if follows { extrapolate(s, c) }
  }

  /// For pixels of a strip with values outside the cube: saves the nearest point inside and the distance from it.
  @inlinable @inline(always) static func keepDistance(_ s: Strip, _ c: StageContext) {
    let last = Float(c.int(1) - 1), limit = c.float(8)
    for channel in 0..<3 {
      let scale = c.float(2 + channel), bias = c.float(5 + channel), p = s.plane(channel)
      let inside = s.scratch(7 + channel), distance = s.scratch(10 + channel)
      for i in 0..<s.padded {
        let u = p[i] * scale + bias
        let low: Float = u > 0 ? u : 0
        let q = low < last ? low : last
        let d = u - q
        let atLeast: Float = d > -limit ? d : -limit
        inside[i] = q
        distance[i] = atLeast < limit ? atLeast : limit
      }
    }
    // One word a pixel that says whether it is outside on any axis.
    let any = UnsafeMutableRawPointer(s.scratch(13)).assumingMemoryBound(to: UInt32.self)
    let x = s.scratch(10), y = s.scratch(11), z = s.scratch(12)
    for i in 0..<s.padded { any[i] = (x[i].bitPattern | y[i].bitPattern | z[i].bitPattern) & 0x7fff_ffff }
  }

  /// Adds, for each axis on which a pixel lies outside, its distance times the inward one-node difference.
  @inlinable @inline(always) static func extrapolate(_ s: Strip, _ c: StageContext) {
    let t = c.table(0), size = c.int(1)
    let any = UnsafeRawPointer(s.scratch(13)).assumingMemoryBound(to: UInt32.self)
    for i in 0..<s.count where any[i] != 0 {
      let q = SIMD3<Float>(s.scratch(7)[i], s.scratch(8)[i], s.scratch(9)[i])
      let d = SIMD3<Float>(s.scratch(10)[i], s.scratch(11)[i], s.scratch(12)[i])
      let here = SIMD4<Float>(s.red[i], s.green[i], s.blue[i], 0)
      var sum = here
      for axis in 0..<3 where d[axis] != 0 {
        var inward = q
        inward[axis] = d[axis] > 0 ? q[axis] - 1 : q[axis] + 1
        let size1: Float = d[axis] > 0 ? d[axis] : -d[axis]
        sum += (here - value(t, size, inward.x, inward.y, inward.z)) * size1
      }
      s.red[i] = sum.x
      s.green[i] = sum.y
      s.blue[i] = sum.z
    }
  }
}
