import HDRCore
import HDRPlan

/// The way in which the picture of an output differs from its source's, as far as a video or a matte beside it notices.
enum PictureChange: Sendable, Hashable, Comparable {
  /// Nothing but the coding, or the light for another display.
  case same
  /// Turned or mirrored.
  case turned
  /// Resized, or with other colours.
  case edited
  /// Cut, or moved so that places in it are others.
  case cut

  private static let turns: Set<String> = ["rotate", "flip"]
  private static let sizes: Set<String> = ["resize", "scale", "thumbnail"]

  /// Takes the largest change of a rendition's filters.
  init(_ rendition: RenditionOptions) {
    var edits = rendition.recipe.edits
    if let own = rendition.ownEdits { edits += own.sdr + own.hdr }
    self = edits.map(Self.init(of:)).max() ?? (rendition.recipe.luts.isEmpty ? .same : .edited)
  }

  private init(of step: FilterStep) {
    guard let filter = step.filter else {
      self = .edited
      return
    }
    if Self.turns.contains(filter.name) {
      self = filter.keepsPixels(step.values) ? .turned : .cut
    } else {
      self = Self.onlyScales(step) || !filter.movesPixels ? .edited : .cut
    }
  }

  /// Returns true for a filter that makes the picture smaller or larger and moves nothing in it.
  static func onlyScales(_ step: FilterStep) -> Bool {
    step.filter.map { sizes.contains($0.name) } == true && step.values.values["fit"] != .word("fill")
  }
}

extension Orientation {
  /// Makes the turn of all filters of a recipe that turn or mirror the picture by whole quarters, in their order.
  init(turning steps: [FilterStep]) {
    self = steps.reduce(.up) { turn, step in
      switch step.name {
      case "flip": turn.then(step.values.values["direction"] == .word("vertical") ? .downMirrored : .upMirrored)
      case "rotate":
        // Counter-clockwise, 90 degrees without a value.
        if case .number(let degrees)? = step.values.values["angle"] {
          turn.then([.up, .left, .down, .right][Int((degrees / 90).rounded()) & 3])
        } else {
          turn.then(.left)
        }
      default: turn
      }
    }
  }
}
