import HDRCore
import Kernels

/// Weighted sums over the pixels around each one; beyond the border the border's pixels repeat. Alpha stays, and colours
/// are not multiplied by it; or it is weighted too: then all four are premultiplied sums, alpha cut to 0...1.
///
/// Weights lie on the picture as they are written, row by row from the top left: nothing is mirrored.
private enum Convolution {
  static func weights(_ side: Int) -> FilterParameter {
    var identity = [Double](repeating: 0, count: side * side)
    identity[identity.count / 2] = 1
    return FilterParameter(
      "weights", .vector(identity, size: side * side, -65504...65504), "row by row from the top left")
  }
  static let line = FilterParameter(
    "weights", .vector([0, 0, 0, 0, 1, 0, 0, 0, 0], size: 9, -65504...65504), "from the left, or from the top")
  static let bias = FilterParameter("bias", .number(0, -65504...65504), "added to R, G and B")
  static let alpha = FilterParameter(
    "alpha", .choice("kept", ["kept", "weighted"]), "as it was; weighted: a sum as colours are, multiplied by it")

  /// - Parameter columns: columns of the weights; `nil`: as many as rows.
  static func apply(
    _ name: String, _ weights: FilterParameter, _ values: FilterValues, columns: Int? = nil, to edit: inout Edit
  ) {
    let list = values.vector(weights) ?? [1], keeps = values.choice(alpha) == "kept"
    if !keeps {
      // Where the weights' sum is 1 or more, opaque pictures stay so.
      if list.reduce(0, +) < 1 - 1e-6 { edit.makeTransparent() }
      edit.premultiply()
    }
    edit.convolve2D(name, list, columns: columns, keepsAlpha: keeps)
    if !keeps {
      edit.clampAlpha()
      edit.unpremultiply()
    }
    let offset = values.value(bias)
    edit.affine(scale: [1, 1, 1], offset: [offset, offset, offset])
  }
}

enum Convolution3X3: Filter {
  static let name = "convolution-3x3"
  static let summary = "weighted sum over 3x3 pixels"
  static let category = FilterCategory.stylize
  static let weights = Convolution.weights(3)
  static let parameters = [weights, Convolution.bias, Convolution.alpha]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Convolution.apply(name, weights, values, to: &edit)
  }
}

enum Convolution5X5: Filter {
  static let name = "convolution-5x5"
  static let summary = "weighted sum over 5x5 pixels"
  static let category = FilterCategory.stylize
  static let weights = Convolution.weights(5)
  static let parameters = [weights, Convolution.bias, Convolution.alpha]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Convolution.apply(name, weights, values, to: &edit)
  }
}

enum Convolution7X7: Filter {
  static let name = "convolution-7x7"
  static let summary = "weighted sum over 7x7 pixels"
  static let category = FilterCategory.stylize
  static let weights = Convolution.weights(7)
  static let parameters = [weights, Convolution.bias, Convolution.alpha]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Convolution.apply(name, weights, values, to: &edit)
  }
}

enum Convolution9Horizontal: Filter {
  static let name = "convolution-9-horizontal"
  static let summary = "weighted sum over 9 pixels of a row"
  static let category = FilterCategory.stylize
  static let weights = Convolution.line
  static let parameters = [weights, Convolution.bias, Convolution.alpha]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Convolution.apply(name, weights, values, columns: 9, to: &edit)
  }
}

enum Convolution9Vertical: Filter {
  static let name = "convolution-9-vertical"
  static let summary = "weighted sum over 9 pixels of a column"
  static let category = FilterCategory.stylize
  static let weights = Convolution.line
  static let parameters = [weights, Convolution.bias, Convolution.alpha]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    Convolution.apply(name, weights, values, columns: 1, to: &edit)
  }
}

extension Edit {
  /// Computes weighted sums over a rectangle around each pixel; beyond the border the border's pixels repeat.
  ///
  /// - Parameters:
  ///   - weights: row by row; columns and rows are odd numbers, at most 79.
  ///   - columns: `nil`: as many as rows.
  ///   - keepsAlpha: alpha is the pixel's own; otherwise summed like a colour.
  mutating func convolve2D(_ name: String, _ weights: [Double], columns: Int? = nil, keepsAlpha: Bool) {
    let columns = columns ?? Int(Double(weights.count).squareRoot()), rows = weights.count / columns
    let (width, height) = (width, height)
    load(
      name, .convolve2D, width: width, height: height, rows: .around(height: height, reach: rows / 2),
      tables: [weights.map(\.word)]
    ) { channels, tables in
      Convolve2D.Parameters(
        channels: channels.word, columns: columns.word, rows: rows.word, weights: tables[0], width: width.word,
        height: height.word, keepsAlpha: keepsAlpha.word
      ).list
    }
  }
}
