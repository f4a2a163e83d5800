/// What the filters that put an input over the picture share: where it lies, and the stage that joins them.
///
/// Stage `composite`: R, G, B, A premultiplied are the background B; the planes of a source, premultiplied, the foreground
/// S. Outside the foreground it is transparent black.
public enum Compositing {
  public enum Mode: Int, Sendable, Hashable {
    case sourceOver, addition, multiply, minimum, maximum
  }

  static let input = FilterParameter("input", .input(nil), "the picture on top")
  static let offset = FilterParameter(
    "offset", .vector([0, 0], size: 2, -1_048_576...1_048_576), "x, y of its top left corner in pixels")
  static let fit = FilterParameter(
    "fit", .choice("none", ["none", "stretch"]), "its own size, or stretched to the picture's")
  static let parameters = [input, offset, fit]

  static func larger(
    _ values: FilterValues, _ content: Headroom, _ inputs: (String) -> Headroom?
  ) -> Headroom? {
    values.input(input).flatMap(inputs).map { max($0, content) }
  }

  static func apply(_ mode: Mode, _ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let picture = edit.planes(), planes = try edit.foreground(values)
    edit.use(picture)
    let at = values.vector(offset) ?? [0, 0], x = Int(at[0].rounded()), y = Int(at[1].rounded())
    edit.premultiply()
    let source = edit.read(
      planes,
      rows: RowScale(
        firstRow: (0..<edit.height).map { Int32(min(max($0 - y, 0), planes.height - 1)) },
        lastRow: (0..<edit.height).map { Int32(min(max($0 - y, 0), planes.height - 1)) }))
    edit.stage(
      .composite, words(mode, source: source, x: x, y: y, width: planes.width, height: planes.height))
    // Over an opaque picture all but these stay opaque.
    if mode == .multiply || mode == .minimum { edit.makeTransparent() }
    edit.unpremultiply()
  }

  public static func words(_ mode: Mode, source: Int, x: Int, y: Int, width: Int, height: Int) -> [UInt32] {
    [mode.rawValue.word, source.word, x.word, y.word, width.word, height.word]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let channels = c.channels + 4 &* c.int(1), y = s.y &- c.int(3), x = s.x &- c.int(2)
    let from = Swift.max(0, 0 &- x), to = Swift.min(s.count, c.int(4) &- x)
    let isRow = y >= 0 && y < c.int(5) && from < to
    for channel in 0..<4 {
      let top = s.scratch(channel)
      for i in 0..<s.padded { top[i] = 0 }
      if isRow {
        let v = channels[channel]
        let row = (v.base + y &* v.rowBytes).assumingMemoryBound(to: Float.self)
        for i in from..<to { top[i] = row[x &+ i] }
      }
    }
    let topAlpha = s.scratch(3), n = s.padded
    for channel in 0..<4 {
      let b = s.plane(channel), t = s.scratch(channel)
      switch c.int(0) {
      case 0: for i in 0..<n { b[i] = t[i] + b[i] * (1 - topAlpha[i]) }
      case 1: for i in 0..<n { b[i] = t[i] + b[i] }
      case 2: for i in 0..<n { b[i] = t[i] * b[i] }
      case 3: for i in 0..<n { b[i] = t[i] < b[i] ? t[i] : b[i] }
      default: for i in 0..<n { b[i] = t[i] > b[i] ? t[i] : b[i] }
      }
    }
    let a = s.alpha
    for i in 0..<n {
      let low: Float = a[i] > 0 ? a[i] : 0
      a[i] = low < 1 ? low : 1
    }
  }
}

extension Edit {
  /// The input of a compositing filter, premultiplied, in the picture's size where it is to be stretched.
  mutating func foreground(_ values: FilterValues) throws(PlanError) -> PlaneRef {
    let (width, height, own) = (width, height, planes())
    let name = values.input(Compositing.input) ?? ""
    use(try input(name))
    premultiply()
    if values.choice(Compositing.fit) == "stretch" { resize(width: width, height: height) }
    let result = builder.close(channels: 4)
    use(own)
    return result
  }
}
