import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Plans with chains of a config: the space of an input, a view, looks.
@Suite struct ConfigViewPlanTests {
  private static let picture = LinearPicture(
    colors: (0..<12).map { x -> [Double] in [Double(x) / 8, 0.25, Double(12 - x) / 16] }, primaries: .bt2020)

  private static func view(
    _ factor: Double, _ signal: DisplaySignal, aces: ACESView? = nil
  ) -> ViewChoice {
    ViewChoice(
      .config(
        ConfigView(
          display: "screen", name: "Film", looks: "", LUTChain([.matrix(.identity * factor, offset: [0, 0, 0])]),
          signal,
          aces: aces)))
  }

  private static func recipe(_ encoding: OutputSignal.Encoding, _ view: ViewChoice?) -> RenderRecipe {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: encoding, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.view = view
    return recipe
  }

  /// 1.0 of a chain's light is 100 cd/m²: SDR's white, and 100 of 203 cd/m² of HDR.
  @Test func whiteIsThatOfTheDisplay() throws {
    for (signal, scale) in [(DisplaySignal(.sdr, 1), 0.5), (DisplaySignal(.pq, 9), 50.0 / 203)] {
      let made = try Self.picture.rendered(Self.recipe(.linear, Self.view(0.5, signal)))
      for (color, light) in zip(Self.picture.colors, made) {
        for (x, y) in zip(color, light) { #expect(abs(y - x * scale) < 1e-5) }
      }
    }
  }

  @Test func reportsNameTheViewAndItsChain() throws {
    let hdr = try #require(ACESView.named("hdr1000-p3"))
    let plan = try Planner.plan(
      Self.picture.source, Self.recipe(.pq, Self.view(1, DisplaySignal(.pq, 9), aces: hdr)))
    #expect(plan.report.operatorName == "Film" && plan.report.operatorReason.contains("Film of screen"))
    #expect(abs(plan.report.outputHeadroom - 1000 / 203) < 1e-9)
    #expect(plan.explanation.contains("ocio      view Film of screen: matrix"), "\(plan.explanation)")
    // Nobody says how bright a view without ACES is.
    let open = try Planner.plan(Self.picture.source, Self.recipe(.pq, Self.view(1, DisplaySignal(.pq, 9))))
    #expect(abs(open.report.outputHeadroom - 10_000 / 203) < 1e-9)
  }

  @Test(
    arguments: [
      (DisplaySignal(.sdr, 1), "sdr-p3", 1), (DisplaySignal(.sdr, 12), "sdr-p3", 12),
      (DisplaySignal(.sdr, 12), "sdr-709", 1),
      (DisplaySignal(.pq, 9), "hdr1000-p3", 12), (DisplaySignal(.sdr, 9), nil, 9),
    ] as [(DisplaySignal, String?, Int)])
  func primariesAreTheNarrowerOnes(signal: DisplaySignal, aces: String?, primaries: Int) {
    #expect(Self.view(1, signal, aces: aces.flatMap(ACESView.named)).view.primaries == primaries)
  }

  /// Codes of a config's space become light by its chain, before everything else.
  @Test func inputsAreReadByTheirChain() throws {
    let input = ConfigInput("lin", isLog: false, LUTChain([.matrix(.identity * 2, offset: [0, 0, 0])]))
    var source = Self.picture.source, recipe = Self.recipe(.linear, nil)
    source.color.encoding = .space(input.space)
    recipe.input = input
    recipe.look = LUTChain([.matrix(.identity * 0.25, offset: [0, 0, 0])])
    let plan = try Planner.plan(source, recipe)
    #expect(plan.report.inputKind == "linear" && source.isSceneLight)
    #expect(plan.report.config.map { String($0.prefix { $0 != ":" }) } == ["input lin", "looks"])
    let made = try Self.picture.rendered(recipe, of: source)
    for (color, light) in zip(Self.picture.colors, made) {
      for (x, y) in zip(color, light) { #expect(abs(y - x / 2) < 1e-5) }
    }
  }

  /// Every style of OpenColorIO's displays, and identifiers of files.
  @Test func displaysAreKnownByStyleAndIdentifier() {
    for name in ACESViewNames.displayStyles {
      let signal = DisplaySignal(style: "DISPLAY - CIE-XYZ-D65_to_" + name)
      #expect(signal != nil, "\(name)")
      #expect(signal?.fits(.linear) == true && signal?.fits(.sdr) == signal?.isSDR)
      if name.contains("PQ") || name.contains("ST2084") { #expect(signal?.fits(.pq) == true) }
      if name.contains("HLG") { #expect(signal?.fits(.hlg) == true) }
    }
    #expect(
      DisplaySignal(style: "CURVE - HLG-OETF") == nil && DisplaySignal(style: "DISPLAY - CIE-XYZ-D65_to_X") == nil)
    #expect(DisplaySignal(interopID: "srgb_p3d65_display") == DisplaySignal(.sdr, 12))
    #expect(DisplaySignal(interopID: "lin_ap1_scene") == nil)
  }
}

/// The names of OpenColorIO 2.6.
private enum ACESViewNames {
  static let displayStyles = [
    "REC.1886-REC.709", "REC.1886-REC.709 - MIRROR NEGS", "REC.1886-REC.2020", "REC.1886-REC.2020 - MIRROR NEGS",
    "G2.2-REC.709", "G2.2-REC.709 - MIRROR NEGS", "sRGB", "sRGB - MIRROR NEGS", "G2.6-P3-DCI-BFD", "G2.6-P3-D65",
    "G2.6-P3-D65 - MIRROR NEGS", "G2.6-P3-D60-BFD", "DCDM-D65", "DisplayP3", "DisplayP3-HDR", "REC.2100-PQ",
    "ST2084-P3-D65", "ST2084-DCDM-D65", "REC.2100-HLG-1000nit",
  ]
}
