import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import VideoStreams

/// A recipe renders the frames of a clip as raw frames of a pipe, through the kernels of stills.
struct FrameRecipe: Sendable {
  /// The curve and the layout that frames get. Codes have the limited range, chroma lies at the left.
  struct Target: Sendable, Hashable {
    var curve: SignalCurve
    var format: PlanarFormat

    /// Returns true if frames are so already.
    func isReached(by color: ClipColor, _ planes: PlanarFormat) -> Bool {
      let wanted =
        switch curve {
        case .pq: (CICP.Primaries.bt2020, [CICP.Transfer.pq], CICP.Matrix.bt2020)
        case .hlg: (CICP.Primaries.bt2020, [CICP.Transfer.hlg], CICP.Matrix.bt2020)
        default: (CICP.Primaries.bt709, [1, 6, 14, 15], CICP.Matrix.bt709)
        }
      return planes == format && color.primaries == wanted.0 && wanted.1.contains(color.transfer)
        && color.matrix == wanted.2 && !color.fullRange
    }
  }

  let format: PlanarFormat
  /// The rendered samples have this colour.
  let color: ClipColor
  /// A frame becomes this, with its kind and its headroom.
  var choice: ResolvedOutput
  /// The headroom of the content, one for all frames or one for each; empty: what frames say.
  var headrooms: [Headroom] = []
  /// The turn that frames get before all else.
  var turn = Orientation.up
  private let layout: RawLayout
  private let description: RawDescription
  private let limits: DecodeLimits
  /// True if frames have no other meaning than by their RPUs.
  private var isReshaped: Bool

  /// - Parameter isReshaped: true if each frame has its own way from codes to the signal that `input` is.
  init(
    _ target: Target, from input: ClipColor, _ decoded: FrameShape, _ options: VideoOptions, isReshaped: Bool = false
  ) throws(HDRError) {
    let source = try Self.format(decoded)
    guard let result = RawFormat.named(target.format.name) else { throw Self.unread(decoded) }
    format = target.format
    choice = options.choice
    choice.rendition.kind =
      target.curve == .sdr
      ? .sdrVideo(result) : OutputKind(rawValue: "\(target.curve.rawValue)-raw:\(result.name)") ?? choice.rendition.kind
    choice.rendition.fullRange = false
    choice.rendition.bitDepth = nil
    var recipe = choice.rendition.recipe
    if target.curve == .sdr { recipe.target.primaries = recipe.target.primaries ?? CICP.Primaries.bt709 }
    choice.rendition.recipe = recipe
    let signal = choice.rendition.recipe.target
    let codes = signal.cicp(primaries: signal.primaries ?? CICP.Primaries.bt2020)
    color = ClipColor(codes.primaries, codes.transfer, codes.matrix, fullRange: codes.fullRange, siting: .left)
    layout = RawLayout(source, width: decoded.width, height: decoded.height)
    description = RawDescription(
      layout, primaries: input.primaries, transfer: input.transfer, matrix: input.matrix, fullRange: input.fullRange,
      siting: input.siting)
    (limits, self.isReshaped) = (options.limits, isReshaped)
  }

  /// Makes a picture of a decoded frame, in its stored orientation.
  ///
  /// - Throws: `HDRError`, `dolby.rpu` for a frame without the reshaping that its clip needs.
  func picture(_ frame: VideoFrame) throws(HDRError) -> SourceImage {
    guard (frame.reshape != nil) == isReshaped else { throw HDRError(rpu: "a frame has no RPU") }
    do throws(DecodeError) {
      var picture = try RawPicture.source(frame.samples, layout, description, limits: limits, format: .raw)
      picture.color.reshape = frame.reshape
      if let curves = frame.curves {
        (picture.light.toneMetadata, picture.light.places[.toneMetadata]) = (curves, .message)
      }
      return picture
    } catch {
      throw HDRError(error)
    }
  }

  /// Makes a recipe for stills, which keep their kind. All of them have the headroom of the clip.
  init(
    stillsOf input: ClipColor, _ decoded: FrameShape, _ options: VideoOptions, isReshaped: Bool
  ) throws(HDRError) {
    (format, color, limits, self.isReshaped) = (decoded.format, input, options.limits, isReshaped)
    choice = input.isHDR ? options.choice : options.choice.ofSDR.first ?? options.choice
    layout = RawLayout(try Self.format(decoded), width: decoded.width, height: decoded.height)
    description = RawDescription(
      layout, primaries: input.primaries, transfer: input.transfer, matrix: input.matrix, fullRange: input.fullRange,
      siting: input.siting)
  }

  /// Returns the layout of decoded frames.
  private static func format(_ decoded: FrameShape) throws(HDRError) -> RawFormat {
    guard let found = RawFormat.named(decoded.format.name), found.model == decoded.format.model else {
      throw unread(decoded)
    }
    return found
  }

  private static func unread(_ decoded: FrameShape) -> HDRError {
    HDRError(
      clip: "codec",
      "frames of \(decoded.format.name) are not converted, only passed on; \(setting: "to") same without edits does that"
    )
  }

  /// Returns what is made of a frame, with the headroom of its content.
  func choice(ofFrame number: Int) -> ResolvedOutput {
    var choice = choice
    if let last = headrooms.last {
      choice.rendition.recipe.contentHeadroom = number < headrooms.count ? headrooms[number] : last
    }
    return choice
  }

  /// Renders a frame.
  ///
  /// - Parameter number: counts frames from 0, for expressions.
  func render(
    _ frame: VideoFrame, number: Int, seconds: Double, _ tools: RenderTools, _ hooks: RenderHooks
  ) throws(HDRError) -> (samples: PixelBuffer, size: PictureSize, warnings: [Warning]) {
    var picture = try picture(frame)
    picture.geometry.orientation = turn
    var task = RenderTask(source: .picture(picture), choice: choice(ofFrame: number), number: number)
    (task.frame, task.isStream) = (RenderTask.Frame(number, seconds: seconds), true)
    let job = RenderJob(task, tools, hooks: hooks), samples = try job.streamed(rate: nil).frame, facts = job.facts
    return (samples, PictureSize(facts.width, facts.height), facts.warnings)
  }

  /// Returns the size that frames get by the turn and by filters. Where these move pixels, black is rendered.
  func size(_ tools: RenderTools) throws(HDRError) -> PictureSize {
    guard !choice.rendition.recipe.keepsPlaces else {
      return turn.swapsAxes ? PictureSize(layout.height, layout.width) : PictureSize(layout.width, layout.height)
    }
    var plain = self
    plain.isReshaped = false
    let black = VideoFrame(PixelBuffer(byteCount: layout.byteCount), pts: 0)
    return try plain.render(black, number: 0, seconds: 0, tools, RenderHooks()).size
  }
}
