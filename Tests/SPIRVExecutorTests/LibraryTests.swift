import SPIRV
import SPIRVExecutor
import Shaders
import Testing

@Suite struct LibraryTests {
  /// Every sink with every stage in front of it is a program.
  @Test func everyKernelIsRead() throws {
    let library = try ShaderLibrary.library()
    let sink = try #require(library.sinkNames.first)
    for stage in library.stageNames {
      let words = try library.kernel(
        stages: [.init(stage, constants: 0)], sink: .init(sink, constants: 64), halfSources: 1)
      #expect(throws: Never.self, "\(stage)") { _ = try ShaderProgram(words) }
    }
    for sink in library.sinkNames {
      let words = try library.kernel(stages: [], sink: .init(sink, constants: 0))
      #expect(throws: Never.self, "\(sink)") { _ = try ShaderProgram(words) }
    }
  }
}
