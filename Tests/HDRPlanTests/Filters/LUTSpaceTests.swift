import CPURender
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

/// Tests the meaning of a LUT's space: an identity changes no light, and a look is the same in every output.
@Suite struct LUTSpaceTests {
  static func cube(_ size: Int, _ f: ([Double]) -> [Double] = { $0 }) -> CubeLUT {
    var values: [Float] = []
    for b in 0..<size {
      for g in 0..<size {
        for r in 0..<size { values += f([r, g, b].map { Double($0) / Double(size - 1) }).map { Float($0) } }
      }
    }
    return CubeLUT(
      shaper: nil, cube: .init(size: size, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values))
  }

  static let line = CubeLUT(
    shaper: .init(
      size: 33, domainMin: [0, 0, 0], domainMax: [1, 1, 1],
      values: (0..<99).map { (i: Int) -> Float in Float(i / 3) / 32 }), cube: nil)

  /// Greys, pure colours and noise from 0.001 to 49.25, and the same below 0; colours of no luminance.
  static let picture: FilterPicture = {
    let levels = [0.001, 0.003, 0.01, 0.05, 0.18, 0.5, 1, 2, 4.92, 10, 20, 49.25]
    var pixels: [SIMD4<Double>] = []
    for sign in [1.0, -1] {
      for v in levels.map({ sign * $0 }) {
        pixels += [SIMD4(v, v, v, 1), SIMD4(v, 0, 0, 1), SIMD4(0, v, 0, 1), SIMD4(0, 0, v, 1), SIMD4(v, -v / 3, v, 1)]
        pixels += [SIMD4(v, -v * 0.2627 / 0.6780, 0, 1), SIMD4(v, v * 0.9, v * 0.01, 1)]
      }
    }
    let noise = FilterPicture.noise(width: 16, height: 12)
    pixels += noise.pixels
    let count = pixels.count
    return FilterPicture(width: count, height: 1) { x, _ in
      var p = pixels[x]
      for c in 0..<3 { p[c] = Double(E32.float(half: E32.half(Float(p[c])))) }
      return p
    }
  }()

  static func render(_ target: OutputSignal, _ luts: [LUTChoice]) throws -> SampleImage {
    var recipe = RenderRecipe(target: target, display: .high, tone: .none, gamut: .none)
    recipe.luts = luts
    return CPUBackend.best.render(try Planner.plan(picture.source, recipe), threads: 1)
  }

  @Test("an identity LUT returns its input in every space", arguments: ColorSpace.all.map(\.name))
  func identities(name: String) throws {
    let space = try #require(ColorSpace(name))
    let target = OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes)
    for (kind, lut) in [("3D", Self.cube(33)), ("1D", Self.line)] {
      for interpolation in [LUTChoice.Interpolation.tetrahedral, .trilinear]
      where kind == "3D" || interpolation == .tetrahedral {
        let choice = LUTChoice(lut: lut, space: space, interpolation: interpolation)
        let got = try Self.render(target, [choice]).firstRow
        var worst = 0.0, place = 0
        for (x, want) in Self.picture.pixels.enumerated() {
          let size = max(abs(want.x), abs(want.y), abs(want.z))
          for c in 0..<3 where size > 0 {
            let error = abs(got[x][c] - want[c]) / size
            if !(error <= worst) { (worst, place) = (error, x) }
          }
        }
        #expect(worst <= 2e-3, "\(name), \(kind): \(worst) at \(Self.picture.pixels[place]): \(got[place])")
      }
    }
  }

  /// Codes of 16 bits by their light, relative to the largest of R, G, B; those of 8 bits differ by one at most, of
  /// Y'CbCr by two. For PQ and HLG only colours without a 0: they have many codes for next to nothing.
  @Test("an identity LUT changes no output", arguments: ColorSpace.all.map(\.name))
  func identitiesOfOutputs(name: String) throws {
    let space = try #require(ColorSpace(name))
    let targets: [(target: OutputSignal, decode: ((Double) -> Double)?, most: Double)] = [
      (OutputSignal(encoding: .pq, sink: .rgba16), { Transfer.pqEOTF($0 / 65535) }, 2e-3),
      (OutputSignal(encoding: .hlg, sink: .rgba16), { Transfer.hlgInverseOETF($0 / 65535) }, 2e-3),
      (OutputSignal(primaries: 1, encoding: .sdr, sink: .rgba8), nil, 1),
      (OutputSignal(primaries: 12, encoding: .sdr, sink: .rgba8), nil, 1),
      (OutputSignal(encoding: .pq, sink: .planarYCC, chroma: .s444), nil, 2),
    ]
    for (target, decode, most) in targets {
      let plain = try Self.render(target, []).firstRow
      for lut in [Self.cube(33), Self.line] {
        var worst = 0.0
        let edited = try Self.render(target, [LUTChoice(lut: lut, space: space)]).firstRow
        for (x, (a, b)) in zip(plain, edited).enumerated() {
          if target.encoding != .sdr && Self.picture.pixels[x].min() <= 0 { continue }
          let was = a.map { decode?($0) ?? $0 }, got = b.map { decode?($0) ?? $0 }
          let size = decode == nil ? 1 : max(was.max() ?? 0, 1e-6)
          for c in 0..<3 { worst = max(worst, abs(got[c] - was[c]) / size) }
        }
        #expect(worst <= most, "\(name) to \(target.encoding) \(target.sink): \(worst)")
      }
    }
  }

  /// Red and green exchanged in sRGB signals: in each output the light of the exchanged signals.
  @Test("a LUT gives the same look in every output")
  func theLookDoesNotDependOnTheOutput() throws {
    let swap = Self.cube(17) { [$0[1], $0[0], $0[2]] }
    let matrix = Primaries.bt709.matrix(to: .bt2020)!
    let signals =
      [[1, 0, 0], [0, 1, 0], [0.5, 0.25, 0.75], [0.1, 0.9, 0.3], [0.8, 0.2, 0.1], [1, 1, 1]] as [[Double]]
    let source = FilterPicture(width: signals.count, height: 1) { x, _ in
      let light = matrix * signals[x].map(Transfer.sRGBDecode)
      return SIMD4(light[0], light[1], light[2], 1)
    }
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    func light(
      _ target: OutputSignal, edits: [FilterStep], _ decode: (Double) -> Double, _ matrix: Matrix3
    ) throws -> [[Double]] {
      recipe.target = target
      recipe.edits = edits
      recipe.inputs = ["a": FilterInput(swap)]
      recipe.luts = edits.isEmpty ? [LUTChoice(lut: swap, space: .srgb)] : []
      let image = CPUBackend.best.render(try Planner.plan(source.source, recipe), threads: 1)
      return image.firstRow.map { matrix * $0.map(decode) }
    }
    let kinds: [(OutputSignal, (Double) -> Double, Matrix3, Double)] = [
      (OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), { $0 }, .identity, 2e-3),
      (
        OutputSignal(encoding: .pq, sink: .rgba16), { Transfer.pqEOTF($0 / 65535) / ReferenceWhite.nits }, .identity,
        2e-3
      ),
      // Half a code of 8 bits at white is 0.0045 of the light, in each channel.
      (OutputSignal(primaries: 1, encoding: .sdr, sink: .rgba8), { Transfer.sRGBDecode($0 / 255) }, matrix, 7e-3),
      (
        OutputSignal(primaries: 12, encoding: .sdr, sink: .rgba8), { Transfer.sRGBDecode($0 / 255) },
        Primaries.displayP3.matrix(to: .bt2020)!, 7e-3
      ),
    ]
    for (target, decode, back, tolerance) in kinds {
      for edits in [[], [FilterStep("color-cube", ["lut": .word("a")])]] {
        for (got, signal) in zip(try light(target, edits: edits, decode, back), signals) {
          let want = matrix * [signal[1], signal[0], signal[2]].map(Transfer.sRGBDecode)
          for c in 0..<3 {
            #expect(abs(got[c] - want[c]) <= tolerance, "\(target.encoding) \(signal): \(got), \(want)")
          }
        }
      }
    }
    let green = try light(kinds[0].0, edits: [], { $0 }, .identity)[0]
    for (got, want) in zip(green, [0.3293, 0.9195, 0.0880]) { #expect(abs(got - want) < 2e-4) }
  }
}
