import HDRCore
import Kernels

/// The page that both page curls roll up, from the side towards `angle`, over the input.
///
/// With n the direction, a = n.p, a0...a1 its range over the picture's corners: the page lies flat up to
/// A = a1 + 1/64 - time (a1 - a0 + radius + 1/32), and turns round a cylinder beyond: sine q = (a - A) / radius. What it
/// shows at p is n (s - (a - A)) further, s = radius asin q in front, radius (pi - asin q) behind, and pi radius + A - a
/// where it goes on flat above. The course is this project's choice.
enum PageCurl {
  static let backside = FilterParameter("backside", .input(""), "the page's other side; without it the picture too")
  static let radius = FilterParameter("radius", .number(100, 0.01...1_048_576), "of the roll, in pixels")
  static let angle = Transition.angle(0)

  /// - Parameters:
  ///   - shading: name of a sphere's picture; `nil`: the page's light falls off by 1 - 0.4 q.
  ///   - shadow: strength of the shadow on the input and its length in pixels.
  static func apply(
    _ values: FilterValues, shading: String?, shadow: (amount: Double, length: Double), to edit: inout Edit
  ) throws(PlanError) {
    let (width, height) = (edit.width, edit.height), own = edit.planes()
    func page(_ planes: PlaneRef) -> PlaneRef {
      edit.use(planes)
      edit.premultiply()
      edit.resize(width: width, height: height)
      return edit.builder.close(channels: 4)
    }
    let front = page(own), behind = values.input(backside) ?? ""
    let back = behind.isEmpty ? front : page(try edit.input(behind))
    let shade = try shading.map { (name) throws(PlanError) in try edit.sphere(name) }
    var ground = page(try edit.input(values.input(Compositing.input) ?? ""))
    let (c, s) = ExactMath.cosSin(degrees: values.value(angle)), ends = (x: c * Double(width), y: -s * Double(height))
    let low = min(ends.x, 0) + min(ends.y, 0), high = max(ends.x, 0) + max(ends.y, 0), r = values.value(radius)
    let line = high + 1.0 / 64 - values.value(Dissolve.time) * (high - low + r + 1.0 / 32)
    for (side, sheet) in [(PageCurlStage.Side.front, front), (.back, back)] {
      edit.use(ground)
      if sheet.hasAlpha { edit.makeTransparent() }
      let source = edit.read(sheet, rows: .all(height: height, of: height))
      var light: (source: Int, width: Int, height: Int)?
      if let shade {
        light = (edit.read(shade, rows: .all(height: height, of: shade.height)), shade.width, shade.height)
      }
      let strength = side == .front ? shadow.amount : 0
      edit.stage(.pageCurl, tables: [PageCurlStage.turn.words]) { [light] tables in
        PageCurlStage.words(
          side, sheet: source, shade: light, width: width, height: height, direction: (c, -s), line: line, radius: r,
          shadow: (strength, shadow.length), turn: tables[0])
      }
      if side == .front { ground = edit.builder.close(channels: 4) }
    }
    edit.unpremultiply()
  }
}

/// Rolls the picture up as a page, over the input, lit like a sphere's picture.
enum PageCurlTransition: Filter {
  static let name = "page-curl-transition"
  static let summary = "from the picture to the input: a page that is rolled up"
  static let category = FilterCategory.transition
  static let shading = FilterParameter(
    "shading", .input(""), "a lit sphere in a square, 0.5 adds nothing; without it the roll is darker on top")
  static let parameters = [
    Compositing.input, PageCurl.backside, shading, Dissolve.time, PageCurl.angle, PageCurl.radius,
  ]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  /// Returns the largest headroom of the pictures, plus the shading's light.
  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    guard let largest = largest(values, content, inputs) else { return nil }
    let name = values.input(shading) ?? ""
    if name.isEmpty { return largest }
    return inputs(name).map { Headroom(factor: largest.factor + 2 * $0.factor - 1) }
  }

  /// Returns the largest headroom of picture, input and the page's back.
  static func largest(_ values: FilterValues, _ content: Headroom, _ inputs: (String) -> Headroom?) -> Headroom? {
    let back = values.input(PageCurl.backside) ?? ""
    guard let both = Compositing.larger(values, content, inputs), let other = back.isEmpty ? content : inputs(back)
    else { return nil }
    return max(both, other)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let name = values.input(shading) ?? ""
    try PageCurl.apply(values, shading: name.isEmpty ? nil : name, shadow: (0, 1), to: &edit)
  }
}
