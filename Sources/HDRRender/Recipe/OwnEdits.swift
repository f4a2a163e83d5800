import HDRCore
import HDRPlan

/// Filters that the renditions of an Adaptive HDR file do not share, behind those that they do.
package struct OwnEdits: Sendable, Hashable {
  package var sdr: [FilterStep]
  package var hdr: [FilterStep]
  /// The base is edited, and the gain map stays as it is.
  package var keepsMap: Bool

  package init(sdr: [FilterStep] = [], hdr: [FilterStep] = [], keepsMap: Bool = false) {
    self.sdr = sdr
    self.hdr = hdr
    self.keepsMap = keepsMap
  }
}

extension RenditionOptions {
  /// Whether a rendition is edited at all.
  var isEdited: Bool { !edits.isEmpty || ownEdits != nil }
}
