import TestSupport
import Testing

/// Checks that names of tests are sentences: a failure says which rule broke before anybody reads the test.
@Suite struct TestNameTests {
  /// These verbs make a sentence, with an -s or without. What is mostly a noun, as "map", stays away.
  static let verbs = """
    act adapt add affect agree answer applies apply are ask average become begin belong can cancel cannot change come
    compile convert cost count cover cut decide declare decode depend desaturate describe differ do does double edit
    encode end equal escape exceed exchange exclude expand fade fail fall fill find fit follow get give go goes grow had
    happen has have hide hold interpolate is keep know lack lead leave let lie list lose make match matter may mean
    measure meet mix mixes move multiply must name need notice open overflow override parse pass print reach reaches
    read refuse render repeat return rise run say scale see serve share show skip span stand start state stay stop succeed sum
    survive sweep take tell trap travel turn undo use vanish want warn was will win work write
    bound carries check codes crops maps orders records replace treat
    """.split { $0.isWhitespace }.map(String.init)

  /// Returns true for a verb behind a subject, in words or in camel case.
  static func isSentence(_ name: Substring) -> Bool {
    name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/).dropFirst().map { $0.output.lowercased() }.contains {
      verbs.contains($0) || $0.hasSuffix("s") && verbs.contains(String($0.dropLast()))
    }
  }

  @Test(arguments: [
    "BatchEngineTests", "CodecServiceTests", "CPUReferenceTests", "GalleryTests", "GPURenderTests", "HDRCoreTests",
    "HDRComparisonTests", "HDRPlanTests", "HDRRecipeTests", "HDRRenderTests", "ImageFilesTests", "KernelsTests",
    "MeasureTests", "OCIOConfigTests", "PlainDataTests", "ProgramTests", "RepositoryTests", "SPIRVExecutorTests",
    "ServeTests",
    "VideoStreamsTests", "VideoTests",
  ])
  func namesHaveASubjectAndAVerb(target: String) throws {
    let names = try SourceTree.allFiles("Tests/" + target, extension: "swift").flatMap {
      SourceLint.withoutComments($0.text)
        .matches(of: /(?ms)^ *@Test\b(?:\(\s*"((?:[^"\\\n]|\\.)*)")?.*?\bfunc (\w+)/).map { $0.1 ?? $0.2 }
    }
    let others = names.filter { !Self.isSentence($0) }
    #expect(!names.isEmpty && others.isEmpty, "\(others): no sentences, or a verb is missing in TestNameTests")
  }

  @Test(arguments: ["hlgCurves", "curvesOfComponents", "refusesDoubledItems", "patterns of any side up to 8"])
  func nameLintFindsOtherNames(name: String) { #expect(!Self.isSentence(name[...])) }
}
