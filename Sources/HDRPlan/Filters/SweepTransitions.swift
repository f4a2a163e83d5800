import HDRCore
import Kernels

/// The input behind a soft front that crosses the picture: weights t² (3 - 2t) over its width. Its colour lies over both by
/// 4 w (1 - w) times the opacity, where w is the weight.
enum SwipeTransition: Filter {
  static let name = "swipe-transition"
  static let summary = "from the picture to the input behind a soft front"
  static let category = FilterCategory.transition
  static let angle = Transition.angle(0)
  static let width = FilterParameter("width", .number(300, 1...65536), "of the front in pixels")
  static let opacity = FilterParameter("opacity", .number(0, 0...1), "of the front's colour in its middle")
  static let parameters = [
    Compositing.input, Dissolve.time, angle, width, Transition.color, opacity, Compositing.covering,
  ]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Transition.headroom(values, content, inputs, light: Transition.light(values, Transition.color))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.sweep(
      Sweep(degrees: values.value(angle), width: values.value(width)), values, light: .over,
      color: values.color(Transition.color), amount: values.value(opacity))
  }
}

/// The input behind a front that crosses the picture bar by bar. Each bar lies along the angle and is behind the one
/// before it by an offset. The front is a pixel wide, so it is practically sharp.
enum BarsSwipeTransition: Filter {
  static let name = "bars-swipe-transition"
  static let summary = "from the picture to the input bar by bar"
  static let category = FilterCategory.transition
  static let angle = Transition.angle(180)
  static let width = FilterParameter("width", .number(30, 2...65536), "of a bar in pixels")
  static let offset = FilterParameter(
    "bar-offset", .number(10, -1000...1000), "pixels by which a bar is behind the one before it")
  static let parameters = [Compositing.input, Dissolve.time, angle, width, offset, Compositing.covering]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Transition.headroom(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let bars = (width: values.value(width), lag: values.value(offset))
    try edit.sweep(
      Sweep(degrees: values.value(angle), width: 1, bars: bars), values, light: .over, color: [0, 0, 0], amount: 0)
  }
}

/// The input behind the lamp of a copy machine that crosses the picture. The lamp's light is added: 4 w (1 - w) times
/// colour and opacity, where w is the input's weight. Nothing is cut.
enum CopyMachineTransition: Filter {
  static let name = "copy-machine-transition"
  static let summary = "from the picture to the input behind a lamp whose light is added"
  static let category = FilterCategory.transition
  static let color = FilterParameter("color", .color([0.6, 1, 0.8]), "of the lamp, encoded sRGB; 1 is white")
  static let angle = Transition.angle(0)
  static let width = FilterParameter("width", .number(200, 1...65536), "of the light in pixels")
  static let opacity = FilterParameter("opacity", .number(1.3, 0...100), "times the colour: the light in its middle")
  static let parameters = [Compositing.input, Dissolve.time, angle, width, color, opacity, Compositing.covering]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let light = max(0, Transition.light(values, color)) * values.value(opacity)
    return Compositing.larger(values, content, inputs).map { Headroom(factor: $0.factor + light) }
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.sweep(
      Sweep(degrees: values.value(angle), width: values.value(width)), values, light: .added,
      color: values.color(color), amount: values.value(opacity))
  }
}
