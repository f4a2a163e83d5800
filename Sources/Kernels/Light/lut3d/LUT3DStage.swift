import HDRCore

/// Stage `lut3d`: a cube of `size`³ nodes, with tetrahedral interpolation. Outside the cube it uses the gradient of the
/// boundary cell along each axis on which the value is outside (docs/filter-formulas.md#luts).
public enum LUT3DStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let nodes: UInt32, size: UInt32, scale: RGBWords<Float>, bias: RGBWords<Float>, limit: Float
  }

  /// `offset`: table of size³ nodes of four words (R G B 0), red fastest. `scale`, `bias`: from a value to node units.
  /// `limit`: the distance outside, in node units, up to which extrapolation follows the value; 0 clamps to the domain.
  package static func words(offset: UInt32, size: Int, scale: [Double], bias: [Double], limit: Double) -> [UInt32] {
    Parameters(
      nodes: offset, size: size.word, scale: RGBWords(scale), bias: RGBWords(bias), limit: Float(limit)
    ).list
  }

  /// Makes a cube with a smooth, curved, slightly crossed look: binary32 R, G, B of each node, red fastest. Values leave
  /// [0, 1] a little.
  package static func sampleNodes(size: Int) -> [UInt32] {
    let last = Float(size - 1)
    return (0..<size * size * size).flatMap { i -> [UInt32] in
      let x = Float(i % size) / last, y = Float(i / size % size) / last, z = Float(i / (size * size)) / last
      let r = x * (1.1 - 0.1 * x) + 0.03 * y * z, g = y * (0.9 + 0.12 * y) - 0.01
      let b = z * (1.05 - 0.08 * z) + 0.04 * x * y
      return [r.bitPattern, g.bitPattern, b.bitPattern]
    }
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [17, 2].map { size in
      let values = sampleNodes(size: size), last = Double(size - 1)
      let nodes = stride(from: 0, to: values.count, by: 3).flatMap { values[$0..<$0 + 3] + [0] }
      return words(
        offset: table(nodes), size: size, scale: [last, last, last], bias: [0, 0, 0], limit: size == 2 ? 0 : 64 * last)
    }
  }

  /// Returns the largest integer not above `q`, at most `lastCell`; 0 <= q < 2^22.
  @inlinable @inline(always) public static func cell(_ q: Float, _ lastCell: Float) -> Float {
    let nearest = (q + 12_582_912) - 12_582_912
    let floor = nearest > q ? nearest - 1 : nearest
    return floor < lastCell ? floor : lastCell
  }

  /// Interpolates tetrahedrally at a point inside the cube, in node units.
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

  /// Converts an integral float below 2^22 to an index.
  @inlinable @inline(always) static func node(_ x: Float) -> Int {
    Int(truncatingIfNeeded: (x + 8_388_608).pattern & 0x7f_ffff)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), limit = words.limit, n = s.padded, p = s.base
    let isOutside = locate(s, c)
    let follows = isOutside && limit > 0
    if follows { keepDistance(s, c) }
    let nodes = UnsafeRawPointer(c.table(at: words.nodes)), size = Int(words.size)
    let opposite = 16 &* (1 &+ size &+ size &* size)
    // One pointer moves, and everything is at fixed distances from it. A base and a counter would be one register too
    // many, and loaded again for every pixel.
    typealias Pairs = SIMD2<UInt64>
    let plane = 4 &* Strip.stride, offsets = 4 &* plane, weights = 7 &* plane
    var at = UnsafeMutableRawPointer(p)
    let end = at + 4 &* n
    /// `offset`: the byte offsets of the pixel's first three vertices.
    @inline(always) func pixel(_ i: Int, _ offset0: Int, _ offset1: Int, _ offset2: Int) -> Pairs {
      let near = nodes + offset0
      let v0 = near.loadUnaligned(as: SIMD4<Float>.self), v3 = (near + opposite).loadUnaligned(as: SIMD4<Float>.self)
      let v1 = (nodes + offset1).loadUnaligned(as: SIMD4<Float>.self)
      let v2 = (nodes + offset2).loadUnaligned(as: SIMD4<Float>.self)
      @inline(always) func weight(_ k: Int) -> SIMD4<Float> {
        SIMD4<Float>(repeating: (at + (weights &+ k &* plane &+ 4 &* i)).load(as: Float.self))
      }
      return unsafeBitCast(((v0 * weight(0) + v1 * weight(1)) + v2 * weight(2)) + v3 * weight(3), to: Pairs.self)
    }
    @inline(always) func two(_ i: Int) -> (Pairs, Pairs) {
      @inline(always) func pair(_ k: Int) -> UInt64 {
        (at + (offsets &+ k &* plane &+ 4 &* i)).loadUnaligned(as: UInt64.self)
      }
      @inline(always) func low(_ x: UInt64) -> Int { Int(truncatingIfNeeded: x & 0xffff_ffff) }
      @inline(always) func high(_ x: UInt64) -> Int { Int(truncatingIfNeeded: x &>> 32) }
      let a = pair(0), b = pair(1), c = pair(2)
      return (pixel(i, low(a), low(b), low(c)), pixel(i &+ 1, high(a), high(b), high(c)))
    }
    // Transposed in pairs of words: with lanes of floats the compiler would transpose every vertex, twelve times.
    @inline(always) func floats(_ a: UInt64, _ b: UInt64) -> SIMD4<Float> {
      unsafeBitCast(Pairs(a, b), to: SIMD4<Float>.self)
    }
    while at < end {
      let (a, b) = two(0), (e, f) = two(2)
      let ab = floats(a[0], b[0]), ef = floats(e[0], f[0])
      let red = SIMD4(lowHalf: ab.evenHalf, highHalf: ef.evenHalf)
      let green = SIMD4(lowHalf: ab.oddHalf, highHalf: ef.oddHalf)
      let blue = SIMD4(lowHalf: floats(a[1], b[1]).evenHalf, highHalf: floats(e[1], f[1]).evenHalf)
      at.storeBytes(of: red, as: SIMD4<Float>.self)
      (at + plane).storeBytes(of: green, as: SIMD4<Float>.self)
      (at + 2 &* plane).storeBytes(of: blue, as: SIMD4<Float>.self)
      at += 16
    }
    if follows { extrapolate(s, c) }
  }

  /// Computes byte offsets of a pixel's first, second and third vertex (as integers, scratch 0 to 2) and the weights of
  /// all four (scratch 3 to 6).
  ///
  /// All choices use the signs of differences of words: inside the cube nothing is negative, so words compare as their
  /// numbers do. The compiler turns conditional expressions into a tree of predicates, four times as long, and takes
  /// named vectors apart into lanes. Node numbers are added as floats, which is exact below 2^23.
  ///
  /// - Returns: true if a value lies outside the cube.
  @inlinable @inline(always) static func locate(_ s: Strip, _ c: StageContext) -> Bool {
    let words = c.words(Parameters.self), size = Float(Int(words.size)), lastCell = size - 2
    let last = Int32(bitPattern: (size - 1).bitPattern)
    let dy = size, dz = size * size, whole = 1 + size + size * size
    let scale = words.scale, bias = words.bias
    let red = s.red, green = s.green, blue = s.blue
    let offset0 = integers(s.scratch(0)), offset1 = integers(s.scratch(1)), offset2 = integers(s.scratch(2))
    let weight0 = s.scratch(3), weight1 = s.scratch(4), weight2 = s.scratch(5), weight3 = s.scratch(6)
    var outside: Int32 = 0
    for i in 0..<s.padded {
      let ux = bits(red[i] * scale.r + bias.r), uy = bits(green[i] * scale.g + bias.g)
      let uz = bits(blue[i] * scale.b + bias.b)
      let qx = inside(ux, last), qy = inside(uy, last), qz = inside(uz, last)
      outside |= (qx ^ ux) | (qy ^ uy) | (qz ^ uz)
      let x = float(qx), y = float(qy), z = float(qz)
      let cx = wholeCell(x, lastCell), cy = wholeCell(y, lastCell), cz = wholeCell(z, lastCell)
      let fx = x - cx, fy = y - cy, fz = z - cz
      let yFirst = isLess(fx, fy)
      let hiXY = choose(yFirst, fy, fx), loXY = choose(yFirst, fx, fy)
      let zFirst = isLess(hiXY, fz), zBeforeLast = isLess(loXY, fz)
      let hi = choose(zFirst, fz, hiXY), lo = choose(zBeforeLast, loXY, fz)
      let mid = choose(zBeforeLast, choose(zFirst, hiXY, fz), loXY)
      let first = choose(zFirst, dz, choose(yFirst, dy, 1)), lowest = choose(zBeforeLast, choose(yFirst, 1, dy), dz)
      let node = (cx + cy * dy) + cz * dz
      offset0[i] = byteOffset(node)
      offset1[i] = byteOffset(node + first)
      offset2[i] = byteOffset(node + (whole - lowest))
      weight0[i] = 1 - hi
      weight1[i] = hi - mid
      weight2[i] = mid - lo
      weight3[i] = lo
    }
    return outside & 0x7fff_ffff != 0
  }

  @inlinable @inline(always) static func integers(_ p: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(p).assumingMemoryBound(to: UInt32.self)
  }
  @inlinable @inline(always) static func bits(_ x: Float) -> Int32 { Int32(bitPattern: x.pattern) }
  @inlinable @inline(always) static func float(_ x: Int32) -> Float { Float(bitPattern: UInt32(bitPattern: x)) }
  /// Returns all ones where `a` < `b`, neither negative.
  @inlinable @inline(always) static func isLess(_ a: Float, _ b: Float) -> Int32 { a < b ? -1 : 0 }
  @inlinable @inline(always) static func choose(_ mask: Int32, _ yes: Float, _ no: Float) -> Float {
    float((bits(yes) & mask) | (bits(no) & ~mask))
  }
  /// Returns the word of a value clamped to 0...last; NaN is clamped by its sign.
  @inlinable @inline(always) static func inside(_ u: Int32, _ last: Int32) -> Int32 {
    let low = u & ~(u &>> 31), isBelow = (low &- last) &>> 31
    return (low & isBelow) | (last & ~isBelow)
  }
  /// Does the same as `cell`, on words.
  @inlinable @inline(always) static func wholeCell(_ q: Float, _ lastCell: Float) -> Float {
    let nearest = (q + 12_582_912) - 12_582_912
    let floor = nearest - choose(isLess(q, nearest), 1, 0)
    return choose(isLess(lastCell, floor), lastCell, floor)
  }
  /// Returns the bytes from the first node to another one, four words each.
  @inlinable @inline(always) static func byteOffset(_ node: Float) -> UInt32 {
    ((node + 8_388_608).pattern & 0x7f_ffff) &<< 4
  }

  /// Saves the nearest point inside the cube and the distance from it, for strips with pixels outside.
  @inlinable @inline(always) static func keepDistance(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), last = Float(Int(words.size) - 1), limit = words.limit
    for channel in 0..<3 {
      let scale = words.scale[channel], bias = words.bias[channel], p = s.plane(channel)
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
    // One word a pixel that is not 0 if it is outside on any axis.
    let any = UnsafeMutableRawPointer(s.scratch(13)).assumingMemoryBound(to: UInt32.self)
    let x = s.scratch(10), y = s.scratch(11), z = s.scratch(12)
    for i in 0..<s.padded { any[i] = (x[i].pattern | y[i].pattern | z[i].pattern) & 0x7fff_ffff }
  }

  /// Adds, for each axis on which a pixel lies outside, its distance times the inward one-node difference.
  @inlinable @inline(always) static func extrapolate(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), t = c.table(at: words.nodes), size = Int(words.size)
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
