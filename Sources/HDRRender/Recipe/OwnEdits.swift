import HDRCore
import HDRPlan

/// The filters that only one rendition of an Adaptive HDR file has, after the common ones.
package struct OwnEdits: Sendable, Hashable {
  package var sdr: [FilterStep]
  package var hdr: [FilterStep]
  /// True if the base is edited and the gain map is kept.
  package var keepsMap: Bool

  package init(sdr: [FilterStep] = [], hdr: [FilterStep] = [], keepsMap: Bool = false) {
    self.sdr = sdr
    self.hdr = hdr
    self.keepsMap = keepsMap
  }
}

extension RenditionOptions {
  /// True if any rendition is edited.
  var isEdited: Bool { !recipe.edits.isEmpty || ownEdits != nil }
}
