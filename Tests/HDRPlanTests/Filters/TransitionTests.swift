import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct TransitionTests {
  static let names = Filters.all.filter { $0.category == .transition }.map { $0.name }

  static func step(_ name: String, _ time: Double, _ values: [String: FilterValue] = [:]) -> FilterStep {
    var step = FilterStep(name, values)
    for parameter in step.filter?.parameters ?? [] {
      guard case .input(nil) = parameter.kind else { continue }
      step.values.values[parameter.name] = .word(parameter.name == "mask" ? "mask" : "top")
    }
    step.values.values["time"] = .number(time)
    return step
  }

  static func mask(_ width: Int, _ height: Int) -> FilterPicture {
    FilterPicture(width: width, height: height) { x, y in
      let v = Double((x * 7 + y * 3) % 17) / 16
      return SIMD4(v, v, v, 1)
    }
  }

  /// Values that put fronts at odd places, steps far apart, and colours over both.
  static let odd: [String: [[String: FilterValue]]] = [
    "swipe-transition": [["angle": .number(33), "opacity": .number(1), "width": .number(7)], ["angle": .number(-90)]],
    "bars-swipe-transition": [
      ["angle": .number(201), "width": .number(3.3), "bar-offset": .number(-1000)],
      ["angle": .number(90), "bar-offset": .number(0)], ["width": .number(2), "bar-offset": .number(999)],
    ],
    "copy-machine-transition": [["angle": .number(77), "opacity": .number(100), "width": .number(1)]],
    "flash-transition": [
      ["fade-threshold": .number(0)], ["fade-threshold": .number(1)], ["center": .numbers([-4000, 70])],
    ],
    "mod-transition": [["radius": .number(3), "center": .numbers([1e6, -1e6])], ["compression": .number(1)]],
    "disintegrate-with-mask-transition": [["shadow-offset": .numbers([-30, 4096]), "shadow-radius": .number(0)]],
    "accordion-fold-transition": [
      ["bottom-height": .number(20), "fold-shadow-amount": .number(1)], ["bottom-height": .number(65536)],
    ],
    "page-curl-transition": [["angle": .number(40), "radius": .number(3)], ["angle": .number(-135)]],
    "page-curl-with-shadow-transition": [["angle": .number(90), "radius": .number(0.01), "shadow-size": .number(0)]],
    "ripple-transition": [["center": .numbers([0, 0]), "scale": .number(-20)]],
  ]

  @Test("time 0 is the picture and time 1 is the input, exactly", arguments: names)
  func ends(name: String) throws {
    for (width, height) in [(61, 47), (1, 1), (700, 2)] {
      let own = FilterPicture.noise(width: width, height: height)
      let top = FilterPicture.noise(width: width, height: height, seed: 2)
      let inputs = ["top": top, "mask": Self.mask(width, height)]
      for values in [[:]] + (Self.odd[name] ?? []) {
        for (time, want) in [(0.0, own), (1, top)] {
          let result = try own.edited(Self.step(name, time, values), inputs: inputs)
          #expect(result.pixels == want.pixels, "\(name) at \(time), \(width)x\(height), \(values)")
        }
      }
    }
  }

  @Test("a transition in between shows some of both, mixes alpha and cuts nothing", arguments: names)
  func between(name: String) throws {
    let grey = FilterPicture(width: 161, height: 90) { _, _ in SIMD4(0.25, 0.25, 0.25, 1) }
    let lamp = FilterPicture(width: 161, height: 90) { _, _ in SIMD4(30, 20, 10, 1) }
    let inputs = ["top": lamp, "mask": Self.mask(161, 90)]
    var shares: [Double] = []
    for time in [0.2, 0.5, 0.9] {
      let result = try grey.edited(Self.step(name, time), inputs: inputs)
      shares.append(result.pixels.map(\.x).reduce(0, +))
      #expect(result.pixels.allSatisfy { $0.w == 1 })
    }
    #expect(shares == shares.sorted() && shares[2] > shares[0], "\(name): \(shares)")
    // Over nothing, time 1 / 2 leaves neither all nor nothing.
    let clear = FilterPicture(width: 161, height: 90) { _, _ in SIMD4(0, 0, 0, 0) }
    let alpha = try clear.edited(Self.step(name, 0.5), inputs: inputs).pixels.map(\.w)
    #expect(alpha.contains { $0 > 0 } && alpha.allSatisfy { (0...1).contains($0) }, "\(name)")
  }

  static func smooth(_ t: Double) -> Double {
    let c = min(max(t, 0), 1)
    return c * c * (3 - 2 * c)
  }

  /// Fronts by their definition, up to what they begin outside by.
  @Test(arguments: ["swipe-transition", "copy-machine-transition"], [(0.3, 0.0), (0.8, 0), (0.4, 40), (0.7, 180)])
  func frontsMoveAcrossThePictureAtTheirAngle(name: String, at place: (time: Double, angle: Double)) throws {
    let (time, angle) = place, (w, h, width) = (61, 47, 20.0)
    let isAdded = name == "copy-machine-transition", amount = isAdded ? 1.3 : 0.75
    let own = FilterPicture.noise(width: w, height: h, hasAlpha: true)
    let top = FilterPicture.noise(width: w, height: h, seed: 2, hasAlpha: true)
    let result = try own.edited(
      Self.step(
        name, time,
        ["angle": .number(angle), "width": .number(width), "opacity": .number(amount), "color": .numbers([1, 1, 1])]),
      inputs: ["top": top])
    let (c, s) = ExactMath.cosSin(degrees: angle)
    let corners = [(0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1)].map { Double($0.0) * c - Double($0.1) * s }
    let from = corners.min()!, to = corners.max()!, slack = width / 64
    let front = from - slack + time * (to - from + width + 2 * slack)
    FilterPicture(width: w, height: h) { CompositingTests.premultiplied(result[$0, $1]) }.expect(2e-4) { x, y in
      let m = Self.smooth((front - (Double(x) * c - Double(y) * s)) / width), light = amount * 4 * m * (1 - m)
      let mixed = own.premultiplied(x, y) * (1 - m) + top.premultiplied(x, y) * m
      return isAdded
        ? mixed + SIMD4(1, 1, 1, 0) * (light * mixed.w) : mixed * (1 - light) + SIMD4(repeating: light)
    }
  }

  @Test("each bar is behind the one before it by the offset") func bars() throws {
    let own = FilterPicture(width: 60, height: 40) { _, _ in SIMD4(0, 0, 0, 1) }
    let top = FilterPicture(width: 60, height: 40) { _, _ in SIMD4(1, 1, 1, 1) }
    let result = try own.edited(
      Self.step(
        "bars-swipe-transition", 0.5, ["angle": .number(0), "width": .number(10), "bar-offset": .number(6)]),
      inputs: ["top": top])
    // Bars lie along rows, ten high; the front moves to the right.
    let reached = (0..<4).map { bar in (0..<60).filter { result[$0, 10 * bar + 5].x > 0.5 }.count }
    #expect(zip(reached, reached.dropFirst()).allSatisfy { $0 - $1 == 6 }, "\(reached)")
    #expect((0..<60).allSatisfy { result[$0, 12] == result[$0, 17] })
  }

  @Test("holes grow from their middles") func holes() throws {
    let own = FilterPicture(width: 80, height: 80) { _, _ in SIMD4(0, 0, 0, 1) }
    let top = FilterPicture(width: 80, height: 80) { _, _ in SIMD4(1, 1, 1, 1) }
    let values: [String: FilterValue] = [
      "radius": .number(10), "compression": .number(65536), "angle": .number(0), "center": .numbers([40, 40]),
    ]
    let result = try own.edited(Self.step("mod-transition", 0.3, values), inputs: ["top": top])
    result.expect(2e-3) { x, y in
      let px = Double(x) + 0.5 - 40, py = Double(y) + 0.5 - 40
      let near = 65536 / (65536 + (px * px + py * py).squareRoot()), u = px * near / 20, v = py * near / 20
      let du = u - u.rounded(), dv = v - v.rounded()
      let m = Self.smooth(0.3 * (9 + 1.0 / 32) - 1.0 / 64 - 16 * (du * du + dv * dv))
      return SIMD4(m, m, m, 1)
    }
  }

  @Test("a flash fills the picture at its threshold and fades over the input") func flash() throws {
    let own = FilterPicture.noise(), top = FilterPicture.noise(seed: 2)
    let values: [String: FilterValue] = ["color": .numbers([1, 1, 1]), "fade-threshold": .number(0.6)]
    func edited(_ time: Double) throws -> FilterPicture {
      try own.edited(Self.step("flash-transition", time, values), inputs: ["top": top])
    }
    try edited(0.6).expect(1e-6) { _, _ in SIMD4(1, 1, 1, 1) }
    try edited(0.9).expect(3e-6) { x, y in
      top[x, y] * 0.75 + SIMD4(repeating: 0.25)
    }
    let early = try edited(0.25)
    #expect(early[11, 8].x == 1 && early[0, 0] == own[0, 0])
  }

  @Test("a folded picture stands on what does not fold, every second panel darker") func accordion() throws {
    let own = FilterPicture(width: 7, height: 50) { _, y in SIMD4(y < 40 ? 8 : 4, 1, Double(y), 1) }
    let top = FilterPicture.noise(width: 7, height: 50)
    let values: [String: FilterValue] = [
      "bottom-height": .number(10), "number-of-folds": .number(1), "fold-shadow-amount": .number(0.5),
    ]
    let result = try own.edited(Self.step("accordion-fold-transition", 0.5, values), inputs: ["top": top])
    result.expect(1e-5) { x, y in
      if y < 20 { return top[x, y] }
      if y >= 40 { return (own[x, y] + top[x, y]) / 2 }
      // Two rows in one; the lower of two panels loses a quarter.
      let light = y < 30 ? 1 : 0.75, row = Double(2 * (y - 20)) + 0.5
      return SIMD4(8 * light, light, row * light, 1)
    }
  }

  @Test("what is left throws its shadow on the input") func shadow() throws {
    let own = FilterPicture.noise(width: 60, height: 40)
    let lamp = FilterPicture(width: 60, height: 40) { _, _ in SIMD4(8, 8, 8, 1) }
    // The left half goes first.
    let mask = FilterPicture(width: 60, height: 40) { x, _ in x < 30 ? SIMD4(0, 0, 0, 1) : SIMD4(1, 1, 1, 1) }
    let values: [String: FilterValue] = [
      "shadow-radius": .number(0), "shadow-offset": .numbers([-5, 0]), "shadow-density": .number(0.75),
    ]
    let result = try own.edited(
      Self.step("disintegrate-with-mask-transition", 0.5, values), inputs: ["top": lamp, "mask": mask])
    result.expect(1e-5) { x, y in
      x >= 30 ? own[x, y] : (x < 25 ? lamp[x, y] : SIMD4(2, 2, 2, 1))
    }
  }

  @Test("a transition whose input is missing is refused", arguments: names) func missingInput(name: String) {
    #expect(throws: PlanError.self) { try FilterPicture.noise().edited(Self.step(name, 0.5), inputs: [:]) }
    #expect(FilterStep(name).complaint?.message.contains("wants input") == true)
    #expect(FilterStep(name, ["input": .word("a"), "mask": .word("a"), "time": .number(2)]).complaint != nil)
  }
}
