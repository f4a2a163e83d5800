import HDRCore

/// Stage `mesh`: lines of a colour on transparent black, with round ends; premultiplied. Edges are a pixel wide.
///
/// A line counts in the blocks of rows that it comes near, which a table names.
public enum MeshStage: KernelStage {
  package static let operations = 256

  /// log2 of the number of rows that share a list of lines.
  package static let blockBits = 5

  public struct Parameters: StageParameters {
    /// For each block of rows the first of its lines and their number; then the lines, seven words each: the place of
    /// the first end, the way to the second, and 1 / the way's squared length.
    public let blocks: UInt32, lines: UInt32, blockBits: UInt32
    /// The distance from a line where its colour ends.
    public let limit: Float, color: RGBAWords<Float>
  }

  /// Returns the tables of lines: blocks, and the lines of each block.
  ///
  /// - Parameters:
  ///   - lines: x0, y0, x1, y1 in pixels.
  ///   - limit: the distance from a line where its colour ends.
  package static func tables(_ lines: [[Double]], limit: Double, height: Int) -> [[UInt32]] {
    let block = 1 << blockBits
    var blocks: [UInt32] = [], list: [UInt32] = [], count = 0
    for top in stride(from: 0, to: height, by: block) {
      let low = Double(top) - limit - 1, high = Double(top + block) + limit + 1
      let near = lines.filter { max($0[1], $0[3]) >= low && min($0[1], $0[3]) <= high }
      blocks += [count.word, near.count.word]
      count += near.count
      for line in near {
        let dx = line[2] - line[0], dy = line[3] - line[1], square = dx * dx + dy * dy
        list += CenterWords(line[0], line[1]).list + [dx.word, dy.word, (square > 0x1p-20 ? 1 / square : 0).word]
      }
    }
    return [blocks, list.isEmpty ? [0] : list]
  }

  package static func words(tables: [UInt32], limit: Double, color: [Double]) -> [UInt32] {
    Parameters(
      blocks: tables[0], lines: tables[1], blockBits: blockBits.word, limit: Float(limit), color: RGBAWords(color)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, least = s.scratch(0)
    let block = c.tables + (Int(words.blocks) &+ 2 &* (s.y &>> Int(words.blockBits)))
    for i in 0..<n { least[i] = 0x1p80 }
    for index in 0..<Int(block[1]) {
      let line = UnsafeRawPointer(c.tables + (Int(words.lines) &+ 7 &* (Int(block[0]) &+ index)))
      let start = line.load(as: CenterWords.self), way = line.load(fromByteOffset: 16, as: RGBWords<Float>.self)
      let ey = start.down(s.y)
      for i in 0..<n {
        let ex = start.along(s.x &+ i), u = (ex * way.r + ey * way.g) * way.b
        let low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1
        let x = ex - t * way.r, y = ey - t * way.g, square = x * x + y * y
        least[i] = square < least[i] ? square : least[i]
      }
    }
    for i in 0..<n {
      let u = words.limit - PlanarLength.of(square: least[i])
      let low: Float = u > 0 ? u : 0
      least[i] = low < 1 ? low : 1
    }
    for channel in 0..<4 {
      let p = s.plane(channel), color = words.color[channel]
      for i in 0..<n { p[i] = color * least[i] }
    }
  }
}
