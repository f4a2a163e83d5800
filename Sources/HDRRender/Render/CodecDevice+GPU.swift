import GPURender
import HDRRecipe
import Kernels

extension CodecDevice {
  /// The least pixels for `auto`: below, starting dispatches takes longer than they save.
  private static let leastPixels = 1 << 20

  /// True if a picture that the device renders is encoded there.
  func encodes(_ layout: JPEGLayout, on device: GPUDeviceInfo) -> Bool {
    switch self {
    case .auto: device.type != .cpu && layout.width * layout.height >= Self.leastPixels
    case .cpu: false
    case .gpu: true
    }
  }
}
