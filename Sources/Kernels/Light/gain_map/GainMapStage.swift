import HDRCore

/// Stage `gain_map`: `(base + baseOffset) * 2^(weight * L) - alternateOffset` (ISO 21496-1;
/// docs/gain-map-maths.md#applying).
///
/// L is the log2 gain from source 1 (binary32 planes of the map's size, 1 or 3), bilinear between sample centres
/// (docs/gain-map-maths.md#resampling): first down the column, then along the row. Results are kept within +-2^20.
public enum GainMapStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let weight: Float, channels: UInt32
    public let baseOffset: RGBWords<Float>, alternateOffset: RGBWords<Float>
    public let columns: UInt32, rows: UInt32, isSameSize: UInt32, stretch: UInt32
  }

  /// - Parameters:
  ///   - columns, rows: offsets of `axisTable` words for every column and row of the base picture.
  ///   - stretch: the columns of the base picture for one of the map if that is a whole number, else 0.
  package static func words(
    weight: Double, channels: Int, baseOffset: [Double], alternateOffset: [Double], columns: UInt32, rows: UInt32,
    sameSize: Bool, stretch: Int
  ) -> [UInt32] {
    Parameters(
      weight: Float(weight), channels: channels.word, baseOffset: RGBWords(baseOffset),
      alternateOffset: RGBWords(alternateOffset), columns: columns, rows: rows, isSameSize: sameSize.word,
      stretch: stretch.word
    ).list
  }

  /// Returns the two map samples and the weight of the second for each sample of the base, three words each.
  package static func axisTable(_ base: SampleAxis, map: SampleAxis) -> [UInt32] {
    var words: [UInt32] = []
    words.reserveCapacity(base.count * 3)
    let last = map.count - 1, denominator = 2 * base.pixels * map.scale
    for x in 0..<base.count {
      // The base sample's centre in half pixels, then in map samples: for whole pictures (x + 0.5) * map / base - 0.5.
      let center = (2 * x + 1) * base.scale - 2 * base.lead
      let numerator = center * map.pixels + (2 * map.lead - map.scale) * base.pixels
      var index = numerator / denominator
      if numerator < 0 && index * denominator != numerator { index -= 1 }
      let fraction = Double(numerator - index * denominator) / Double(denominator)
      let first = Swift.min(Swift.max(index, 0), last), second = Swift.min(Swift.max(index + 1, 0), last)
      words += [first.word, second.word, fraction.word]
    }
    return words
  }

  @inlinable @inline(always) static func applied(_ base: Float, _ factor: Float, _ bo: Float, _ ao: Float) -> Float {
    let v = (base + bo) * factor - ao
    let low: Float = v > -1_048_576 ? v : -1_048_576
    return low < 1_048_576 ? low : 1_048_576
  }

  /// Interpolates gains for a strip along the map's rows: the two rows are mixed once a map sample, not a pixel.
  /// `axis` is the axis table at the first pixel, `step` its words from a pixel to the next, either way.
  ///
  /// - Parameters:
  ///   - stretch: as in `words`; with a power of two, four pixels at a time.
  ///   - x: the column of the first pixel.
  @inlinable @inline(always) public static func interpolate(
    _ row0: UnsafePointer<Float>, _ row1: UnsafePointer<Float>, _ t: Float, _ axis: UnsafePointer<UInt32>, step: Int,
    stretch: Int, x: Int, _ count: Int, to gain: UnsafeMutablePointer<Float>,
    between column: UnsafeMutablePointer<Float>, room: Int
  ) {
    let end = axis + (count &- 1) &* step
    let lowest = Int(min(axis[0], end[0])), samples = Int(max(axis[1], end[1])) &+ 1 &- lowest
    // Maps have no more columns than the base, so a strip's samples fit; any others are not written.
    let first = row0 + lowest, second = row1 + lowest
    for i in 0..<min(samples, room) { column[i] = first[i] + t * (second[i] - first[i]) }
    let at = column - lowest
    @inline(__always) func mix(_ range: Range<Int>) {
      for i in range {
        let e = axis + i &* step
        let left = at[Int(e[0])], right = at[Int(e[1])]
        gain[i] = left + Float(bitPattern: e[2]) * (right - left)
      }
    }
    let rest = stretch &- 1
    guard step > 0, stretch > 1, stretch & rest == 0 else { return mix(0..<count) }
    // Between two samples there are `stretch` pixels with the same weights everywhere. The first half of them, at the
    // map's edge, is not between two.
    let half = stretch >> 1, start = x < half ? half &- x : (half &- x) & rest
    let shift = max(stretch, 4).trailingZeroBitCount
    let blocks = max(0, count &- start) &>> shift, done = start &+ blocks &<< shift
    if blocks == 0 { return mix(0..<count) }
    mix(0..<start)
    let entries = axis + 3 &* start
    var left = at + Int(entries[0]), out = UnsafeMutableRawPointer(gain + start)
    @inline(__always) func weights(_ i: Int, _ j: Int, _ k: Int, _ l: Int) -> SIMD4<Float> {
      SIMD4(
        Float(bitPattern: entries[3 &* i &+ 2]), Float(bitPattern: entries[3 &* j &+ 2]),
        Float(bitPattern: entries[3 &* k &+ 2]), Float(bitPattern: entries[3 &* l &+ 2]))
    }
    if stretch == 2 {
      let u = weights(0, 1, 0, 1)
      for _ in 0..<blocks {
        let a = SIMD4(left[0], left[0], left[1], left[1]), b = SIMD4(left[1], left[1], left[2], left[2])
        out.storeBytes(of: a + u * (b - a), as: SIMD4<Float>.self)
        left += 2
        out += 16
      }
    } else {
      for part in stride(from: 0, to: stretch, by: 4) {
        let u = weights(part, part &+ 1, part &+ 2, part &+ 3)
        for i in 0..<blocks {
          let a = SIMD4(repeating: left[i]), b = SIMD4(repeating: left[i &+ 1])
          out.storeBytes(of: a + u * (b - a), toByteOffset: 4 &* (i &* stretch &+ part), as: SIMD4<Float>.self)
        }
      }
    }
    mix(done..<count)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), weight = words.weight, channels = Int(words.channels), n = s.padded
    let from = c.source(s.x, s.y)
    let columns = c.tables + Int(words.columns), rows = c.tables + Int(words.rows)
    let alongX = c.mapping.columnX != 0
    let gain = s.scratch(6)
    for channel in 0..<channels {
      let map = c.channels[4 + channel]
      if alongX && words.isSameSize == 1 && c.mapping.columnX > 0 {
        let row = (map.base + from.y &* map.rowBytes + from.x &* 4).assumingMemoryBound(to: Float.self)
        for i in 0..<s.count { gain[i] = row[i] }
      } else if alongX {
        let r = rows + 3 &* from.y
        let row0 = map.base + Int(r[0]) &* map.rowBytes, row1 = map.base + Int(r[1]) &* map.rowBytes
        interpolate(
          row0.assumingMemoryBound(to: Float.self), row1.assumingMemoryBound(to: Float.self),
          Float(bitPattern: r[2]), columns + 3 &* from.x, step: 3 &* c.mapping.columnX,
          stretch: Int(words.stretch), x: from.x, s.count, to: gain, between: s.scratch(7), room: 7 &* Strip.stride)
      } else {
        let e = columns + 3 &* from.x
        let x0 = Int(e[0]), x1 = Int(e[1]), u = Float(bitPattern: e[2])
        for i in 0..<s.count {
          let r = rows + 3 &* (from.y &+ i &* c.mapping.columnY)
          let t = Float(bitPattern: r[2])
          let row0 = (map.base + Int(r[0]) &* map.rowBytes).assumingMemoryBound(to: Float.self)
          let row1 = (map.base + Int(r[1]) &* map.rowBytes).assumingMemoryBound(to: Float.self)
          let left = row0[x0] + t * (row1[x0] - row0[x0]), right = row0[x1] + t * (row1[x1] - row0[x1])
          gain[i] = left + u * (right - left)
        }
      }
      for i in s.count..<n { gain[i] = 0 }
      for i in 0..<n { gain[i] = E32.exp2(weight * gain[i]) }
      for target in (channels == 1 ? 0 : channel)...(channels == 1 ? 2 : channel) {
        let p = s.plane(target), bo = words.baseOffset[target], ao = words.alternateOffset[target]
        for i in 0..<n { p[i] = applied(p[i], gain[i], bo, ao) }
      }
    }
  }
}
