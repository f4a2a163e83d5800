import HDRCore
import Kernels

/// The recipe of a rendition: everything that decides a pixel, and nothing else.
package struct RenderRecipe: Sendable, Hashable {
  package var target: OutputSignal
  package var display: DisplayChoice
  package var beyond = BeyondChoice.automatic
  /// The headroom below which displays get an SDR display's rendition.
  package var sdrBelow = Headroom.sdr
  package var tone: ToneChoice
  /// The curve of the file, for the operator `file-curve`.
  package var fileCurve: FileCurve?
  /// Filters, in the order in which they are applied: after decoding, before LUTs and the tone operator.
  package var edits: [FilterStep] = []
  /// The inputs that filters name: second pictures, LUTs and kernels.
  package var inputs: [String: FilterInput] = [:]
  package var editStrategy = EditStrategy.automatic
  /// True if filters get the SDR rendition for a display that shows no more, and light that is too bright in the end is
  /// cut. The planner sets it.
  var editsAsSDR = false
  /// The headroom of the light that filters get: second pictures with more are brought to it. `nil`: unknown. The
  /// planner sets it.
  var inputBound: Headroom?
  /// Gives filters that are not HDR safe light that was tone mapped to SDR; without this they are refused for brighter
  /// light.
  package var allowsSDRFilters = false
  /// The format of pictures between passes, for filters that do not keep binary32 themselves (`Filter.workingFormat`).
  package var workingFormat = WorkingFormat.rgba16f
  /// The LUTs in the order in which they are applied.
  package var luts: [LUTChoice]
  /// Overrides the file's own headroom, and replaces the headroom that an Apple gain map lacks.
  package var contentHeadroom: Headroom?
  /// True if `contentHeadroom` was measured in the picture; then it does not replace an Apple map's.
  package var isContentMeasured = false
  /// The luminances of the content, as a caller states them.
  package var mastering: MasteringChoice?
  /// The meaning of HLG signals, read and written.
  package var hlg = HLGLight.automatic
  package var gamut: GamutChoice
  /// The space of the input by a config; `nil`: the source's own colour.
  package var input: ConfigInput?
  /// Looks of a config on the scene's light, in linear BT.2020, where there is no view.
  package var look: LUTChain?
  /// The view that shows the scene's light, in place of a tone operator; colours outside the output's gamut are cut.
  package var view: ViewChoice?
  /// The amplitude of dither before quantising, in codes; 0 for none.
  package var dither: Double
  /// The transfer function by which Apple's gain maps are read; other kinds state it in their metadata.
  package var appleMapTransfer: AppleMapTransfer
  package var applePartialHeadroom: ApplePartialHeadroom

  package init(
    target: OutputSignal, display: DisplayChoice = .automatic, tone: ToneChoice = .auto, lut: LUTChoice? = nil,
    contentHeadroom: Headroom? = nil, gamut: GamutChoice = .automatic, dither: Double = 0,
    appleMapTransfer: AppleMapTransfer = .bt709, applePartialHeadroom: ApplePartialHeadroom = .capped
  ) {
    self.target = target
    self.display = display
    self.tone = tone
    luts = lut.map { [$0] } ?? []
    self.contentHeadroom = contentHeadroom
    self.gamut = gamut
    self.dither = dither
    self.appleMapTransfer = appleMapTransfer
    self.applePartialHeadroom = applePartialHeadroom
  }
}

extension RenderRecipe {
  /// Shows all the picture has: an SDR base with a gain map becomes its HDR rendition. `display` is then `.high`;
  /// setting this to false puts `.high` back to `.automatic`.
  package var expandToHDR: Bool {
    get { display == .high }
    set { display = newValue ? .high : (display == .high ? .automatic : display) }
  }

  /// Shows an HDR picture on an SDR display: by its gain map if it has one, else by the tone operator. `display` is
  /// then `.standard`; setting this to false puts `.standard` back to `.automatic`.
  package var toneMapHDRToSDR: Bool {
    get { display == .standard }
    set { display = newValue ? .standard : (display == .standard ? .automatic : display) }
  }
}

/// The rendition that filters edit if the file has a gain map.
public enum EditStrategy: String, Sendable, Hashable, CaseIterable {
  /// `sdr+gain` if all filters only move pixels. Else the SDR rendition is edited for displays of headroom 1, and the
  /// HDR rendition in full for others; for Adaptive HDR files both (`sdr+hdr`).
  case automatic = "auto"
  /// The HDR rendition in full is edited, and tone mapped for displays that show less.
  case hdr
  /// Base and map are edited alike; filters that change colour are refused.
  case sdrAndGain = "sdr+gain"
  /// Both renditions are edited, and the map is made anew: a plan edits the rendition that its display shows.
  case sdrAndHDR = "sdr+hdr"
}

extension RenderRecipe {
  /// Returns the content headroom after the filters; the content's own if they leave it unknown.
  func edited(_ content: Headroom) -> Headroom { headroom(afterEditing: content) ?? content }

  /// Returns the content headroom after the filters, by each filter's own rule; `nil`: unknown.
  package func headroom(afterEditing content: Headroom) -> Headroom? {
    var result: Headroom? = content, known = content
    for step in resolvedEdits {
      if mapsToSDR(before: step, known) { (result, known) = (.sdr, .sdr) }
      result = headroom(after: step, result)
      known = result ?? known
    }
    return result
  }

  /// The filters with the kernels that they name, and what `SampleNearest` tells them.
  var resolvedEdits: [FilterStep] { SampleNearest.heeded(by: edits.map { $0.resolved(inputs) }) }

  /// Returns true if the picture is tone mapped to SDR before a filter.
  ///
  /// - Parameter content: the headroom before the filter, or the last one known.
  func mapsToSDR(before step: FilterStep, _ content: Headroom) -> Bool {
    allowsSDRFilters && step.filter?.takes(content, step.values) == false
  }

  /// Returns the first input of a filter whose light is known to be more than the filter takes.
  func brightInput(of step: FilterStep) -> (name: String, headroom: Headroom)? {
    guard let filter = step.filter, !filter.isHDRSafe else { return nil }
    for name in step.inputNames {
      if let headroom = inputHeadroom(name), !filter.takes(headroom, step.values) { return (name, headroom) }
    }
    return nil
  }

  /// Returns the content headroom after one filter.
  func headroom(after step: FilterStep, _ content: Headroom?) -> Headroom? {
    guard let filter = step.filter else { return nil }
    // A filter may bound its result whatever its input was.
    guard let content else { return filter.headroom(step.values, after: .unbounded) { _ in .unbounded }?.bounded }
    return filter.headroom(step.values, after: content) { inputHeadroom($0) }
  }

  /// Returns the largest headroom that an input may bring: that of the edited picture, as when pictures are shown
  /// together. A generator has no limit: its values set its light.
  func bound(of input: FilterInput) -> Headroom? {
    if case .picture = input.content { inputBound } else { nil }
  }

  /// Returns the second pictures of a filter that are brought to less headroom than they have.
  func boundInputs(of step: FilterStep) -> [(name: String, headroom: Headroom)] {
    step.inputNames.compactMap { name in
      guard let input = inputs[name], let headroom = input.headroom, let bound = bound(of: input),
        headroom.stops > bound.stops + 1e-9
      else { return nil }
      return (name, headroom)
    }
  }

  /// Returns the headroom of an input as filters get it; `nil`: unknown, or no such input.
  private func inputHeadroom(_ name: String) -> Headroom? {
    guard let input = inputs[name], let headroom = input.headroom else { return nil }
    if let bound = bound(of: input) { return min(headroom, bound) }
    return headroom
  }
}

extension FilterStep {
  /// The names of second pictures in its values.
  fileprivate var inputNames: [String] {
    guard let filter else { return [] }
    return filter.parameters.compactMap { if case .input = $0.kind { values.input($0) } else { nil } }
  }
}

extension FilterInput {
  /// Content headroom of the input; `nil`: unknown.
  package var headroom: Headroom? {
    switch content {
    case .picture(let source): ContentHeadroom.ofFile(source).headroom
    case .generated(let step, _, _): step.filter?.headroom(step.values, after: .sdr) { _ in nil }
    case .lut, .kernel: nil
    }
  }
}

extension Headroom {
  /// Stands for light without a bound while headrooms are computed.
  fileprivate static let unbounded = Headroom(stops: 1000)
  fileprivate var bounded: Headroom? { stops < 100 ? self : nil }
}

/// The headroom of the display that the rendition is for.
package enum DisplayChoice: Sendable, Hashable {
  /// 1 for SDR targets, the content's own for the others.
  case automatic
  case headroom(Headroom)
  /// `standard`: 1.
  case standard
  /// `constrained-high`: the smaller of the content's headroom and this limit.
  case constrainedHigh(Headroom = .constrainedHigh)
  /// `high`: the content's own.
  case high
  /// A reference display, and how much of its headroom the content may use.
  case reference(Display, Headroom)

  /// The reference display, on which nothing is adapted to the viewer's brightness; `nil` for other choices.
  var reference: Display? { if case .reference(let display, _) = self { display } else { nil } }
}

/// The treatment of light above the display's headroom, after everything else.
package enum BeyondChoice: String, Sendable, Hashable, CaseIterable {
  /// `clip` where a display is stated, else `keep`.
  case automatic = "auto"
  /// Cuts R, G and B at the headroom in the output's primaries, as a display does.
  case clip
  /// Keeps the light, for further processing of the picture.
  case keep
}

public enum ToneChoice: Sendable, Hashable {
  /// The gain map's own curve where there is a map, else Reference White.
  case auto
  case none
  /// A name of `ToneOperators.all` and values of its parameters.
  case named(String, ToneValues = ToneValues())
}

public enum GamutChoice: String, Sendable, Hashable, CaseIterable {
  /// `compress` for integer signals, `none` for linear light.
  case automatic = "auto"
  /// Mix with grey of equal luminance by the least amount.
  case desaturate = "compress"
  /// Clamps component by component.
  case clip
  /// Leave it to the encoder.
  case none
}

/// The display that the content was made for, stated by the caller: the choices of CAEDRMetadata.
package enum MasteringChoice: Sendable, Hashable {
  /// HLG: adapted to the display by its own OOTF.
  case hlg
  /// HDR10: black and peak of the mastering display in cd/m², and the luminance that 1.0 stands for (Apple's optical
  /// output scale): of linear samples, and of the light of PQ samples; `nil`: 203.
  case hdr10(black: Double, peak: Double, scale: Double?)
  /// HDR10 by the file's own mdcv and clli.
  case file
}

extension RenderRecipe {
  /// The notes of all LUT files that the recipe uses.
  var lutNotes: [String] {
    let inputs = inputs.sorted { $0.key < $1.key }.compactMap { input -> LUTChain? in
      if case .lut(let chain) = input.value.content { chain } else { nil }
    }
    let ofConfig = [input?.chain, look, view?.look, view?.view.chain].compactMap(\.self)
    return (luts.map(\.lut) + inputs + ofConfig).flatMap(\.notes)
  }
}

/// A LUT and the space it works in.
public struct LUTChoice: Sendable, Hashable {
  public enum Interpolation: String, Sendable, Hashable, CaseIterable {
    case tetrahedral, trilinear
    /// The value of the nearest node, of the higher one in the middle; of 1D tables too, which else are linear.
    case nearest
  }

  public var lut: LUTChain
  /// The colour space of its input and output, as in `colorCubeWithColorSpace`.
  public var space: ColorSpace
  /// A space of the list in the place of `space`.
  package var named: NamedSpace?
  public var extrapolates: Bool
  public var interpolation: Interpolation

  public init(
    lut: LUTChain, space: ColorSpace, extrapolates: Bool = true, interpolation: Interpolation = .tetrahedral
  ) {
    self.lut = lut
    self.space = space
    self.extrapolates = extrapolates
    self.interpolation = interpolation
  }

  public init(
    lut: CubeLUT, space: ColorSpace, extrapolates: Bool = true, interpolation: Interpolation = .tetrahedral
  ) {
    self.init(lut: LUTChain(lut), space: space, extrapolates: extrapolates, interpolation: interpolation)
  }
}

/// The signal to make: its colour, and the layout that the encoder needs.
package struct OutputSignal: Sendable, Hashable {
  /// The linear space of the list in the place of primaries; linear targets only.
  package var space: NamedSpace?
  /// H.273 code of the output primaries: 1, 9 or 12. `nil`: 9 for HDR and linear targets; for SDR 12 when the source's
  /// primaries are wider than BT.709, else 1.
  package var primaries: Int?
  package var encoding: Encoding
  /// The H.273 code of the curve of an SDR signal; `nil`: sRGB's.
  package var transfer: Int?
  /// An ICC profile instead of primaries and sRGB curve; SDR targets only.
  package var profile: OutputProfile?
  package var sink: SinkKind
  /// `planarYCC` only.
  package var bitDepth: Int
  package var chroma: ChromaSubsampling
  package var fullRange: Bool
  /// True if the signal has no alpha: transparent parts are put on black.
  package var isOpaque: Bool
  /// True if colour is multiplied by alpha, as the last step.
  package var isPremultiplied: Bool
  /// `rgba8` only: the file's codes are JFIF's Y'CbCr (ITU-T T.871) with this chroma, so a source's planes of the same
  /// kind may go into it unchanged (`Plan.kept`). `nil`: they may not.
  package var keptChroma: ChromaSubsampling?
  /// `planarYCC` only: the encoder takes samples in any layout, so a source's planes of the same meaning may go into it
  /// unchanged (`Plan.kept`).
  package var keepsPlanes = false

  package typealias Encoding = SignalCurve

  package init(
    primaries: Int? = nil, encoding: Encoding, sink: SinkKind, bitDepth: Int = 10, chroma: ChromaSubsampling = .s420,
    fullRange: Bool = true, isOpaque: Bool = false, isPremultiplied: Bool = false
  ) {
    self.primaries = primaries
    self.encoding = encoding
    self.sink = sink
    self.bitDepth = bitDepth
    self.chroma = chroma
    self.fullRange = fullRange
    self.isOpaque = isOpaque
    self.isPremultiplied = isPremultiplied
  }

  /// The largest headroom the signal can carry.
  package var largestHeadroom: Headroom {
    switch encoding {
    case .linear: Headroom(stops: 16)
    case .pq: Headroom(factor: 10_000 / ReferenceWhite.nits)
    case .hlg: .nominal
    case .sdr: .sdr
    }
  }
}
