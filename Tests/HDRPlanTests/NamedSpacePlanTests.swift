import CPURender
import HDRCore
import HDRPlan
import Kernels
import Testing

/// Pictures whose codes are in a space of the list.
@Suite struct NamedSpacePlanTests {
  /// Makes a picture of codes, three of binary32 a pixel.
  private func source(_ space: NamedSpace, _ codes: [[Float]]) -> SourceImage {
    var image = SampleImage.planar(
      width: codes.count, height: 1, model: .rgb, format: .float32, bitDepth: 32)
    for channel in 0..<3 {
      let plane = image.channels[channel]
      for (x, code) in codes.enumerated() {
        (plane.buffer.base + plane.offset + x * plane.stepBytes).storeBytes(of: code[channel], as: Float.self)
      }
    }
    image.alpha = nil
    return SourceImage(
      format: .exr, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: space.encoding),
      geometry: Geometry(width: codes.count, height: 1))
  }

  /// Returns the light, linear BT.2020, that a plan makes of codes.
  private func light(_ space: NamedSpace, _ codes: [[Float]]) throws -> [[Double]] {
    let recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    let image = CPUBackend.best.render(try Planner.plan(source(space, codes), recipe), threads: 1)
    return codes.indices.map { x in
      image.channels.prefix(3).map { plane in
        Double((plane.buffer.base + plane.offset + x * plane.stepBytes).load(as: Float.self))
      }
    }
  }

  /// Where a curve has a break, or an end, the table smears it over a part of a code of 10 bits.
  @Test(arguments: NamedSpace.all) func codesBecomeTheLightOfTheFormula(space: NamedSpace) throws {
    let codes = (0..<500).map { i -> [Float] in
      let code = Float(i) / 499
      return i % 3 == 0 ? [code, 0.9 * code + 0.05, 0.5] : [code, code, code]
    }
    let found = try light(space, codes)
    var wrong = 0
    for (given, light) in zip(codes, found) {
      let want = NamedSpace.bt2020FromACES * space.aces(given.map(Double.init)), most = want.map(abs).max() ?? 0
      // The sum of a row cancels for colours outside BT.2020.
      let bound = 2e-5 * most + 2e-6
      if zip(light, want).contains(where: { abs($0 - $1) > bound }) { wrong += 1 }
      #expect(
        zip(light, want).allSatisfy { abs($0 - $1) <= 4e-3 * most + 2e-6 }, "\(space.name) \(given) \(light) \(want)")
    }
    #expect(wrong <= 6, "\(space.name): \(wrong) of 500")
  }

  @Test func lightOfASceneIsHDRAndHasNoLargestValue() throws {
    let log = try #require(NamedSpace.named("ARRI LogC4")), picture = source(log, [[0, 0.5, 1]])
    #expect(picture.isHDR && picture.isScene && picture.inputKind == "log")
    #expect(ContentHeadroom.ofBase(picture).headroom == nil)
    let texture = try #require(NamedSpace.named("srgb_texture"))
    #expect(!source(texture, [[0, 0, 0]]).isHDR)
    #expect(source(try #require(NamedSpace.named("ACEScg")), [[0, 0, 0]]).inputKind == "linear")
  }

  @Test func primariesOfSDROutputsFollowTheSpace() throws {
    let narrow = try #require(NamedSpace.named("lin_rec709")), wide = try #require(NamedSpace.named("ACEScg"))
    #expect(Planner.sdrPrimaries(source(narrow, [[0, 0, 0]])) == 1)
    #expect(Planner.sdrPrimaries(source(wide, [[0, 0, 0]])) == 12)
  }

  /// Returns the light that a plan with a LUT or an output space makes of light.
  private func made(_ light: [[Float]], _ change: (inout RenderRecipe) -> Void) throws -> [[Double]] {
    let bt2020 = try #require(NamedSpace.named("lin_rec2020"))
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    change(&recipe)
    let image = CPUBackend.best.render(try Planner.plan(source(bt2020, light), recipe), threads: 1)
    return light.indices.map { x in
      image.channels.prefix(3).map { plane in
        Double((plane.buffer.base + plane.offset + x * plane.stepBytes).load(as: Float.self))
      }
    }
  }

  private let samples: [[Float]] = (0..<200).map { i in
    let x = Float(i) / 20
    return [x * x, 0.18 + x / 3, max(0.002, x - 0.5)]
  }

  @Test(arguments: ["ACEScct", "ARRI LogC4", "S-Log3 S-Gamut3.Cine", "Linear P3-D65", "Rec.2100-PQ - Display"])
  func aLUTWorksInTheCodesOfItsSpace(name: String) throws {
    let space = try #require(NamedSpace.named(name))
    // Halves each code.
    let half: [Float] = [
      0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0.5, 0, 0.5, 0.5, 0.5, 0.5, 0.5,
    ]
    let lut = CubeLUT(
      shaper: nil, cube: CubeLUT.Table3D(size: 2, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: half))
    let found = try made(samples) { recipe in
      var choice = LUTChoice(lut: lut, space: .srgb)
      choice.named = space
      recipe.luts = [choice]
    }
    let toACES = try #require(NamedSpace.bt2020FromACES.inverse)
    for (given, light) in zip(samples, found) {
      let codes = space.codes(toACES * given.map(Double.init)).map { $0 / 2 }
      let want = NamedSpace.bt2020FromACES * space.aces(codes), most = want.map(abs).max() ?? 0
      #expect(zip(light, want).allSatisfy { abs($0 - $1) <= 5e-5 * most + 5e-6 }, "\(given) \(light) \(want)")
    }
  }

  @Test func linearOutputsTakeTheirSpace() throws {
    for space in NamedSpace.all where space.kind == .linear {
      let back = try #require(space.toBT2020?.inverse)
      let found = try made(samples) { $0.target.space = space }
      for (given, light) in zip(samples, found) {
        let want = back * given.map(Double.init), most = want.map(abs).max() ?? 0
        #expect(zip(light, want).allSatisfy { abs($0 - $1) <= 2e-6 * most + 1e-6 }, "\(space.name)")
      }
    }
  }
}
