import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import Testing

/// Rows of the list of settings, and the types of higher rooms that they speak of.
@Suite struct SettingRowsTests {
  @Test func kindsOfOutputsAreThoseOfTheEngine() {
    #expect(Set(KindNames.adaptive) == Set(AdaptiveContainer.allCases.map { "adaptive-\($0.rawValue)" }))
    #expect(Set(KindNames.parts) == Set(FilePart.allCases.map { "extract-\($0.rawValue)" }))
    for kind in KindNames.all { #expect(NameTraits(kind).target == kind) }
  }

  @Test func defaultsAreTheEngines() {
    let values = SettingValues(), safety = Settings.safety
    #expect(values[safety.maxPixels] == DecodeLimits().maxPixels)
    #expect(values[safety.maxSide] == DecodeLimits().maxSide)
    #expect(values[safety.maxFileBytes] == DecodeLimits().maxFileBytes)
    #expect(values[safety.maxSeconds] == CodecLimits().seconds)
    #expect(values[safety.maxWorkerMemory] == CodecLimits().memoryBytes)
    #expect(values[safety.maxCrashes] == CodecLimits().crashes)
    #expect(values[safety.isolation] == IsolationOptions().isolation)
  }

  @Test func defaultsOfRecipesAreTheEngines() throws {
    for kind in KindNames.renditions {
      var text = RecipeText()
      text.recipe.outputs = [Recipe.Output(kind)]
      let options = try PreparedRecipe(text, inputs: [], limits: DecodeLimits(), isolation: IsolationOptions(.none))
        .options.rendition
      let plain = RenditionOptions(kind: try #require(OutputKind(rawValue: kind)))
      #expect(options.recipe == plain.recipe)
      #expect(options.coding == plain.coding && options.fullRange)
    }
  }
}
