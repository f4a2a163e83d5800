import HDRCore

/// The length of each component's gradient, Sobel's sums over 4, times the intensity: a step of height h gives h beside it.
enum Edges: Filter {
  static let name = "edges"
  static let summary = "edges in colour: the length of each component's gradient"
  static let category = FilterCategory.stylize
  static let intensity = FilterParameter("intensity", .number(1, 0...10), "times the height of an edge")
  static let parameters = [intensity]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.sobel(name, .magnitude, scale: values.value(intensity) / 4)
  }
}

/// Sobel's sums over 8 of the component furthest from 0, in light a pixel: along rows in R, down columns in G.
enum SobelGradients: Filter {
  static let name = "sobel-gradients"
  static let summary = "gradients as colours: along rows in R, down columns in G"
  static let category = FilterCategory.stylize
  static let parameters: [FilterParameter] = []
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) { edit.sobel(name, .gradients, scale: 1.0 / 8) }
}
