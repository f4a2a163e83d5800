import HDRCore
import Kernels

extension Compositing {
  static let input = FilterParameter("input", .input(nil), "the picture on top")
  static let offset = FilterParameter(
    "offset", .vector([0, 0], size: 2, -1_048_576...1_048_576), "x, y of its top left corner in pixels")
  static let fit = FilterParameter(
    "fit", .choice("none", ["none", "stretch"]), "its own size, or stretched to the picture's")
  static let parameters = [input, offset, fit]
  /// The parameter `fit` of filters whose input normally covers the picture.
  static let covering = FilterParameter(
    "fit", .choice("stretch", ["none", "stretch"]), "inputs: their own size, or stretched to the picture's")

  static func larger(
    _ values: FilterValues, _ content: Headroom, _ inputs: (String) -> Headroom?
  ) -> Headroom? {
    values.input(input).flatMap(inputs).map { max($0, content) }
  }

  static func apply(_ mode: Mode, _ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let picture = edit.planes(), top = try edit.foreground(values)
    edit.use(picture)
    let at = values.vector(offset) ?? [0, 0], x = Int(at[0].rounded()), y = Int(at[1].rounded())
    edit.premultiply()
    let source = edit.read(top, rows: edit.rows(of: top, from: y))
    edit.stage(.composite, words(mode, source: source, x: x, y: y, width: top.width, height: top.height))
    switch mode {
    // Over an opaque picture these stay opaque.
    case .sourceOver, .addition, .maximum, .sourceAtop: break
    case .sourceOut: edit.makeTransparent()
    case .multiply, .minimum, .sourceIn, .absoluteDifference:
      if !top.covers(width: edit.width, height: edit.height, x: x, y: y) { edit.makeTransparent() }
    }
    edit.unpremultiply()
  }
}

extension PlaneRef {
  /// True if it hides all of a picture of a size in which its own top left corner lies at (x, y).
  func covers(width: Int, height: Int, x: Int = 0, y: Int = 0) -> Bool {
    !hasAlpha && x <= 0 && y <= 0 && x + self.width >= width && y + self.height >= height
  }
}

extension Edit {
  /// Returns the input of a compositing filter, in the picture's size if it is to be stretched.
  mutating func foreground(
    _ values: FilterValues, fit: FilterParameter = Compositing.fit, isPremultiplied: Bool = true
  ) throws(PlanError) -> PlaneRef {
    let (width, height, own) = (width, height, planes())
    use(try input(values.input(Compositing.input) ?? ""))
    premultiply()
    if values.choice(fit) == "stretch" { resize(width: width, height: height) }
    if !isPremultiplied { unpremultiply() }
    let result = builder.close(channels: 4)
    use(own)
    return result
  }

  /// Returns the rows of a picture whose top row is row `y` of this one, for `read`.
  func rows(of planes: PlaneRef, from y: Int = 0) -> RowScale {
    let rows = (0..<height).map { Int32(min(max($0 - y, 0), planes.height - 1)) }
    return RowScale(firstRow: rows, lastRow: rows)
  }
}
