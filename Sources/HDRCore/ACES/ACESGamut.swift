/// The gamut of a display at one hue: lightness and colourfulness of its cusp, and the exponent of its upper edge.
package struct ACESCusp: Sendable {
  package var j: Double, m: Double, exponent: Double

  /// Lines of compression meet the axis of greys between the cusp's lightness and middle grey.
  package func focus(_ tones: ACESTones) -> Double {
    j + (tones.jMiddle - j) * min(1, 1.3 - j / tones.jMax)
  }

  /// The lightness above which lines get flatter.
  package func flattening(_ tones: ACESTones) -> Double { j + (tones.jMax - j) * 0.3 }
}

/// Gamut compression of ACES 2.0 at one hue, along a line from the axis of greys.
package struct ACESGamutLine {
  /// The lightness where the line meets the axis, and its slope.
  package let start: Double, slope: Double
  /// Colourfulness where the line leaves the display's gamut.
  package let boundary: Double
  private let tones: ACESTones

  /// Makes the line through a colour. `lightness`: the one from which the line's steepness is taken.
  package init(_ tones: ACESTones, _ cusp: ACESCusp, j: Double, m: Double, lightness: Double) {
    self.tones = tones
    let most = tones.jMax, focus = cusp.focus(tones), threshold = cusp.flattening(tones)
    let flat =
      lightness > threshold
      ? ExactMath.log10((most - threshold) / max(1e-4, most - lightness)) : 0
    let gain = most * tones.focus * (1 + flat * flat)
    func meeting(_ j: Double, _ m: Double) -> Double {
      let share = m / gain, alpha = share / focus
      if j < focus {
        let b = 1 - share
        return 2 * j / (b + (b * b + 4 * alpha * j).squareRoot())
      }
      let b = 1 + share + most * alpha, c = most * share + j
      return 2 * c / (b + (b * b - 4 * alpha * c).squareRoot())
    }
    let start = meeting(j, m), ofCusp = meeting(cusp.j, cusp.m)
    let slope = (start < focus ? start : most - start) * (start - focus) / (focus * gain)
    let lower = Self.edge(start, slope, tones.lowerExponent, cusp.j, cusp.m, ofCusp)
    let upper = Self.edge(most - start, -slope, cusp.exponent, most - cusp.j, cusp.m, most - ofCusp)
    let smooth = 0.12 * cusp.m, near = max(0, smooth - abs(lower - upper)) / smooth
    boundary = min(lower, upper) - near * near * near * smooth / 6
    (self.start, self.slope) = (start, slope)
  }

  private static func edge(
    _ start: Double, _ slope: Double, _ exponent: Double, _ j: Double, _ m: Double, _ reference: Double
  ) -> Double {
    reference * ExactMath.pow(max(start, 0) / reference, exponent) * m / (j - slope * m)
  }

  /// Colourfulness at which the line leaves what AP1 can reach, whose colourfulness at the peak's lightness is `reach`.
  package func reached(_ reach: Double) -> Double {
    Self.edge(start, slope, 1 / ACESAppearance.cz, tones.jMax, reach, tones.jMax)
  }

  /// Returns the compressed colourfulness of `m` on the line.
  package func compressed(_ m: Double, reach: Double) -> Double {
    guard let knee = knee(reach), m > knee.start else { return m }
    let x = m - knee.start, a = knee.reach, g = knee.room
    return knee.start + x * a * g / (x * (a - g) + a * g)
  }

  /// Returns the colourfulness that `compressed` brings to `m`.
  package func expanded(_ m: Double, reach: Double) -> Double {
    guard let knee = knee(reach), m > knee.start else { return m }
    let a = knee.reach, g = knee.room, scale = a * g / (a - g), share = (m - knee.start) / scale
    return share >= 1 ? knee.start + scale : knee.start + scale * share / (1 - share)
  }

  /// The start of compression and the distances from there to reach and boundary; `nil`: nothing is compressed.
  private func knee(_ reach: Double) -> (start: Double, reach: Double, room: Double)? {
    let most = reached(reach), share = max(boundary / most, 0.75)
    guard share < 1 else { return nil }
    let start = share * boundary
    return (start, most - start, boundary - start)
  }
}

/// The tables of ACES 2.0 for a peak and a limiting gamut, over hue.
package struct ACESTables: Sendable {
  package static let count = 360
  /// The hues of nodes in degrees, from 0. The gamut's corners are nodes, so the last degrees may hold several.
  package var hues: [Double]
  package var cusps: [ACESCusp]
  /// The colourfulness that AP1 reaches at the peak's lightness, for each degree.
  package var reach: [Double]

  package init(hues: [Double], cusps: [ACESCusp], reach: [Double]) {
    (self.hues, self.cusps, self.reach) = (hues, cusps, reach)
  }

  /// Returns the cusp at a hue in degrees, interpolated between nodes.
  package func cusp(_ hue: Double) -> ACESCusp {
    var low = 0, high = Self.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if hues[middle] <= hue { low = middle } else { high = middle }
    }
    let next = high == Self.count ? 0 : high, end = high == Self.count ? 360 : hues[high]
    let t = (hue - hues[low]) / (end - hues[low]), a = cusps[low], b = cusps[next]
    return ACESCusp(
      j: a.j + t * (b.j - a.j), m: a.m + t * (b.m - a.m), exponent: a.exponent + t * (b.exponent - a.exponent))
  }

  package func reach(_ hue: Double) -> Double {
    let low = min(Int(hue), Self.count - 1), next = low + 1 == Self.count ? 0 : low + 1
    return reach[low] + (hue - Double(low)) * (reach[next] - reach[low])
  }
}
