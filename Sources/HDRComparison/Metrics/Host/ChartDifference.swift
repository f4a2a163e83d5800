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
      ? differences(a, b, rows, ChartRow.toOklab) { $0.distances($1, to: $2) }
      : differences(a, b, rows, ChartRow.toLab) { $0.differences2000($1, to: $2) }
  }

  private static func differences(
    _ a: DisplayLight, _ b: DisplayLight, _ rows: Range<Int>, _ turn: (inout ChartRow) -> Void,
    _ write: (ChartRow, ChartRow, UnsafeMutablePointer<Double>) -> Void
  ) -> PlaneBand<Float> {
    let width = a.width
    var light = ColorRow<Float>(width: width), codesA = [Int](repeating: 0, count: width), codesB = codesA
    func fill(_ codes: inout [Int], _ picture: DisplayLight, _ y: Int) {
      picture.fill(y, &light)
      light.read { r, g, b in
        codes.withUnsafeMutableBufferPointer { codes in
          DisplayCodes.each(r, count: width) { codes[$0] = $1 << 16 }
          DisplayCodes.each(g, count: width) { codes[$0] |= $1 << 8 }
          DisplayCodes.each(b, count: width) { codes[$0] |= $1 }
        }
      }
    }
    var inA = ChartRow(width: width), inB = inA, places: [Int] = []
    var numbers = [Double](repeating: 0, count: width)
    return PlaneBand<Float>(width: width, rows: rows) { y, row in
      fill(&codesA, a, y)
      fill(&codesB, b, y)
      inA.removeAll()
      inB.removeAll()
      places.removeAll(keepingCapacity: true)
      DisplayCodes.light.withUnsafeBufferPointer { table in
        for x in 0..<width where codesA[x] != codesB[x] {
          places.append(x)
          append(codesA[x], table, to: &inA)
          append(codesB[x], table, to: &inB)
        }
      }
      turn(&inA)
      turn(&inB)
      numbers.withUnsafeMutableBufferPointer { write(inA, inB, $0.baseAddress!) }
      for (index, x) in places.enumerated() { row[x] = Float(numbers[index]) }
    }
  }

  @inline(__always) private static func append(
    _ code: Int, _ table: UnsafeBufferPointer<Double>, to row: inout ChartRow
  ) {
    row.append(table[code >> 16], table[code >> 8 & 255], table[code & 255])
  }
}
