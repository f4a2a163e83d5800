import HDRCore

/// Stage `extreme`, a load: the largest or smallest value of each channel in each block of source 0's pixels, or the
/// pixel with the largest alpha (the first of several, row by row). Without a fourth plane A = 1.
///
/// Values are compared as integers in their order, so that zeros of both signs make no difference between backends.
public enum Extreme: KernelStage {
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    case minimum, maximum, maximumAlpha
  }

  /// The size of a block in pixels.
  package static let block = (width: 64, height: 16)

  public struct Parameters: StageParameters {
    public let channels: UInt32, kind: Choice<Kind>, blockWidth: UInt32, blockHeight: UInt32
    public let width: UInt32, height: UInt32
  }

  package static func words(channels: Int, _ kind: Kind, width: Int, height: Int) -> [UInt32] {
    Parameters(
      channels: channels.word, kind: Choice(kind), blockWidth: block.width.word, blockHeight: block.height.word,
      width: width.word, height: height.word
    ).list
  }

  /// Returns an integer that orders as the number does; it is its own inverse.
  @inlinable @inline(always) static func key(_ bits: UInt32) -> Int32 {
    let i = Int32(bitPattern: bits)
    return i ^ ((i &>> 31) & 0x7fff_ffff)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), kind = words.kind.value
    let bw = Int(words.blockWidth), bh = Int(words.blockHeight), width = Int(words.width)
    let y0 = s.y &* bh, y1 = Swift.min(y0 &+ bh, Int(words.height))
    for channel in 0..<4 {
      let p = s.plane(channel), none: Float = channel == 3 ? 1 : 0
      for i in 0..<s.padded { p[i] = none }
    }
    for i in 0..<s.count {
      let x0 = (s.x &+ i) &* bw, x1 = Swift.min(x0 &+ bw, width)
      var x = x0, y = y0
      if kind == .maximumAlpha {
        if channels == 4 { (x, y) = largest(c.channels[3], x0, x1, y0, y1) }
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

  /// Returns the place of the first of the largest values of a block.
  @inlinable @inline(always) static func largest(
    _ v: ChannelView, _ x0: Int, _ x1: Int, _ y0: Int, _ y1: Int
  ) -> (x: Int, y: Int) {
    var at = (x: x0, y: y0), best: Float = -1
    for y in y0..<y1 {
      let row = (v.base + y &* v.rowBytes).assumingMemoryBound(to: Float.self)
      for x in x0..<x1 where row[x] > best { (at, best) = ((x, y), row[x]) }
    }
    return at
  }
}
