import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Scene light through a view to the signals of outputs.
@Suite struct ViewTests {
  static func recipe(
    _ view: String, _ encoding: OutputSignal.Encoding, primaries: Int? = nil, white: Double? = nil, exposure: Double = 0
  ) throws -> RenderRecipe {
    var recipe = RenderRecipe(target: OutputSignal(primaries: primaries, encoding: encoding, sink: .floatPlanes))
    recipe.view = ViewChoice(try #require(ACESView.named(view)), exposure: exposure, white: white)
    return recipe
  }

  private static func acescct(_ code: Double) -> Double {
    code > 0.155251141552511
      ? ExactMath.exp2(code * 17.52 - 9.72) : (code - 0.0729055341958355) / 10.5402377416545
  }

  /// Returns sRGB's code, which goes on above 1.
  private static func sRGB(_ x: Double) -> Double {
    x < 0.0031308 ? 12.92 * x : 1.055 * ExactMath.pow(x, 1 / 2.4) - 0.055
  }

  /// The signal of a display of OpenColorIO, and of its white the cd/m²; `nil`: it is not ours.
  private static func signal(_ display: String) -> (encoding: OutputSignal.Encoding, primaries: Int)? {
    switch display {
    case "sRGB - Display": (.sdr, 1)
    case "Display P3 - Display": (.sdr, 12)
    case "Display P3 HDR - Display": (.linear, 12)
    case "Rec.2100-PQ - Display": (.pq, 9)
    case "Rec.2100-HLG - Display": (.hlg, 9)
    case "ST2084-P3-D65 - Display": (.pq, 12)
    default: nil
    }
  }

  /// Every row of OpenColorIO's studio configuration but those of the view that changes no tones.
  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data")) func codesFollowOpenColorIO() throws {
    var compared = 0
    for row in ACESVectors.views where row.view != "Un-tone-mapped" {
      let (encoding, primaries) = try #require(Self.signal(row.display), "\(row.display)")
      let colors = row.space == "ACEScct" ? row.input.map { $0.map(Self.acescct) } : row.input
      let isFixed = encoding == .sdr
      let recipe = try Self.recipe(row.view, encoding, primaries: isFixed ? nil : primaries)
      let picture = LinearPicture(colors: colors, primaries: .acesWorking)
      #expect(try Planner.plan(picture.source, recipe).report.outputCICP.primaries == primaries)
      let made = try picture.rendered(recipe)
      #expect(made.count == row.output.count && made.count > 5)
      for (codes, wanted) in zip(made, row.output) {
        for (code, want) in zip(codes, wanted) {
          // Light of 1.0 is 203 cd/m² in linear files; the display's code is sRGB's of light over 100 cd/m². Codes end at
          // 0 and 1. Of dark colours HLG has another least luminance here.
          let value = encoding == .linear ? Self.sRGB(code * 2.03) : min(max(code, 0), 1)
          let known = encoding == .linear ? want : min(max(want, 0), 1)
          #expect(
            abs(value - known) < (encoding == .hlg ? 1e-3 : 1.2e-4),
            "\(row.display), \(row.view), \(row.space): \(codes), \(wanted)")
          compared += 1
        }
      }
    }
    #expect(compared > 200)
  }

  private static let greys = LinearPicture(
    colors: (0..<40).map {
      let light = ExactMath.exp2(Double($0) / 3 - 7); return [light, light, light]
    },
    primaries: .acesWorking)

  /// SDR white is 1.0 in linear files, 100 cd/m² in PQ; HDR is relative to 203 cd/m² and stated in the report.
  @Test func whiteFollowsTheSignal() throws {
    let linear = try Self.greys.rendered(Self.recipe("sdr-709", .linear, primaries: 9))
    let asked = try Self.greys.rendered(Self.recipe("sdr-709", .linear, primaries: 9, white: 200))
    let pq = try Self.greys.rendered(Self.recipe("sdr-709", .pq, primaries: 9))
    let transform = ACESTransform(try #require(ACESOutput.named(view: "sdr-709")))
    for (index, color) in Self.greys.colors.enumerated() {
      let y = transform(color)[1]
      #expect(abs(linear[index][1] - y) < 1e-5 && abs(asked[index][1] - y / 2) < 1e-5)
      #expect(abs(TransferCurve.pq.decode(pq[index][1]) * 203 - 100 * y) < 0.02)
    }
    let bright = try Planner.plan(Self.greys.source, Self.recipe("hdr1000-p3", .pq)).report
    #expect(abs(bright.outputHeadroom - 1000 / 203) < 1e-9 && bright.operatorName == "hdr1000-p3")
    #expect(bright.gamutRule == "clip" && bright.warnings.isEmpty && bright.outputCICP.primaries == 9)
  }

  @Test func exposureDoublesTheScene() throws {
    let brighter = LinearPicture(colors: Self.greys.colors.map { $0.map { 2 * $0 } }, primaries: .acesWorking)
    let doubled = try Self.greys.rendered(Self.recipe("hdr1000-p3", .pq, exposure: 1))
    #expect(try doubled == brighter.rendered(Self.recipe("hdr1000-p3", .pq)))
  }

  /// Filters edit the scene, before the view.
  @Test func filtersComeBeforeTheView() throws {
    var recipe = try Self.recipe("sdr-709", .linear, primaries: 9)
    recipe.edits = [FilterStep("exposure", ["ev": .number(1)])]
    recipe.workingFormat = .rgba32f
    let edited = try Self.greys.rendered(recipe)
    let exposed = try Self.greys.rendered(Self.recipe("sdr-709", .linear, primaries: 9, exposure: 1))
    for (a, b) in zip(edited, exposed) { expectClose(a, b, abs: 1e-6, rel: 1e-6) }
  }

  @Test(
    "HLG of a view that is not made for 1000 cd/m² has a warning", arguments: ["sdr-709", "hdr1000-p3", "hdr4000-p3"])
  func hlgIsWarnedOf(view: String) throws {
    let report = try Planner.plan(Self.greys.source, Self.recipe(view, .hlg)).report
    #expect(report.warnings.map(\.code) == (view == "hdr1000-p3" ? [] : ["view.hlg"]))
  }

  @Test(arguments: [CICP.Transfer.pq, CICP.Transfer.hlg, CICP.Transfer.sRGB]) func picturesForDisplaysAreRefused(
    transfer: Int
  ) throws {
    var source = Self.greys.source
    source.color.encoding = .cicp(primaries: 9, transfer: transfer)
    let recipe = try Self.recipe("sdr-709", .sdr)
    do {
      _ = try Planner.plan(source, recipe)
      Issue.record("it was not refused")
    } catch {
      #expect(error.code == "ocio.input" && "\(error)".contains("made for a display"), "\(error)")
    }
  }
}
