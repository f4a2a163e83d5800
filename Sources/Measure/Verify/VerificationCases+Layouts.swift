import HDRCore
import HDRPlan

extension VerificationCases {
  static func layouts(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase?] = []
    let h = rows(pixels)
    let matrices: [(Int, Int)] = [(1, 1), (5, 6), (9, 9), (12, 12), (7, 7), (9, 8), (9, 14)]
    for (index, chroma) in ChromaSubsampling.allCases.enumerated() {
      for (bits, siting) in [(8, ChromaSiting.center), (10, .left), (12, .topLeft)] {
        let image = TestPictures.randomPlanes(
          width: width, height: h, bits: bits, chroma: chroma, siting: siting, alpha: bits == 8,
          seed: UInt64(10 * index + bits))
        let (primaries, matrix) = matrices[(index + bits) % matrices.count]
        cases.append(
          recipe(
            "layout \(chroma.rawValue) \(bits) bit, matrix \(matrix), \(bits == 10 ? "narrow" : "full")",
            source(image, primaries: primaries, transfer: bits == 8 ? 13 : 16, matrix: matrix, full: bits != 10),
            linearHalf))
      }
    }
    for (matrix, transfer) in [
      (CICP.Matrix.bt2020ConstantLuminance, CICP.Transfer.pq),
      (CICP.Matrix.derivedConstantLuminance, CICP.Transfer.bt709), (CICP.Matrix.ycgcoTwoBits, CICP.Transfer.pq),
      (CICP.Matrix.ycgcoOneBit, CICP.Transfer.sRGB),
    ] {
      let image = TestPictures.randomPlanes(
        width: width, height: h, bits: 10, chroma: .s444, siting: .left, seed: UInt64(matrix))
      let source = source(image, primaries: CICP.Primaries.bt2020, transfer: transfer, matrix: matrix, full: true)
      cases.append(recipe("layout 4:4:4 10 bit, matrix \(matrix), full", source, linearHalf))
    }
    for (image, name) in [
      (TestPictures.randomCodes(width: width, height: h, format: .float32, seed: 61), "R G B A"),
      (TestPictures.randomCodes(width: width, height: h, format: .float32, seed: 62).firstChannel, "grey"),
    ] {
      cases.append(
        recipe(
          "layout binary32, \(name)",
          source(
            image, primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear, matrix: CICP.Matrix.identity,
            full: true),
          linearHalf))
    }
    for orientation in Orientation.allCases {
      let image = TestPictures.photoP010(width: width & ~1, height: h & ~1 | 2, seed: UInt64(orientation.rawValue))
      cases.append(
        recipe(
          "layout P010, orientation \(orientation.rawValue)",
          source(
            image, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020,
            full: false, orientation: orientation),
          linearHalf))
    }
    // Floats of any bits: light, and codes.
    for (index, transfer) in [CICP.Transfer.linear, CICP.Transfer.pq, CICP.Transfer.hlg, CICP.Transfer.sRGB]
      .enumerated()
    {
      for format in [SampleFormat.float16, .float32] {
        let image = TestPictures.randomCodes(width: width, height: h, format: format, seed: UInt64(90 + index))
        let turned = source(
          image, primaries: CICP.Primaries.p3, transfer: transfer, matrix: CICP.Matrix.identity, full: true,
          orientation: Orientation(rawValue: 1 + 2 * index) ?? .up)
        cases.append(recipe("layout \(format.rawValue), transfer \(transfer)", turned, linearHalf))
      }
    }
    return cases.compactMap { $0 } + reshaped(pixels: pixels)
  }
}
