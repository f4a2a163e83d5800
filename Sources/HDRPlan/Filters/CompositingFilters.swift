import HDRCore
import Kernels

/// A filter that puts an input over the picture by one of the modes of `Compositing`, premultiplied:
/// S is the input, B the picture, aS and aB their alphas.
protocol CompositingFilter: Filter {
  static var mode: Compositing.Mode { get }
}

extension CompositingFilter {
  static var category: FilterCategory { .composite }
  static var parameters: [FilterParameter] { Compositing.parameters }
  static var alpha: AlphaRule { .premultiplied }
  static var headroomEffect: HeadroomEffect { .recomputed }

  /// Returns the larger of both: after these modes a colour divided by its alpha is a mean, or one of both at most.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Compositing.larger(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    try Compositing.apply(mode, values, to: &edit)
  }
}

/// S + B (1 - aS).
enum SourceOver: CompositingFilter {
  static let name = "source-over"
  static let summary = "an input over the picture"
  static let mode = Compositing.Mode.sourceOver
}

/// S aB.
enum SourceIn: CompositingFilter {
  static let name = "source-in"
  static let summary = "the input where the picture is"
  static let mode = Compositing.Mode.sourceIn
}

/// S (1 - aB).
enum SourceOut: CompositingFilter {
  static let name = "source-out"
  static let summary = "the input where the picture is not"
  static let mode = Compositing.Mode.sourceOut
}

/// S aB + B (1 - aS).
enum SourceAtop: CompositingFilter {
  static let name = "source-atop"
  static let summary = "the input over the picture, only where the picture is"
  static let mode = Compositing.Mode.sourceAtop
}

/// S + B, with alpha of at most 1. The light adds up, so no bound is stated.
enum Addition: CompositingFilter {
  static let name = "addition"
  static let summary = "light of the input added"
  static let mode = Compositing.Mode.addition
  static let headroomEffect = HeadroomEffect.unknown

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    nil
  }
}

/// S B, alpha too.
enum Multiply: CompositingFilter {
  static let name = "multiply"
  static let summary = "component by component times the input, alpha too"
  static let mode = Compositing.Mode.multiply

  /// Returns the product of both.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    values.input(Compositing.input).flatMap(inputs).map { Headroom(stops: $0.stops + content.stops) }
  }
}

/// The smaller component, premultiplied, alpha too.
enum Minimum: CompositingFilter {
  static let name = "minimum"
  static let summary = "the smaller of picture and input, component by component"
  static let mode = Compositing.Mode.minimum
}

/// The larger component, premultiplied, alpha too.
enum Maximum: CompositingFilter {
  static let name = "maximum"
  static let summary = "the larger of picture and input, component by component"
  static let mode = Compositing.Mode.maximum
}

/// |S / aS - B / aB|, and alpha aS aB.
enum ColorAbsoluteDifference: CompositingFilter {
  static let name = "color-absolute-difference"
  static let summary = "the distance of picture and input, component by component; alpha is the product"
  static let mode = Compositing.Mode.absoluteDifference
  static let headroomEffect = HeadroomEffect.unknown

  /// Returns no bound: components may be negative.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    nil
  }
}
