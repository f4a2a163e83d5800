import HDRCore

/// Stage `dolby_reshape`: codes of a Dolby Vision base layer as `load_samples` gives them without offsets to reshaped
/// components, by polynomials and regressions in pieces (docs/video-formulas.md#reshaping).
///
/// The numbers of pieces are a table, as they may be others for each frame.
public enum DolbyReshapeStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The offsets of the components' pieces, and how many there are.
    public let pieces: RGBWords<UInt32>, counts: RGBWords<UInt32>
    /// 1 over the largest code, of the first component and of both others.
    public let scale: Float, chromaScale: Float
    /// The least and the largest result of each component.
    public let least: RGBWords<Float>, largest: RGBWords<Float>
  }

  /// The words of a piece: its first code as loaded; 1 for a regression, 0 for a polynomial of the own component; a
  /// constant; 7 factors for each of 3 powers.
  @usableFromInline static let stride = 24

  /// - Parameter chroma: the factor of the second and third component as loaded (`LoadSamples.chromaScale`).
  package static func words(_ reshape: DolbyReshape, chroma: Int, table: ([UInt32]) -> UInt32) -> [UInt32] {
    typealias Layout = DolbyReshape.Layout
    let numbers = reshape.table, scale = numbers[Layout.scale]
    func curve(_ component: Int) -> Int { Layout.curves + component * Layout.curveStride }
    let pieces = (0..<3).map { component -> [UInt32] in
      let curve = curve(component), factor = component == 0 ? 1 : Float(chroma)
      let inner = numbers[curve + Layout.pivots..<curve + Layout.pivots + Layout.pivotCount]
      var list: [UInt32] = [], last: ArraySlice<Float>?
      for (index, first) in ([0] + inner).enumerated() where first < DolbyReshape.unreached {
        let place = curve + Layout.pieces + index * Layout.pieceStride
        let piece = numbers[place..<place + Layout.pieceStride]
        // Neighbours with the same numbers are one.
        if let last, last.elementsEqual(piece) { continue }
        list += [(first * factor).bitPattern] + piece.map(\.bitPattern)
        last = piece
      }
      return list
    }
    func limits(_ place: Int) -> RGBWords<Float> {
      RGBWords(r: numbers[curve(0) + place], g: numbers[curve(1) + place], b: numbers[curve(2) + place])
    }
    return Parameters(
      pieces: RGBWords(pieces.map(table)), counts: RGBWords(pieces.map { ($0.count / stride).word }), scale: scale,
      chromaScale: scale / Float(chroma), least: limits(Layout.least), largest: limits(Layout.largest)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, tiny: Float = 0x1p-24
    // y, u and v; for regressions yu, yv, uv and yuv, too.
    for channel in 0..<3 {
      let code = s.plane(channel), term = s.scratch(channel), scale = channel == 0 ? words.scale : words.chromaScale
      for i in 0..<n {
        let x = code[i] * scale
        term[i] = x < tiny ? 0 : x
      }
    }
    var hasProducts = false
    for channel in 0..<3 {
      let code = s.plane(channel), own = s.scratch(channel), sum = s.scratch(7), result = s.scratch(8)
      var piece = c.table(at: words.pieces[channel])
      for _ in 0..<Int(words.counts[channel]) {
        let first = piece[0], constant = piece[2]
        if piece[1] == 0 {
          let a = piece[3 &+ channel], b = piece[10 &+ channel], d = piece[17 &+ channel]
          for i in 0..<n {
            let t = own[i]
            sum[i] = constant + t * (a + t * (b + t * d))
          }
        } else {
          if !hasProducts {
            product(s, 0, 1, into: 3)
            product(s, 0, 2, into: 4)
            product(s, 1, 2, into: 5)
            product(s, 3, 2, into: 6)
            hasProducts = true
          }
          for i in 0..<n { sum[i] = constant }
          for index in 0..<7 {
            let term = s.scratch(index), a = piece[3 &+ index], b = piece[10 &+ index], d = piece[17 &+ index]
            for i in 0..<n {
              let t = term[i]
              sum[i] = sum[i] + t * (a + t * (b + t * d))
            }
          }
        }
        // The first piece takes all codes, each further one those from its first code on.
        for i in 0..<n { result[i] = first <= code[i] ? sum[i] : result[i] }
        piece += stride
      }
      let least = words.least[channel], largest = words.largest[channel]
      for i in 0..<n {
        let low: Float = result[i] > least ? result[i] : least
        let x: Float = low < largest ? low : largest
        code[i] = x < tiny ? 0 : x
      }
    }
  }

  /// Multiplies two terms.
  @inlinable @inline(always) static func product(_ s: Strip, _ a: Int, _ b: Int, into place: Int) {
    let a = s.scratch(a), b = s.scratch(b), product = s.scratch(place)
    for i in 0..<s.padded {
      let x = a[i] * b[i]
      product[i] = x < 0x1p-24 ? 0 : x
    }
  }
}
