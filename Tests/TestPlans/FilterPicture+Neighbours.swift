import HDRCore

extension FilterPicture {
  /// The picture with alpha 1.
  package var opaque: FilterPicture {
    FilterPicture(width: width, height: height) { x, y in SIMD4(self[x, y].x, self[x, y].y, self[x, y].z, 1) }
  }

  /// R, G, B times alpha, and alpha.
  package func premultiplied(_ x: Int, _ y: Int) -> SIMD4<Double> {
    var p = self[x, y] * self[x, y].w
    p.w = self[x, y].w
    return p
  }

  /// The border's pixels go on.
  package func clamped(_ x: Int, _ y: Int) -> SIMD4<Double> {
    self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)]
  }

  package func clampedPremultiplied(_ x: Int, _ y: Int) -> SIMD4<Double> {
    premultiplied(min(max(x, 0), width - 1), min(max(y, 0), height - 1))
  }

  /// Transparent black outside.
  package func orNothing(_ x: Int, _ y: Int) -> SIMD4<Double> {
    (0..<width).contains(x) && (0..<height).contains(y) ? premultiplied(x, y) : .zero
  }

  /// Interpolates between four pixels at a place in pixel numbers, premultiplied, transparent black outside.
  package func bilinear(_ x: Double, _ y: Double, _ pixel: (Int, Int) -> SIMD4<Double>) -> SIMD4<Double> {
    let i = Int(x.rounded(.down)), j = Int(y.rounded(.down)), fx = x - Double(i), fy = y - Double(j)
    let top = pixel(i, j) * (1 - fx) + pixel(i + 1, j) * fx
    return top * (1 - fy) + (pixel(i, j + 1) * (1 - fx) + pixel(i + 1, j + 1) * fx) * fy
  }

  /// Gaussian of clamped edges on premultiplied colour, by the definition, back to colour.
  package func gaussian(_ sigma: Double) -> FilterPicture {
    let reach = max(1, Int((3 * sigma).rounded(.up)))
    let g = (-reach...reach).map { ExactMath.exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }, sum = g.reduce(0, +)
    return FilterPicture(width: width, height: height) { x, y in
      var total = SIMD4<Double>.zero
      for dy in -reach...reach {
        for dx in -reach...reach {
          total += clampedPremultiplied(x + dx, y + dy) * (g[dx + reach] * g[dy + reach] / (sum * sum))
        }
      }
      return total.unpremultiplied
    }
  }
}

extension SIMD4<Double> {
  /// R, G, B divided by alpha; 0 where there is none.
  package var unpremultiplied: SIMD4<Double> {
    var p = w > 0x1p-17 ? self / w : .zero
    p.w = w
    return p
  }
}
