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
      let result = try LightVectors.render(name, given), parameters = "\(given["parameters"] ?? "")"
      for pixel in try #require(given["pixels"] as? [[Double]]) {
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
      FilterStep("glass-distortion", ["texture": .word("other"), "scale": .number(0)]),
      FilterStep("displacement-distortion", ["displacement": .word("other"), "scale": .number(0)]),
    ])
  func nothing(step: FilterStep) throws {
    let picture = FilterPicture.noise(width: 61, height: 47)
    let result = try picture.edited(step, inputs: ["other": .noise(width: 13, height: 9, seed: 2)])
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

  /// A filter with values and inputs for each of its parameters that needs one.
  static func given(
    _ name: String, _ values: [String: FilterValue] = [:]
  ) throws -> (step: FilterStep, inputs: [String: FilterPicture]) {
    let filter = try #require(Filters.named(name))
    var values = values, inputs: [String: FilterPicture] = [:]
    for parameter in filter.parameters {
      guard case .input = parameter.kind else { continue }
      values[parameter.name] = .word(parameter.name)
      inputs[parameter.name] = .noise(width: 9, height: 7)
    }
    return (FilterStep(name, values), inputs)
  }

  /// Radii within which a filter of the test below shows nothing, and its values.
  static let holes: [String: (radius: Double, values: [String: FilterValue])] = [
    "hole-distortion": (5, ["radius": .number(5)]), "circular-wrap": (4, ["radius": .number(4)]),
  ]

  @Test(
    "light above white and below black passes, and a picture of one colour keeps colour and alpha",
    arguments: Filters.all.filter { $0.category == .distortion || $0.category == .tile }.map { $0.name })
  func constants(name: String) throws {
    let color = SIMD4(16.0, -0.5, 0.25, 0.5), hole = Self.holes[name]
    let picture = FilterPicture(width: 33, height: 29) { _, _ in color }
    let (step, inputs) = try Self.given(
      name, hole?.values ?? (name == "triangle-kaleidoscope" ? ["decay": .number(1)] : [:]))
    let result = try picture.edited(step, inputs: inputs)
    var shown = 0
    for y in 0..<29 {
      for x in 0..<33 {
        let got = result[x, y], dx = Double(x) - 16, dy = Double(y) - 14
        // At the rim it fades over a pixel, and samples are spread over one more.
        if let hole, (dx * dx + dy * dy).squareRoot() < hole.radius + 2 { continue }
        shown += 1
        for channel in 0..<4 {
          let error = abs(got[channel] - color[channel]), allowed = channel == 3 ? 1e-4 : 0.02
          #expect(error <= allowed, "\(x), \(y): \(got)")
        }
      }
    }
    #expect(shown > 33 * 29 * 4 / 5)
  }

  /// The line that refuses a centre at the end of its range, by filters that refuse it.
  static func refusal(_ name: String) -> String? {
    if name == "triangle-kaleidoscope" || name.hasSuffix("-tile") && !notLattices.contains(name) {
      return "more than 2^20 cells in a row"
    }
    return name == "droste" ? "the inset takes up to 95 %" : nil
  }

  static let notLattices = ["op-tile", "affine-tile", "perspective-tile"]

  @Test(
    "values at the ends of their ranges give finite pixels of pictures of any shape, or a line that says why not",
    arguments: Filters.all.filter { $0.category == .distortion || $0.category == .tile }.map { $0.name })
  func extremes(name: String) throws {
    let filter = try #require(Filters.named(name)), parameters = filter.parameters
    func isPlace(_ name: String) -> Bool { ["center", "point", "inset-point"].contains { name.hasPrefix($0) } }
    var refused = 0
    for (width, height) in [(1, 1), (1, 4096), (4096, 1)] {
      for (isHigh, isFar) in [(false, false), (true, false), (true, true)] {
        var values: [String: FilterValue] = [:]
        for parameter in parameters {
          switch parameter.kind {
          case .number(_, let range): values[parameter.name] = .number(isHigh ? range.upperBound : range.lowerBound)
          case .count(_, let range):
            values[parameter.name] = .number(Double(isHigh ? range.upperBound : range.lowerBound))
          case .vector(nil, 2, let range) where isFar && isPlace(parameter.name):
            values[parameter.name] = .numbers([range.lowerBound, range.upperBound])
          default: break
          }
        }
        // The smallest cells, far from the centre.
        for side in ["width", "size"] where isFar && values[side] != nil { values[side] = .number(1) }
        let (step, inputs) = try Self.given(name, values)
        do {
          let result = try FilterPicture.noise(width: width, height: height).edited(step, inputs: inputs)
          #expect(result.width == width && result.height == height)
          #expect(result.pixels.allSatisfy { pixel in (0..<4).allSatisfy { pixel[$0].isFinite } })
        } catch let error as PlanError {
          refused += 1
          let line = try #require(isFar ? Self.refusal(name) : nil, "\(error.message) of \(step)")
          #expect("\(error.message)".contains(line))
        }
      }
    }
    #expect(refused == (Self.refusal(name) == nil ? 0 : 3))
  }
}
