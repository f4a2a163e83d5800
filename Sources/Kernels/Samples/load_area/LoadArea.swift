import HDRCore

/// Stage `load_area`: the binary32 planes of an earlier pass, averaged over the area of each output pixel with
/// fractional coverage, as R, G, B (one plane: the same value three times); A = 1. For pictures that get smaller
/// (docs/gain-map-maths.md#resampling).
public enum LoadArea: KernelStage {
  public struct Parameters: StageParameters {
    public let channels: UInt32, columns: UInt32, columnTaps: UInt32, rows: UInt32, rowTaps: UInt32
  }

  /// `columns`, `rows`: offsets of `axisTable`; `taps`: its entries' largest number of samples, for both axes.
  package static func words(channels: Int, columns: UInt32, columnTaps: Int, rows: UInt32, rowTaps: Int) -> [UInt32] {
    Parameters(
      channels: channels.word, columns: columns, columnTaps: columnTaps.word, rows: rows, rowTaps: rowTaps.word
    ).list
  }

  /// Returns the largest number of samples under one output pixel.
  package static func taps(_ axis: SampleAxis, of source: SampleAxis) -> Int {
    let step = axis.scale * source.pixels, unit = axis.pixels * source.scale
    return (step + unit - 1) / unit + 1
  }

  /// Returns the first sample, the number of samples, and `taps` weights that sum to 1, for each output.
  package static func axisTable(_ axis: SampleAxis, of source: SampleAxis) -> [UInt32] {
    let taps = taps(axis, of: source)
    var words: [UInt32] = []
    words.reserveCapacity(axis.count * (taps + 2))
    // Lengths are in `unit`ths of a source sample. For whole pictures an output covers [x, x + 1) * source / axis.
    let unit = axis.pixels * source.scale, end = source.count * unit
    for x in 0..<axis.count {
      func place(_ x: Int) -> Int {
        Swift.min(
          Swift.max((x * axis.scale - axis.lead) * source.pixels + source.lead * axis.pixels, 0), end)
      }
      let start = place(x), end = place(x + 1)
      let first = start / unit, last = (end - 1) / unit
      words += [first.word, (last - first + 1).word]
      for i in 0..<taps {
        let sample = first + i
        let covered = sample > last ? 0 : Swift.min(end, (sample + 1) * unit) - Swift.max(start, sample * unit)
        words.append((Double(covered) / Double(end - start)).word)
      }
    }
    return words
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels)
    let columns = c.tables + Int(words.columns), columnStride = Int(words.columnTaps) + 2
    let rows = c.tables + Int(words.rows), rowStride = Int(words.rowTaps) + 2
    for index in 0..<channels {
      let v = c.channels[index], out = s.plane(index)
      if c.mapping.columnX == 1 && c.mapping.columnY == 0 {
        let at = c.source(s.x, s.y)
        straight(v, columns + at.x &* columnStride, columnStride, rows + at.y &* rowStride, s.count, out)
      } else {
        for i in 0..<s.count {
          let at = c.source(s.x &+ i, s.y)
          straight(v, columns + at.x &* columnStride, columnStride, rows + at.y &* rowStride, 1, out + i)
        }
      }
      for i in s.count..<s.padded { out[i] = 0 }
    }
    if channels == 1 {
      s.green.update(from: s.red, count: s.padded)
      s.blue.update(from: s.red, count: s.padded)
    }
    for i in 0..<s.padded { s.alpha[i] = 1 }
  }

  /// Makes `count` outputs of one row: sample row by sample row, so that nothing is looked up twice.
  @inlinable @inline(always) static func straight(
    _ v: ChannelView, _ columns: UnsafePointer<UInt32>, _ columnStride: Int, _ y: UnsafePointer<UInt32>, _ count: Int,
    _ out: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { out[i] = 0 }
    for j in 0..<Int(y[1]) {
      let row = (v.base + (Int(y[0]) &+ j) &* v.rowBytes).assumingMemoryBound(to: Float.self)
      let weight = Float(bitPattern: y[2 &+ j])
      for i in 0..<count {
        let x = columns + i &* columnStride, p = row + Int(x[0])
        @inline(__always) func term(_ k: Int) -> Float { Float(bitPattern: x[2 &+ k]) * p[k] }
        var line: Float = 0
        if x[1] == 2 {
          line = (line + term(0)) + term(1)
        } else if x[1] == 4 {
          line = (((line + term(0)) + term(1)) + term(2)) + term(3)
        } else {
          for k in 0..<Int(x[1]) { line = line + term(k) }
        }
        out[i] = out[i] + weight * line
      }
    }
  }
}
