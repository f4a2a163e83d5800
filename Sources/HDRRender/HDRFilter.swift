import HDRCore
import HDRPlan
import HDRRecipe

/// A filter with its parameters: one of docs/filters.md; Core Image's names without prefix also work.
///
/// ```swift
/// let edited = photo
///   .applying(.exposure(ev: 0.5))
///   .applying(.filter("gaussianBlur", ["radius": 8]))
///   .applying(.filter("blendWithMask", ["background": .image(sky), "mask": .image(mask)]))
/// ```
public struct HDRFilter: Sendable {
  var step: RecipeStep
  var inputs: [String: HDRFilterInput] = [:]

  /// Makes any filter by its name; `names` lists them. Parameters that are not given have their defaults.
  public static func filter(_ name: String, _ parameters: [String: HDRValue] = [:]) -> HDRFilter {
    let known = Filters.named(name)
    var filter = HDRFilter(step: RecipeStep(name))
    for (name, value) in parameters {
      let key = known?.parameter(name)?.name ?? name
      switch value.content {
      case .value(let value): filter.step.values[key] = .value(value)
      case .input(let input): filter.inputs[key] = input
      }
    }
    return filter
  }

  /// Parses the words of the command line's `--filter`: `exposure=ev:0.5`, also with expressions.
  ///
  /// - Throws: ``HDRError`` `filter.words` with the nearest name.
  public init(parsing words: String) throws(HDRError) {
    do throws(UsageError) {
      step = try FilterText.step(words)
    } catch {
      throw HDRError(code: "filter.words", message: error.message)
    }
  }

  init(step: RecipeStep) { self.step = step }

  /// The names of all filters.
  public static var names: [String] { Filters.all.map { $0.name } }

  /// Makes a filter of parameters that may be left to it: those that are `nil`.
  static func typed(_ name: String, _ parameters: [String: HDRValue?] = [:]) -> HDRFilter {
    filter(name, parameters.compactMapValues { $0 })
  }

  /// Cuts the picture to a rectangle.
  public static func crop(_ r: HDRRectangle) -> HDRFilter {
    filter("crop", ["rect": .numbers([r.x, r.y, r.width, r.height])])
  }
}

/// A rectangle in pixels, origin top left.
///
/// ```swift
/// let left = photo.cropped(to: HDRRectangle(x: 0, y: 0, width: 1000, height: 800))
/// ```
public struct HDRRectangle: Sendable, Hashable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// The value of a filter's parameter: a number, several, a word, a colour, a flag, or a second picture.
///
/// ```swift
/// let values: [String: HDRValue] = ["radius": 8, "center": [100, 200], "mode": "screen", "mask": .image(mask)]
/// ```
public struct HDRValue: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  enum Content: Sendable {
    case value(FilterValue)
    case input(HDRFilterInput)
  }
  let content: Content

  public static func number(_ x: Double) -> HDRValue { HDRValue(content: .value(.number(x))) }
  public static func numbers(_ x: [Double]) -> HDRValue { HDRValue(content: .value(.numbers(x))) }
  public static func word(_ text: String) -> HDRValue { HDRValue(content: .value(.word(text))) }
  /// Makes a colour with its space; its text also works: `"p3(1, 0, 0)"`, `"#ff8000"`.
  public static func color(_ color: FilterColor) -> HDRValue { HDRValue(content: .value(color.value)) }
  public static func flag(_ flag: Bool) -> HDRValue { HDRValue(content: .value(.flag(flag))) }
  /// Makes a second picture, as in its file, without its own filters.
  public static func image(_ image: HDRImage) -> HDRValue { HDRValue(content: .input(.image(image))) }
  public static func lut(_ lut: CubeLUT) -> HDRValue { .lut(LUTChain(lut)) }
  /// Makes a LUT of what any LUT file holds.
  public static func lut(_ lut: LUTChain) -> HDRValue { HDRValue(content: .input(.lut(lut))) }

  init(content: Content) { self.content = content }
  public init(floatLiteral x: Double) { self = .number(x) }
  public init(integerLiteral n: Int) { self = .number(Double(n)) }
  public init(stringLiteral text: String) { self = .word(text) }
  public init(booleanLiteral flag: Bool) { self = .flag(flag) }
  public init(arrayLiteral numbers: Double...) { self = .numbers(numbers) }
}

/// An input of a filter in addition to the picture.
enum HDRFilterInput: Sendable {
  indirect case image(HDRImage)
  case lut(LUTChain)
  case kernel(UserKernel)
}
