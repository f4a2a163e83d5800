import HDRCore

/// The shapes of the morphological filters. Each component of premultiplied colour, and alpha, becomes its largest or
/// smallest value over a shape around the pixel. Beyond the border the border's pixels repeat. Light of any size is
/// kept: results are values of the picture.
enum Morphology {
  static let radius = FilterParameter("radius", .number(5, 0...50), "of a disc of whole pixels, centre to centre")
  static let width = FilterParameter("width", .number(5, 1...501), "of the rectangle; the nearest odd number of pixels")
  static let height = FilterParameter("height", .number(5, 1...501), "its height, likewise")

  /// A row of the shape: `count` pixels from (x, y) on, relative to the result's pixel.
  struct Row {
    var y: Int
    var x: Int
    var count: Int
  }

  /// Returns the pixels whose centres are no further away than the radius.
  static func disc(_ radius: Double) -> [Row] {
    let reach = Int(radius)
    return (-reach...reach).map { y in
      var x = 0
      while Double((x + 1) * (x + 1) + y * y) <= radius * radius { x += 1 }
      return Row(y: y, x: -x, count: 2 * x + 1)
    }
  }

  static func odd(_ size: Double) -> Int { 2 * Int(((size - 1) / 2).rounded()) + 1 }

  static func overDisc(_ kind: MorphologyStage.Kind, _ values: FilterValues, to edit: inout Edit) {
    edit.premultiply()
    edit.morphology(kind, disc(values.value(radius)))
    edit.unpremultiply()
  }

  /// Works along rows, then along columns.
  static func overRectangle(_ kind: MorphologyStage.Kind, _ values: FilterValues, to edit: inout Edit) {
    let w = odd(values.value(width)), h = odd(values.value(height))
    if w == 1 && h == 1 { return }
    edit.premultiply()
    if w > 1 { edit.morphology(kind, [Row(y: 0, x: -(w / 2), count: w)]) }
    if h > 1 { edit.morphology(kind, (-(h / 2)...h / 2).map { Row(y: $0, x: 0, count: 1) }) }
    edit.unpremultiply()
  }
}

extension Edit {
  mutating func morphology(_ kind: MorphologyStage.Kind, _ rows: [Morphology.Row]) {
    let (width, height) = (width, height)
    let table: [UInt32] = rows.flatMap { row in [row.y.word, row.x.word, row.count.word, 0] }
    load(
      "morphology", .morphology, width: width, height: height,
      rows: .around(height: height, reach: rows.map { abs($0.y) }.max() ?? 0), tables: [table]
    ) { channels, tables in
      MorphologyStage.Words(
        channels: channels.word, kind: Choice(kind), rows: rows.count.word, table: tables[0], width: width.word,
        height: height.word
      ).list
    }
  }
}

/// Stage `morphology`, a load: the largest or smallest value of each plane of source 0's pixels in rows around each
/// pixel, or for colours the difference of both. Without a fourth plane A = 1.
///
/// Values are compared as in `Extreme`. A run is the extreme of two runs half as long: log2 of the length are computed.
public enum MorphologyStage {
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    case minimum, maximum, gradient
  }

  public struct Words: StageWords {
    public let channels: UInt32, kind: Choice<Kind>
    /// Four words a row: y, x, count, 0.
    public let rows: UInt32, table: UInt32
    public let width: UInt32, height: UInt32
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), channels = Int(words.channels), kind = words.kind.value, n = s.count
    for channel in 0..<channels {
      let out = s.plane(channel)
      extreme(s, c, channel, flip: kind == .minimum ? -1 : 0, to: out)
      if kind == .gradient && channel < 3 {
        let least = s.scratch(8)
        extreme(s, c, channel, flip: -1, to: least)
        for i in 0..<n { out[i] = out[i] - least[i] }
      }
    }
    WeightedSum.finish(s, channels: channels)
  }

  /// Writes the largest value of a plane, or with `flip` -1 the smallest.
  @inlinable @inline(always) static func extreme(
    _ s: Strip, _ c: StageContext, _ channel: Int, flip: Int32, to out: UnsafeMutablePointer<Float>
  ) {
    let words = c.words(Words.self), table = c.tables + Int(words.table), view = c.channels[channel], n = s.count
    let width = Int(words.width), height = Int(words.height)
    // A row with the pixels around it takes two planes of scratch.
    let best = UnsafeMutableRawPointer(s.scratch(6)).assumingMemoryBound(to: Int32.self)
    let runs = UnsafeMutableRawPointer(s.scratch(3)).assumingMemoryBound(to: Int32.self)
    for i in 0..<n { best[i] = Int32.min }
    for row in 0..<Int(words.rows) {
      let entry = table + 4 &* row
      let dy = Int(Int32(bitPattern: entry[0])), dx = Int(Int32(bitPattern: entry[1])), count = Int(entry[2])
      let reach = 0 &- dx
      let samples = UnsafeRawPointer(
        Neighbourhood.row(
          view, Neighbourhood.inside(s.y &+ dy, height), s, reach: reach, width: width, s.scratch(0))
      ).assumingMemoryBound(to: UInt32.self)
      var there = n &+ count &- 1, length = 1
      for i in 0..<there { runs[i] = Extreme.key(samples[i]) ^ flip }
      while length &* 2 <= count {
        there = there &- length
        for i in 0..<there { runs[i] = runs[i] > runs[i &+ length] ? runs[i] : runs[i &+ length] }
        length = length &* 2
      }
      let rest = count &- length
      for i in 0..<n {
        let a = runs[i] > runs[i &+ rest] ? runs[i] : runs[i &+ rest]
        best[i] = best[i] > a ? best[i] : a
      }
    }
    for i in 0..<n { out[i] = Float(bitPattern: UInt32(bitPattern: Extreme.key(UInt32(bitPattern: best[i] ^ flip)))) }
  }
}
