import HDRCore

/// What to make of a picture: everything that decides a pixel, nothing else.
public struct RenderRecipe: Sendable, Hashable {
  public var target: OutputTarget
  public var display: DisplayChoice
  public var beyond = BeyondChoice.automatic
  /// Displays of less headroom get what an SDR display gets.
  public var sdrBelow = Headroom.sdr
  public var tone: ToneChoice
  /// Of the file, for the operator `file-curve`.
  public var fileCurve: FileCurve?
  /// Filters, in the order in which they are applied: after decoding, before LUTs and the tone operator.
  public var edits: [FilterStep] = []
  /// Second pictures that filters name.
  public var inputs: [String: EditInput] = [:]
  public var editStrategy = EditStrategy.automatic
  /// Filters get the SDR rendition for a display that shows no more, and what is too bright in the end is cut. The
  /// planner knows.
  var editsAsSDR = false
  /// Headroom of the light that filters get: second pictures with more are brought to it. `nil`: unknown. The planner
  /// knows.
  var inputBound: Headroom?
  /// Filters that are not HDR safe get light that was tone mapped to SDR; without this they are refused where there is
  /// more.
  public var allowsSDRFilters = false
  /// Of pictures between passes of filters that do not keep binary32 themselves (`Filter.workingFormat`).
  public var workingFormat = WorkingFormat.rgba16f
  /// In the order in which they are applied.
  public var luts: [LUTChoice]
  /// Overrides the file's own headroom, and replaces the headroom that an Apple gain map lacks.
  public var contentHeadroom: Headroom?
  /// `contentHeadroom` was measured in the picture; it does not stand in for an Apple map's then.
  public var isContentMeasured = false
  /// Luminances of the content as a caller knows them.
  public var mastering: MasteringChoice?
  /// What HLG signals stand for, read and written.
  public var hlg = HLGLight.automatic
  public var gamut: GamutChoice
  /// Dither before quantising, in codes; 0 for none.
  public var dither: Double
  /// How Apple's gain maps are read; other kinds state it in their metadata.
  public var appleMapTransfer: AppleMapTransfer
  public var applePartialHeadroom: ApplePartialHeadroom

  public init(
    target: OutputTarget, display: DisplayChoice = .automatic, tone: ToneChoice = .auto, lut: LUTChoice? = nil,
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
  /// Show all the picture has: an SDR base with a gain map becomes its HDR rendition. `display` is `.high` then;
  /// setting this to false puts `.high` back to `.automatic`.
  public var expandToHDR: Bool {
    get { display == .high }
    set { display = newValue ? .high : (display == .high ? .automatic : display) }
  }

  /// Show an HDR picture on an SDR display: by its gain map where it has one, else by the tone operator. `display` is
  /// `.standard` then; setting this to false puts `.standard` back to `.automatic`.
  public var toneMapHDRToSDR: Bool {
    get { display == .standard }
    set { display = newValue ? .standard : (display == .standard ? .automatic : display) }
  }
}

/// How filters and a gain map go together.
public enum EditStrategy: String, Sendable, Hashable, CaseIterable {
  /// `sdr+gain` where all filters move pixels only. Else the SDR rendition is edited for displays of headroom 1, and the
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
  /// Content headroom after the filters; the content's own where they leave it unknown.
  func edited(_ content: Headroom) -> Headroom { headroom(afterEditing: content) ?? content }

  /// Content headroom after the filters, by each filter's own rule; `nil`: unknown.
  public func headroom(afterEditing content: Headroom) -> Headroom? {
    var result: Headroom? = content, known = content
    for step in resolvedEdits {
      if mapsToSDR(before: step, known) { (result, known) = (.sdr, .sdr) }
      result = headroom(after: step, result)
      known = result ?? known
    }
    return result
  }

  /// The filters with the kernels that they name.
  var resolvedEdits: [FilterStep] { edits.map { $0.resolved(inputs) } }

  /// Whether the picture is tone mapped to SDR before a filter.
  ///
  /// - Parameter content: headroom before the filter, or the last one known.
  func mapsToSDR(before step: FilterStep, _ content: Headroom) -> Bool {
    allowsSDRFilters && step.filter?.takes(content, step.values) == false
  }

  /// The first input of a filter whose light is known to be more than the filter takes.
  func brightInput(of step: FilterStep) -> (name: String, headroom: Headroom)? {
    guard let filter = step.filter, !filter.isHDRSafe else { return nil }
    for name in step.inputNames {
      if let headroom = inputHeadroom(name), !filter.takes(headroom, step.values) { return (name, headroom) }
    }
    return nil
  }

  /// Content headroom behind one filter.
  func headroom(after step: FilterStep, _ content: Headroom?) -> Headroom? {
    guard let filter = step.filter else { return nil }
    // A filter may bound its result whatever its input was.
    guard let content else { return filter.headroom(step.values, after: .unbounded) { _ in .unbounded }?.bounded }
    return filter.headroom(step.values, after: content) { inputHeadroom($0) }
  }

  /// Most headroom that an input may bring: that of the picture that is edited, as when pictures are shown together. A
  /// generator makes the light that it was told to.
  func bound(of input: EditInput) -> Headroom? {
    if case .picture = input.content { inputBound } else { nil }
  }

  /// The second pictures of a filter that are brought to less headroom than they have.
  func boundInputs(of step: FilterStep) -> [(name: String, headroom: Headroom)] {
    step.inputNames.compactMap { name in
      guard let input = inputs[name], let headroom = input.headroom, let bound = bound(of: input),
        headroom.stops > bound.stops + 1e-9
      else { return nil }
      return (name, headroom)
    }
  }

  /// Headroom of an input as filters get it; `nil`: unknown, or no such input.
  private func inputHeadroom(_ name: String) -> Headroom? {
    guard let input = inputs[name], let headroom = input.headroom else { return nil }
    if let bound = bound(of: input) { return min(headroom, bound) }
    return headroom
  }
}

extension FilterStep {
  /// Second pictures that its values name.
  fileprivate var inputNames: [String] {
    guard let filter else { return [] }
    return filter.parameters.compactMap { if case .input = $0.kind { values.input($0) } else { nil } }
  }
}

extension EditInput {
  /// Content headroom of the input; `nil`: unknown.
  public var headroom: Headroom? {
    switch content {
    case .picture(let source): ContentHeadroom.ofFile(source).headroom
    case .generated(let step, _, _): step.filter?.headroom(step.values, after: .sdr) { _ in nil }
    case .lut, .kernel: nil
    }
  }
}

extension Headroom {
  /// Stands for light without a bound while headrooms are followed.
  fileprivate static let unbounded = Headroom(stops: 1000)
  fileprivate var bounded: Headroom? { stops < 100 ? self : nil }
}

/// The headroom of the display that the rendition is for.
public enum DisplayChoice: Sendable, Hashable {
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

  /// Where nothing is adapted to the viewer's brightness.
  var reference: Display? { if case .reference(let display, _) = self { display } else { nil } }
}

/// What becomes of light above the display's headroom, behind everything else.
public enum BeyondChoice: String, Sendable, Hashable, CaseIterable {
  /// `clip` where a display is stated, else `keep`.
  case automatic = "auto"
  /// R, G and B are cut at the headroom in the output's primaries, as a display does.
  case clip
  /// It stays, for those who go on with the picture.
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
  /// Component by component.
  case clip
  /// Leave it to the encoder.
  case none
}

/// What the content was made for, given by the caller: the choices of CAEDRMetadata.
public enum MasteringChoice: Sendable, Hashable {
  /// HLG: adapted to the display by its own OOTF.
  case hlg
  /// HDR10: black and peak of the mastering display in cd/m², and the luminance that 1.0 stands for (Apple's optical
  /// output scale): of linear samples, and of the light of PQ samples; `nil`: 203.
  case hdr10(black: Double, peak: Double, scale: Double?)
  /// HDR10 by the file's own mdcv and clli.
  case file
}

/// A LUT and the space it works in.
public struct LUTChoice: Sendable, Hashable {
  public enum Interpolation: String, Sendable, Hashable, CaseIterable {
    case tetrahedral, trilinear
  }

  public var lut: CubeLUT
  /// Of its input and output, as `colorCubeWithColorSpace` has a colour space.
  public var space: ColorSpace
  public var extrapolates: Bool
  public var interpolation: Interpolation
  public init(
    lut: CubeLUT, space: ColorSpace, extrapolates: Bool = true, interpolation: Interpolation = .tetrahedral
  ) {
    self.lut = lut
    self.space = space
    self.extrapolates = extrapolates
    self.interpolation = interpolation
  }
}

/// The signal to make: colour, and the layout the encoder wants.
public struct OutputTarget: Sendable, Hashable {
  /// H.273 code of the output primaries: 1, 9 or 12. `nil`: 9 for HDR and linear targets; for SDR 12 when the source's
  /// primaries are wider than BT.709, else 1.
  public var primaries: Int?
  public var encoding: Encoding
  /// An ICC profile instead of primaries and sRGB curve; SDR targets only.
  public var profile: OutputProfile?
  public var sink: SinkKind
  /// `planarYCC` only.
  public var bitDepth: Int
  public var chroma: ChromaSubsampling
  public var fullRange: Bool
  /// The signal has no alpha: what is transparent lies on black.
  public var isOpaque: Bool
  /// Colour is multiplied by alpha, as last of all.
  public var isPremultiplied: Bool
  /// `rgba8` only: the file's codes are JFIF's Y'CbCr (ITU-T T.871) with this chroma, so planes of a source that are
  /// just that may go into it as they are (`Plan.kept`). `nil`: they may not.
  public var keptChroma: ChromaSubsampling?
  /// `planarYCC` only: the encoder takes samples in any layout, so planes of a source that mean the same may go into it
  /// as they are (`Plan.kept`).
  public var keepsPlanes = false

  public typealias Encoding = SignalCurve

  public init(
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

  /// Largest headroom the signal can carry.
  public var largestHeadroom: Headroom {
    switch encoding {
    case .linear: Headroom(stops: 16)
    case .pq: Headroom(factor: 10_000 / ReferenceWhite.nits)
    case .hlg: .nominal
    case .sdr: .sdr
    }
  }
}
