import HDRCore

/// Stage `bin_index`: the number of the histogram bin that each component belongs to. Bins are [edge i, edge i + 1)
/// with edges from tables, so the numbers are exact. Values outside belong to the first or the last bin.
public enum BinIndex {
  /// Returns the smallest binary32 that is not below x.
  static func ceiling(_ x: Double) -> Float {
    let f = Float(x)
    return Double(f) < x ? f.nextUp : f
  }

  /// Returns the edges of `count` bins: no limit below the first and above the last.
  static func edges(_ count: Int, _ edge: (Double) -> Double) -> [UInt32] {
    let most = Float.greatestFiniteMagnitude
    return (0...count).map { i in
      i == 0 ? (-most).bitPattern : (i == count ? most : ceiling(edge(Double(i) / Double(count)))).bitPattern
    }
  }

  public struct Words: StageWords {
    public let isLog: UInt32, low: Float, scale: Float, count: Float, last: Float, edges: UInt32, alphaEdges: UInt32
  }

  /// - Parameters:
  ///   - stops: `nil`: bins of equal width from 0 to 1; else of equal numbers of stops.
  static func words(count: Int, stops: ClosedRange<Double>?, edges: UInt32, alphaEdges: UInt32) -> [UInt32] {
    let low = stops?.lowerBound ?? 0, high = stops?.upperBound ?? 1
    return Words(
      isLog: (stops != nil).word, low: Float(low), scale: Float(Double(count) / (high - low)), count: Float(count),
      last: Float(count - 1), edges: edges, alphaEdges: alphaEdges
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), n = s.padded, q = s.scratch(0)
    let low = words.low, scale = words.scale, count = words.count, last = words.last
    for channel in 0..<4 {
      let p = s.plane(channel), edges = c.table(at: channel == 3 ? words.alphaEdges : words.edges)
      if channel == 3 || words.isLog == 0 {
        for i in 0..<n { q[i] = p[i] * count }
      } else {
        for i in 0..<n {
          let v: Float = p[i] > 0x1p-24 ? p[i] : 0x1p-24
          q[i] = (E32.log2(v) - low) * scale
        }
      }
      for i in 0..<n {
        let a: Float = q[i] > 0 ? q[i] : 0
        q[i] = LUT3DStage.cell(a < last ? a : last, last)
      }
      // The guess is off by one at most.
      for i in 0..<n {
        let bin = Int((q[i] + 8_388_608).bitPattern & 0x7f_ffff), v = p[i]
        let up: Float = v >= edges[bin &+ 1] ? 1 : 0, down: Float = v < edges[bin] ? 1 : 0
        p[i] = (q[i] + up) - down
      }
    }
  }
}

/// Stage `histogram`, a load: the number of pixels of a tile of source 0 that have each number. The output has a row
/// for each tile and a column for each number. Without a fourth plane A = 1.
public enum Histogram {
  static let tile = 64

  /// Returns first column, first row, end column, end row of each tile.
  static func tiles(width: Int, height: Int) -> [[Int]] {
    stride(from: 0, to: height, by: tile).flatMap { y in
      stride(from: 0, to: width, by: tile).map { x in [x, y, min(x + tile, width), min(y + tile, height)] }
    }
  }

  public struct Words: StageWords {
    public let channels: UInt32, tiles: UInt32
  }

  static func words(channels: Int, tiles: UInt32) -> [UInt32] { Words(channels: channels.word, tiles: tiles).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), channels = Int(words.channels), t = c.tables + (Int(words.tiles) &+ 4 &* s.y)
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
          let bin = Int((row[x] + 8_388_608).bitPattern & 0x7f_ffff) &- s.x
          if bin >= 0 && bin < s.count { counts[bin] = counts[bin] + 1 }
        }
      }
    }
  }
}

extension Edit {
  /// Replaces the picture by a row of counts: R, G and B as shares of all pixels times `scale`; A too where the picture
  /// has alpha. Counts are integers in binary32, exact up to 2^24 in a bin.
  mutating func histogram(count: Int, stops: ClosedRange<Double>?, scale: Double) {
    let pixels = Double(width * height), hadAlpha = hasAlpha
    let alphaEdges = BinIndex.edges(count) { $0 }
    let edges =
      stops.map { stops in
        BinIndex.edges(count) { ExactMath.exp2(stops.lowerBound + $0 * (stops.upperBound - stops.lowerBound)) }
      } ?? alphaEdges
    stage(.binIndex, tables: [edges, alphaEdges]) {
      BinIndex.words(count: count, stops: stops, edges: $0[0], alphaEdges: $0[1])
    }
    let tiles = Histogram.tiles(width: width, height: height)
    load(
      "histogram", .histogram, width: count, height: tiles.count,
      rows: RowScale(firstRow: tiles.map { Int32($0[1]) }, lastRow: tiles.map { Int32($0[3] - 1) }),
      tables: [tiles.flatMap { $0.map(\.word) }]
    ) { channels, tables in Histogram.words(channels: channels, tiles: tables[0]) }
    while height > 1 {
      let from = height
      convolve(
        "counts",
        y: AxisWeights(sourceSize: from, size: (from + 63) / 64, edges: .clamp) { i in
          (64 * i, [Double](repeating: 1, count: min(64, from - 64 * i)))
        })
    }
    // Multiplied by scale / pixels, alpha too.
    let counts = builder.close(channels: 4), share = scale / pixels
    builder.begin(width: count, height: 1)
    stage(.constantColor, ConstantColor.words([share, share, share, hadAlpha ? share : 1]))
    let source = read(counts, rows: rows(of: counts))
    stage(.composite, Compositing.words(.multiply, source: source, x: 0, y: 0, width: count, height: 1))
    if !hadAlpha { makeOpaque() }
  }
}
