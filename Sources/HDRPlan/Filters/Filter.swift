import HDRCore
import PlainData

/// An edit of a picture in linear BT.2020 light, 1.0 = reference white, of any sign and size.
///
/// A filter is a Swift file here and a line in `Filters.all`; one whose arithmetic no stage has yet brings a stage: the
/// loop in the same file, a GLSL file, two lines in `StageKind`. Filters describe their steps through `Edit`; the
/// planner fuses what it can. Formulas: docs/filter-formulas.md.
package protocol Filter: Sendable {
  /// Name in recipes and on the command line: Core Image's without its prefix, in lower case with hyphens.
  static var name: String { get }
  /// The summary line for lists.
  static var summary: String { get }
  static var category: FilterCategory { get }
  static var parameters: [FilterParameter] { get }
  /// True if light above 1 and below 0 passes as the filter's name promises, and nothing is cut.
  static var isHDRSafe: Bool { get }
  /// True if the filter clips on purpose, so that no warning is given.
  static var cutsByName: Bool { get }
  /// Returns true if light of a content headroom passes with these values as the filter's name promises.
  static func takes(_ content: Headroom, _ values: FilterValues) -> Bool
  /// True if it only moves pixels and changes no colour: such filters may edit base and gain map alike.
  static var isGeometric: Bool { get }
  /// The reason for which base and gain map cannot be edited alike, as a verb with its object; unused if they can.
  static var effect: String { get }
  /// Returns true if each pixel of the result is one pixel of the picture with these values, not a mix of several.
  static func keepsPixels(_ values: FilterValues) -> Bool
  /// Returns where the pixels of a picture lie in the result with these values, if it has their content at their places
  /// or at others; `nil` if it mixes pixels of other places, or makes another picture.
  static func move(_ size: PictureSize, _ values: FilterValues) -> PixelMove?
  /// Returns the size of the result with these values if the filter only scales the whole picture, else `nil`.
  static func scaled(_ size: PictureSize, _ values: FilterValues) -> PictureSize?
  /// Returns the size to which the filter resamples the whole picture with these values, perhaps to cut it afterwards;
  /// `nil` if it does not.
  static func resampled(_ size: PictureSize, _ values: FilterValues) -> PictureSize?
  static var alpha: AlphaRule { get }
  static var headroomEffect: HeadroomEffect { get }
  /// The format in which the filter's passes hand pictures on; measured in docs/data/working-format.tsv.
  static var workingFormat: WorkingFormat { get }
  /// Returns the content headroom of the result; `nil` if no bound can be given.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom?
  /// Returns the parameters that go with these values; `nil` if they depend on a kernel that is not known yet.
  static func knownParameters(_ values: FilterValues) -> [FilterParameter]?
  /// Returns a warning about these values on a picture of a content headroom; `nil` if there is none.
  static func warning(_ values: FilterValues, on content: Headroom) -> Warning?
  /// Applies the filter to a picture.
  ///
  /// - Throws: `PlanError.invalidParameter` for values that do not go together or with this picture.
  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError)
}

extension Filter {
  /// Finds a parameter by its name, however hyphens and capitals are written, also as Core Image's `inputRadius`; `nil`
  /// for none.
  package static func parameter(_ name: String) -> FilterParameter? {
    if let own = parameters.first(where: { $0.name == name })
      ?? parameters.first(where: { Nearest.same($0.name, name) })
    {
      return own
    }
    guard name.hasPrefix("input"), name.dropFirst(5).first?.isUppercase == true else { return nil }
    return parameters.first { Nearest.same($0.name, String(name.dropFirst(5))) }
  }

  /// True if a user's kernel decides which parameters the filter has.
  package static var takesKernel: Bool { knownParameters(FilterValues()) == nil }
  package static func knownParameters(_ values: FilterValues) -> [FilterParameter]? { parameters }
  package static var isHDRSafe: Bool { true }
  package static var cutsByName: Bool { false }
  package static func takes(_ content: Headroom, _ values: FilterValues) -> Bool {
    isHDRSafe || cutsByName || content.stops <= 1e-9
  }
  package static func warning(_ values: FilterValues, on content: Headroom) -> Warning? { nil }
  package static var isGeometric: Bool { false }
  /// True if the result shows pixels at other places, changed or not: what lies beside the picture fits no more.
  package static var movesPixels: Bool { isGeometric || category == .distortion || category == .tile }
  package static var effect: String { category.effect }
  package static func keepsPixels(_ values: FilterValues) -> Bool { false }
  package static func move(_ size: PictureSize, _ values: FilterValues) -> PixelMove? {
    category.keepsPlaces ? PixelMove(size) : nil
  }
  package static func scaled(_ size: PictureSize, _ values: FilterValues) -> PictureSize? { nil }
  package static func resampled(_ size: PictureSize, _ values: FilterValues) -> PictureSize? { scaled(size, values) }
  package static var alpha: AlphaRule { .kept }
  package static var headroomEffect: HeadroomEffect { .kept }
  /// Counts, extremes and sums over a picture stay exact.
  package static var workingFormat: WorkingFormat { category == .reduction ? .rgba32f : .rgba16f }
  package static func headroom(
    _ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?
  ) -> Headroom? {
    switch headroomEffect {
    case .kept: content
    case .unknown: nil
    case .recomputed: inputs("") ?? content
    }
  }
}

/// Columns and rows of a picture.
package struct PictureSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// Returns shares of the sides, at least a pixel each.
  func times(_ x: Double, _ y: Double) -> PictureSize {
    PictureSize(max(1, Edit.pixels(Double(width) * x)), max(1, Edit.pixels(Double(height) * y)))
  }
}

package enum FilterCategory: String, Sendable, Hashable, CaseIterable {
  case color, tone, blur, sharpen, stylize, distortion, tile, geometry, generator, composite, transition, reduction

  fileprivate var effect: String {
    switch self {
    case .color, .tone: "changes colour"
    case .blur, .sharpen, .stylize, .geometry: "mixes pixels by their light"
    case .distortion, .tile: "mixes pixels of places far apart"
    case .generator: "makes a picture of its own"
    case .composite, .transition: "brings in another picture"
    case .reduction: "computes a picture's numbers"
    }
  }
}

/// The filter's treatment of alpha.
package enum AlphaRule: String, Sendable, Hashable, CaseIterable {
  /// Works on colours that are not multiplied by alpha; alpha stays.
  case kept
  /// Works on premultiplied colour and alpha alike.
  case premultiplied
  /// Makes a new alpha.
  case made
}

/// The filter's effect on the content headroom (docs/filter-formulas.md#headroom).
package enum HeadroomEffect: String, Sendable, Hashable, CaseIterable {
  case kept
  /// Computed from the filter's parameters and inputs.
  case recomputed
  /// Without a bound: measured if an operator needs it.
  case unknown
}

/// A parameter of a filter.
package struct FilterParameter: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// `nil`: the filter derives a value from the picture, as its summary describes.
    case number(Double?, ClosedRange<Double>)
    /// A whole number.
    case count(Int?, ClosedRange<Int>)
    /// Numbers, as many as the default has; `nil` as above, for `size` of them.
    case vector([Double]?, size: Int, ClosedRange<Double>)
    /// R, G, B and perhaps A: extended sRGB, encoded, so that 1 is white and more is brighter; or a colour with its
    /// space (`FilterColor`).
    case color([Double])
    /// A colour space by its name.
    case space(ColorSpace)
    case choice(String, [String])
    case flag(Bool)
    /// Name of a picture among the recipe's inputs; `nil`: must be given.
    case input(String?)
    /// Words of any kind, such as a name of a config; empty for none.
    case text(String)
  }
  package var name: String
  package var kind: Kind
  package var summary: String

  package init(_ name: String, _ kind: Kind, _ summary: String) {
    self.name = name
    self.kind = kind
    self.summary = summary
  }
}

package enum FilterValue: Sendable, Hashable {
  case number(Double)
  case numbers([Double])
  case word(String)
  case flag(Bool)
}

/// Parameters that a caller sets; others have their defaults. They are checked against the filter before it gets them.
package struct FilterValues: Sendable, Hashable {
  package var values: [String: FilterValue]
  /// The kernel that a step `kernel` names.
  var kernel: UserKernel?

  package init(_ values: [String: FilterValue] = [:]) { self.values = values }

  func number(_ p: FilterParameter) -> Double? {
    if case .number(let x) = values[p.name] { return x }
    if case .number(let x, _) = p.kind { return x }
    if case .count(let n, _) = p.kind { return n.map(Double.init) }
    return nil
  }

  /// Returns a number that has a default.
  func value(_ p: FilterParameter) -> Double { number(p) ?? 0 }

  func count(_ p: FilterParameter) -> Int? { number(p).map { Int($0) } }

  func vector(_ p: FilterParameter) -> [Double]? {
    switch values[p.name] {
    case .numbers(let list): return list
    case .number(let x): return [x]
    default: break
    }
    switch p.kind {
    case .vector(let list, _, _): return list
    case .color(let list): return list
    default: return nil
    }
  }

  func space(_ p: FilterParameter) -> ColorSpace {
    if case .word(let word) = values[p.name], let space = ColorSpace(word) { return space }
    if case .space(let space) = p.kind { return space }
    return .srgb
  }

  /// Returns linear BT.2020 R, G, B (not multiplied) and alpha of a colour.
  func color(_ p: FilterParameter) -> [Double] {
    if case .word(let text) = values[p.name], let color = try? FilterColor(parsing: text) { return color.light }
    let list = vector(p) ?? [0, 0, 0]
    let linear = list.prefix(3).map { Transfer.sRGBDecode($0) }
    let matrix = Primaries.bt709.matrix(to: .bt2020) ?? .identity
    return matrix * linear + [list.count > 3 ? min(max(list[3], 0), 1) : 1]
  }

  func choice(_ p: FilterParameter) -> String {
    if case .word(let word) = values[p.name] { return word }
    if case .choice(let word, _) = p.kind { return word }
    return ""
  }

  func flag(_ p: FilterParameter) -> Bool {
    if case .flag(let flag) = values[p.name] { return flag }
    if case .flag(let flag) = p.kind { return flag }
    return false
  }

  func text(_ p: FilterParameter) -> String {
    if case .word(let word) = values[p.name] { return word }
    if case .text(let word) = p.kind { return word }
    return ""
  }

  func input(_ p: FilterParameter) -> String? {
    if case .word(let word) = values[p.name] { return word }
    if case .input(let word) = p.kind { return word }
    return nil
  }
}

/// A filter with its values: one step of a recipe.
package struct FilterStep: Sendable, Hashable {
  package var name: String
  package var values: FilterValues

  /// Makes a step; a plan or `complaint` checks its values. Names may be written as in Core Image: `gaussianBlur`.
  package init(_ name: String, _ values: [String: FilterValue] = [:]) {
    let filter = Filters.named(name)
    self.name = filter?.name ?? name
    let given = Dictionary(values.map { (filter?.parameter($0.key)?.name ?? $0.key, $0.value) }) { _, last in last }
    let own = Filters.alias(name)?.values ?? [:]
    self.values = FilterValues(own.merging(given) { $1 })
  }

  package var filter: (any Filter.Type)? { Filters.named(name) }
}

extension FilterStep {
  /// The fault of the step and its parameter, with the nearest name that exists; `nil` if there is none.
  package var complaint: (parameter: String?, message: String)? {
    guard let filter else {
      if case .none(let reason)? = CoreImageFilter.named(name)?.answer {
        return (nil, "there is no filter for Core Image's \"\(name)\": \(reason)")
      }
      let names = Filters.all.map { $0.name } + Filters.aliases.map(\.name)
      return (nil, "there is no filter \"\(name)\"\(Nearest.hint(name, among: names))")
    }
    let parameters = filter.knownParameters(values)
    for (key, value) in values.values.sorted(by: { $0.key < $1.key }) {
      guard let parameter = (parameters ?? filter.parameters).first(where: { $0.name == key }) else {
        guard let parameters else { continue }
        let names = parameters.map(\.name)
        let hint = names.isEmpty ? "; it has no parameters" : Nearest.hint(key, among: names)
        return (key, "\(name) has no parameter \"\(key)\"\(hint)")
      }
      if let fault = parameter.fault(value) { return (key, "\(key) of \(name) \(fault)") }
    }
    for parameter in parameters ?? filter.parameters {
      if case .input(nil) = parameter.kind, values.values[parameter.name] == nil {
        return (parameter.name, "\(name) wants \(parameter.name): the name of an input")
      }
    }
    return nil
  }
}

extension FilterParameter {
  /// Returns the reason why the parameter refuses a value, to follow its name; `nil` if it takes it.
  func fault(_ value: FilterValue) -> String? {
    func outside(_ range: ClosedRange<Double>, _ list: [Double]) -> String? {
      list.first { !range.contains($0) }
        .map { "is \(short(range.lowerBound))...\(short(range.upperBound)), not \(short($0))" }
    }
    switch (kind, value) {
    case (.number(_, let range), .number(let x)): return outside(range, [x])
    case (.number, _): return "is a number"
    case (.count(_, let range), .number(let x)):
      guard x == x.rounded() else { return "is a whole number, not \(short(x))" }
      return outside(Double(range.lowerBound)...Double(range.upperBound), [x])
    case (.count, _): return "is a whole number"
    case (.vector(_, let size, let range), .numbers(let list)) where list.count == size: return outside(range, list)
    case (.vector(_, 1, let range), .number(let x)): return outside(range, [x])
    case (.vector(_, let size, _), _): return "is \(size) numbers"
    case (.color, .numbers(let list)) where list.count == 3 || list.count == 4:
      return outside(-65504...65504, list)
    case (.color, .word(let text)):
      do throws(FilterColor.Fault) {
        _ = try FilterColor(parsing: text)
        return nil
      } catch {
        return error.message
      }
    case (.color, _): return "is \(FilterColor.form)"
    case (.space, .word(let word)):
      return ColorSpace(word) == nil ? "is \(ColorSpace.form), not \"\(word)\"" : nil
    case (.space, _): return "is \(ColorSpace.form)"
    case (.choice(_, let words), .word(let word)):
      return words.contains(word) ? nil : "is \(words.joined(separator: ", ")), not \"\(word)\""
    case (.choice(_, let words), _): return "is \(words.joined(separator: ", "))"
    case (.flag, .flag): return nil
    case (.flag, _): return "is true or false"
    case (.input, .word), (.text, .word): return nil
    case (.input, _): return "is the name of an input"
    case (.text, _): return "is a name"
    }
  }
}

/// The list of filters.
package enum Filters {
  package static let all: [any Filter.Type] = [
    Exposure.self, Gamma.self, ColorControls.self, ColorMatrix.self, ColorPolynomial.self, ColorInvert.self,
    ColorMonochrome.self, SepiaTone.self, HueAdjust.self, Vibrance.self, WhitePointAdjust.self, TemperatureTint.self,
    ToneCurveFilter.self, LinearToSRGB.self, SRGBToLinear.self, HighlightShadow.self, ColorClamp.self,
    ColorThreshold.self, ColorPosterize.self, ColorCube.self, ToneMapHeadroom.self, ApplyGainMap.self, Vignette.self,
    VignetteEffect.self,
    GaussianBlur.self, Crop.self, SourceOver.self,
    ConstantColorGenerator.self, Checkerboard.self, Stripes.self, LinearGradient.self, RadialGradient.self,
    GaussianGradient.self,
    Addition.self, Multiply.self, Minimum.self, Maximum.self, SourceIn.self, SourceOut.self, SourceAtop.self,
    BlendWithMask.self,
    MultiplyBlend.self, Screen.self, Overlay.self, SoftLight.self, HardLight.self, ColorDodge.self, ColorBurn.self,
    Darken.self, Lighten.self, Difference.self, Exclusion.self, Divide.self, Subtract.self, LinearDodge.self,
    LinearBurn.self, LinearLight.self, VividLight.self, PinLight.self, HueBlend.self, SaturationBlend.self,
    ColorBlend.self, LuminosityBlend.self,
    Dissolve.self, RippleTransition.self,
    AreaAverage.self, AreaMaximum.self, AreaMinimum.self, AreaMinMax.self, AreaMaximumAlpha.self, AreaHistogram.self,
    AreaLogarithmicHistogram.self,
    Scale.self, Thumbnail.self, StretchCrop.self, Flip.self, Rotate.self, Straighten.self, AffineTransform.self,
    PerspectiveCorrection.self, PerspectiveTransform.self,
    MotionBlur.self,
    BoxBlur.self, DiscBlur.self, UnsharpMask.self, SharpenLuminance.self, Bloom.self, Gloom.self,
    Convolution3X3.self, Convolution5X5.self, Convolution7X7.self, Convolution9Horizontal.self,
    Convolution9Vertical.self, Median.self,
    MorphologyMaximum.self, MorphologyMinimum.self, MorphologyGradient.self, MorphologyRectangleMaximum.self,
    MorphologyRectangleMinimum.self,
    ZoomBlur.self, NoiseReduction.self,
    ColorCubesMixedWithMask.self, ColorCurves.self, ColorMap.self, ConvertRGBToLab.self, ConvertLabToRGB.self,
    DitherFilter.self, FalseColor.self,
    ColorAbsoluteDifference.self, BlendWithAlphaMask.self, BlendWithRedMask.self, BlendWithBlueMask.self,
    SmoothLinearGradient.self,
    Edges.self, SobelGradients.self, Pixellate.self, HexagonalPixellate.self, Crystallize.self, Pointillize.self,
    Kernel.self,
    SwipeTransition.self, BarsSwipeTransition.self, CopyMachineTransition.self, FlashTransition.self,
    ModTransition.self, DisintegrateWithMaskTransition.self, AccordionFoldTransition.self, Resize.self,
    ACESOutputFilter.self, ACESInverseFilter.self, ACESGamutCompressFilter.self, ACESBlueLightFixFilter.self,
    CDLFilter.self, ConfigSpaceFilter.self, ConfigLookFilter.self,
    MaximumComponent.self, MinimumComponent.self, ColorCrossPolynomial.self, SpotColor.self,
    RoundedRectangleGenerator.self, RoundedRectangleStrokeGenerator.self, StarShineGenerator.self,
    SunbeamsGenerator.self, LenticularHaloGenerator.self, SpotLight.self, MeshGenerator.self, ShadedMaterial.self,
    BokehBlur.self, GaborGradients.self, CannyEdgeDetector.self, EdgePreserveUpsample.self, GuidedFilter.self,
    PageCurlTransition.self, PageCurlWithShadowTransition.self, KMeans.self, AreaBoundsRed.self,
    // Of stages that there are.
    Mix.self,
    SampleNearest.self,
    AffineClamp.self,
    Clamp.self,
    PerspectiveTransformWithExtent.self,
    PerspectiveRotate.self,
    KeystoneCorrectionVertical.self,
    KeystoneCorrectionHorizontal.self,
    KeystoneCorrectionCombined.self,
    NinePartStretched.self,
    NinePartTiled.self,
    MaximumScale.self,
    BlurredRectangle.self,
    PhotoEffectMono.self,
    PhotoEffectTonal.self,
    PhotoEffectNoir.self,
    PhotoEffectChrome.self,
    PhotoEffectFade.self,
    PhotoEffectInstant.self,
    PhotoEffectProcess.self,
    PhotoEffectTransfer.self,
    MaskedVariableBlur.self,
    ColumnAverage.self,
    RowAverage.self,
    AreaMinMaxRed.self,
    AreaMinimumAlpha.self,
    BumpDistortion.self, BumpDistortionLinear.self, PinchDistortion.self, TwirlDistortion.self, VortexDistortion.self,
    HoleDistortion.self, CircleSplashDistortion.self, LightTunnel.self, CircularWrap.self, TorusLensDistortion.self,
    GlassLozenge.self, GlassDistortion.self, DisplacementDistortion.self, Droste.self, ParallelogramTile.self,
    FourfoldReflectedTile.self, FourfoldTranslatedTile.self, GlideReflectedTile.self, FourfoldRotatedTile.self,
    EightfoldReflectedTile.self, TriangleTile.self, SixfoldReflectedTile.self, TwelvefoldReflectedTile.self,
    SixfoldRotatedTile.self, TriangleKaleidoscope.self, Kaleidoscope.self, OpTile.self, AffineTile.self,
    PerspectiveTile.self,
  ]

  /// Finds a filter by its name or an alias, however hyphens and capitals are written; `nil` for none.
  package static func named(_ name: String) -> (any Filter.Type)? {
    all.first { $0.name == name } ?? all.first { Nearest.same($0.name, name) } ?? alias(name)?.filter
  }
}
