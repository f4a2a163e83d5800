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
    let limit = c.float(8), n = s.padded, p = s.base
    let isOutside = locate(s, c)
    let follows = isOutside && limit > 0
    if follows { keepDistance(s, c) }
    let nodes = UnsafeRawPointer(c.table(0)), size = c.int(1)
    let opposite = 16 &* (1 &+ size &+ size &* size)
    let index = UnsafeRawPointer(s.scratch(0)).assumingMemoryBound(to: UInt32.self), weights = s.scratch(3)
    @inline(always) func pixel(_ i: Int) -> SIMD4<Float> {
      let near = nodes + Int(index[i])
      let v0 = near.loadUnaligned(as: SIMD4<Float>.self)
      let v1 = (nodes + Int(index[i &+ Strip.stride])).loadUnaligned(as: SIMD4<Float>.self)
      let v2 = (nodes + Int(index[i &+ 2 &* Strip.stride])).loadUnaligned(as: SIMD4<Float>.self)
      let v3 = (near + opposite).loadUnaligned(as: SIMD4<Float>.self)
      let w0 = SIMD4<Float>(repeating: weights[i])
      let w1 = SIMD4<Float>(repeating: weights[i &+ Strip.stride])
      let w2 = SIMD4<Float>(repeating: weights[i &+ 2 &* Strip.stride])
      let w3 = SIMD4<Float>(repeating: weights[i &+ 3 &* Strip.stride])
      return ((v0 * w0 + v1 * w1) + v2 * w2) + v3 * w3
    }
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

  /// Byte offsets of a pixel's first, second and third vertex (as integers, scratch 0 to 2) and the weights of all four
  /// (scratch 3 to 6).
  ///
  /// In vectors of eight by name: from conditional expressions the compiler makes a tree of predicates, four times as
  /// long. Node numbers are added up as floats, which is exact below 2^23.
  ///
  /// - Returns: whether a value lies outside the cube.
  @inlinable @inline(always) static func locate(_ s: Strip, _ c: StageContext) -> Bool {
    typealias Lanes = SIMD8<Float>
    typealias Words = SIMD8<UInt32>
    typealias Signed = SIMD8<Int32>
    @inline(always) func all(_ x: Float) -> Lanes { Lanes(repeating: x) }
    @inline(always) func cells(_ q: Lanes, _ lastCell: Lanes) -> Lanes {
      let nearest = (q + all(12_582_912)) - all(12_582_912)
      let floor = nearest.replacing(with: nearest - all(1), where: nearest .> q)
      return floor.replacing(with: lastCell, where: floor .> lastCell)
    }
    let size = Float(c.int(1)), lastCell = all(size - 2)
    let dx = all(1), dy = all(size), dz = all(size * size), whole = all(1 + size + size * size)
    let mantissa = Words(repeating: 0x7f_ffff), four = Words(repeating: 4), integral = all(8_388_608)
    let p = s.base, scratch = s.scratch(0)
    var outside = Signed()
    // By the signs of words: comparisons of floats would be taken apart into lanes here.
    let lastBits = Signed(repeating: Int32(bitPattern: (size - 1).bitPattern)), all31 = Signed(repeating: 31)
    @inline(always) func inside(_ channel: Int, _ i: Int) -> Lanes {
      let value = UnsafeRawPointer(p + (channel &* Strip.stride &+ i)).loadUnaligned(as: Lanes.self)
      let u = unsafeBitCast(value * all(c.float(2 &+ channel)) + all(c.float(5 &+ channel)), to: Signed.self)
      let low = u & ~(u &>> all31), isBelowLast = (low &- lastBits) &>> all31
      let q = (low & isBelowLast) | (lastBits & ~isBelowLast)
      outside |= q ^ u
      return unsafeBitCast(q, to: Lanes.self)
    }
    @inline(always) func store(_ value: Lanes, _ plane: Int, _ i: Int) {
      UnsafeMutableRawPointer(scratch + (plane &* Strip.stride &+ i)).storeBytes(of: value, as: Lanes.self)
    }
    @inline(always) func storeOffset(_ node: Lanes, _ plane: Int, _ i: Int) {
      let bytes = (unsafeBitCast(node + integral, to: Words.self) & mantissa) &<< four
      UnsafeMutableRawPointer(scratch + (plane &* Strip.stride &+ i)).storeBytes(of: bytes, as: Words.self)
    }
    var i = 0
    while i < s.padded {
      let x = inside(0, i), y = inside(1, i), z = inside(2, i)
      let cx = cells(x, lastCell), cy = cells(y, lastCell), cz = cells(z, lastCell)
      let fx = x - cx, fy = y - cy, fz = z - cz
      let yFirst = fx .< fy
      let hiXY = fx.replacing(with: fy, where: yFirst), loXY = fy.replacing(with: fx, where: yFirst)
      let zFirst = hiXY .< fz, zBeforeLast = loXY .< fz
      let hi = hiXY.replacing(with: fz, where: zFirst), lo = fz.replacing(with: loXY, where: zBeforeLast)
      let midTop = fz.replacing(with: hiXY, where: zFirst), mid = loXY.replacing(with: midTop, where: zBeforeLast)
      let stepHiXY = dx.replacing(with: dy, where: yFirst), stepLoXY = dy.replacing(with: dx, where: yFirst)
      let first = stepHiXY.replacing(with: dz, where: zFirst)
      let lowest = dz.replacing(with: stepLoXY, where: zBeforeLast)
      let node = (cx + cy * dy) + cz * dz
      storeOffset(node, 0, i)
      storeOffset(node + first, 1, i)
      storeOffset(node + (whole - lowest), 2, i)
      store(all(1) - hi, 3, i)
      store(hi - mid, 4, i)
      store(mid - lo, 5, i)
      store(lo, 6, i)
      i &+= 8
    }
    var any: Int32 = 0
    for lane in outside.indices { any |= outside[lane] }
    return any & 0x7fff_ffff != 0
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
