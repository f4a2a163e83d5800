import HDRCore
import Kernels

/// A filter that shows an input where a mask is bright, the picture where it is dark: B + (S - B) m, premultiplied.
protocol MaskFilter: Filter {
  /// The value of the mask that is m, clamped to 0...1.
  static var channel: Edit.MaskChannel { get }
}

extension MaskFilter {
  static var category: FilterCategory { .composite }
  static var parameters: [FilterParameter] { [Compositing.input, Mask.mask, Compositing.covering] }
  static var alpha: AlphaRule { .premultiplied }
  static var headroomEffect: HeadroomEffect { .recomputed }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Compositing.larger(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try edit.mix(values) { (edit) throws(PlanError) in
      try edit.mask(
        values.input(Mask.mask) ?? "", channel, isStretched: values.choice(Compositing.covering) == "stretch")
    }
  }
}

private enum Mask {
  static let mask = FilterParameter("mask", .input(nil), "picture whose numbers, 0 to 1, are the input's share")
}

/// Shows an input by the mask's luminance.
enum BlendWithMask: MaskFilter {
  static let name = "blend-with-mask"
  static let summary = "the input where a mask is white, the picture where it is black"
  static let channel = Edit.MaskChannel.luminance
}

/// Shows an input by the mask's alpha.
enum BlendWithAlphaMask: MaskFilter {
  static let name = "blend-with-alpha-mask"
  static let summary = "the input where a mask is opaque, the picture where it is transparent"
  static let channel = Edit.MaskChannel.alpha
}

/// Shows an input by the mask's red.
enum BlendWithRedMask: MaskFilter {
  static let name = "blend-with-red-mask"
  static let summary = "the input where a mask's red is 1, the picture where it is 0"
  static let channel = Edit.MaskChannel.red
}

/// Shows an input by the mask's blue.
enum BlendWithBlueMask: MaskFilter {
  static let name = "blend-with-blue-mask"
  static let summary = "the input where a mask's blue is 1, the picture where it is 0"
  static let channel = Edit.MaskChannel.blue
}
