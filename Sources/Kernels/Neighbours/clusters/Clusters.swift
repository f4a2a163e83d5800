import HDRCore

/// Stage `clusters`, a load: a step of k-means. Means are a row of pixels, one a cluster.
///
/// Distances are squares, added in order. In a tile sums are integers of 2^-16, so that their order is free.
public enum Clusters: KernelStage {
  package static let operations = 256

  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    /// The row of source 0's pixels that a table names.
    case start
    /// For each pixel of source 0 the number of the nearest mean, the first of equals.
    case nearest
    /// For each tile of source 0 a row of sums, by the numbers that the other source has: colour times alpha, and alpha.
    case sums
    /// Sums of source 0 divided by their alpha; where that is 0 the other source's mean.
    case means
    /// Means of source 0, and as alpha the shares of the other source's alpha.
    case shares
  }

  /// The side of a tile: sums of its pixels' light stay below 2^31.
  package static let tile = 32

  /// Returns first column, first row, end column, end row of each tile.
  package static func tiles(width: Int, height: Int) -> [[Int]] {
    stride(from: 0, to: height, by: tile).flatMap { y in
      stride(from: 0, to: width, by: tile).map { x in [x, y, min(x + tile, width), min(y + tile, height)] }
    }
  }

  public struct Parameters: StageParameters {
    /// The planes of source 0, the number of means, and the places or tiles.
    public let mode: Choice<Mode>, channels: UInt32, count: UInt32, table: UInt32

    package init(_ mode: Mode, channels: Int, count: Int, table: UInt32 = 0) {
      (self.mode, self.channels, self.count, self.table) = (Choice(mode), channels.word, count.word, table)
    }
  }

  @inlinable @inline(always) static func row(_ view: ChannelView, _ y: Int) -> UnsafePointer<Float> {
    (view.base + y &* view.rowBytes).assumingMemoryBound(to: Float.self)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), count = Int(words.count)
    for channel in 0..<4 {
      let p = s.plane(channel), none: Float = channel == 3 ? 1 : 0
      for i in 0..<s.padded { p[i] = none }
    }
    switch words.mode.value {
    case .start:
      for i in 0..<s.count {
        let at = c.tables + (Int(words.table) &+ 2 &* (s.x &+ i))
        for channel in 0..<3 { s.plane(channel)[i] = row(c.channels[channel], Int(at[1]))[Int(at[0])] }
      }
    case .nearest: nearest(s, c, count)
    case .sums: sums(s, c, channels, c.tables + (Int(words.table) &+ 4 &* s.y))
    case .means:
      let alpha = row(c.channels[3], s.y) + s.x
      for channel in 0..<3 {
        let p = s.plane(channel), sum = row(c.channels[channel], s.y) + s.x,
          old = row(c.channels[4 &+ channel], s.y) + s.x
        for i in 0..<s.count {
          let some: Float = alpha[i] > 0 ? alpha[i] : 1
          p[i] = alpha[i] > 0 ? sum[i] * E32.reciprocal(some) : old[i]
        }
      }
    case .shares:
      let weights = row(c.channels[7], 0)
      var total: Float = 0
      for k in 0..<count { total = total + weights[k] }
      let inverse: Float = total > 0 ? E32.reciprocal(total > 0 ? total : 1) : 0
      for channel in 0..<3 { s.plane(channel).update(from: row(c.channels[channel], 0) + s.x, count: s.count) }
      for i in 0..<s.count {
        let share = weights[s.x &+ i] * inverse
        s.alpha[i] = share < 1 ? share : 1
      }
    }
  }

  @inlinable @inline(always) static func nearest(_ s: Strip, _ c: StageContext, _ count: Int) {
    let r = row(c.channels[0], s.y) + s.x, g = row(c.channels[1], s.y) + s.x, b = row(c.channels[2], s.y) + s.x
    let meanR = row(c.channels[4], 0), meanG = row(c.channels[5], 0), meanB = row(c.channels[6], 0)
    let least = s.scratch(0), found = s.red
    for i in 0..<s.count { least[i] = 0x1p100 }
    for k in 0..<count {
      let number = Float(Int32(truncatingIfNeeded: k)), mr = meanR[k], mg = meanG[k], mb = meanB[k]
      for i in 0..<s.count {
        let x = r[i] - mr, y = g[i] - mg, z = b[i] - mb, d = (x * x + y * y) + z * z
        found[i] = d < least[i] ? number : found[i]
        least[i] = d < least[i] ? d : least[i]
      }
    }
    s.green.update(from: found, count: s.count)
    s.blue.update(from: found, count: s.count)
  }

  /// Adds up R, G, B times alpha and alpha of a tile's pixels side by side, for each of their numbers.
  @inlinable @inline(always) static func sums(
    _ s: Strip, _ c: StageContext, _ channels: Int, _ tile: UnsafePointer<UInt32>
  ) {
    // 128 numbers of four integers fit a plane of scratch.
    let whole = UnsafeMutableRawPointer(s.scratch(0)), parts = UnsafeMutableRawPointer(s.scratch(1))
    for k in 0..<s.count {
      whole.storeBytes(of: SIMD4<Int32>(), toByteOffset: 16 &* k, as: SIMD4<Int32>.self)
      parts.storeBytes(of: SIMD4<Int32>(), toByteOffset: 16 &* k, as: SIMD4<Int32>.self)
    }
    for y in Int(tile[1])..<Int(tile[3]) {
      let number = row(c.channels[4], y), r = row(c.channels[0], y), g = row(c.channels[1], y)
      let b = row(c.channels[2], y), alpha = channels == 4 ? row(c.channels[3], y) : r
      for x in Int(tile[0])..<Int(tile[2]) {
        let k = LUT3DStage.node(number[x]) &- s.x, weight: Float = channels == 4 ? alpha[x] : 1
        if k < 0 || k >= s.count { continue }
        let v = SIMD4(r[x], g[x], b[x], 1) * weight, nearest = (v + 12_582_912) - 12_582_912
        let floor = nearest.replacing(with: nearest - 1, where: nearest .> v)
        // Whole numbers below 2^22 in the low bits.
        let integer = unsafeBitCast(floor + 12_582_912, to: SIMD4<Int32>.self) &- 0x4b40_0000
        let rest = unsafeBitCast((v - floor) * 65536 + 8_388_608, to: SIMD4<Int32>.self) & 0x7f_ffff
        let own = whole.loadUnaligned(fromByteOffset: 16 &* k, as: SIMD4<Int32>.self)
        whole.storeBytes(of: own &+ integer, toByteOffset: 16 &* k, as: SIMD4<Int32>.self)
        let others = parts.loadUnaligned(fromByteOffset: 16 &* k, as: SIMD4<Int32>.self)
        parts.storeBytes(of: others &+ rest, toByteOffset: 16 &* k, as: SIMD4<Int32>.self)
      }
    }
    let wholes = whole.assumingMemoryBound(to: Int32.self), rests = parts.assumingMemoryBound(to: Int32.self)
    for channel in 0..<4 {
      let out = s.plane(channel)
      for i in 0..<s.count { out[i] = value(wholes[4 &* i &+ channel], rests[4 &* i &+ channel]) }
    }
  }

  /// Returns whole + parts / 65536.
  @inlinable @inline(always) static func value(_ whole: Int32, _ parts: Int32) -> Float {
    let sum = whole &+ (parts &>> 16)
    return Float(sum &>> 12) * 4096 + (Float(sum & 0xfff) + Float(parts & 0xffff) * 0x1p-16)
  }
}
