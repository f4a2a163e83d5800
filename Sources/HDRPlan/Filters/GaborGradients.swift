import HDRCore

/// Gradients of the component furthest from 0 by Gabor's 5x5 weights, in light a pixel: along rows in R, down columns
/// in G.
enum GaborGradients: Filter {
  static let name = "gabor-gradients"
  static let summary = "gradients as colours, by smoother weights: along rows in R, down columns in G"
  static let category = FilterCategory.stylize
  static let parameters: [FilterParameter] = []
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.sobel(name, .gabor, scale: 1) }
}
