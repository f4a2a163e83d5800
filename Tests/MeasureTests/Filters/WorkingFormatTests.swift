import CPURender
import Foundation
import HDRCore
import HDRPlan
import Kernels
import Measure
import TestPlans
import TestSupport
import Testing

/// Pictures between passes as halves and as binary32.
@Suite struct WorkingFormatTests {
  /// Light of a wall with fine structure and lamps of up to 16 times white.
  static func wall(width: Int = 97, height: Int = 83, hasAlpha: Bool = false) -> FilterPicture {
    var random = TestPictures.Generator(seed: 5)
    return FilterPicture(width: width, height: height) { x, y in
      let grain = 1 + 0.2 * (Double(random.next() >> 11) * 0x1p-53 - 0.5)
      let slope = 0.02 + 0.6 * Double(x) / Double(width), lamp = (x / 9 + y / 7) % 11 == 0 ? 15.0 : 0
      let light = (slope + lamp) * grain
      return SIMD4(light, 0.8 * light, 0.5 * light + 0.05, hasAlpha ? Double((x + 2 * y) % 17) / 16 : 1)
    }
  }

  /// A filter with its defaults, and a recipe that gives it what it needs.
  static func recipe(
    _ filter: any Filter.Type, _ format: WorkingFormat, sink: SinkKind = .floatPlanes
  ) -> RenderRecipe {
    var step = FilterStep(filter.name)
    for parameter in filter.parameters {
      if case .input(nil) = parameter.kind {
        step.values.values[parameter.name] = .word(RandomRecipes.specialInput(parameter, of: filter) ?? "photo")
      }
    }
    if filter.name == "highlight-shadow" { step.values.values = ["radius": .number(9), "shadow-amount": .number(0.5)] }
    for (name, values) in ["rotate": 7.0, "straighten": 3] where filter.name == name {
      step.values.values["angle"] = .number(values)
    }
    if filter.name == "scale" { step.values.values["factor"] = .number(0.6) }
    if filter.category == .transition { step.values.values["time"] = .number(0.5) }
    let encoding: OutputSignal.Encoding = sink == .planarYCC ? .pq : .linear
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: encoding, sink: sink, chroma: .s420), tone: .none, gamut: .none)
    // So that what the filter gets are no halves by themselves.
    recipe.edits = [FilterStep("exposure", ["ev": .number(0.3)]), step]
    recipe.inputs = RandomRecipes.inputs(seed: 3)
    recipe.contentHeadroom = Headroom(stops: 4)
    recipe.allowsSDRFilters = true
    recipe.workingFormat = format
    return recipe
  }

  /// Rows without their padding.
  static func bytes(_ image: SampleImage) -> [UInt8] {
    var bytes: [UInt8] = []
    for plane in image.channels + (image.alpha.map { [$0] } ?? []) {
      for y in 0..<plane.height {
        let row = plane.buffer.base + plane.offset + y * plane.rowBytes
        bytes += UnsafeRawBufferPointer(start: row, count: (plane.width - 1) * plane.stepBytes + image.format.bytes)
      }
    }
    return bytes
  }

  /// Filters that hand a picture from pass to pass.
  static func plan(
    _ filter: any Filter.Type, _ picture: FilterPicture, _ format: WorkingFormat, sink: SinkKind = .floatPlanes
  ) throws -> Plan? {
    let plan = try Planner.plan(picture.source, recipe(filter, format, sink: sink))
    return plan.passes.count > 1 ? plan : nil
  }

  @Test(arguments: WorkingFormat.allCases) func bothBuildsAgree(_ format: WorkingFormat) throws {
    let small = Self.wall(hasAlpha: true), wide = Self.wall(width: 1100, height: 70)
    var count = 0
    for filter in Filters.all {
      for (picture, sink) in [(small, SinkKind.rgba16f), (wide, .rgba8), (wide, .planarYCC)] {
        guard let plan = try Self.plan(filter, picture, format, sink: sink) else { continue }
        count += 1
        let results = CPUBackend.available.map { Self.bytes($0.render(plan, threads: 2)) }
        #expect(results.allSatisfy { $0 == results[0] }, "\(filter.name), \(sink)")
      }
    }
    #expect(count > 150)
  }

  /// Moving pixels changes none of them whatever the format; a sum over the picture itself rounds them once to halves.
  @Test func picturesAreHandedOnAsTheirFormatSays() throws {
    let picture = Self.wall(width: 600), exposure = FilterStep("exposure", ["ev": .number(0.3)])
    func render(_ steps: [FilterStep], _ format: WorkingFormat) throws -> FilterPicture {
      try picture.edited(steps, inputs: [:], format: format)
    }
    let plain = try render([exposure], .rgba32f)
    for (name, turn) in [("flip", 0.0), ("rotate", 180.0)] {
      var step = FilterStep(name)
      if turn != 0 { step.values.values["angle"] = .number(turn) }
      let exact = try render([exposure, step], .rgba32f), halves = try render([exposure, step], .rgba16f)
      for y in 0..<picture.height {
        for x in 0..<picture.width {
          let from = plain[picture.width - 1 - x, turn == 0 ? y : picture.height - 1 - y]
          #expect(exact[x, y] == from && halves[x, y] == from)
        }
      }
    }
    let same = FilterStep("convolution-3x3")
    let exact = try render([exposure, same], .rgba32f), halves = try render([exposure, same], .rgba16f)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        #expect(exact[x, y] == plain[x, y])
        for channel in 0..<3 {
          #expect(halves[x, y][channel] == Double(E32.float(half: E32.half(Float(plain[x, y][channel])))))
        }
      }
    }
  }

  /// Checks docs/data/working-format.tsv: the format of each filter, and the error of halves.
  @Test func tableTellsFormatsAndErrors() throws {
    let picture = Self.wall()
    var rows = ["filter\tpasses\tformat\tlargest error of halves"]
    for filter in Filters.all {
      guard let plan = try Self.plan(filter, picture, .rgba16f) else { continue }
      let halves = plan.passes.dropLast().contains { $0.sink.kind == .rgba16f }
      if filter.workingFormat == .rgba32f { #expect(!halves, "\(filter.name)") }
      let exact = try Planner.plan(picture.source, Self.recipe(filter, .rgba32f))
      #expect(exact.passes.dropLast().allSatisfy { $0.sink.kind == .floatPlanes }, "\(filter.name)")
      func values(_ plan: Plan) -> [Float] {
        Self.bytes(CPUBackend.best.render(plan, threads: 1)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      }
      let a = values(plan), b = values(exact)
      try #require(a.count == b.count)
      // Relative to the value, but not to less than a 64th of white.
      var worst = 0.0
      for (half, want) in zip(a, b) {
        let error = abs(Double(half) - Double(want)), scale: Double = max(abs(Double(want)), 1.0 / 64)
        worst = max(worst, error / scale)
      }
      let format: WorkingFormat = halves ? .rgba16f : .rgba32f
      let error = halves ? String(format: "%.1e", worst) : "0"
      rows.append([filter.name, String(plan.passes.count), format.rawValue, error].joined(separator: "\t"))
    }
    let text = rows.joined(separator: "\n") + "\n"
    let path = SharedData.repository.appendingPathComponent("docs/data/working-format.tsv")
    if ProcessInfo.processInfo.environment["HDRBATCH_WRITE_TABLES"] != nil {
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == text)
  }
}
