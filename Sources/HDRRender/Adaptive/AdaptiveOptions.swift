import HDRCore
import HDRPlan
import ImageFiles

/// How Adaptive HDR files are made (`--to adaptive-*`).
public struct AdaptiveOptions: Sendable {
  /// Which rendition ordinary readers show.
  public enum Base: String, Sendable, Hashable, CaseIterable {
    case sdr, hdr
  }

  /// Primaries in which a computed map works.
  public enum Space: String, Sendable, Hashable, CaseIterable {
    /// The base's, which readers that ignore the flag assume. Colours of the HDR rendition outside them are lost.
    case base
    /// The wider ones of both renditions.
    case wider
  }

  public var container: AdaptiveContainer
  public var base = Base.sdr
  public var space = Space.base
  public var map = GainMapOptions()
  /// Make a new map even where the source has one: an option was given that describes it.
  public var recomputes = false
  /// Keep the base's payload bit for bit where the container is the source's own: no option says how to code it.
  public var keepsBase = true
  /// The same of the map's, where the base is kept.
  public var keepsMap = true
  public var bindings = AdaptiveBindings.all
  /// Bits of the base in HEIC and AVIF; an HDR base has 10.
  public var baseDepth = 8
  public var baseChroma = ChromaSubsampling.s420
  public var quality = 90
  public var mapQuality = 90

  /// The second picture of a pair is a gain map of this metadata, not an HDR rendition.
  public var editedMap: GainMapMetadata?

  public init(container: AdaptiveContainer) {
    self.container = container
    // Older readers of JPEG maps assume the base's primaries.
    space = container == .jpeg ? .base : .wider
  }
}

/// A part of a file with a gain map (`--extract`).
public enum GainMapPart: String, Sendable, Hashable, CaseIterable {
  case base, gainmap, alternate
}

/// What is made of every item.
public enum ItemProduct: Sendable {
  /// One rendition by `RenditionOptions`.
  case rendition
  case adaptive(AdaptiveOptions)
  case extract(GainMapPart)
}
