import HDRCore
import Kernels

/// Adds noise by place. In sRGB-encoded values (odd below 0, continued above white) each component gets a number of its
/// own of -0.5 to 0.5 times the intensity. The number is a hash of the pixel's place and the channel, so parts of a
/// picture that are rendered apart fit together.
enum DitherFilter: Filter {
  static let name = "dither"
  static let summary = "noise by place, in sRGB-encoded values"
  static let category = FilterCategory.color
  static let intensity = FilterParameter(
    "intensity", .number(0.1, 0...5), "from the least to the largest noise; 1/255 is a step of 8 bits")
  static let parameters = [intensity]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    if content.stops > 100 { return nil }
    return Headroom(factor: Transfer.sRGBDecode(Transfer.sRGBEncode(content.factor) + values.value(intensity) / 2))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let amount = values.value(intensity)
    if amount == 0 { return }
    edit.curve(octaves: -20..<20, k: 6) { Transfer.sRGBEncode($0) }
    edit.stage(.dither, DitherStage.Parameters(intensity: Float(amount)).list)
    edit.curve(octaves: -12..<20, k: 6) { min(Transfer.sRGBDecode($0), Double(E32.largest)) }
  }
}
