import HDRCore
import HDRPlan
import HDRRecipe
import OCIOConfig
import PlainData

/// A config for commands that report: what it says about files, and what it can show.
package struct ConfigReport: Sendable {
  private let colors: ConfigColors
  private let config: Config
  /// The active displays with their views, and the spaces and encodings that the views' rules name.
  package let displays: [(name: String, signal: String, views: [(name: String, uses: [String])])]

  /// Reads a config.
  ///
  /// - Parameters:
  ///   - space: of the inputs, as the caller states it.
  ///   - paths: of files that rules are asked about.
  /// - Throws: `UsageError`.
  package init(
    _ place: String, variables: [ConfigVariable] = [], space: SpaceName? = nil, paths: [FilePath] = []
  ) throws(UsageError) {
    do throws(HDRError) {
      let reader = try ConfigAtUse(
        place, variables: Dictionary(variables.map { ($0.name, $0.value) }) { _, last in last })
      var colors = ConfigColors(reader.facts)
      if let space {
        colors.stated = try reader.input(space.text)
      } else {
        colors.takeRules(reader, paths)
      }
      (self.colors, config) = (colors, reader.config)
      displays = reader.shown
    } catch {
      throw UsageError("\(setting: "ocio") \(error.message) (\(error.code))")
    }
  }

  /// The config in reports.
  package var title: String { config.name ?? config.source }

  package var warnings: [Warning] { config.warnings }

  package var spaceNames: [String] { config.spaceNames }

  package var lookNames: [String] { config.lookNames }

  /// The statements of a config about a file.
  package struct Finding: Sendable {
    package var source: SourceImage
    /// The space of its codes; `nil`: a display's picture, which has to state it.
    package var space: String?
    package var interopID: String?
    /// The file rule that its path meets, and the space that it names.
    package var rule: String?
    package var ruleSpace: String?
    /// True if the rule decides, as the file states nothing.
    package var isByRule = false
  }

  /// Finds the space of a file.
  ///
  /// - Throws: `HDRError` for a rule whose space cannot be used.
  package func finding(_ source: SourceImage, _ path: FilePath) throws(HDRError) -> Finding {
    let placing = try colors.placed(source, path: path), match = colors.rule(for: path)
    var finding = Finding(source: placing.source)
    finding.space = placing.space ?? source.exr?.space
    (finding.rule, finding.ruleSpace) = (match?.rule, match?.space)
    finding.isByRule = placing.rule != nil
    if let space = finding.space {
      finding.interopID = config.space(space)?.interopID ?? NamedSpace.named(space)?.interopID
    }
    return finding
  }
}
