import HDRCore
import Kernels

/// A tone curve from a file's own two renditions: for each luminance of the HDR one, the SDR one's mean luminance
/// there. It is one rising curve for the whole picture, so it also fits the picture after filters; a gain map does not.
///
/// Luminance is that of linear BT.2020; the curve is held in stops (log2).
package struct FileCurve: Sendable, Hashable {
  /// The nodes, log2 luminances of the HDR rendition: from `first` on, `perStop` a stop.
  static let first = -10.0, perStop = 8.0, count = 161
  /// log2 of SDR over HDR luminance at each node.
  let gains: [Double]
  /// The headroom of the HDR rendition.
  let headroom: Headroom

  /// Fits the curve to two renditions of one picture.
  ///
  /// - Parameters:
  ///   - sdr, hdr: interleaved R G B A halves of one size, linear BT.2020, 1.0 = reference white.
  ///   - headroom: the headroom of `hdr`.
  /// - Returns: `nil` if fewer than 16 pixels have light in both.
  package init?(sdr: SampleImage, hdr: SampleImage, headroom: Headroom) {
    guard (sdr.width, sdr.height) == (hdr.width, hdr.height), sdr.format == .float16, hdr.format == .float16 else {
      return nil
    }
    var sums = [Double](repeating: 0, count: Self.count), counts = sums
    for y in 0..<hdr.height {
      for x in 0..<hdr.width {
        let from = Self.luminance(hdr, x, y), to = Self.luminance(sdr, x, y)
        guard from >= 0x1p-10, to >= 0x1p-16 else { continue }
        let place = min(((ExactMath.log2(from) - Self.first) * Self.perStop).rounded(), Double(Self.count - 1))
        sums[Int(place)] += ExactMath.log2(to)
        counts[Int(place)] += 1
      }
    }
    guard counts.reduce(0, +) >= 16 else { return nil }
    gains = Self.gains(Self.rising(sums, counts))
    self.headroom = headroom
  }

  private static func luminance(_ image: SampleImage, _ x: Int, _ y: Int) -> Double {
    let plane = image.channels[0], w = ToneOperation.luminance
    let pixel = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    func light(_ channel: Int) -> Double {
      Double(E32.float(half: UInt32(pixel.load(fromByteOffset: 2 * channel, as: UInt16.self))))
    }
    return w[0] * light(0) + w[1] * light(1) + w[2] * light(2)
  }

  /// Returns the means of the nodes that have pixels, pooled where they fall: the nearest rising curve by least squares
  /// (pool adjacent violators).
  private static func rising(_ sums: [Double], _ counts: [Double]) -> [(node: Double, value: Double)] {
    var pools: [(sum: Double, count: Double, from: Int, to: Int)] = []
    for node in 0..<count where counts[node] > 0 {
      pools.append((sums[node], counts[node], node, node))
      while pools.count > 1, let last = pools.last,
        last.sum / last.count < pools[pools.count - 2].sum / pools[pools.count - 2].count
      {
        pools.removeLast()
        let before = pools.removeLast()
        pools.append((before.sum + last.sum, before.count + last.count, before.from, last.to))
      }
    }
    return pools.flatMap { pool in
      let value = pool.sum / pool.count
      return pool.from == pool.to
        ? [(Double(pool.from), value)] : [(Double(pool.from), value), (Double(pool.to), value)]
    }
  }

  /// Returns the gains at all nodes: linear between known nodes; below them the first gain continues, above them the
  /// luminance stays constant.
  private static func gains(_ known: [(node: Double, value: Double)]) -> [Double] {
    func stops(_ node: Double) -> Double { first + node / perStop }
    guard let low = known.first, let high = known.last else { return [Double](repeating: 0, count: count) }
    var index = 0
    return (0..<count).map { node in
      let at = Double(node)
      if at <= low.node { return low.value - stops(low.node) }
      if at >= high.node { return high.value - stops(at) }
      while known[index + 1].node < at { index += 1 }
      let (a, b) = (known[index], known[index + 1])
      return a.value + (at - a.node) / (b.node - a.node) * (b.value - a.value) - stops(at)
    }
  }

  /// Returns the factor for light of luminance `v` on a display: all of the gain on an SDR display, none if the display
  /// shows the HDR rendition in full.
  package func factor(_ v: Double, display: Headroom) -> Double {
    let place = (ExactMath.log2(max(v, 0x1p-24)) - Self.first) * Self.perStop
    let node = min(max(place, 0), Double(Self.count - 1)), index = min(Int(node), Self.count - 2)
    let gain = gains[index] + (node - Double(index)) * (gains[index + 1] - gains[index])
    let share = headroom.stops > 0 ? min(max(1 - display.stops / headroom.stops, 0), 1) : 0
    return ExactMath.exp2(share * gain)
  }

  func operations(display: Headroom) -> [ToneOperation] {
    [.scaleByLuminance(octaves: -10..<10, k: 8) { v in factor(v, display: display) }]
  }
}

/// The file's own curve as an operator: for pictures whose gain map no longer fits because filters changed them.
package enum FileCurveTone: ToneOperator {
  package static let name = "file-curve"
  package static let summary = "one curve fitted to the file's own SDR and HDR renditions"
  package static let space = "linear BT.2020, luminance"

  /// Returns the operations of Reference White, which is used if there is no curve (`RenderRecipe.fileCurve`).
  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    ReferenceWhiteTone.operations(content: content, display: display, values)
  }
}
