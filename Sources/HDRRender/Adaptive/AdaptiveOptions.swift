import HDRCore
import HDRPlan
import ImageFiles

/// How Adaptive HDR files are made (`--to adaptive-*`).
package struct AdaptiveOptions: Sendable {
  /// Which rendition ordinary readers show.
  package enum Base: String, Sendable, Hashable, CaseIterable {
    case sdr, hdr
  }

  /// Primaries in which a computed map works.
  package enum Space: String, Sendable, Hashable, CaseIterable {
    /// The base's, which readers that ignore the flag assume. Colours of the HDR rendition outside them are lost.
    case base
    /// The wider ones of both renditions.
    case wider
  }

  package var container: AdaptiveContainer
  package var base = Base.sdr
  package var space = Space.base
  package var map = GainMapOptions()
  /// Make a new map even where the source has one: an option was given that describes it.
  package var recomputes = false
  /// Keep the base's payload bit for bit where the container is the source's own: no option says how to code it.
  package var keepsBase = true
  /// The same of the map's, where the base is kept.
  package var keepsMap = true
  /// Write Apple's auxiliary map beside ours.
  package var writesAppleMap = false
  package var bindings = AdaptiveBindings.all
  package var metadata = MetadataChoice.all
  /// Bits of the base in HEIC and AVIF; an HDR base has 10. JPEG XL has 16 for more than 8.
  package var baseDepth = 8
  package var baseChroma = ChromaSubsampling.s420
  package var quality = 90
  package var mapQuality = 90
  /// JPEG XL; 0: what suits the quality.
  package var effort = 0

  /// The second picture of a pair is a gain map of this metadata, not an HDR rendition.
  package var editedMap: GainMapMetadata?

  package init(container: AdaptiveContainer) {
    self.container = container
    // Older readers of JPEG maps assume the base's primaries.
    space = container == .jpeg ? .base : .wider
  }
}

/// A part of a file with a gain map, or of a camera raw file (`--extract`).
package enum FilePart: String, Sendable, Hashable, CaseIterable {
  case base, gainmap, alternate, preview
}

/// What is made of every item.
package enum ItemProduct: Sendable {
  /// One rendition by `RenditionOptions`.
  case rendition
  case adaptive(AdaptiveOptions)
  case extract(FilePart)
  /// JPEG XL of which a JPEG, or its primary picture, can be restored.
  case recompress(isWhole: Bool)
}
