import Foundation
import PackagePlugin

/// Runs ShaderTool over the GLSL files of a target's `glsl` folder: one Swift file with the kernel library comes out.
@main struct ShaderPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "glsl")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".glsl") }
      .sorted()
    let output = context.pluginWorkDirectoryURL.appending(path: "ShaderLibraryWords.swift")
    return [
      .buildCommand(
        displayName: "Compiling \(files.count) GLSL files",
        executable: try context.tool(named: "ShaderTool").url,
        arguments: [folder.path, output.path],
        inputFiles: files.map { folder.appending(path: $0) },
        outputFiles: [output])
    ]
  }
}
