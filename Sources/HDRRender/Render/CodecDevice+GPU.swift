import GPURender
import HDRRecipe

extension CodecDevice {
  /// The least pixels for `auto`: below, starting dispatches takes longer than they save.
  private static let leastPixels = 1 << 20

  /// Returns the least pixels of a picture that the device decodes, encodes or measures; `nil`: it does not.
  func leastPixels(on device: GPUDeviceInfo) -> Int? {
    switch self {
    case .auto: device.type == .cpu ? nil : Self.leastPixels
    case .cpu: nil
    case .gpu: 0
    }
  }

  /// True if a picture of so many pixels that the device renders is encoded, or measured, there.
  func isUsed(pixels: Int, on device: GPUDeviceInfo) -> Bool {
    leastPixels(on: device).map { pixels >= $0 } ?? false
  }
}
