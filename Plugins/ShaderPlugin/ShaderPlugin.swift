import Foundation
import PackagePlugin

/// Runs ShaderTool: for `Shaders` over all GLSL files, which become one Swift file with the kernel library; for `Kernels`
/// and the executors on the CPU over the list of stages.
@main struct ShaderPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let sources = context.package.directoryURL.appending(path: "Sources")
    let kernels = sources.appending(path: "Kernels"), shared = sources.appending(path: "Shaders/glsl/shared")
    let list = kernels.appending(path: "Stages.list"), stages = try files(kernels)
    func command(_ mode: String, _ inputs: [URL], _ files: [URL], output name: String) throws -> Command {
      let output = context.pluginWorkDirectoryURL.appending(path: name)
      return .buildCommand(
        displayName: "Making \(name) for \(target.name)", executable: try context.tool(named: "ShaderTool").url,
        arguments: [mode] + inputs.map(\.path) + [output.path], inputFiles: files, outputFiles: [output])
    }
    switch target.name {
    case "Shaders":
      return [
        try command("library", [shared, kernels], try files(shared) + stages, output: "ShaderLibraryWords.swift")
      ]
    // SwiftPM warns of the GLSL files beside Swift unless a command of the target takes them.
    case "Kernels": return [try command("kinds", [list], [list] + stages, output: "StageKind.swift")]
    default: return [try command("loops", [list], [list], output: "StageLoops.swift")]
    }
  }

  /// Returns the GLSL files in and below a folder.
  private func files(_ folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".glsl") }.sorted()
      .map { folder.appending(path: $0) }
  }
}
