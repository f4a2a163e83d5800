import Foundation

/// The stages of `Sources/Kernels/Stages.list`, and the Swift that is made of them.
struct StageList {
  struct Stage {
    /// The stem of the GLSL file, the case of `StageKind`, and the type of the loop.
    let name: String, kind: String, type: String
    /// True if the loop is given a function that decodes a pixel of halves.
    let takesHalves: Bool
  }

  let stages: [Stage]

  /// - Throws: `ToolError` for a line that is no stage, with its number.
  init(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var stages: [Stage] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(separator: " ").map(String.init)
      if words.isEmpty || words[0].hasPrefix("#") { continue }
      guard words.count == 3 || (words.count == 4 && words[3] == "halves") else {
        throw ToolError(text: "\(path):\(index + 1): error: a stage is NAME CASE TYPE, or NAME CASE TYPE halves")
      }
      stages.append(Stage(name: words[0], kind: words[1], type: words[2], takesHalves: words.count == 4))
    }
    self.stages = stages
  }

  /// `StageKind`, with the type of each stage.
  var kinds: String {
    let cases = stages.map { "  case \($0.kind) = \"\($0.name)\"" }
    let types = stages.map { "    case .\($0.kind): \($0.type).self" }
    return """
      // Made by ShaderTool from Sources/Kernels/Stages.list.

      /// The list of stages. The raw value is the stem of the GLSL file and the name of its function
      /// `vec4 NAME(vec4 p, uint k)`, k = first word of its parameters.
      public enum StageKind: String, Sendable, Hashable, CaseIterable {
      \(cases.joined(separator: "\n"))

        /// The type with the stage's parameters, traits and loop.
        package var stage: any KernelStage.Type {
          switch self {
      \(types.joined(separator: "\n"))
          }
        }
      }

      """
  }

  /// The loops of all stages, each in a closure of its own: all in one function, the compiler stops inlining, and they run
  /// ten times slower.
  var loops: String {
    let cases = stages.map { stage in
      "  case .\(stage.kind): { \(stage.type).run($0, $1)\(stage.takesHalves ? " { Halves.pixel($0) }" : "") }"
    }
    return """
      // Made by ShaderTool from Sources/Kernels/Stages.list.
      \("import Kernels")

      /// Returns a stage's loop, compiled for this module's instruction set.
      func loop(of kind: StageKind) -> (Strip, StageContext) -> Void {
        switch kind {
      \(cases.joined(separator: "\n"))
        }
      }

      """
  }
}
