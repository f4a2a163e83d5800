import HDRCore
import HDRPlan
import Testing

/// Properties of every tone operator in `ToneOperators.all`: a new one is tested by being in the list.
@Suite struct TonePropertyTests {
  static let names = ToneOperators.all.map { $0.name }
  static let contents = stride(from: 1.5, through: 16, by: 0.5).map { $0 }
  static let displays = [1, 1.01, 1.2, 1.5, 2, 2.5, 3, 4, 5.3, 8, 10, 12, 15.9]

  /// Stages on a pixel, in Double.
  static func apply(_ operations: [ToneOperation], _ rgb: [Double]) -> [Double] {
    operations.reduce(rgb) { $1.apply($0) }
  }

  /// An operator on a grey of light `v`: its green, as its operations say.
  static func apply(_ operations: [ToneOperation], _ v: Double) -> Double { apply(operations, [v, v, v])[1] }

  /// Contents and displays between which an operator acts.
  static func ways(_ tone: any ToneOperator.Type) -> [(content: Double, display: Double)] {
    if tone.direction == .up { return [1.5, 2, 3, 1000 / 203, 8, 16].map { (1, $0) } }
    return contents.flatMap { content in displays.filter { $0 < content }.map { (content, $0) } }
  }

  /// Light from 0 to `peak`: even steps, and the dark in octaves.
  static func ramp(to peak: Double, steps: Int = 400) -> [Double] {
    let dark = stride(from: -30.0, to: -6, by: 0.25).map { peak * ExactMath.exp2($0) }
    return [0] + dark + (0...steps).map { peak * (Double($0) / Double(steps)) }.filter { $0 > dark[dark.count - 1] }
  }

  @Test(arguments: names) func finiteLightStaysFinite(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    let light = [-1_048_576, -1, -0.5, -1e-9, 0, 1e-300, 1e-9, 0.25, 1, 1.5, 16, 64, 4095, 4096, 65_504, 1_048_576]
    let colours = [[-0.5, 64, 1], [64, -0.5, -0.5], [0, 0, 64], [-0.5, -0.5, 64], [-0.1, 0.01, 0]]
    for content in [1, 1.0001, 1.5, 4.926, 8, 16, 49.26, 400, 65_536] {
      for display in [1, 1.01, 2, 4, 16, 64, 400] {
        let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
        for rgb in light.map({ [$0, $0, $0] }) + colours {
          let sum = Self.apply(operations, rgb).reduce(0, +)
          #expect(sum.isFinite, "content \(content), display \(display), light \(rgb)")
        }
      }
    }
  }

  @Test(arguments: names) func brighterLightStaysBrighter(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for (content, display) in Self.ways(tone) {
      let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
      var last = -Double.infinity
      // Beyond the content's peak too: files hold more than they say. bt2446a's printed pieces do not join exactly
      // (a step of 5e-6 down in luma is none; docs/tone-formulas.md#bt2446).
      for v in Self.ramp(to: 2 * content) {
        let y = Self.apply(operations, v)
        #expect(y >= last - 1e-9 * abs(last), "content \(content), display \(display), light \(v)")
        last = max(last, y)
      }
    }
  }

  @Test(arguments: names) func lightStaysBelowTheDisplaysPeak(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for (content, display) in Self.ways(tone) {
      let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
      let brightest = Self.ramp(to: content).map { Self.apply(operations, $0) }.max() ?? .nan
      #expect(brightest <= display * (1 + 1e-6), "content \(content), display \(display)")
      #expect(brightest > 0)
    }
  }

  /// An operator that claims to stay inside lets no colour of BT.2020 exceed the display.
  @Test(arguments: names) func coloursStayInsideWhereTheOperatorSaysSo(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for (content, display) in [(4.926, 1.0), (4.926, 2), (16, 1), (16, 4)] where tone.direction != .up {
      let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
      var most = 0.0
      for r in 0...6 {
        for g in 0...6 {
          for b in 0...6 {
            let rgb = Self.apply(operations, [r, g, b].map { content * Double($0) / 6 })
            most = max(most, rgb[0], rgb[1], rgb[2])
          }
        }
      }
      if tone.staysInside { #expect(most <= display * (1 + 1e-6), "content \(content), display \(display)") }
      #expect(most.isFinite)
    }
  }

  @Test("a tone operator keeps grey neutral", arguments: names)
  func greyStaysGrey(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for (content, display) in Self.ways(tone) where content == content.rounded() {
      let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
      for v in Self.ramp(to: content, steps: 20) {
        let rgb = Self.apply(operations, [v, v, v]), spread = (rgb.max() ?? 0) - (rgb.min() ?? 0)
        // Published matrices have five digits (ACES), those of ICtCp are exact to 1e-4 in light.
        #expect(spread <= 2e-4 * max(rgb[1], 0.01), "content \(content), display \(display), light \(v): \(rgb)")
      }
    }
  }

  @Test(arguments: names) func whiteIsKeptWhereTheOperatorSaysSo(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    var kept = true
    for (content, display) in Self.ways(tone) {
      let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
      if abs(Self.apply(operations, 1) - 1) > 1e-12 { kept = false }
    }
    #expect(kept == tone.keepsWhite)
  }

  /// Clip alone may act: it cuts what exceeds the display, whatever the content is said to be. HLG is no such content:
  /// its signals have no peak.
  @Test(arguments: names) func lightThatTheDisplayShowsIsLeftAlone(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    for content in Self.contents where tone.direction != .up && tone != HLGPeak.self {
      for display in [content, content * 1.0001, content + 1, 400] {
        let operations = tone.operations(content: Headroom(factor: content), display: Headroom(factor: display))
        if tone != ClipTone.self { #expect(operations.isEmpty, "content \(content), display \(display)") }
        // A clip at 2^log2(peak) may be an ulp below the peak.
        for v in Self.ramp(to: content, steps: 50) { #expect(abs(Self.apply(operations, v) - v) <= 1e-14 * v) }
      }
    }
    if tone.direction == .up { #expect(tone.operations(content: .sdr, display: .sdr).isEmpty) }
  }

  @Test(arguments: names) func operatorsActWhereContentExceedsTheDisplay(name: String) throws {
    let tone = try #require(ToneOperators.named(name))
    if tone.direction == .up {
      let operations = tone.operations(content: .sdr, display: Headroom(factor: 4))
      #expect(Self.apply(operations, 1) > 1.2 && Self.apply(operations, 1) < 4.000_01)
    } else {
      let operations = tone.operations(content: Headroom(factor: 8), display: Headroom(factor: 2))
      #expect(!operations.isEmpty)
      #expect(Self.apply(operations, 8) < 2.000_01)
    }
  }

  @Test("the exact inverse of BT.2446 A and the method itself cancel out")
  func upAndDownAgain() throws {
    let four = Headroom(factor: 4)
    let up = BT2446AInverse.operations(content: .sdr, display: four, ToneValues(["exact": 1]))
    let down = BT2446A.operations(content: four, display: .sdr)
    for rgb in [[0.8, 0.8, 0.8], [0.5, 0.4, 0.3], [0.05, 0.3, 0.1], [0.02, 0.02, 0.02], [0.6, 0.5, 0.4]] {
      let there = Self.apply(up, rgb), back = Self.apply(down, there)
      for (a, b) in zip(rgb, back) { #expect(abs(a - b) < 2e-3, "\(rgb) \(there) \(back)") }
      #expect(there.max()! <= 4.000_01)
    }
  }

  @Test func parametersAreChecked() {
    #expect(ToneValues(["knee": 1]).complaint(BT2390.self) == nil)
    #expect(ToneValues(["knee": 9]).complaint(BT2390.self)?.contains("0.0...2.0") == true)
    #expect(ToneValues(["knie": 1]).complaint(BT2390.self)?.contains("only knee, content-black") == true)
    #expect(ToneValues(["knee": 1]).complaint(ClipTone.self) == "clip has no parameters")
    for tone in ToneOperators.all {
      #expect(!tone.space.isEmpty && !tone.summary.isEmpty)
      for parameter in tone.parameters { #expect(parameter.range.contains(parameter.value)) }
    }
  }
}
