import CPUReference
import Foundation
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Matrix coefficients that are no matrix of signals (ITU-T H.273): through plans, against the formulas in binary64.
struct MatrixCoefficientTests {
  /// R', G', B' in 0...1, a spread of colours and the corners.
  static let colors: [[Double]] = {
    var list: [[Double]] = []
    for r in [0, 0.1, 0.37, 0.62, 1.0] {
      for g in [0, 0.05, 0.5, 0.83, 1.0] { for b in [0, 0.21, 0.58, 1.0] { list.append([r, g, b]) } }
    }
    return list
  }()

  static func source(_ codes: [[Int]], bits: Int, _ cicp: CICP) -> SourceImage {
    let image = SampleImage.planar(
      width: codes.count, height: 1, model: .ycc, format: .uint16, bitDepth: bits, chroma: .s444)
    for (x, pixel) in codes.enumerated() {
      for (plane, code) in zip(image.channels, pixel) {
        plane.buffer.base.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
      }
    }
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: cicp.matrix, fullRange: cicp.fullRange,
        encoding: .cicp(primaries: cicp.primaries, transfer: cicp.transfer), cicp: cicp),
      geometry: Geometry(width: codes.count, height: 1))
  }

  /// Linear light in the source's own primaries.
  static func light(_ source: SourceImage, primaries: Int) throws -> [[Double]] {
    var recipe = RenderRecipe(target: OutputSignal(primaries: primaries, encoding: .linear, sink: .floatPlanes))
    recipe.display = .high
    recipe.tone = .none
    recipe.gamut = .none
    let plan = try Planner.plan(source, recipe)
    let output = renderOnCPU(plan)
    return (0..<source.image.width).map { x in
      output.channels.prefix(3).map {
        Double(($0.buffer.base + $0.offset).load(fromByteOffset: x * $0.stepBytes, as: Float.self))
      }
    }
  }

  @Test(
    "constant luminance: luma is that of linear light",
    arguments: [
      CICP(9, 14, 10, full: true), CICP(9, 15, 10, full: false), CICP(9, 16, 10, full: true),
      CICP(1, 1, 13, full: true), CICP(12, 13, 13, full: false), CICP(9, 8, 10, full: true),
    ])
  func constantLuminance(cicp: CICP) throws {
    let formula = try #require(
      ConstantLuminance(matrix: cicp.matrix, primaries: cicp.primaries, transfer: cicp.transfer))
    let range = SampleRange(bits: 16, fullRange: cicp.fullRange)
    let display = try #require(TransferCurve(code: cicp.transfer))
    let codes = Self.colors.map { range.codes(formula.fromRGB($0), bits: 16) }
    let got = try Self.light(Self.source(codes, bits: 16, cicp), primaries: cicp.primaries)
    for (pixel, light) in zip(codes, got) {
      let sum = formula.greenFromLuminance * formula.signals(range.values(pixel)).map(formula.curve.decode)
      let want = sum.map { display.decode(formula.curve.encode($0)) }
      // G is what is left of a sum, so its error is a share of the largest.
      let bound = 2e-4 * (want.map(abs).max() ?? 0) + 1e-6
      for (a, b) in zip(want, light) { #expect(abs(a - b) < bound, "\(want): \(light)") }
    }
    // Encoding and decoding undo each other; neutrals have no differences.
    for color in Self.colors + [0, 0.2, 0.5, 0.75, 1].map({ [$0, $0, $0] }) {
      let ycc = formula.fromRGB(color)
      let back = (formula.greenFromLuminance * formula.signals(ycc).map(formula.curve.decode))
      for (a, b) in zip(back, color.map(formula.curve.decode)) { #expect(abs(a - b) < 1e-8 * (back.max() ?? 1) + 1e-9) }
      if color[0] == color[1], color[1] == color[2] {
        // The signal of no light is 7e-7 in PQ.
        #expect(abs(ycc[0] - color[0]) < 1e-6 && abs(ycc[1]) < 1e-6 && abs(ycc[2]) < 1e-6)
      }
    }
  }

  @Test("the ranges of the differences are those that BT.2020 prints")
  func ranges() throws {
    let bt2020 = try #require(ConstantLuminance(matrix: 10, primaries: 9, transfer: 14))
    for (found, printed) in [
      (bt2020.blue.below, 0.9702), (bt2020.blue.above, 0.7910), (bt2020.red.below, 0.8591), (bt2020.red.above, 0.4969),
    ] { #expect(abs(found - printed) < 1e-4) }
    // Equal to those of non-constant luminance where light and signal are the same.
    let linear = try #require(ConstantLuminance(matrix: 13, primaries: 1, transfer: 8))
    #expect(abs(linear.red.below - (1 - linear.kr)) < 1e-12 && abs(linear.red.above - (1 - linear.kr)) < 1e-12)
    #expect(ConstantLuminance(matrix: 9, primaries: 9, transfer: 14) == nil)
    #expect(ConstantLuminance(matrix: 13, primaries: 2, transfer: 14) == nil)
    #expect(ConstantLuminance(matrix: 10, primaries: 9, transfer: 10) == nil)
  }

  /// Written out from H.273 (equations 51 to 60) and ST 2084, by nothing of this project.
  @Test("constant luminance of PQ gives the light that H.273 says")
  func constantLuminanceOfPQ() throws {
    let (m1, m2, c1, c2, c3) = (2610 / 16384.0, 2523 / 32.0, 3424 / 4096.0, 2413 / 128.0, 2392 / 128.0)
    func signal(_ light: Double) -> Double {
      let power = pow(max(light, 0), m1)
      return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
    func light(_ signal: Double) -> Double {
      let power = pow(max(signal, 0), 1 / m2)
      return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }
    let kr = 0.2627, kb = 0.0593, kg = 1 - kr - kb
    func share(_ difference: Double, _ k: Double) -> Double {
      difference <= 0 ? 2 * signal(1 - k) : 2 * (1 - signal(k))
    }
    // Up to 1000 cd/m², a tenth of PQ's light.
    let colors = Self.colors.map { $0.map { $0 * signal(0.1) } }
    let pixels = colors.map { color -> [Double] in
      let luma = signal(kr * light(color[0]) + kg * light(color[1]) + kb * light(color[2]))
      let (blue, red) = (color[2] - luma, color[0] - luma)
      return [luma, blue / share(blue, kb), red / share(red, kr)]
    }.filter { abs($0[1]) < 0.5 && abs($0[2]) < 0.5 }
    #expect(pixels.count > 90)
    let codes = pixels.map {
      [Int(($0[0] * 65_535).rounded())] + $0[1...].map { Int(($0 * 65_535).rounded()) + 32_768 }
    }
    let got = try Self.light(Self.source(codes, bits: 16, CICP(9, 16, 10, full: true)), primaries: 9)
    for (code, found) in zip(codes, got) {
      let luma = Double(code[0]) / 65_535, differences = code[1...].map { Double($0 - 32_768) / 65_535 }
      let blue = light(luma + differences[0] * share(differences[0], kb))
      let red = light(luma + differences[1] * share(differences[1], kr))
      let green = (light(luma) - kr * red - kb * blue) / kg
      // Of reference white, 203 cd/m².
      let wanted = [red, green, blue].map { $0 * 10_000 / 203 }, bound = 2e-4 * (wanted.map(abs).max() ?? 0) + 1e-6
      for (a, b) in zip(wanted, found) { #expect(abs(a - b) < bound, "\(wanted): \(found)") }
    }
  }

  /// Linear R, G, B and Y', Cb, Cr of colour-science 0.4.7: RGB_to_YcCbcCrc with the constants of 12-bit systems, whose
  /// printed digits are why the bound is not smaller.
  @Test(
    "constant luminance agrees with an independent implementation",
    arguments: [
      ([1, 0, 0], [0.503084, -0.259268, 0.500117]), ([0, 1, 0], [0.823632, -0.424465, -0.479302]),
      ([0, 0, 1], [0.209012, 0.500119, -0.121632]), ([0.18, 0.18, 0.18], [0.408846, 0, 0]),
      ([0.9, 0.2, 0.05], [0.607713, -0.217214, 0.343581]), ([0.02, 0.5, 0.7], [0.616779, 0.139233, -0.306697]),
      ([0.4, 0.01, 0.3], [0.339093, 0.127136, 0.291323]),
    ] as [([Double], [Double])])
  func independent(row: ([Double], [Double])) throws {
    let bt2020 = try #require(ConstantLuminance(matrix: 10, primaries: 9, transfer: 15))
    for (found, want) in zip(bt2020.fromRGB(row.0.map(TransferCurve.bt709Scene.encode)), row.1) {
      #expect(abs(found - want) < 5e-4)
    }
  }

  @Test("reversible YCgCo gives the codes of R, G, B back", arguments: [(16, 8), (16, 10), (17, 8), (17, 9), (17, 12)])
  func reversible(matrix: Int, bits: Int) throws {
    let peak = (1 << bits) - 1, coded = bits + (matrix == 16 ? 2 : 1)
    let pixels = Self.colors.map { $0.map { Int(($0 * Double(peak)).rounded()) } }
    let codes = pixels.map { p -> [Int] in
      let co = p[0] - p[2], t = p[2] + (co >> 1), cg = p[1] - t
      return [t + (cg >> 1), cg + 1 << (coded - 1), co + 1 << (coded - 1)]
    }
    let got = try Self.light(
      Self.source(codes, bits: coded, CICP(9, 8, matrix, full: true)), primaries: 9)
    for (pixel, light) in zip(pixels, got) {
      #expect(light == pixel.map { Double(Float($0) * Float(1 / Double(peak))) })
    }
  }

  @Test("reversible YCgCo needs full range and whole chroma")
  func reversibleRefused() {
    for (full, chroma) in [(false, ChromaSubsampling.s444), (true, .s420)] {
      var source = Self.source([[0, 0, 0]], bits: 10, CICP(9, 16, 16, full: full))
      source.image = .planar(width: 2, height: 2, model: .ycc, format: .uint16, bitDepth: 10, chroma: chroma)
      source.geometry = Geometry(width: 2, height: 2)
      #expect(throws: PlanError.unsupportedColor(field: "matrix coefficients", code: 16)) {
        try Self.light(source, primaries: 9)
      }
    }
  }

  @Test("YCgCo is made of codes: in limited range its differences have the swing of luma", arguments: [true, false])
  func ycgco(full: Bool) throws {
    let range = SampleRange(bits: 12, fullRange: full)
    let codes = Self.colors.map { color -> [Int] in
      let c = color.map { $0 * range.lumaScale + range.lumaOffset }
      let y = 0.5 * c[1] + 0.25 * (c[0] + c[2]), cg = 0.5 * c[1] - 0.25 * (c[0] + c[2]), co = 0.5 * (c[0] - c[2])
      return [Int(y.rounded()), Int(cg.rounded()) + 2048, Int(co.rounded()) + 2048].map { min(max($0, 0), 4095) }
    }
    let got = try Self.light(Self.source(codes, bits: 12, CICP(9, 8, 8, full: full)), primaries: 9)
    for (color, light) in zip(Self.colors, got) {
      for (want, found) in zip(color, light) { #expect(abs(want - found) < 1.6 / range.lumaScale) }
    }
  }
}
