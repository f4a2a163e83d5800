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
    typealias Light = (Double, Double, Double)
    func differences(_ between: (Light, Light) -> Double) -> PlaneBand<Float> {
      var codes = [Int](repeating: 0, count: a.width)
      return PlaneBand<Float>(width: a.width, rows: rows) { y, row in
        a.each(y) { x, r, g, b in
          codes[x] = DisplayCodes.code(r) << 16 | DisplayCodes.code(g) << 8 | DisplayCodes.code(b)
        }
        b.each(y) { x, r, g, b in
          let code = DisplayCodes.code(r) << 16 | DisplayCodes.code(g) << 8 | DisplayCodes.code(b)
          if code != codes[x] { row[x] = Float(between(Self.light(codes[x]), Self.light(code))) }
        }
      }
    }
    if metrics.contains(.delta2000) {
      standard.add(
        differences { ChartColor(lab: $0.0, $0.1, $0.2).difference2000(to: ChartColor(lab: $1.0, $1.1, $1.2)) })
    }
    if metrics.contains(.deltaOK) {
      ok.add(differences { ChartColor(oklab: $0.0, $0.1, $0.2).distance(to: ChartColor(oklab: $1.0, $1.1, $1.2)) })
    }
  }

  private static func light(_ code: Int) -> (Double, Double, Double) {
    let table = DisplayCodes.light
    return (table[code >> 16], table[code >> 8 & 255], table[code & 255])
  }
}
