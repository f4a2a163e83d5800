import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Properties of the filters that stages of others make.
@Suite struct StageFilterTests {
  static let idle: [(name: String, values: [String: FilterValue])] = [
    ("affine-clamp", ["matrix": .numbers([1, 0, 0, 0, 1, 0])]), ("perspective-transform-with-extent", [:]),
    ("perspective-transform-with-extent", ["extent": .numbers([0, 0, 23, 17])]), ("perspective-rotate", [:]),
    ("keystone-correction-vertical", [:]), ("keystone-correction-horizontal", [:]),
    ("keystone-correction-combined", [:]),
    ("clamp", [:]), ("clamp", ["extent": .numbers([-9, -9, 99, 99])]), ("maximum-scale-transform", [:]),
    ("sample-nearest", [:]),
    ("nine-part-tiled", ["breakpoint1": .numbers([60, 60]), "grow-amount": .numbers([0, 0])]),
  ]

  @Test("with values that change nothing every bit stays", arguments: idle.indices)
  func bitsStay(index: Int) throws {
    let p = FilterPicture.noise(hasAlpha: true), (name, values) = Self.idle[index]
    let result = try p.edited(FilterStep(name, values))
    #expect(result.pixels == p.pixels && result.width == p.width, "\(name) \(values)")
  }

  @Test("sample-nearest is heeded by the next filter that samples, and by no other") func nearest() throws {
    let p = FilterPicture.noise(), turn: [String: FilterValue] = ["angle": .number(20)]
    func rotate(_ sampling: String?) -> FilterStep {
      FilterStep("rotate", turn.merging(sampling.map { ["sampling": .word($0)] } ?? [:]) { $1 })
    }
    let asked = FilterStep("sample-nearest")
    let nearest = try p.edited([rotate("nearest")], inputs: [:]), smooth = try p.edited([rotate(nil)], inputs: [:])
    #expect(nearest.pixels != smooth.pixels)
    #expect(try p.edited([asked, rotate(nil)], inputs: [:]).pixels == nearest.pixels)
    #expect(
      try p.edited([asked, FilterStep("flip"), FilterStep("flip"), rotate(nil)], inputs: [:]).pixels == nearest.pixels)
    #expect(try p.edited([asked, rotate("bilinear")], inputs: [:]).pixels == smooth.pixels)
    #expect(
      try p.edited([asked, rotate(nil), rotate(nil)], inputs: [:]).pixels
        == p.edited([rotate("nearest"), rotate("bilinear")], inputs: [:]).pixels)
  }

  @Test(
    "a cropped keystone has the picture's shape and no transparency", arguments: ["vertical", "horizontal", "combined"])
  func keystoneCrop(kind: String) throws {
    let p = FilterPicture.noise(width: 60, height: 40)
    let corners: [String: FilterValue] = [
      "top-left": .numbers([15, 6]), "top-right": .numbers([44, 8]), "bottom-right": .numbers([50, 33]),
      "bottom-left": .numbers([9, 36]),
    ]
    let whole = try p.edited(FilterStep("keystone-correction-" + kind, corners))
    #expect((whole.width, whole.height) == (60, 40))
    #expect(whole.pixels.contains { $0.w < 1 })
    let cut = try p.edited(FilterStep("keystone-correction-" + kind, corners.merging(["crop": .flag(true)]) { $1 }))
    #expect(cut.pixels.allSatisfy { $0.w == 1 })
    #expect(cut.width > 30 && abs(Double(cut.width) / Double(cut.height) - 1.5) < 0.06, "\(cut.width)x\(cut.height)")
  }

  @Test("perspective-correction without crop shows all of the picture") func wholePicture() throws {
    let p = FilterPicture.noise(width: 40, height: 30)
    var values: [String: FilterValue] = [
      "top-left": .numbers([10, 5]), "top-right": .numbers([30, 5]), "bottom-right": .numbers([30, 25]),
      "bottom-left": .numbers([10, 25]),
    ]
    let cut = try p.edited(FilterStep("perspective-correction", values))
    #expect((cut.width, cut.height) == (20, 20))
    values["crop"] = .flag(false)
    // A rectangle that needs no correction leaves all of it as it was.
    let all = try p.edited(FilterStep("perspective-correction", values))
    #expect((all.width, all.height) == (40, 30))
    all.expect(1e-4) { x, y in p[x, y] }
  }

  @Test("a corner that would lie behind the camera is refused with a line") func behind() {
    let p = FilterPicture.noise()
    for step in [
      FilterStep("perspective-rotate", ["pitch": .number(80)]),
      FilterStep("keystone-correction-vertical", ["top-left": .numbers([22, 16])]),
      FilterStep("nine-part-stretched", ["breakpoint1": .numbers([40, 150])]),
      FilterStep("nine-part-tiled", ["grow-amount": .numbers([-101, 0])]),
      FilterStep("clamp", ["extent": .numbers([50, 0, 9, 9])]),
      FilterStep("blurred-rectangle-generator", ["extent": .numbers([0, 0, -1, 4])]),
    ] {
      #expect(throws: PlanError.self, "\(step.name)") { try p.edited(step) }
    }
  }

  @Test("filters let light above white and below black through") func lightPasses() throws {
    let p = FilterPicture(width: 12, height: 12) { x, _ in SIMD4(x < 6 ? 16 : -0.5, 4, 2, 1) }
    for step in [
      FilterStep("affine-clamp", ["matrix": .numbers([1, 0, 0.25, 0, 1, 0.5])]),
      FilterStep("perspective-rotate", ["pitch": .number(4)]),
      FilterStep("nine-part-stretched", ["breakpoint0": .numbers([2, 2]), "breakpoint1": .numbers([9, 9])]),
      FilterStep("maximum-scale-transform", ["scale": .number(0.5)]),
      FilterStep("clamp", ["extent": .numbers([2, 2, 8, 8])]),
      FilterStep("convolution-3x3", ["alpha": .word("weighted")]),
    ] {
      let red = try p.edited(step).pixels.map(\.x)
      #expect(abs((red.max() ?? 0) - 16) < 1e-5 && abs((red.min() ?? 0) + 0.5) < 1e-5, "\(step.name)")
    }
    for step in Filters.all.map({ $0.name }).filter({ $0.hasPrefix("photo-effect") }).map({ FilterStep($0) }) {
      #expect((try p.edited(step).pixels.map(\.x).max() ?? 0) > 2, "\(step.name)")
      let cut = try p.edited(FilterStep(step.name, ["extrapolate": .flag(false)]))
      #expect(cut.pixels.allSatisfy { $0.x >= 0 && $0.x <= 1 + 1e-4 && $0.z <= 1 + 1e-4 }, "\(step.name)")
    }
  }

  @Test("weighted alpha is a sum too: an opaque picture loses it where weights add up to less") func weightedAlpha()
    throws
  {
    let p = FilterPicture(width: 8, height: 8) { x, y in SIMD4(Double(x), Double(y), 1, 1) }
    let half: FilterValue = .numbers([0, 0, 0, 0, 0.5, 0, 0, 0, 0])
    try p.edited(FilterStep("convolution-3x3", ["weights": half, "alpha": .word("weighted")])).expect { x, y in
      SIMD4(Double(x), Double(y), 1, 0.5)
    }
    try p.edited(FilterStep("convolution-3x3", ["weights": half])).expect { x, y in
      SIMD4(Double(x) / 2, Double(y) / 2, 0.5, 1)
    }
  }

  @Test("a variable blur is none where its mask is black, and a plain one where it is white") func maskEnds() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    func blurred(_ mask: Double) throws -> FilterPicture {
      try p.edited(
        FilterStep("masked-variable-blur", ["mask": .word("mask"), "radius": .number(3)]),
        inputs: ["mask": FilterPicture(width: 5, height: 4) { _, _ in SIMD4(mask, mask, mask, 1) }])
    }
    try blurred(0).expect(1e-5) { x, y in p[x, y] }
    let plain = try p.edited(FilterStep("gaussian-blur", ["radius": .number(3)]))
    for white in [1.0, 7] { try blurred(white).expect(1e-5) { x, y in plain[x, y] } }
  }
}
