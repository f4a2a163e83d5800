import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// Options for making Adaptive HDR files (`--to adaptive-*`), beside the `RenditionOptions` of their renditions: chroma,
/// quality and effort of the base and the metadata to copy are in those.
package struct AdaptiveOptions: Sendable {
  package var container: AdaptiveContainer
  package var base = AdaptiveBase.sdr
  package var space = MapSpace.base
  package var map = GainMapOptions()
  /// True to make a new map even if the source has one: an option that describes the map was given.
  package var recomputes = false
  /// True to keep the base's payload bit for bit if the container is the source's: no option changes its coding.
  package var keepsBase = true
  /// True to keep the map's payload too, if the base is kept.
  package var keepsMap = true
  /// True to also write Apple's auxiliary map.
  package var writesAppleMap = false
  package var bindings = AdaptiveBindings.all
  /// The bits of the base in HEIC and AVIF; an HDR base has 10. JPEG XL and PNG have 16 for more than 8.
  package var baseDepth = 8
  package var mapQuality = 90
  /// True if a search for the base's quality gives the map the same one.
  package var mapFollowsQuality = true

  /// True if the map's samples are kept, to compare the file with them.
  package var isJudged = false

  /// The metadata of the pair's second picture, if that is a gain map and not an HDR rendition.
  package var editedMap: GainMapMetadata?

  package init(container: AdaptiveContainer) {
    self.container = container
    // Older readers of JPEG maps assume the base's primaries.
    space = container == .jpeg ? .base : .wider
    (keepsBase, keepsMap) = (container.keepsPayloads, container.keepsPayloads)
  }
}

/// A part of a file with a gain map, or of a camera raw file (`--extract`).
package enum FilePart: String, Sendable, Hashable, CaseIterable {
  case base, gainmap, alternate, preview
}

/// The kind of product that is made of every item.
package enum ItemProduct: Sendable {
  /// A rendition by `RenditionOptions`.
  case rendition
  case adaptive(AdaptiveOptions)
  case extract(FilePart)
  /// JPEG XL from which a JPEG, or its primary picture, can be restored.
  case recompress(isWhole: Bool)
}
