import HDRCore
import HDRPlan
import HDRRecipe

extension RenderJob {
  /// Decides the size at which the source is decoded, by its head and the filters (docs/recipes.md#decode-scale).
  func chooseScale() throws(HDRError) {
    let wanted = choice.settings[Settings.edits.decodeScale]
    guard wanted != .whole, task.partner == nil else { return }
    switch choice.product {
    case .rendition, .adaptive: break
    case .extract, .recompress: return
    }
    let head = try head()
    let isFile =
      switch task.source {
      case .file, .open: true
      case .canvas, .picture: false
      }
    guard isFile, head.format == .jpeg else {
      if wanted == .automatic { return }
      throw HDRError(
        code: "decode.scale",
        message:
          "\(setting: "decode-scale") \(wanted.rawValue) is for JPEG, and this is \(head.format.rawValue): leave it "
          + "out, or say auto", kind: .source)
    }
    let (scale, obstacle) = choice.rendition.recipe.decodeScale(of: head, wanted)
    self.scale = scale
    found.decodeScale = scale.base
    if let obstacle {
      explain("decoded whole: \(obstacle)")
      if wanted != .automatic {
        found.warn([
          Warning("decode.whole", "\(setting: "decode-scale") \(wanted.rawValue) has no effect: \(obstacle)")
        ])
      }
    } else if scale.base > 1 {
      explain("decoded at 1/\(scale.base)\(head.gainMap == nil ? "" : ", gain map at 1/\(scale.map)")")
    }
  }
}
