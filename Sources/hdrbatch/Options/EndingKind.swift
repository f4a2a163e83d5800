import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// Chooses the kind of output by the ending of `--out`, where nothing else names it.
enum EndingKind {
  /// Adds the output to a recipe without any.
  ///
  /// - Returns: which it is, and why; `nil` where nothing was added.
  /// - Throws: `UsageError` for an ending that does not say enough.
  static func add(to text: inout RecipeText, _ invocation: Invocation, _ batch: BatchSettings) throws -> String? {
    guard text.recipe.outputs.isEmpty, let out = invocation[RenderCommand.options.out], out != "-" else { return nil }
    let path = FilePath(out)
    guard !out.hasSuffix("/"), fileStatus(path)?.isFolder != true else { return nil }
    guard let kinds = EndingKinds(of: path) else {
      guard let answer = InputCollector.ownExtension(path.name).flatMap(KindHint.foreign(ending:)) else {
        return nil
      }
      throw UsageError("--out \(path.display): \(answer)")
    }
    func ask(_ why: String) -> UsageError {
      UsageError("--out \(path.display): \(why); say --to: .\(kinds.ending) files are \(KindHint.list(kinds.kinds))")
    }
    guard let hdr = kinds.ofHDR else { throw ask("several kinds end so") }
    var kind = hdr, why = ""
    if kinds.ofSDR != hdr {
      guard !invocation.arguments.contains("-") else { throw ask("what comes on standard input is not known yet") }
      if let isHDR = try isHDR(invocation, text.recipe, batch) {
        let input = FilePath(invocation.arguments[0]).display
        guard isHDR || kinds.ofSDR != nil else { throw ask("\(input) is SDR, and no kind of SDR file ends so") }
        kind = isHDR ? hdr : kinds.ofSDR ?? hdr
        why = ", as \(input) is \(isHDR ? "HDR" : "SDR")"
      }
    }
    text.recipe.outputs = [Recipe.Output(kind, name: invocation[RecipeOptions.make.name])]
    return "\(path.display) is made as \(kind)\(why); --to makes others"
  }

  /// Returns true for an input with HDR; `nil` where there is not one file, or one that cannot be read.
  private static func isHDR(_ invocation: Invocation, _ recipe: Recipe, _ batch: BatchSettings) throws -> Bool? {
    guard invocation.arguments.count == 1, let only = invocation.arguments.first,
      fileStatus(FilePath(only))?.isRegularFile == true
    else { return nil }
    var limits = batch.limits
    limits.reading = ReadingOptions(recipe.settings)
    let codecs = CodecsAtUse(batch.isolation, limits: limits)
    defer { _ = codecs.close() }
    return (try? FileInspection(FilePath(only), limits: limits, codecs: codecs))?.hasHDR
  }
}
