extension ACESTables {
  /// The corners of the unit cube in the order of hue: red, yellow, green, cyan, blue, magenta.
  private static let corners: [[Double]] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
  /// Cusps lie a little outside the gamut, so that rounded edges do not cut into it.
  private static let margin = 1 + 0.27 * 0.12

  /// Makes the tables. Searches end at the tolerances of the release, on the upper side.
  package init(_ tones: ACESTones, limit: Primaries) {
    let appearance = ACESAppearance(limit), working = ACESAppearance(.acesWorking)
    let corners = Self.displayCorners(tones, appearance)
    let hues = Self.hues(corners.map(\.hue) + Self.reachHues(tones, working))
    let reach = (0..<Self.count).map { Self.reach(Double($0), tones, working) }
    let cusps = hues.map { hue -> ACESCusp in
      var cusp = Self.cusp(hue, corners, appearance)
      cusp.exponent = Self.exponent(hue, cusp, tones, appearance)
      return cusp
    }
    self.init(hues: hues, cusps: cusps, reach: reach)
  }

  /// Halves an interval until it is shorter than `tolerance`; returns its upper end. `isAbove`: the middle lies above.
  private static func bisect(_ low: Double, _ high: Double, _ tolerance: Double, _ isAbove: (Double) -> Bool) -> Double
  {
    var (low, high) = (low, high)
    while high - low > tolerance {
      let middle = (low + high) / 2
      if isAbove(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// Goes up from `first` in steps until the test holds or `last` is reached, then halves the last step.
  private static func climb(
    _ first: Double, by step: Double, to last: Double, _ tolerance: Double, _ isAbove: (Double) -> Bool
  ) -> Double {
    var low = first, high = first + step
    while high < last, !isAbove(high) { (low, high) = (high, high + step) }
    return bisect(low, high, tolerance, isAbove)
  }

  private typealias Corner = (rgb: [Double], hue: Double)

  /// Returns the corners of the display's gamut, the one of the lowest hue first.
  private static func displayCorners(_ tones: ACESTones, _ appearance: ACESAppearance) -> [Corner] {
    let found = corners.map { corner -> Corner in
      let rgb = corner.map { $0 * tones.peak / 100 }
      return (rgb, appearance.color(rgb).hue)
    }
    let first = found.indices.min { found[$0].hue < found[$1].hue }!
    return Array(found[first...] + found[..<first])
  }

  /// Returns the hues of AP1's corners where they have the peak's lightness.
  private static func reachHues(_ tones: ACESTones, _ working: ACESAppearance) -> [Double] {
    let most = ACESAppearance.achromatic(ofLightness: tones.jMax)
    return corners.map { corner in
      let scale = bisect(0, tones.largest, 1e-3) { scale in
        working.color(corner.map { $0 * scale }).achromatic >= most
      }
      return working.color(corner.map { $0 * scale }).hue
    }
  }

  /// Returns the hues of nodes: about one a degree, and one at each corner.
  private static func hues(_ corners: [Double]) -> [Double] {
    let sorted = Array(Set(corners)).sorted()
    var nodes: [Int] = [], least = sorted[0] == 0 ? 0 : 1
    for (index, hue) in sorted.enumerated() {
      var node = min(max(Int(hue + 0.5), least), count - 1)
      if node == nodes.last {
        if index > 1 && nodes[index - 2] != nodes[index - 1] - 1 { nodes[index - 1] -= 1 } else { node += 1 }
      }
      nodes.append(min(node, count - 1))
      least = node
    }
    var hues: [Double] = []
    for (index, end) in (nodes + [count]).enumerated() {
      let from = index == 0 ? 0 : sorted[index - 1], to = index < sorted.count ? sorted[index] : 360
      let number = end - hues.count
      for step in 0..<max(0, number) { hues.append(from + (to - from) * Double(step) / Double(number)) }
    }
    return hues
  }

  private static func reach(_ hue: Double, _ tones: ACESTones, _ working: ACESAppearance) -> Double {
    let (cosine, sine) = ExactMath.cosSin(degrees: hue)
    return climb(0, by: 50, to: 1300, 0.01) { m in
      working.rgb(j: tones.jMax, m: m, cosine: cosine, sine: sine).contains { $0 < 0 }
    }
  }

  /// Returns the cusp at a hue: the point of that hue on the edge between two corners.
  private static func cusp(_ hue: Double, _ corners: [Corner], _ appearance: ACESAppearance) -> ACESCusp {
    let next = corners.firstIndex { $0.hue > hue } ?? corners.count
    let (low, high) = (corners[(next + 5) % 6], corners[next % 6])
    // The edge that crosses 0 degrees is the last one, and the first.
    func turned(_ measured: Double) -> Double {
      if next == corners.count && measured < low.hue { return measured + 360 }
      if next == 0 && measured >= high.hue { return measured - 360 }
      return measured
    }
    func color(_ t: Double) -> ACESAppearance.Color {
      appearance.color(zip(low.rgb, high.rgb).map { $0 + t * ($1 - $0) })
    }
    let t = bisect(0, 1, 1e-12) { turned(color($0).hue) >= hue }
    let found = color(t)
    return ACESCusp(j: found.j, m: found.m * margin, exponent: 0)
  }

  /// Returns the exponent with which points of the upper edge at five lightnesses lie outside the display's gamut.
  private static func exponent(
    _ hue: Double, _ cusp: ACESCusp, _ tones: ACESTones, _ appearance: ACESAppearance
  ) -> Double {
    let (cosine, sine) = ExactMath.cosSin(degrees: hue), most = tones.peak / 100
    let lightnesses = [0.01, 0.1, 0.5, 0.8, 0.99].map { cusp.j + $0 * (tones.jMax - cusp.j) }
    return 1
      / climb(0.4, by: 0.4, to: 5, 1e-5) { gamma in
        let tried = ACESCusp(j: cusp.j, m: cusp.m, exponent: 1 / gamma)
        return lightnesses.allSatisfy { j in
          let line = ACESGamutLine(tones, tried, j: j, m: cusp.m, lightness: j), m = line.boundary
          return appearance.rgb(j: line.start + m * line.slope, m: m, cosine: cosine, sine: sine).contains { $0 > most }
        }
      }
  }
}
