import HDRCore

/// The score of ssimulacra2 for two SDR renditions as 8-bit sRGB: structure, ringing and lost detail in six scales of
/// XYB. Windows are Gaussians with mirrored edges, where the reference code has a recursive filter of its own. Source:
/// J. Sneyers, ssimulacra2 2.1.
enum Ssimulacra2 {
  /// The least side of a scale.
  static let leastSide = 8
  private static let scales = 6
  /// The rows that are in memory at once, in addition to those that their windows reach.
  private static let bandRows = 32

  /// Returns the score; `nil` for pictures smaller than `leastSide`.
  static func score(_ a: DisplayLight, _ b: DisplayLight, _ threads: MetricThreads) -> Double? {
    var pictures = (LinearPicture(a), LinearPicture(b))
    var numbers: [[Double]] = []
    while min(pictures.0.width, pictures.0.height) >= leastSide {
      let scale = self.numbers(pictures.0, pictures.1, threads)
      // There was no time for any row.
      if scale.isEmpty { return nil }
      numbers.append(scale)
      if numbers.count == scales { break }
      pictures = (pictures.0.halved(), pictures.1.halved())
    }
    if numbers.isEmpty { return nil }
    var weights = Ssimulacra2Weights.all.makeIterator(), sum = 0.0
    for channel in 0..<3 {
      for scale in numbers {
        for number in scale[6 * channel..<6 * channel + 6] { sum += (weights.next() ?? 0) * number }
      }
    }
    return Ssimulacra2Weights.score(sum, power: ExactMath.pow)
  }

  /// Returns the numbers of a scale: for each channel the means of structure, ringing and lost detail, then their
  /// 4-norms.
  private static func numbers(_ a: LinearPicture, _ b: LinearPicture, _ threads: MetricThreads) -> [Double] {
    let sums = threads.reduced(a.height, RowSums()) {
      add(a, b, $0, &$1)
    } merge: {
      $0.merge($1)
    }
    let pixels = Double(a.width * a.height)
    return sums.total.enumerated().map { index, sum in
      let mean = sum / pixels
      return index % 6 < 3 ? mean : mean.squareRoot().squareRoot()
    }
  }

  private static func add(_ a: LinearPicture, _ b: LinearPicture, _ own: Range<Int>, _ sums: inout RowSums) {
    var row = ErrorRow(width: a.width)
    for first in stride(from: own.lowerBound, to: own.upperBound, by: bandRows) {
      let band = first..<min(first + bandRows, own.upperBound)
      let all = band.widened(by: StructuralSimilarity.reach, height: a.height)
      let channels = zip(a.perceptual(all), b.perceptual(all)).map { p, q in
        let planes = StructurePlanes(p, q)
        return band.map { row.sums(planes, p, q, $0, height: a.height) }
      }
      for (index, y) in band.enumerated() { sums.add(row: y, channels.flatMap { $0[index] }) }
    }
  }
}

/// The errors of a row of one channel, and the memory for them.
private struct ErrorRow {
  private var structure: StructureRow
  private var errors: ColorRow<Double>

  init(width: Int) {
    structure = StructureRow(width: width)
    errors = ColorRow(width: width)
  }

  /// Returns the sums of a row: structure, ringing and lost detail, then their fourth powers.
  mutating func sums(
    _ planes: StructurePlanes, _ a: PlaneBand<Double>, _ b: PlaneBand<Double>, _ y: Int, height: Int
  ) -> [Double] {
    let c = Ssimulacra2Weights.structure, width = errors.width
    structure.fill(planes, .mirror, row: y, height: height)
    return errors.change { errors, ringing, lost in
      structure.read { m, n, q, p in
        for x in 0..<width {
          let off = m[x] - n[x], covariance = p[x] - m[x] * n[x]
          // Twice the covariance of a picture with itself is the sum of its variances, to the bit.
          let variances = q[x] - (m[x] * m[x] + n[x] * n[x])
          let ratio = (1 - off * off) * (2 * covariance + c) / (variances + c)
          errors[x] = ratio < 1 ? 1 - ratio : 0
        }
        a.withRow(y) { a in
          b.withRow(y) { b in
            for x in 0..<width { ringing[x] = (1 + abs(b[x] - n[x])) / (1 + abs(a[x] - m[x])) - 1 }
          }
        }
      }
      for x in 0..<width {
        lost[x] = ringing[x] < 0 ? -ringing[x] : 0
        ringing[x] = ringing[x] > 0 ? ringing[x] : 0
      }
      let sums = [errors, ringing, lost].map { (plane: UnsafeMutablePointer<Double>) in
        rowLoops.sums(plane, count: width)
      }
      return sums.map(\.first) + sums.map(\.fourth)
    }
  }
}
