import HDRCore
import Kernels

/// Darkens or brightens towards the corners; the pixel's distance from the middle decides.
enum Vignette: Filter {
  static let name = "vignette"
  static let summary = "darker towards the corners"
  static let category = FilterCategory.stylize
  static let intensity = FilterParameter("intensity", .number(0, -1...1), "1 is black outside; below 0 brighter")
  static let radius = FilterParameter("radius", .number(1, 0...2), "in halves of the diagonal")
  static let parameters = [intensity, radius]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    VignetteGain.headroom(values.value(intensity), after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let w = Double(edit.width), h = Double(edit.height)
    edit.vignette(
      center: [w / 2, h / 2], radius: 0.5 * (w * w + h * h).squareRoot() * values.value(radius),
      intensity: values.value(intensity), falloff: 0.5)
  }
}

/// Darkens or brightens away from any place, with a falloff of its own.
enum VignetteEffect: Filter {
  static let name = "vignette-effect"
  static let summary = "darker away from a place"
  static let category = FilterCategory.stylize
  static let center = FilterParameter(
    "center", .vector(nil, size: 2, -1_048_576...1_048_576), "x, y in pixels; without it the middle")
  static let radius = FilterParameter("radius", .number(150, 0...1_048_576), "in pixels")
  static let intensity = FilterParameter("intensity", .number(1, -1...1), "1 is black outside; below 0 brighter")
  static let falloff = FilterParameter(
    "falloff", .number(0.5, 0...1), "half width of the edge as a share of the radius; at least 0.02")
  static let parameters = [center, radius, intensity, falloff]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    VignetteGain.headroom(values.value(intensity), after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    edit.vignette(
      center: values.vector(center) ?? [Double(edit.width) / 2, Double(edit.height) / 2],
      radius: values.value(radius), intensity: values.value(intensity), falloff: values.value(falloff))
  }
}

extension Edit {
  /// Multiplies by max(1 - intensity v, 0), v = smoothstep(radius (1 - falloff), radius (1 + falloff), distance).
  ///
  /// The gain is a table over the squared distance, so that no pixel needs a root: within 2e-5 of the formula, 2e-4 at
  /// the sharpest edge. A falloff below 0.02 counts as 0.02.
  fileprivate mutating func vignette(center: [Double], radius: Double, intensity: Double, falloff: Double) {
    if intensity == 0 { return }
    let soft = max(falloff, 0.02), radius = max(radius, 1e-3)
    let inner = (1 - soft) / (1 + soft)
    let table = CurveTable(octaves: -20..<1, k: soft < 0.2 ? 10 : 7) { squared in
      let t = min(max((squared.squareRoot() - inner) / (1 - inner), 0), 1)
      return max(1 - intensity * t * t * (3 - 2 * t), 0)
    }
    let unit = 1 / (radius * (1 + soft))
    stage(.vignette, tables: [table.words]) {
      VignetteGain.words(center: center, scale: unit, table, offset: $0[0])
    }
  }
}
