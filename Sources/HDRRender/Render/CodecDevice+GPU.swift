import GPURender
import HDRRecipe

extension CodecDevice {
  /// The least pixels for `auto`: below, starting dispatches takes longer than they save.
  private static let leastPixels = 1 << 20

  /// True if a picture of so many pixels that the device renders is encoded, or measured, there.
  func isUsed(pixels: Int, on device: GPUDeviceInfo) -> Bool {
    switch self {
    case .auto: device.type != .cpu && pixels >= Self.leastPixels
    case .cpu: false
    case .gpu: true
    }
  }

  /// Returns the least pixels of a picture that any of these devices decodes; `nil`: they decode none.
  func leastScan(on rings: GPURings) -> Int? {
    switch self {
    case .auto: rings.areHardware ? Self.leastPixels : nil
    case .cpu: nil
    case .gpu: rings.isEmpty ? nil : 0
    }
  }
}
