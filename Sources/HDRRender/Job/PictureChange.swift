import HDRCore
import HDRPlan

/// The way in which the picture of an output differs from its source's, as far as a video or a matte beside it notices.
enum PictureChange: Sendable, Hashable, Comparable {
  /// Nothing but the coding, or the light for another display.
  case none
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
    let changes = edits.map { step -> PictureChange in
      guard let filter = step.filter else { return .edited }
      if Self.turns.contains(filter.name) { return filter.keepsPixels(step.values) ? .turned : .cut }
      if Self.sizes.contains(filter.name) { return step.values.values["fit"] == .word("fill") ? .cut : .edited }
      return filter.isGeometric ? .cut : .edited
    }
    self = changes.max() ?? (rendition.recipe.luts.isEmpty ? .none : .edited)
  }
}
