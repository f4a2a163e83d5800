import HDRCore
import HDRPlan

/// The work on pictures: all values that decide pixels and files, without command lines, folders or machines. Equal
/// recipes have equal canonical text.
public struct Recipe: Sendable {
  package struct Size: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A second picture, which filters refer to by name: `HDRPlan.FilterInput` as text.
  package enum FilterInput: Sendable, Hashable {
    case file(String)
    /// A generated picture, as large as the edited one if no size is given.
    case generator(RecipeStep, Size?)
  }

  /// The steps of one output, or of all.
  package struct Steps: Sendable, Hashable {
    /// The steps of every rendition.
    package var common: [RecipeStep] = []
    /// The steps of the SDR rendition only, after the common ones; `nil` if none are given.
    package var sdr: [RecipeStep]?
    /// The steps of the HDR rendition only.
    package var hdr: [RecipeStep]?

    package init(_ common: [RecipeStep] = [], sdr: [RecipeStep]? = nil, hdr: [RecipeStep]? = nil) {
      self.common = common
      self.sdr = sdr
      self.hdr = hdr
    }

    package var isEmpty: Bool { common.isEmpty && sdr == nil && hdr == nil }

    /// True if a value depends on the picture.
    package var hasExpressions: Bool { all.contains(where: \.hasExpressions) }

    /// The variables that values depend on.
    package var variables: Set<Expression.Variable> { all.reduce(into: []) { $0.formUnion($1.variables) } }

    var all: [RecipeStep] { common + (sdr ?? []) + (hdr ?? []) }
  }

  /// An output: one file for every picture.
  package struct Output: Sendable, Hashable {
    /// The kind, a name of `KindNames`.
    package var kind: String
    /// The template of the file's name; `nil`: `{stem}.{ext}`.
    package var name: String?
    package var settings = SettingValues()
    /// The output's own steps, after the recipe's.
    package var steps = Steps()

    package init(_ kind: String, name: String? = nil) {
      self.kind = kind
      self.name = name
    }
  }

  /// The size of a recipe without an input picture.
  package var size: Size?
  package var inputs: [String: FilterInput] = [:]
  /// The settings for all outputs that they have an effect on.
  package var settings = SettingValues()
  package var steps = Steps()
  /// True if the gain map stays unchanged while the base is edited.
  package var keepsMap = false
  package var outputs: [Output] = []
  /// Changes for some inputs.
  package var overrides: [Override] = []

  package init() {}

  /// The default template of names.
  package static let standardName = "{stem}.{ext}"
}

/// Recipes are equal when they mean the same, whether a default is written or not.
extension Recipe: Hashable {
  public static func == (a: Recipe, b: Recipe) -> Bool { a.canonical == b.canonical }
  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension Recipe {
  /// Returns the settings of an output: its own override the recipe's; those without an effect on it are left out.
  package func settings(of output: Output) -> SettingValues {
    let common = settings.filter { Settings.recipe[$0].map { concerns($0, output.kind) } ?? false }
    return output.settings.over(common, Settings.recipe)
  }

  /// True if an output of some input may be rejected: it must be accepted, or its quality is found.
  package var isJudged: Bool {
    let files = Settings.files
    let names = [Settings.acceptance.accept.name, files.qualityTarget.name, files.maxBytes.name]
    return names.contains { name in
      ([settings] + outputs.map(\.settings)).contains { $0.words[name] != nil }
        || overrides.contains { $0.changes.keys.contains { $0 == name || $0.hasSuffix("." + name) } }
    }
  }

  /// Returns true if a setting has an effect on a kind of output.
  func concerns(_ setting: Setting, _ kind: String) -> Bool {
    // If samples are described, their range also applies to inputs.
    setting.outputs.matches(kind) || setting.name == Settings.files.range.name && settings.has(Settings.reading.cicp)
  }

  /// Returns the steps of an output: the recipe's, then its own, then `resize`.
  package func steps(of output: Output) -> Steps {
    func joined(_ a: [RecipeStep]?, _ b: [RecipeStep]?) -> [RecipeStep]? {
      a == nil && b == nil ? nil : (a ?? []) + (b ?? [])
    }
    let resize = settings(of: output)[Settings.edits.resize]?.step
    return Steps(
      steps.common + output.steps.common + [resize].compactMap(\.self), sdr: joined(steps.sdr, output.steps.sdr),
      hdr: joined(steps.hdr, output.steps.hdr))
  }

  /// Gives a setting to all outputs, and removes settings that it replaces.
  ///
  /// - Throws: `SettingFault`.
  package mutating func set(_ setting: Setting, _ values: [String]) throws(SettingFault) {
    var own = SettingValues()
    try own.set(setting, values)
    settings = own.over(settings, Settings.recipe)
    for index in outputs.indices {
      let names = outputs[index].settings.words.keys.filter { name in
        name == setting.name
          || setting.alternative != nil && Settings.recipe[name]?.alternative == setting.alternative
      }
      for name in names { outputs[index].settings.remove(name) }
    }
  }
}
