import HDRCore

/// Stage `page_curl`: one side of a page that is rolled up from a side, laid over the picture. Premultiplied.
///
/// The page lies flat up to a line, and turns round a cylinder beyond it. Its front is what lies flat and the first quarter
/// of the turn; its back is the second quarter, and the page that goes on flat above.
public enum PageCurlStage: KernelStage {
  package static let readsColumns = true
  package static let readsScattered = true
  package static let operations = 256
  package static let boundNumbers: Set<String> = ["middleX", "middleY"]

  /// The angle whose cosine is 1 less the argument.
  package static let turn = CurveTable(octaves: -26..<1, k: 6) { w in
    ExactMath.degrees(y: max(2 * w - w * w, 0).squareRoot(), x: 1 - w) * (3.141592653589793 / 180)
  }

  public enum Side: Int, Sendable, Hashable, CaseIterable {
    case front, back
  }

  public struct Parameters: StageParameters {
    /// The sources of the page and of a sphere's light; 0 for no sphere.
    public let sheet: UInt32, shade: UInt32, side: Choice<Side>
    public let width: UInt32, height: UInt32
    /// The direction from which the page is rolled up, and how far the pixel (0, 0) lies beyond the line.
    public let alongX: Float, alongY: Float, start: Float, radius: Float, inverse: Float
    /// The shadow on the picture beyond the line: its strength, and 1 / its length.
    public let shadow: Float, slope: Float
    /// From the sine of the turn to pixel numbers of the sphere, whose last column and row are twice its middle.
    public let acrossX: Float, middleX: Float, acrossY: Float, middleY: Float, turn: CurveWords
  }

  /// - Parameters:
  ///   - direction: a unit vector, y down.
  ///   - line: the line's distance from the picture's corner along it.
  ///   - shade: source and size.
  package static func words(
    _ side: Side, sheet: Int, shade: (source: Int, width: Int, height: Int)?, width: Int, height: Int,
    direction: (x: Double, y: Double), line: Double, radius: Double, shadow: (amount: Double, length: Double),
    turn offset: UInt32
  ) -> [UInt32] {
    let shade = shade ?? (0, 1, 1), (x, y) = direction
    return Parameters(
      sheet: sheet.word, shade: shade.source.word, side: Choice(side), width: width.word, height: height.word,
      alongX: Float(x), alongY: Float(y), start: Float((x + y) / 2 - line), radius: Float(radius),
      inverse: Float(1 / radius),
      shadow: Float(shadow.amount), slope: Float(1 / shadow.length), acrossX: Float(x * Double(shade.width) / 2),
      middleX: Float(Double(shade.width - 1) / 2), acrossY: Float(y * Double(shade.height) / 2),
      middleY: Float(Double(shade.height - 1) / 2), turn: CurveWords(turn, offset: offset)
    ).list
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), n = s.padded, beyond = s.scratch(0), rest = s.scratch(1), arc = s.scratch(2)
    let row = Float(Int32(truncatingIfNeeded: s.y)), first = Int32(truncatingIfNeeded: s.x)
    for i in 0..<n {
      let x = Float(first &+ Int32(truncatingIfNeeded: i))
      beyond[i] = (words.alongX * x + words.alongY * row) + words.start
      let q = beyond[i] * words.inverse, low: Float = q > 0 ? q : 0
      rest[i] = 1 - (low < 1 ? low : 1)
    }
    CurveTable.lookup(
      c.table(at: words.turn.table), from: rest, to: arc, n, words.turn.domain, index: s.scratch(3),
      fraction: s.scratch(4))
    let isBack = words.side.value == .back, width = Int(words.width), height = Int(words.height)
    let right = Float(Int32(truncatingIfNeeded: width)) - 0.5, foot = Float(Int32(truncatingIfNeeded: height)) - 0.5
    let sheet = c.channels + 4 &* Int(words.sheet), shade = c.channels + 4 &* Int(words.shade)
    let columns = Int(Int32(2 * words.middleX)) &+ 1, rows = Int(Int32(2 * words.middleY)) &+ 1
    for i in 0..<s.count {
      let e = beyond[i], w = rest[i], toTop: Float = w > 0 ? arc[i] : 0,
        x = Float(first &+ Int32(truncatingIfNeeded: i))
      let turned: Float = isBack ? 0x1.921fb6p+0 + toTop : 0x1.921fb6p+0 - toTop
      let flat: Float = isBack ? words.radius * 0x1.921fb6p+1 - e : e
      let shift = (e > 0 ? words.radius * turned : flat) - e
      let mx = x + words.alongX * shift, my = row + words.alongY * shift
      let isInside = mx >= -0.5 && mx < right && my >= -0.5 && my < foot
      if e <= words.radius && isInside {
        var q = Bilinear(mx, my, width, height).value(sheet, 4, pixel)
        if e > 0 {
          let sine = 1 - w, alpha = q.w
          if words.shade == 0 {
            q = q * (1 - 0.4 * sine)
          } else {
            let light = Bilinear(
              sine * words.acrossX + words.middleX, sine * words.acrossY + words.middleY, columns,
              rows
            ).value(shade, 4, pixel)
            q = q + (2 * light - SIMD4(repeating: light.w)) * alpha
          }
          q.w = alpha
        }
        s.put(q, i)
        continue
      }
      let u = (e - words.radius) * words.slope, low: Float = u > 0 ? u : 0, t: Float = low < 1 ? low : 1
      let light: Float = e > 0 ? 1 - words.shadow * (1 - (t * t) * (3 - 2 * t)) : 1
      s.put(SIMD4(s.red[i] * light, s.green[i] * light, s.blue[i] * light, s.alpha[i]), i)
    }
    s.spread()
  }
}
