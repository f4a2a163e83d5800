import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Tests where filters say that they leave pixels, against the pixels of rendered pictures.
@Suite struct PixelMoveTests {
  private static func recipe(_ steps: [FilterStep]) -> RenderRecipe {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.edits = steps
    return recipe
  }

  private static let moves: [[FilterStep]] = [
    [], [FilterStep("flip")], [FilterStep("flip", ["direction": .word("vertical")])],
    [FilterStep("rotate", ["angle": .number(90)])], [FilterStep("rotate", ["angle": .number(-180)])],
    [FilterStep("crop", ["rect": .numbers([1, 2, 3, 2])])],
    [FilterStep("crop", ["aspect": .number(1), "gravity": .word("right")])],
    [
      FilterStep("crop", ["rect": .numbers([1, 0, 4, 4])]), FilterStep("rotate", ["angle": .number(270)]),
      FilterStep("exposure", ["ev": .number(0)]), FilterStep("flip"),
      FilterStep("crop", ["rect": .numbers([0, 1, 3, 2])]),
    ],
  ]

  @Test("a move names the pixel of the picture that each rendered pixel is", arguments: moves.indices)
  func pixels(_ index: Int) throws {
    let picture = FilterPicture(width: 6, height: 5) { x, y in SIMD4(Double(x), Double(y), 1, 1) }
    let move = try #require(Self.recipe(Self.moves[index]).move(of: PictureSize(6, 5))), m = move.mapping
    let moved = try picture.edited(Self.moves[index], inputs: [:])
    #expect(moved.width == move.size.width && moved.height == move.size.height)
    for y in 0..<moved.height {
      for x in 0..<moved.width {
        #expect(moved[x, y].x == Double(m.x0 + x * m.columnX + y * m.rowX), "\(x), \(y)")
        #expect(moved[x, y].y == Double(m.y0 + x * m.columnY + y * m.rowY), "\(x), \(y)")
      }
    }
  }

  @Test func filtersThatMixPlacesHaveNoMove() {
    for step in [
      FilterStep("resize", ["size": .number(3)]), FilterStep("rotate", ["angle": .number(30)]),
      FilterStep("rotate", ["angle": .number(90), "expand": .flag(false)]),
      FilterStep("crop", ["rect": .numbers([90, 90, 1, 1])]),
    ] {
      #expect(Self.recipe([step]).move(of: PictureSize(6, 5)) == nil, "\(step.name)")
      #expect(!Self.recipe([step]).keepsPlaces)
    }
    #expect(Self.recipe([FilterStep("exposure", ["ev": .number(1)])]).keepsPlaces)
  }
}
