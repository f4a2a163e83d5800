import HDRCore
import Kernels
import TestSupport
import Testing

/// The lanes of `aces_output` and `aces_inverse` against binary64.
@Suite struct ACESStageTests {
  /// Returns CIE XYZ, 1.0 = 100 cd/m², of colours of AP1.
  static func shown(_ colors: [[Double]], by output: ACESOutput) -> [[Double]] {
    run(colors, ACESTable.words(output), ACESOutputStage.words(table: 0), ACESOutputStage.run).map { output.toXYZ * $0 }
  }

  /// Returns the colours of ACES2065-1 that an output shows as CIE XYZ.
  static func scene(_ xyz: [[Double]], of output: ACESOutput) throws -> [[Double]] {
    let back = try #require(output.toXYZ.inverse), toACES = try #require(ACESTransform.acesToWorking.inverse)
    return run(
      xyz.map { back * $0 }, ACESTable.words(output, isInverse: true), ACESInverseStage.words(table: 0),
      ACESInverseStage.run
    ).map { toACES * $0 }
  }

  static func run(
    _ colors: [[Double]], _ tables: [UInt32], _ constants: [UInt32], _ stage: (Strip, StageContext) -> Void
  ) -> [[Double]] {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: Strip.floats)
    memory.initialize(repeating: 0, count: Strip.floats)
    defer { memory.deallocate() }
    let channels: [ChannelView] = [
      ChannelView(base: UnsafeRawPointer(memory), rowBytes: 0, stepBytes: 0, width: 0, height: 0)
    ]
    return stride(from: 0, to: colors.count, by: Strip.capacity).flatMap { start -> [[Double]] in
      let part = colors[start..<min(colors.count, start + Strip.capacity)]
      let strip = Strip(base: memory, count: part.count, x: 0, y: 0)
      for (i, color) in part.enumerated() {
        for channel in 0..<3 { strip.plane(channel)[i] = E32.sanitize(Float(color[channel])) }
      }
      constants.withUnsafeBufferPointer { words in
        tables.withUnsafeBufferPointer { table in
          channels.withUnsafeBufferPointer { views in
            stage(
              strip,
              StageContext(
                constants: words.baseAddress!, tables: table.baseAddress!, channels: views.baseAddress!,
                mapping: .identity))
          }
        }
      }
      return part.indices.map { at in (0..<3).map { Double(strip.plane($0)[at - start]) } }
    }
  }

  static func error(_ got: [Double], _ want: [Double]) -> Double {
    zip(got, want).map { abs($0 - $1) }.max()! / max(1, want.map(abs).max()!)
  }

  /// OpenColorIO's own threshold is 1e-4.
  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data"), arguments: ACESOutput.all.map(\.name))
  func lanesFollowTheVectors(name: String) throws {
    let output = try #require(ACESOutput.all.first { $0.name == name })
    let made = Self.shown(ACESVectors.scene.map { ACESTransform.acesToWorking * $0 }, by: output)
    for (key, tolerance) in [("ref", 5e-6), ("ocio", 2e-5)] {
      let known = ACESVectors.shown(name, key)
      #expect(known.count == made.count && made.count == 58)
      for (a, b) in zip(made, known) { #expect(Self.error(a, b) < tolerance, "\(key): \(a), \(b)") }
    }
  }

  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data"), arguments: ACESOutput.all.map(\.name))
  func inverseLanesFollowTheVectors(name: String) throws {
    let output = try #require(ACESOutput.all.first { $0.name == name }), known = ACESVectors.inverse(name)
    #expect(known.shown.count > 20)
    for (a, b) in zip(try Self.scene(known.shown, of: output), known.scene) {
      #expect(Self.error(a, b) < 3e-4, "\(a), \(b)")
    }
  }

  /// A display's colours, dark and bright, come back within 1e-3 of the peak in 98 % of cases, most much nearer.
  @Test(arguments: ["sdr-709", "hdr1000-p3", "hdr4000-2020"]) func shownColorsComeBack(view: String) throws {
    let output = try #require(ACESOutput.named(view: view)), transform = ACESTransform(output)
    var random = SplitMix(state: 9)
    let colors = (0..<2000).map { _ -> [Double] in
      let light = ExactMath.exp2(-12 * random.unit()) * output.peak / 100
      return output.toXYZ * (0..<3).map { _ in light * random.unit() }
    }
    let errors = try zip(Self.scene(colors, of: output), colors).map { scene, color in
      (
        inverse: Self.error(scene, transform.inverse(color)),
        shown: zip(transform(scene), color).map { abs($0 - $1) }.max()! * 100 / output.peak
      )
    }
    #expect(errors.allSatisfy { $0.inverse < 1e-4 })
    #expect(errors.count { $0.shown < 1e-3 } >= 1960 && errors.count { $0.shown < 1e-6 } >= 1900)
  }

  /// Colours of 2^-14 to 2^8, a third of them near grey, a third with negative components.
  @Test(arguments: ["sdr-709", "sdr-p3", "hdr1000-p3", "hdr4000-2020", "hdr500-2020-d60-in-2020"])
  func lanesFollowBinary64(view: String) throws {
    let output = try #require(ACESOutput.named(view: view)), transform = ACESTransform(output)
    var random = SplitMix(state: 5)
    let colors = (0..<3000).map { i -> [Double] in
      let light = ExactMath.exp2(22 * random.unit() - 14), spread = i % 3 == 0 ? 0.01 : 1
      return (0..<3).map { _ in
        Double(Float(light * (1 - spread + spread * (1.3 * random.unit() - (i % 3 == 2 ? 0.2 : 0)))))
      }
    }
    var compared = 0
    for (made, color) in zip(Self.shown(colors, by: output), colors) {
      let scene = ACESTransform.acesToWorking.inverse! * color
      if Self.isAtTheStep(scene, transform) { continue }
      #expect(Self.error(made, transform(scene)) < 3e-5, "\(color)")
      compared += 1
    }
    #expect(compared > 2900)
  }

  /// Returns true near the step that ACES itself has, where a colour's line leaves AP1's reach and the gamut together.
  static func isAtTheStep(_ scene: [Double], _ transform: ACESTransform) -> Bool {
    let limited = (ACESTransform.acesToWorking * scene).map { min(max($0, 0), transform.tones.largest) }
    let seen = transform.scene.color(ACESTransform.acesToWorking.inverse! * limited), (j, m) = transform.toned(seen)
    guard j > 0, m > 0, j <= transform.tones.jMax else { return false }
    let line = ACESGamutLine(transform.tones, transform.tables.cusp(seen.hue), j: j, m: m, lightness: j)
    return abs(line.boundary / line.reached(transform.tables.reach(seen.hue)) - 1) < 2e-3
  }

  @Test(arguments: ["sdr-709", "hdr1000-2020"]) func greysStayGreyAndRise(view: String) throws {
    let output = try #require(ACESOutput.named(view: view)), white = output.toXYZ * [1, 1, 1]
    let lights = (0..<2300).map { ExactMath.exp2(Double($0) / 100 - 14) }
    let made = Self.shown([[0, 0, 0]] + lights.map { [$0, $0, $0] }, by: output)
    #expect(made[0] == [0, 0, 0])
    for (before, color) in zip(made, made.dropFirst()) {
      for channel in 0..<3 { #expect(abs(color[channel] / white[channel] - color[1]) <= 1e-5 * color[1]) }
      #expect(color[1] >= before[1] * (1 - 1e-6))
    }
  }

  /// Clean input may be as large as 2^20, and of any sign.
  @Test func extremesStayFiniteAndInside() throws {
    let output = try #require(ACESOutput.named(view: "hdr4000-p3")), largest = ACESTones(peak: 4000).largest
    let ends = [-0x1p20, -1, -0x1p-30, 0, 0x1p-30, 1, 0x1p20]
    let colors = ends.flatMap { r in ends.flatMap { g in ends.map { b in [r, g, b] } } }
    for color in Self.shown(colors, by: output) {
      #expect(color.allSatisfy { $0.isFinite && $0 >= 0 } && color[1] <= 40.0001)
    }
    for color in try Self.scene(colors, of: output) {
      #expect(color.allSatisfy { $0.isFinite && abs($0) <= 2 * largest })
    }
  }
}
