import GPURender
import HDRCore

/// lavapipe, the software Vulkan device, for tests of bits; opened once.
enum Lavapipe {
  static let renderer: GPURenderer? = {
    var options = GPUOptions()
    options.cacheFolder = nil
    return try? GPURenderer(selection: .named("llvmpipe"), options: options)
  }()

  static let isPresent = GPUDevice.available().contains { $0.name.contains("llvmpipe") }
}

/// A source picture with given pixels and orientation.
func source(
  _ image: SampleImage, primaries: Int = 9, transfer: Int = 16, orientation: Orientation = .up, gainMap: GainMap? = nil
) -> SourceImage {
  SourceImage(
    format: .memory, image: image,
    color: SourceColor(
      matrix: image.model == .ycc ? 9 : 0, fullRange: image.model != .ycc,
      encoding: .cicp(primaries: primaries, transfer: transfer)),
    geometry: Geometry(width: image.width, height: image.height, orientation: orientation),
    gainMap: gainMap)
}
