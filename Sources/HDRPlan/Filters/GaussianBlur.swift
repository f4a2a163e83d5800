import HDRCore

/// Gaussian blur of standard deviation `radius`.
enum GaussianBlur: Filter {
  static let name = "gaussian-blur"
  static let summary = "Gaussian blur; the radius is its standard deviation"
  static let category = FilterCategory.blur
  static let radius = FilterParameter(
    "radius", .number(10, 0...500), "standard deviation in pixels; below 0.16 nothing")
  static let edges = FilterParameter(
    "edges", .choice("clamp", ["clamp", "transparent"]), "beyond the border: the border's pixels, or nothing")
  static let parameters = [radius, edges]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let beyond = edges(values, &edit)
    edit.premultiply()
    edit.gaussian(radius: values.value(radius), edges: beyond)
    edit.unpremultiply()
  }

  /// Returns the values beyond the border; an opaque picture that fades to transparent there gets an alpha.
  static func edges(_ values: FilterValues, _ edit: inout Edit) -> AxisWeights.Edges {
    let isTransparent = values.choice(edges) == "transparent"
    if isTransparent { edit.makeTransparent() }
    return isTransparent ? .transparent : .clamp
  }
}

extension Edit {
  /// Blurs colour and alpha as they are; the last direction is left to the pass that follows.
  mutating func gaussian(radius sigma: Double, edges: AxisWeights.Edges) {
    if sigma < 0.16 { return }
    let (width, height) = (width, height)
    if let x = Gaussian.Pyramid(size: width, sigma: sigma, edges: edges),
      let y = Gaussian.Pyramid(size: height, sigma: sigma, edges: edges)
    {
      // Down the columns first and up them last: the pictures between are small, and the last step joins the next pass.
      convolve("gaussian down", y: y.down)
      convolve("gaussian down", x: x.down)
      convolve("gaussian", x: x.blur, y: y.blur)
      convolve("gaussian up", x: x.up)
      convolve("gaussian up", y: y.up)
      return
    }
    let half = Gaussian.half(sigma)
    convolve(
      "gaussian", x: .symmetric(width, half, edges: edges), y: .symmetric(height, half, edges: edges))
  }
}

/// Weights of Gaussian blur.
///
/// Standard deviations below `Pyramid.least` by the definition: the Gaussian to three standard deviations, of sum 1.
/// Wider ones through a pyramid that follows the whole Gaussian: no picture comes out further from it than 3.5e-5 of
/// its range for each direction, 7e-5 for both (half the sum of the weights' differences; GaussianBlurTests sums them
/// up). By the same measure a Gaussian cut at three standard deviations is up to 2.7e-3 for each direction from the
/// whole one, and 1.4e-3 at an edge.
enum Gaussian {
  /// Returns weights at distances 0, 1, 2 ... to three standard deviations, of sum 1 over both sides.
  static func half(_ sigma: Double) -> [Double] {
    let reach = max(1, Int((3 * sigma).rounded(.up)))
    let list = (0...reach).map { exp(Double($0 * $0) / (sigma * sigma)) }
    let sum = list[0] + 2 * list.dropFirst().reduce(0, +)
    return list.map { $0 / sum }
  }

  /// Returns e^(-x/2).
  private static func exp(_ x: Double) -> Double { ExactMath.exp2(-0.5 * x * 1.442_695_040_888_963_4) }

  /// The blur of one axis at a fraction of the size: cubic B-splines of `step` samples down, a kernel that supplies the
  /// rest of the Gaussian there, cubic B-splines up.
  ///
  /// Variances and fourth cumulants of kernels that follow each other add up; the middle kernel is the Gaussian of what
  /// variance is left, times the polynomial (Gram-Charlier) that cancels the splines' fourth cumulants. What the
  /// splines let through of the copies that decimation makes is below 1e-4 because a sample of the small picture is at
  /// most a third of the standard deviation wide.
  struct Pyramid {
    /// The smallest standard deviation for which a pyramid is used.
    static let least = 8.0

    let down: AxisWeights
    let blur: AxisWeights
    let up: AxisWeights

    /// - Returns: `nil` if the direct definition is to be used.
    init?(size: Int, sigma: Double, edges: AxisWeights.Edges) {
      if sigma < Self.least { return nil }
      let step = 2 * Int(sigma / 6), taps = 4 * step
      let offsets = (0..<taps).map { (Double($0) - Double(taps - 1) / 2) / Double(step) }
      let all = offsets.map(Self.spline), sum = all.reduce(0, +), list = all.map { $0 / sum }
      func moment(_ n: Int) -> Double {
        zip(list, offsets).reduce(0) { sum, tap in sum + (0..<n).reduce(tap.0) { product, _ in product * tap.1 } }
      }
      let variance = sigma * sigma / Double(step * step) - moment(2) - 1.0 / 3
      let excess = moment(4) - 3 * moment(2) * moment(2) - 4.0 / 120

      // Samples of the small picture may lie outside the large one too, as far as they can differ from those at its
      // border.
      let margin = 3, small = (size + step - 1) / step + 2 * margin
      down = AxisWeights(sourceSize: size, size: small, edges: edges) { j in
        ((j - margin) * step - 3 * step / 2, list)
      }
      let reach = Int((4.5 * variance.squareRoot()).rounded(.up))
      let kernel = (0...reach).map { k in
        let z2 = Double(k * k) / variance
        return exp(z2) * (1 - excess / (24 * variance * variance) * (z2 * z2 - 6 * z2 + 3))
      }
      let whole = kernel[0] + 2 * kernel.dropFirst().reduce(0, +)
      blur = .symmetric(small, kernel.map { $0 / whole }, edges: edges)
      // Weights repeat every `step` samples.
      let phases = (0..<step).map { phase in
        let place = (Double(phase) - Double(step - 1) / 2) / Double(step), first = place < 0 ? -2 : -1
        return (first: first, list: (0..<4).map { Self.spline(place - Double(first + $0)) })
      }
      up = AxisWeights(sourceSize: small, size: size, edges: edges) { i in
        let phase = phases[i % step]
        return (i / step + margin + phase.first, phase.list)
      }
    }

    /// Returns the cubic B-spline.
    static func spline(_ x: Double) -> Double {
      let d = abs(x)
      return d < 1 ? 2.0 / 3 - d * d + d * d * d / 2 : (d < 2 ? (2 - d) * (2 - d) * (2 - d) / 6 : 0)
    }
  }
}
