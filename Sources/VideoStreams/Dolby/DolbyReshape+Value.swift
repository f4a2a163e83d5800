import HDRCore

/// The reshaping of one pixel, in exact arithmetic (docs/exact-arithmetic.md): what a stage does in the same order.
extension DolbyReshape {
  /// Returns the PQ signal R'G'B' of a pixel, 0...1.
  ///
  /// - Parameter codes: Y, U and V of the base layer as they are stored, 0 to the largest code, whatever their range. Codes of
  ///   upsampled chroma may have fractions.
  package func signal(_ codes: SIMD3<Float>) -> SIMD3<Float> {
    let terms = terms(codes)
    let a = reshaped(0, codes[0], terms) - table[Layout.offsets]
    let b = reshaped(1, codes[1], terms) - table[Layout.offsets + 1]
    let c = reshaped(2, codes[2], terms) - table[Layout.offsets + 2]
    var signal = SIMD3<Float>()
    for row in 0..<3 {
      let at = Layout.toSignal + 3 * row
      let sum = (table[at] * a + table[at + 1] * b) + table[at + 2] * c
      signal[row] = sum < 0 ? 0 : (1 < sum ? 1 : sum)
    }
    return signal
  }

  /// Returns the light of a pixel in BT.2020, 0...1, 1.0 = 10 000 cd/m². A stage looks the curve of PQ up in its table.
  package func light(_ codes: SIMD3<Float>) -> SIMD3<Float> {
    let signal = signal(codes)
    var linear = SIMD3<Float>(), light = SIMD3<Float>()
    for index in 0..<3 { linear[index] = Float(Transfer.pqEOTF(Double(signal[index])) / 10_000) }
    for row in 0..<3 {
      let at = Layout.toBT2020 + 3 * row
      let sum = (table[at] * linear[0] + table[at + 1] * linear[1]) + table[at + 2] * linear[2]
      light[row] = sum < 0 ? 0 : (1 < sum ? 1 : sum)
    }
    return light
  }

  /// Returns the reshaped components, 0...1.
  package func reshaped(_ codes: SIMD3<Float>) -> SIMD3<Float> {
    let terms = terms(codes)
    return SIMD3(reshaped(0, codes[0], terms), reshaped(1, codes[1], terms), reshaped(2, codes[2], terms))
  }

  /// Returns y, u, v, yu, yv, uv and yuv; each below 2^-24 is 0.
  private func terms(_ codes: SIMD3<Float>) -> [Float] {
    func least(_ x: Float) -> Float { x < Self.tiny ? 0 : x }
    let y = least(codes[0] * table[Layout.scale]), u = least(codes[1] * table[Layout.scale])
    let v = least(codes[2] * table[Layout.scale])
    let yu = least(y * u), yv = least(y * v), uv = least(u * v)
    return [y, u, v, yu, yv, uv, least(yu * v)]
  }

  /// Returns a reshaped component. A code that is a pivot belongs to the piece above.
  private func reshaped(_ component: Int, _ code: Float, _ terms: [Float]) -> Float {
    let curve = Layout.curves + component * Layout.curveStride
    var piece = curve + Layout.pieces
    for index in 0..<Layout.pivotCount {
      piece += table[curve + Layout.pivots + index] <= code ? Layout.pieceStride : 0
    }
    let factors = piece + Layout.factors
    func term(_ index: Int) -> Float {
      let t = terms[index], at = factors + index
      return t * (table[at] + t * (table[at + 7] + t * table[at + 14]))
    }
    var sum = table[piece + Layout.constant]
    if table[piece + Layout.kind] == 0 {
      sum += term(component)
    } else {
      for index in 0..<7 { sum += term(index) }
    }
    let least = table[curve + Layout.least], largest = table[curve + Layout.largest]
    let result = sum < least ? least : (largest < sum ? largest : sum)
    return result < Self.tiny ? 0 : result
  }
}
