import HDRCore

// Loops over all samples stand here: test targets are compiled without optimisation.

extension SampleImage {
  /// The light R, G, B of each pixel of interleaved halves with alpha, row by row.
  package var colorLight: [Double] { colors(Float16.self).map { Double($0) } }

  /// The codes R, G, B of each pixel of interleaved bytes with alpha, row by row.
  package var colorCodes: [UInt8] { colors(UInt8.self) }

  private func colors<Sample>(_: Sample.Type) -> [Sample] {
    let plane = channels[0]
    precondition(plane.stepBytes == 4 * MemoryLayout<Sample>.stride)
    var result: [Sample] = []
    result.reserveCapacity(3 * width * height)
    for y in 0..<height {
      let row = (plane.buffer.base + plane.offset + y * plane.rowBytes).assumingMemoryBound(to: Sample.self)
      for place in 0..<4 * width where place & 3 < 3 { result.append(row[place]) }
    }
    return result
  }
}

/// Relative differences between two lights, of dark light relative to 0.02; light that is negative counts as black.
package struct LightErrors {
  package let median: Double
  package let p95: Double

  package init(_ got: [Double], _ want: [Double]) {
    let all = zip(got, want).map { abs(max($0, 0) - max($1, 0)) / max(abs($1), 0.02) }.sorted()
    (median, p95) = (all[all.count / 2], all[all.count * 95 / 100])
  }
}

/// The least and the largest sample of a plane of halves.
package struct SampleExtremes {
  package private(set) var least = Float.infinity
  package private(set) var most = -Float.infinity
  /// False if a sample is infinite or no number.
  package private(set) var areFinite = true

  package init(halves plane: SamplePlane) {
    for y in 0..<plane.height {
      let row = plane.buffer.base + plane.offset + y * plane.rowBytes
      for x in 0..<plane.width {
        let value = Float((row + x * plane.stepBytes).load(as: Float16.self))
        (least, most) = (min(least, value), max(most, value))
        if !value.isFinite { areFinite = false }
      }
    }
  }
}
