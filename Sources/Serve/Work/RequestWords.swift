import BatchEngine
import HDRCore
import HDRComparison
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// Reads the options of requests by the lists of the command line.
package protocol RequestWords: Sendable {
  /// Returns the recipe that options of `render` mean, after those of a recipe.
  func recipe(_ options: [String], _ recipe: JSON?, _ files: ServedFiles) throws(RequestFault) -> RecipeText
  /// Returns what `info` is asked about a file of that name.
  func info(_ options: [String], of path: FilePath, _ files: ServedFiles) throws(RequestFault) -> InfoOrder
  /// Returns the comparison that options of `compare` ask for.
  func comparison(
    _ options: [String], _ tools: ServeTools
  ) throws(RequestFault) -> (FilePair) -> PairReport
}

/// The questions about a file.
package struct InfoOrder {
  package var reading: ReadingOptions
  package var config: ConfigReport?
  package var standard: StandardCheck.Standard?

  package init(reading: ReadingOptions, config: ConfigReport?, standard: StandardCheck.Standard?) {
    (self.reading, self.config, self.standard) = (reading, config, standard)
  }
}

/// The tools and settings that all requests share.
package struct ServeTools: Sendable {
  package var codecs: any CodecBorder
  package var backends: RenderBackends
  package var budget: MemoryBudget
  /// The settings of machine and limits.
  package var machine: BatchOptions
  package var files: ServedFiles
  /// The requests that run at once.
  package var jobs: Int
  /// Reports what happens to devices.
  package var note: @Sendable (String) -> Void
}
