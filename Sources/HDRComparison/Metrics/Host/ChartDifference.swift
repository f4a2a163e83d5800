import HDRCore
import HDRRecipe

/// Differences of SDR renditions as 8-bit sRGB, for charts: CIEDE2000 and the distance in Oklab.
struct ChartDifference: Sendable {
  private(set) var standard = DifferenceSums()
  private(set) var ok = DifferenceSums(unit: DifferenceSums.fineUnit)

  init(_ a: DisplayLight, _ b: DisplayLight, _ metrics: Set<Metric>, _ threads: MetricThreads) {
    self = threads.reduced(a.height, ChartDifference()) {
      $1.add(a, b, metrics, $0)
    } merge: {
      $0.standard.merge($1.standard)
      $0.ok.merge($1.ok)
    }
  }

  private init() {}

  private mutating func add(_ a: DisplayLight, _ b: DisplayLight, _ metrics: Set<Metric>, _ rows: Range<Int>) {
    if metrics.contains(.delta2000) { standard.add(Self.differences(.delta2000, a, b, rows)) }
    if metrics.contains(.deltaOK) { ok.add(Self.differences(.deltaOK, a, b, rows)) }
  }

  /// Returns the differences of some rows: in Oklab, or by CIEDE2000.
  static func differences(
    _ metric: Metric, _ a: DisplayLight, _ b: DisplayLight, _ rows: Range<Int>
  ) -> PlaneBand<Float> {
    metric == .deltaOK
      ? differences(a, b, rows, ChartRow.toOklab) { $0.distance(to: $1) }
      : differences(a, b, rows, ChartRow.toLab) { $0.difference2000(to: $1) }
  }

  private static func differences(
    _ a: DisplayLight, _ b: DisplayLight, _ rows: Range<Int>, _ turn: (inout ChartRow) -> Void,
    _ between: (ChartColor, ChartColor) -> Double
  ) -> PlaneBand<Float> {
    var light = ColorRow<Float>(width: a.width)
    func codes(_ picture: DisplayLight, _ y: Int) -> [Int] {
      picture.fill(y, &light)
      return light.change { r, g, b in
        (0..<a.width).map { x in
          DisplayCodes.code(r[x]) << 16 | DisplayCodes.code(g[x]) << 8 | DisplayCodes.code(b[x])
        }
      }
    }
    var inA = ChartRow(width: a.width), inB = inA
    return PlaneBand<Float>(width: a.width, rows: rows) { y, row in
      let codesA = codes(a, y), codesB = codes(b, y), places = codesA.indices.filter { codesA[$0] != codesB[$0] }
      inA.removeAll()
      inB.removeAll()
      for x in places {
        append(codesA[x], to: &inA)
        append(codesB[x], to: &inB)
      }
      turn(&inA)
      turn(&inB)
      for (index, x) in places.enumerated() { row[x] = Float(between(inA.color(index), inB.color(index))) }
    }
  }

  private static func append(_ code: Int, to row: inout ChartRow) {
    let table = DisplayCodes.light
    row.append(table[code >> 16], table[code >> 8 & 255], table[code & 255])
  }
}
