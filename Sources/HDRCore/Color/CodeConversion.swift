/// The factors by which codes of Y', Cb, Cr become R'G'B' of 16 bits: full codes are 65535 (docs/colour-formulas.md#ycbcr).
package struct CodeConversion: Sendable, Hashable {
  package let lumaScale: Float
  package let lumaOffset: Float
  package let chromaOffset: Float
  package let crToRed: Float
  package let cbToGreen: Float
  package let crToGreen: Float
  package let cbToBlue: Float

  package init(_ c: YCbCr, _ range: SampleRange) {
    let kg = 1 - c.kr - c.kb, chroma = 65_535 / range.chromaScale
    lumaScale = Float(65_535 / range.lumaScale)
    lumaOffset = Float(range.lumaOffset)
    chromaOffset = Float(range.chromaOffset)
    crToRed = Float(2 * (1 - c.kr) * chroma)
    cbToBlue = Float(2 * (1 - c.kb) * chroma)
    cbToGreen = Float(-2 * c.kb * (1 - c.kb) / kg * chroma)
    crToGreen = Float(-2 * c.kr * (1 - c.kr) / kg * chroma)
  }
}
