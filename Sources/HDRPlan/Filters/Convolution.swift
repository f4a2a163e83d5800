import HDRCore

/// Weighted sums over the pixels around each one. Colours are not multiplied by alpha, which stays; beyond the border
/// the border's pixels repeat.
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

  /// - Parameter columns: columns of the weights; `nil`: as many as rows.
  static func apply(
    _ name: String, _ weights: FilterParameter, _ values: FilterValues, columns: Int? = nil, to edit: inout Edit
  ) {
    edit.convolve2D(name, values.vector(weights) ?? [1], columns: columns, keepsAlpha: true)
    let offset = values.value(bias)
    edit.affine(scale: [1, 1, 1], offset: [offset, offset, offset])
  }
}

enum Convolution3X3: Filter {
  static let name = "convolution-3x3"
  static let summary = "weighted sum over 3x3 pixels"
  static let category = FilterCategory.stylize
  static let weights = Convolution.weights(3)
  static let parameters = [weights, Convolution.bias]
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
  static let parameters = [weights, Convolution.bias]
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
  static let parameters = [weights, Convolution.bias]
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
  static let parameters = [weights, Convolution.bias]
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
  static let parameters = [weights, Convolution.bias]
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
      Convolve2D.Words(
        channels: channels.word, columns: columns.word, rows: rows.word, weights: tables[0], width: width.word,
        height: height.word, keepsAlpha: keepsAlpha.word
      ).list
    }
  }
}

/// Stage `convolve_2d`: weighted sums over a rectangle of source 0's planes around each pixel, added row by row.
public enum Convolve2D {
  public struct Words: StageWords {
    /// `columns` is at most 79, so that a strip's row with the pixels around it fits a plane of scratch.
    public let channels: UInt32, columns: UInt32, rows: UInt32, weights: UInt32
    public let width: UInt32, height: UInt32, keepsAlpha: UInt32
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), channels = Int(words.channels), columns = Int(words.columns)
    let rows = Int(words.rows), weights = c.table(at: words.weights), n = s.count
    let width = Int(words.width), height = Int(words.height)
    let summed = words.keepsAlpha != 0 ? 3 : channels
    for channel in 0..<summed {
      let view = c.channels[channel], out = s.plane(channel)
      for i in 0..<s.padded { out[i] = 0 }
      for row in 0..<rows {
        let y = Neighbourhood.inside(s.y &+ row &- (rows &>> 1), height)
        let samples = Neighbourhood.row(view, y, s, reach: columns &>> 1, width: width, s.scratch(0))
        WeightedSum.run(out, n, columns, weights + row &* columns, adds: true) { samples + $0 }
      }
    }
    if summed != channels {
      let view = c.channels[3], row = (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self)
      s.alpha.update(from: row + s.x, count: n)
    }
    WeightedSum.finish(s, channels: channels)
  }
}

/// Code that stages share which read pixels around each pixel.
@usableFromInline enum Neighbourhood {
  @inlinable @inline(always) static func inside(_ i: Int, _ size: Int) -> Int {
    i > 0 ? (i < size ? i : size &- 1) : 0
  }

  /// Returns a row of a plane from `reach` pixels before a strip to `reach` after it. If it passes the border, it is a
  /// copy in `copy`, with the border's pixel repeated.
  @inlinable @inline(always) static func row(
    _ view: ChannelView, _ y: Int, _ s: Strip, reach: Int, width: Int, _ copy: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    let row = (view.base + y &* view.rowBytes).assumingMemoryBound(to: Float.self)
    let start = s.x &- reach, count = s.count &+ 2 &* reach
    if start >= 0 && start &+ count <= width { return row + start }
    for i in 0..<count { copy[i] = row[inside(start &+ i, width)] }
    return UnsafePointer(copy)
  }
}
