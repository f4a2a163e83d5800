import HDRCore
import Kernels

/// A curve of cubics between knots. Below the first and above the last knot it is constant.
package struct KnotCurve: Sendable, Hashable {
  /// A cubic of the distance from its first knot.
  package struct Piece: Sendable, Hashable {
    var start: Double
    var a: Double
    var b = 0.0
    var c = 0.0
    var d = 0.0

    func value(_ x: Double) -> Double {
      let t = x - start
      return a + t * (b + t * (c + t * d))
    }
  }

  /// Points nearer than this are a step, so that slopes stay finite.
  static let leastGap = 0x1p-30

  /// Pieces by rising starts, at least one.
  var pieces: [Piece]
  var end: Double

  /// Makes lines between points whose x rise or stay; where x stays, the curve steps.
  ///
  /// - Returns: `nil` if x does not rise at all.
  package static func lines(_ points: [(x: Double, y: Double)]) -> KnotCurve? {
    var pieces: [Piece] = []
    for (p, q) in zip(points, points.dropFirst()) where q.x - p.x > leastGap {
      pieces.append(Piece(start: p.x, a: p.y, b: (q.y - p.y) / (q.x - p.x)))
    }
    guard let last = points.last, !pieces.isEmpty else { return nil }
    return KnotCurve(pieces: pieces, end: last.x)
  }

  /// Makes a cubic Hermite curve whose inner slopes are those between the neighbours of a point. The first and the last
  /// interval are parabolas through their inner slope; two points are a line.
  package static func smooth(_ points: [(x: Double, y: Double)]) -> KnotCurve? {
    guard points.count > 2 else { return lines(points) }
    let last = points.count - 1
    let slopes = (1..<last).map { i in
      (points[i + 1].y - points[i - 1].y) / (points[i + 1].x - points[i - 1].x)
    }
    let pieces = (0..<last).map { i in
      let (p, q) = (points[i], points[i + 1]), h = q.x - p.x, secant = (q.y - p.y) / h
      if i == 0 {
        // Through the slope at its end.
        let c = (slopes[0] - secant) / h
        return Piece(start: p.x, a: p.y, b: secant - c * h, c: c)
      }
      let m = slopes[i - 1]
      if i == last - 1 { return Piece(start: p.x, a: p.y, b: m, c: (secant - m) / h) }
      let n = slopes[i]
      return Piece(start: p.x, a: p.y, b: m, c: (3 * secant - 2 * m - n) / h, d: (m + n - 2 * secant) / (h * h))
    }
    return KnotCurve(pieces: pieces, end: points[last].x)
  }

  package func value(_ x: Double) -> Double {
    let inside = min(max(x, pieces[0].start), end)
    // As the stage: a knot belongs to the piece before it.
    var low = 0, high = pieces.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].start < inside { low = middle } else { high = middle }
    }
    return pieces[low].value(inside)
  }

  /// Returns the inverse of lines.
  func inverse() throws(LUTError) -> KnotCurve {
    guard pieces.allSatisfy({ $0.c == 0 && $0.d == 0 }) else {
      throw LUTError(.inverse, reason: "a smooth curve between points has no inverse here; bake it to a table")
    }
    let points = pieces.map { (x: $0.start, y: $0.a) } + [(x: end, y: pieces[pieces.count - 1].value(end))]
    return try Self.inverse(of: points)
  }

  /// Returns the curve from y to x of points whose y only rise or only fall: where y stays, the lower x, at the first
  /// value the last such x; of one value, the first x.
  package static func inverse(of points: [(x: Double, y: Double)]) throws(LUTError) -> KnotCurve {
    let rises = (points.last?.y ?? 0) >= (points.first?.y ?? 0)
    let ordered = (rises ? points : points.reversed()).map { (x: $0.y, y: $0.x) }
    guard zip(ordered, ordered.dropFirst()).allSatisfy({ $0.x <= $1.x }) else {
      throw LUTError(.inverse, reason: "a 1D table that rises and falls has no inverse")
    }
    return lines(ordered) ?? KnotCurve(pieces: [Piece(start: ordered[0].x, a: points[0].x)], end: ordered[0].x)
  }

  /// The table of stage `knots`: starts, then the numbers of each piece.
  var words: [UInt32] {
    KnotsStage.table(starts: pieces.map(\.start), numbers: pieces.map { [$0.a, $0.b, $0.c, $0.d] })
  }
}

extension CubeLUT.Table1D {
  /// Returns the curves that undo the table.
  func inverse() throws(LUTError) -> [KnotCurve] {
    var curves: [KnotCurve] = []
    for channel in 0..<3 {
      let low = domainMin[channel], step = (domainMax[channel] - low) / Double(size - 1)
      curves.append(
        try KnotCurve.inverse(
          of: (0..<size).map { (x: low + step * Double($0), y: Double(values[3 * $0 + channel])) }))
    }
    return curves
  }
}
