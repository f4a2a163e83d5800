import HDRCore
import Kernels

extension Edit {
  /// Replaces premultiplied colour by its gradients.
  mutating func sobel(_ name: String, _ mode: SobelStage.Mode, scale: Double) {
    let (width, height) = (width, height)
    premultiply()
    load(
      name, .sobel, width: width, height: height, rows: .around(height: height, reach: mode == .gabor ? 2 : 1)
    ) { channels, _ in
      SobelStage.Parameters(
        channels: channels.word, mode: Choice(mode), scale: Float(scale), width: width.word, height: height.word
      ).list
    }
    unpremultiply()
  }
}
