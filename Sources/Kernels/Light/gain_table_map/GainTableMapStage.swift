import HDRCore

/// Stage `gain_table_map`: R, G, B of RIMM times a gain by the pixel's place and a weight of its channels
/// (`GainTableMap`): bilinear in place, linear in weight.
public enum GainTableMapStage: KernelStage {
  package static let operations = 256

  package static let boundNumbers: Set = ["depth"]

  public struct Parameters: StageParameters {
    /// Offsets of `places` of the pass's columns and rows, and of the gains: `depth` + 1 at each point, the last twice.
    public let columns: UInt32, rows: UInt32, gains: UInt32
    /// True if columns of the pass are rows of the map.
    public let isTurned: UInt32
    /// The weights of R, G, B, their least and their largest, with the exposure.
    public let weights: RGBWords<Float>, least: Float, most: Float
    public let gamma: Float, depth: Float
  }

  /// - Parameters:
  ///   - width, height: the size of the active area, which places of the map are parts of.
  ///   - geometry: maps the active area to the pass's pixels.
  ///   - exposure: 2^stops of the baseline exposure when it is not yet in the pixels.
  package static func words(
    _ map: GainTableMap, width: Int, height: Int, geometry: Geometry, exposure: Double, table: ([UInt32]) -> UInt32
  ) -> [UInt32] {
    let depth = map.depth, m = geometry.mapping
    var gains: [UInt32] = []
    gains.reserveCapacity(map.rows * map.columns * (depth + 1))
    for point in stride(from: 0, to: map.gains.count, by: depth) {
      for at in point..<point + depth { gains.append(Double(map.gains[at]).word) }
      gains.append(Double(map.gains[point + depth - 1]).word)
    }
    // The words from a point of the map to the next.
    let across = depth + 1, down = map.columns * across
    func axis(_ count: Int, first: Int, stepX: Int, stepY: Int) -> [UInt32] {
      let isRow = stepY != 0, step = stepX + stepY
      return places(
        (0..<count).map { first + $0 * step }, size: isRow ? height : width, points: isRow ? map.rows : map.columns,
        origin: map.origin[isRow ? 0 : 1], spacing: map.spacing[isRow ? 0 : 1], apart: isRow ? down : across)
    }
    let isTurned = m.columnX == 0, weights = map.weights.map { $0 * exposure }
    let columns = axis(
      geometry.outputWidth, first: isTurned ? m.y0 : m.x0, stepX: m.columnX, stepY: m.columnY)
    let rows = axis(geometry.outputHeight, first: isTurned ? m.x0 : m.y0, stepX: m.rowX, stepY: m.rowY)
    return Parameters(
      columns: table(columns), rows: table(rows), gains: table(gains), isTurned: isTurned.word,
      weights: RGBWords(Array(weights[0..<3])), least: weights[3].lane, most: weights[4].lane,
      gamma: map.gamma.lane, depth: Float(depth)
    ).list
  }

  /// Returns three words for each place: the offsets of the points around it, and the share of the second one.
  private static func places(
    _ at: [Int], size: Int, points: Int, origin: Double, spacing: Double, apart: Int
  ) -> [UInt32] {
    at.flatMap { at -> [UInt32] in
      let place = ((Double(at) + 0.5) / Double(size) - origin) / spacing
      let inside = min(max(place, 0), Double(points - 1)), low = Int(inside)
      return [(low * apart).word, (min(low + 1, points - 1) * apart).word, (inside - Double(low)).word]
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, red = s.red, green = s.green, blue = s.blue
    let weight = s.scratch(0), share = s.scratch(1), cell = LUT3DStage.integers(s.scratch(2)), gain = s.scratch(3)
    for i in 0..<n {
      let r = red[i], g = green[i], b = blue[i]
      let rg: Float = g > r ? g : r, most: Float = b > rg ? b : rg
      let lesser: Float = g < r ? g : r, least: Float = b < lesser ? b : lesser
      let sum = ((words.weights.r * r + words.weights.g * g) + words.weights.b * b)
      let all = (sum + words.least * least) + words.most * most
      let low: Float = all > 0x1p-40 ? all : 0
      weight[i] = low < 1 ? low : 1
    }
    if words.gamma != 1 {
      let gamma = words.gamma
      for i in 0..<n {
        let some: Float = weight[i] > 0 ? weight[i] : 1, power = E32.exp2(gamma * E32.log2(some))
        weight[i] = weight[i] > 0 ? power : 0
      }
    }
    let depth = words.depth, last = depth - 1
    for i in 0..<n {
      let at = weight[i] * depth, inside: Float = at < last ? at : last, low = LUT3DStage.cell(inside, last)
      cell[i] = (low + 8_388_608).pattern & 0x7f_ffff
      share[i] = inside - low
    }
    let columns = c.tables + (Int(words.columns) &+ 3 &* s.x), row = c.tables + (Int(words.rows) &+ 3 &* s.y)
    let gains = c.table(at: words.gains), isTurned = words.isTurned != 0
    let y0 = Int(row[0]), y1 = Int(row[1]), rowShare = Float(bitPattern: row[2])
    for i in 0..<s.count {
      let column = columns + 3 &* i, x0 = Int(column[0]), x1 = Int(column[1]),
        columnShare = Float(bitPattern: column[2])
      let t = share[i], from = gains + Int(cell[i])
      @inline(always) func at(_ point: Int) -> Float {
        let p = from + point
        return p[0] + (p[1] - p[0]) * t
      }
      // The map's rows are always interpolated first, so that turning the picture changes no bit.
      let across = isTurned ? rowShare : columnShare, down = isTurned ? columnShare : rowShare
      let right = at(isTurned ? x0 &+ y1 : x1 &+ y0), below = at(isTurned ? x1 &+ y0 : x0 &+ y1)
      let top = at(x0 &+ y0) * (1 - across) + right * across
      let bottom = below * (1 - across) + at(x1 &+ y1) * across
      gain[i] = top * (1 - down) + bottom * down
    }
    for i in s.count..<n { gain[i] = 1 }
    for channel in 0..<3 {
      let p = s.plane(channel)
      for i in 0..<n { p[i] = p[i] * gain[i] }
    }
  }
}
