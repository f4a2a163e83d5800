import HDRCore

/// The differences of two gain maps of one size: the largest one of the three channels of each pixel, in stops, and how
/// far one map lies beside the other.
struct GainDifference: Sendable {
  let sums: DifferenceSums
  let shift: PhaseShift?

  /// - Parameters: log2 gains in three planes of binary32, of one size.
  init(_ a: SampleImage, _ b: SampleImage, _ threads: MetricThreads) {
    let width = a.width
    sums = threads.reduced(a.height, DifferenceSums()) { rows, sums in
      sums.add(
        PlaneBand<Float>(width: width, rows: rows) { y, row in
          for (p, q) in zip(a.channels, b.channels) {
            let u = p.floats(row: y), v = q.floats(row: y)
            for x in 0..<width { row[x] = max(row[x], abs(u[x] - v[x])) }
          }
        })
    } merge: {
      $0.merge($1)
    }
    // The middle of large maps.
    let columns = min(width, PhaseShift.longest), rows = min(a.height, PhaseShift.longest)
    let left = (width - columns) / 2, top = (a.height - rows) / 2
    func window(_ gains: SampleImage) -> [Double] {
      (top..<top + rows).flatMap { y in
        let planes = gains.channels.map { $0.floats(row: y) }
        return (left..<left + columns).map { x in planes.reduce(0) { $0 + Double($1[x]) } / Double(planes.count) }
      }
    }
    shift = PhaseShift(window(a), window(b), width: columns, height: rows)
  }
}
