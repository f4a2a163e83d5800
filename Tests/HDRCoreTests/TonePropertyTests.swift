import HDRCore
import Testing

/// What every tone operator must keep, over `ToneOperators.all`: a new one is tested by being in the list.
@Suite struct TonePropertyTests {
  static let names = ToneOperators.all.map { $0.name }
  static let contents = stride(from: 1.5, through: 16, by: 0.5).map { $0 }
  static let displays = [1, 1.01, 1.2, 1.5, 2, 2.5, 3, 4, 5.3, 8, 10, 12, 15.9]

  /// An operator on a grey of light `v`, in Double, as its stages say.
  static func apply(_ stages: [ToneStage], _ v: Double) -> Double {
    stages.reduce(v) { v, stage in
      switch stage {
      case .scaleByMax(let octaves, _, let factor):
        let low = ExactMath.exp2(Double(octaves.lowerBound)), high = ExactMath.exp2(Double(octaves.upperBound))
        return v * factor(min(max(v, low), high))
      case .clamp(let low, let high): return min(max(v, low), high)
      }
    }
  }

  /// Light from 0 to `peak`: even steps, and the dark in octaves.
  static func ramp(to peak: Double, steps: Int = 2000) -> [Double] {
    let dark = stride(from: -30.0, to: -6, by: 0.25).map { peak * ExactMath.exp2($0) }
    return [0] + dark + (0...steps).map { peak * (Double($0) / Double(steps)) }.filter { $0 > dark[dark.count - 1] }
  }

  @Test(arguments: names) func isFiniteForFiniteLight(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    let light = [-1_048_576, -1, -1e-9, 0, 1e-300, 1e-9, 0.25, 1, 1.5, 16, 4095, 4096, 65_504, 1_048_576]
    for content in Self.contents + [1, 1.0001, 49.26, 400, 65_536] {
      for display in Self.displays + [16, 64, 400] {
        let stages = tone.stages(content: Headroom(factor: content), display: Headroom(factor: display))
        for v in light {
          #expect(Self.apply(stages, v).isFinite, "content \(content), display \(display), light \(v)")
        }
      }
    }
  }

  @Test(arguments: names) func brighterLightStaysBrighter(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for content in Self.contents {
      for display in Self.displays {
        let stages = tone.stages(content: Headroom(factor: content), display: Headroom(factor: display))
        var last = -Double.infinity
        // Beyond the content's peak too: files hold more than they say.
        for v in Self.ramp(to: 2 * content) {
          let y = Self.apply(stages, v)
          #expect(y >= last - 1e-12 * abs(last), "content \(content), display \(display), light \(v)")
          last = max(last, y)
        }
      }
    }
  }

  @Test(arguments: names) func staysBelowTheDisplaysPeak(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for content in Self.contents {
      for display in Self.displays {
        let stages = tone.stages(content: Headroom(factor: content), display: Headroom(factor: display))
        let brightest = Self.ramp(to: content).map { Self.apply(stages, $0) }.max() ?? .nan
        #expect(brightest <= display * (1 + 1e-6), "content \(content), display \(display)")
        #expect(brightest > 0)
      }
    }
  }

  /// Clip alone may act: it cuts what exceeds the display, whatever the content is said to be.
  @Test(arguments: names) func leavesAloneWhatTheDisplayShows(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for content in Self.contents {
      for display in [content, content * 1.0001, content + 1, 400] {
        let stages = tone.stages(content: Headroom(factor: content), display: Headroom(factor: display))
        if tone != ClipTone.self { #expect(stages.isEmpty, "content \(content), display \(display)") }
        // A clip at 2^log2(peak) may be an ulp below the peak.
        for v in Self.ramp(to: content, steps: 50) { #expect(abs(Self.apply(stages, v) - v) <= 1e-14 * v) }
      }
    }
  }

  @Test(arguments: names) func actsWhereTheContentExceedsTheDisplay(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    let stages = tone.stages(content: Headroom(factor: 8), display: Headroom(factor: 2))
    #expect(!stages.isEmpty)
    #expect(Self.apply(stages, 8) < 2.000_01)
  }
}
