import HDRCore
import HDRPlan
import HDRRender
import VideoStreams

/// Measures the light of frames, on any thread: from their codes where those are PQ of BT.2020, else from what a render makes
/// of them.
struct FrameLight: Sendable {
  private enum Source: Sendable {
    case planes(PlanarLight)
    /// R'G'B' of 16 bits, PQ of BT.2020.
    case rendered(FrameRecipe, CountedArea, width: Int)
  }

  private let source: Source

  /// - Parameters:
  ///   - isReshaped: true if the codes are none of a colour before they are reshaped.
  ///   - recipe: makes what is measured of frames of other layouts (`FrameRecipe.ofLight`).
  /// - Throws: `HDRError`, `video.area` for an area that is not within the picture, and the recipe's.
  init(
    _ shape: FrameShape, _ color: ClipColor, _ area: LightOptions.Area, isReshaped: Bool,
    recipe: () throws(HDRError) -> FrameRecipe
  ) throws(HDRError) {
    let counted = try CountedArea(area, shape)
    if !isReshaped, let planes = PlanarLight(shape, color, counted) {
      source = .planes(planes)
    } else {
      source = .rendered(try recipe(), counted, width: shape.width)
    }
  }

  /// Returns the light of a frame.
  ///
  /// - Parameters:
  ///   - number: counts the frames of the clip from 0.
  ///   - seconds: the time at which it is shown.
  func sums(
    of frame: VideoFrame, number: Int, seconds: Double, _ tools: RenderTools, _ hooks: RenderHooks
  ) throws(HDRError) -> FrameSums {
    switch source {
    case .planes(let planes): return planes.sums(of: frame)
    case .rendered(let recipe, let counted, let width):
      let samples = try recipe.render(frame, number: number, seconds: seconds, tools, hooks).samples
      return counted.sums(ofRGB: samples, width: width)
    }
  }
}

/// The pixels of frames that count.
struct CountedArea: Sendable {
  let area: ActiveArea
  /// True if borders are looked for, in the whole picture.
  let findsBorders: Bool

  /// - Throws: `HDRError`, `video.area` for an area that is not within the picture.
  init(_ area: LightOptions.Area, _ shape: FrameShape) throws(HDRError) {
    findsBorders = area == .auto
    guard case .stated(let stated) = area else {
      self.area = ActiveArea(rows: 0..<shape.height, columns: 0..<shape.width)
      return
    }
    guard stated.rows.upperBound <= shape.height, stated.columns.upperBound <= shape.width else {
      throw HDRError(
        clip: "area", "\(setting: "active-area") \(area.text) is not within frames of \(shape.width)x\(shape.height)",
        kind: .request)
    }
    self.area = stated
  }

  /// Counts the pixels of interleaved R'G'B' of 16 bits.
  func sums(ofRGB samples: PixelBuffer, width: Int) -> FrameSums {
    var counter = LightCounter(self)
    let codes = samples.base.assumingMemoryBound(to: UInt16.self), memory = PixelBuffer(byteCount: 2 * width)
    let row = memory.base.assumingMemoryBound(to: UInt16.self)
    for y in area.rows {
      let line = codes + 3 * width * y
      for x in 0..<width { row[x] = max(line[3 &* x], line[3 &* x &+ 1], line[3 &* x &+ 2]) }
      counter.add(row, y: y)
    }
    return counter.sums
  }
}

extension FrameRecipe {
  /// Returns what makes R'G'B' of 16 bits, PQ of BT.2020, of the same frames: all their light, and nothing else is done.
  func ofLight() -> FrameRecipe {
    var light = self, rendition = RenditionOptions(kind: Self.lightKind), recipe = rendition.recipe
    (recipe.display, recipe.tone, recipe.beyond, recipe.gamut) = (.high, .none, .keep, .none)
    recipe.hlg = choice.rendition.recipe.hlg
    rendition.recipe = recipe
    (light.choice, light.headrooms, light.turn) = (ResolvedOutput(rendition), [], .up)
    return light
  }

  private static let lightKind: OutputKind = {
    guard let kind = OutputKind(rawValue: "pq-raw:rgb48") else { preconditionFailure("a row of the list") }
    return kind
  }()
}
