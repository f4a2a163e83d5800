import HDRCore

/// Stage `histogram`, a load: the number of pixels of a tile of source 0 that have each number. The output has a row
/// for each tile and a column for each number. Without a fourth plane A = 1.
public enum Histogram: KernelStage {
  package static let tile = 64

  /// Returns first column, first row, end column, end row of each tile.
  package static func tiles(width: Int, height: Int) -> [[Int]] {
    stride(from: 0, to: height, by: tile).flatMap { y in
      stride(from: 0, to: width, by: tile).map { x in [x, y, min(x + tile, width), min(y + tile, height)] }
    }
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, tiles: UInt32
  }

  package static func words(channels: Int, tiles: UInt32) -> [UInt32] {
    Parameters(channels: channels.word, tiles: tiles).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), t = c.tables + (Int(words.tiles) &+ 4 &* s.y)
    let x0 = Int(t[0]), y0 = Int(t[1]), x1 = Int(t[2]), y1 = Int(t[3])
    for channel in 0..<4 {
      let p = s.plane(channel), none: Float = channel == 3 && channels != 4 ? 1 : 0
      for i in 0..<s.padded { p[i] = none }
    }
    for channel in 0..<channels {
      let v = c.channels[channel], counts = s.plane(channel)
      for y in y0..<y1 {
        let row = (v.base + y &* v.rowBytes).assumingMemoryBound(to: Float.self)
        for x in x0..<x1 {
          let bin = Int((row[x] + 8_388_608).pattern & 0x7f_ffff) &- s.x
          if bin >= 0 && bin < s.count { counts[bin] = counts[bin] + 1 }
        }
      }
    }
  }
}
