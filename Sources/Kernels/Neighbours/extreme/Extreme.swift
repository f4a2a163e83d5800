import HDRCore

/// Stage `extreme`, a load: the largest or smallest value of each channel of the pixels of source 0 in a range of columns
/// and one of rows, or the pixel with the largest or smallest alpha (the first of several, row by row). Without a fourth
/// plane A = 1.
///
/// Values are compared as integers in their order, so that zeros of both signs make no difference between backends.
public enum Extreme: KernelStage {
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    case minimum, maximum, maximumAlpha, minimumAlpha
  }

  /// The size in pixels of blocks that a picture is reduced by.
  package static let block = (width: 64, height: 16)

  public struct Parameters: StageParameters {
    public let channels: UInt32, kind: Choice<Kind>, columns: UInt32, rows: UInt32
  }

  /// - Parameter columns, rows: offsets of a `table` for each column and each row of the result.
  package static func words(channels: Int, _ kind: Kind, columns: UInt32, rows: UInt32) -> [UInt32] {
    Parameters(channels: channels.word, kind: Choice(kind), columns: columns, rows: rows).list
  }

  /// Makes two words for each range: its first number, and that behind its last.
  package static func table(_ ranges: [Range<Int>]) -> [UInt32] {
    ranges.flatMap { [$0.lowerBound.word, $0.upperBound.word] }
  }

  /// Returns an integer that orders as the number does; it is its own inverse.
  @inlinable @inline(always) static func key(_ bits: UInt32) -> Int32 {
    let i = Int32(bitPattern: bits)
    return i ^ ((i &>> 31) & 0x7fff_ffff)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), kind = words.kind.value
    let columns = c.tables + (Int(words.columns) &+ 2 &* s.x), rows = c.tables + (Int(words.rows) &+ 2 &* s.y)
    let y0 = Int(rows[0]), y1 = Int(rows[1])
    for channel in 0..<4 {
      let p = s.plane(channel), none: Float = channel == 3 ? 1 : 0
      for i in 0..<s.padded { p[i] = none }
    }
    for i in 0..<s.count {
      let x0 = Int(columns[2 &* i]), x1 = Int(columns[2 &* i &+ 1])
      var x = x0, y = y0
      if kind == .maximumAlpha || kind == .minimumAlpha {
        if channels == 4 {
          (x, y) = largest(c.channels[3], times: kind == .minimumAlpha ? -1 : 1, x0, x1, y0, y1)
        }
        for channel in 0..<channels {
          let v = c.channels[channel]
          s.plane(channel)[i] = (v.base + y &* v.rowBytes).assumingMemoryBound(to: Float.self)[x]
        }
        continue
      }
      for channel in 0..<channels {
        let v = c.channels[channel], flip: Int32 = kind == .minimum ? -1 : 0
        var best = Int32.min
        for y in y0..<y1 {
          let row = (v.base + y &* v.rowBytes).assumingMemoryBound(to: UInt32.self)
          for x in x0..<x1 {
            let k = key(row[x]) ^ flip
            best = k > best ? k : best
          }
        }
        s.plane(channel)[i] = Float(bitPattern: UInt32(bitPattern: key(UInt32(bitPattern: best ^ flip))))
      }
    }
  }

  /// Returns the place of the first of the largest values of -1...1, times a sign.
  @inlinable @inline(always) static func largest(
    _ v: ChannelView, times sign: Float, _ x0: Int, _ x1: Int, _ y0: Int, _ y1: Int
  ) -> (x: Int, y: Int) {
    var at = (x: x0, y: y0), best: Float = -2
    for y in y0..<y1 {
      let row = (v.base + y &* v.rowBytes).assumingMemoryBound(to: Float.self)
      for x in x0..<x1 where sign * row[x] > best { (at, best) = ((x, y), sign * row[x]) }
    }
    return at
  }
}
