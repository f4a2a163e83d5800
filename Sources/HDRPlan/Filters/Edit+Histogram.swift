import HDRCore
import Kernels

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
    addRows("counts")
    // Multiplied by scale / pixels, alpha too.
    let counts = builder.close(channels: 4), share = scale / pixels
    builder.begin(width: count, height: 1)
    stage(.constantColor, ConstantColor.words([share, share, share, hadAlpha ? share : 1]))
    let source = read(counts, rows: rows(of: counts))
    stage(.composite, Compositing.words(.multiply, source: source, x: 0, y: 0, width: count, height: 1))
    if !hadAlpha { makeOpaque() }
  }

  /// Replaces the picture by a row of the sums of its columns, added in a fixed tree.
  mutating func addRows(_ name: String) {
    while height > 1 {
      let from = height
      convolve(
        name,
        y: AxisWeights(sourceSize: from, size: (from + 63) / 64, edges: .clamp) { i in
          (64 * i, [Double](repeating: 1, count: min(64, from - 64 * i)))
        })
    }
  }
}
