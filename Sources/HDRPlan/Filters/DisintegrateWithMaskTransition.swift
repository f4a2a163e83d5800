import HDRCore
import Kernels

/// Shows the input first where a mask is dark, last where it is bright; the rest of the picture shadows it.
///
/// With m the mask's luminance, 0 to 1, the input's weight is time 17 - 16 m, cut to 0...1. The shadow is the rest of
/// the picture, blurred and moved: the input's light there is 1 - density of itself.
enum DisintegrateWithMaskTransition: Filter {
  static let name = "disintegrate-with-mask-transition"
  static let summary = "from the picture to the input where a mask is dark first, with a shadow"
  static let category = FilterCategory.transition
  static let mask = FilterParameter("mask", .input(nil), "picture whose luminance, 0 to 1, says when")
  static let shadowRadius = FilterParameter(
    "shadow-radius", .number(8, 0...500), "standard deviation of the shadow's blur in pixels")
  static let shadowDensity = FilterParameter("shadow-density", .number(0.65, 0...1), "0 no shadow, 1 a black one")
  static let shadowOffset = FilterParameter(
    "shadow-offset", .vector([0, 10], size: 2, -4096...4096), "whole pixels to the right and down")
  static let parameters = [
    Compositing.input, mask, Dissolve.time, shadowRadius, shadowDensity, shadowOffset,
  ]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed
  static let slope = 16.0

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Transition.headroom(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let margin = Transition.margin
    let start = values.value(Dissolve.time) * (slope + 1 + 2 * margin) - margin
    let picture = edit.planes()
    // Input and mask are stretched to the picture's size: the shadow lies on all of the input.
    let top = try edit.foreground(values, fit: Compositing.covering)
    let weights = try edit.mask(values.input(mask) ?? "", .luminance, isStretched: true) { edit in
      edit.affine(scale: [-slope, -slope, -slope], offset: [start, start, start])
      edit.clamp(low: 0, high: 1)
    }
    let lit = edit.shadowed(top, by: weights, values)
    edit.use(picture)
    edit.mix(lit, mask: weights)
  }
}

extension Edit {
  /// Puts a picture in the shadow of another, whose share the weights leave.
  fileprivate mutating func shadowed(_ top: PlaneRef, by weights: PlaneRef, _ values: FilterValues) -> PlaneRef {
    typealias Own = DisintegrateWithMaskTransition
    let density = values.value(Own.shadowDensity), at = values.vector(Own.shadowOffset) ?? [0, 0]
    if density == 0 { return top }
    use(weights)
    affine(scale: [-1, -1, -1], offset: [1, 1, 1])
    let shadow = blurredPlane(
      radius: values.value(Own.shadowRadius), offset: (Int(at[0].rounded()), Int(at[1].rounded())))
    use(top)
    dim(density, by: shadow)
    return builder.close(channels: 4)
  }
}
