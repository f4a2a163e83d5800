import HDRCore
import HDRPlan

/// What to make of pictures: everything that decides pixels and files, as a value that knows nothing of command lines,
/// folders or machines. Equal recipes have equal canonical text.
public struct Recipe: Sendable {
  public struct Size: Sendable, Hashable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A second picture that filters name.
  public enum Input: Sendable, Hashable {
    case file(String)
    /// As large as the edited picture where no size is given.
    case generator(RecipeStep, Size?)
  }

  /// Steps of one output, or of all.
  public struct Steps: Sendable, Hashable {
    /// Of every rendition.
    public var common: [RecipeStep] = []
    /// Of the SDR rendition alone, after the common ones; `nil`: none are said.
    public var sdr: [RecipeStep]?
    /// Of the HDR rendition alone.
    public var hdr: [RecipeStep]?

    public init(_ common: [RecipeStep] = [], sdr: [RecipeStep]? = nil, hdr: [RecipeStep]? = nil) {
      self.common = common
      self.sdr = sdr
      self.hdr = hdr
    }

    public var isEmpty: Bool { common.isEmpty && sdr == nil && hdr == nil }

    /// Whether a value depends on the picture.
    public var hasExpressions: Bool { all.contains(where: \.hasExpressions) }

    /// What values depend on.
    public var variables: Set<Expression.Variable> { all.reduce(into: []) { $0.formUnion($1.variables) } }

    var all: [RecipeStep] { common + (sdr ?? []) + (hdr ?? []) }
  }

  /// One file of every picture.
  public struct Output: Sendable, Hashable {
    /// As `OutputNames` has it.
    public var kind: String
    /// Template of the file's name; `nil`: `{stem}.{ext}`.
    public var name: String?
    public var settings = SettingValues()
    /// After the recipe's.
    public var steps = Steps()

    public init(_ kind: String, name: String? = nil) {
      self.kind = kind
      self.name = name
    }
  }

  /// Of a recipe without an input picture.
  public var size: Size?
  public var inputs: [String: Input] = [:]
  /// Of all outputs that they have an effect on.
  public var settings = SettingValues()
  public var steps = Steps()
  /// The gain map stays as it is while the base is edited.
  public var keepsMap = false
  public var outputs: [Output] = []
  /// For some inputs.
  public var overrides: [Override] = []

  public init() {}

  /// Template of names where none is given.
  public static let standardName = "{stem}.{ext}"
}

/// Recipes are equal when they say the same, whether a default is written or not.
extension Recipe: Hashable {
  public static func == (a: Recipe, b: Recipe) -> Bool { a.canonical == b.canonical }
  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension Recipe {
  /// The settings of an output: its own in the place of the recipe's, those without an effect on it left out.
  public func settings(of output: Output) -> SettingValues {
    let common = settings.filter { Settings.recipe[$0].map { concerns($0, output.kind) } ?? false }
    return output.settings.over(common, Settings.recipe)
  }

  /// Whether a setting has an effect on a kind of output.
  func concerns(_ setting: Setting, _ kind: String) -> Bool {
    // The range of samples that are described is that of inputs too.
    setting.outputs.matches(kind) || setting.name == Settings.files.range.name && settings.has(Settings.reading.cicp)
  }

  /// The steps of an output: the recipe's, then its own, then `resize`.
  public func steps(of output: Output) -> Steps {
    func joined(_ a: [RecipeStep]?, _ b: [RecipeStep]?) -> [RecipeStep]? {
      a == nil && b == nil ? nil : (a ?? []) + (b ?? [])
    }
    let resize = settings(of: output)[Settings.edits.resize]?.step
    return Steps(
      steps.common + output.steps.common + [resize].compactMap(\.self), sdr: joined(steps.sdr, output.steps.sdr),
      hdr: joined(steps.hdr, output.steps.hdr))
  }

  /// Gives a setting to all outputs, in the place of what said the same.
  ///
  /// - Throws: `SettingFault`.
  public mutating func set(_ setting: Setting, _ values: [String]) throws(SettingFault) {
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
