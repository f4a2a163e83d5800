import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Distortions and tiles, against places that another program computed in binary64 from the definitions.
@Suite struct PlaceFilterTests {
  static let names = Filters.all.filter { $0.category == .distortion || $0.category == .tile }.map { $0.name }
    .filter { LightVectors.groups[$0] != nil }

  @Test(
    "a distortion shows the places of its vectors", .enabled(if: !names.isEmpty, "skipped: no vectors"),
    arguments: names)
  func places(name: String) throws {
    let group = try #require(LightVectors.groups[name]), cases = try #require(group["cases"] as? [[String: Any]])
    let tolerance = try #require(group["tolerance"] as? [Double])
    #expect(cases.count >= 3)
    for given in cases {
      var one = given
      // Formulas by a second picture have one sample always.
      if try #require(Filters.named(name)).parameter("samples") == nil, var words = one["parameters"] as? [String: Any]
      {
        words["samples"] = nil
        one["parameters"] = words
      }
      let result = try LightVectors.render(name, one), parameters = "\(one["parameters"] ?? "")"
      for pixel in try #require(one["pixels"] as? [[Double]]) {
        let got = result[Int(pixel[0]), Int(pixel[1])]
        for channel in 0..<4 {
          let want = pixel[2 + channel]
          #expect(
            abs(got[channel] - want) <= tolerance[0] + tolerance[1] * abs(want),
            "\(parameters) \(pixel): \(got)")
        }
      }
    }
  }

  @Test(
    "a distortion that moves nothing copies every pixel",
    arguments: [
      FilterStep("bump-distortion", ["scale": .number(0)]), FilterStep("bump-distortion-linear", ["scale": .number(0)]),
      FilterStep("pinch-distortion", ["scale": .number(0)]), FilterStep("twirl-distortion", ["angle": .number(0)]),
      FilterStep("vortex-distortion", ["angle": .number(0)]),
      FilterStep("circle-splash-distortion", ["radius": .number(500)]),
      FilterStep("light-tunnel", ["radius": .number(500), "rotation": .number(90)]),
      FilterStep("torus-lens-distortion", ["refraction": .number(1)]),
      FilterStep("glass-lozenge", ["refraction": .number(1)]),
      FilterStep("parallelogram-tile", ["width": .number(500), "center": .numbers([0, 47])]),
    ])
  func nothing(step: FilterStep) throws {
    let picture = FilterPicture.noise(width: 61, height: 47), result = try picture.edited(step)
    for y in 0..<47 {
      for x in 0..<61 { #expect(result[x, y] == picture[x, y], "\(step.name) at \(x), \(y)") }
    }
  }

  @Test("a pinch of a radius far beyond the picture shows the places of its formula", arguments: [300.0, 5000, 32768])
  func largePinch(radius: Double) throws {
    let ramp = FilterPicture(width: 256, height: 1) { x, _ in SIMD4((Double(x) + 0.5) / 256, 0, 0, 1) }
    let result = try ramp.edited(FilterStep("pinch-distortion", ["radius": .number(radius)]))
    for x in 0..<256 {
      let d = Double(x) - 127.5, w = d * d / (radius * radius), e = 0.5 / 1.5
      let factor = ExactMath.exp2(-e * (1 - w) * (1 - w) / 2 * ExactMath.log2(max(w, 0x1p-40)))
      let place = min(max(128 + d * factor, 0.5), 255.5)
      #expect(abs(result[x, 0].x * 256 - place) < 0.3, "\(x): \(result[x, 0].x * 256), not \(place)")
    }
  }

  @Test(
    "light above white and below black passes, and a picture of one colour keeps colour and alpha",
    arguments: Filters.all.filter { $0.category == .distortion || $0.category == .tile }.map { $0.name })
  func constants(name: String) throws {
    let filter = try #require(Filters.named(name)), color = SIMD4(16.0, -0.5, 0.25, 0.5)
    let picture = FilterPicture(width: 33, height: 29) { _, _ in color }
    var values: [String: FilterValue] = [:]
    for parameter in filter.parameters {
      if case .input = parameter.kind { values[parameter.name] = .word(parameter.name) }
    }
    if name == "triangle-kaleidoscope" { values["decay"] = .number(1) }
    let inputs = values.compactMapValues { value -> FilterPicture? in
      if case .word = value { FilterPicture.noise(width: 9, height: 7) } else { nil }
    }
    let result = try picture.edited(FilterStep(name, values), inputs: inputs)
    for y in stride(from: 0, to: 29, by: 4) {
      for x in stride(from: 0, to: 33, by: 4) {
        let got = result[x, y]
        if got.w == 0, ["hole-distortion", "circular-wrap", "perspective-tile"].contains(name) { continue }
        let share = got.w / color.w
        #expect(share <= 1.001, "\(x), \(y): \(got)")
        for channel in 0..<3 { #expect(abs(got[channel] - color[channel]) <= 0.02, "\(x), \(y): \(got)") }
      }
    }
  }

  @Test(
    "extreme values and pictures give finite pixels",
    arguments: Filters.all.filter { $0.category == .distortion || $0.category == .tile }.map { $0.name })
  func extremes(name: String) throws {
    let filter = try #require(Filters.named(name))
    for size in [(1, 1), (1, 64), (64, 1)] {
      for picksHigh in [false, true] {
        var values: [String: FilterValue] = [:], inputs: [String: FilterPicture] = [:]
        for parameter in filter.parameters {
          switch parameter.kind {
          case .number(_, let range): values[parameter.name] = .number(picksHigh ? range.upperBound : range.lowerBound)
          case .count(_, let range) where parameter.name != "samples":
            values[parameter.name] = .number(Double(picksHigh ? range.upperBound : range.lowerBound))
          case .input:
            values[parameter.name] = .word(parameter.name)
            inputs[parameter.name] = .noise(width: 3, height: 2)
          default: break
          }
        }
        let picture = FilterPicture.noise(width: size.0, height: size.1)
        guard let result = try? picture.edited(FilterStep(name, values), inputs: inputs) else { continue }
        for y in 0..<size.1 {
          for x in 0..<size.0 { #expect((0..<4).allSatisfy { result[x, y][$0].isFinite }) }
        }
      }
    }
  }
}
