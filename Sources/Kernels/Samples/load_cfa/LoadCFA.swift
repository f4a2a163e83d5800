import HDRCore

/// Stage `load_cfa`: samples behind colour filters of source 0 as R, G, B. They are sums of the 5×5 samples around
/// each, with the weights of the place in the filters' pattern (`LinearDemosaic`), added row by row.
///
/// Samples are codes of 16 bits, whose linear values are (code - black) × scale, at most 1; or one plane of linear values.
/// Beyond borders places are mirrored as `LinearDemosaic.mirrored` says.
public enum LoadCFA: KernelStage {
  package static let readsColumns = true
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let isLinear: UInt32
    /// The sides of the pattern, and 2^16 over each, rounded up.
    public let columns: UInt32, rows: UInt32, columnInverse: UInt32, rowInverse: UInt32
    /// The offsets of `places` of both axes and of `patterns`.
    public let columnPlaces: UInt32, rowPlaces: UInt32, patterns: UInt32
  }

  /// The samples on each side of a pixel that its sums reach; beyond borders further ones, at most `reach`.
  static let around = 2
  package static let reach = ColorFilterArray.maxSide - 1

  /// Returns the common pattern of filters and black; `nil` if it is too large for one table.
  private static func sides(_ filters: ColorFilterArray, _ levels: SensorLevels) -> (rows: Int, columns: Int)? {
    func common(_ a: Int, _ b: Int) -> Int? {
      stride(from: a, through: ColorFilterArray.maxSide, by: a).first { $0 % b == 0 }
    }
    guard let rows = common(filters.rows, levels.repeatRows),
      let columns = common(filters.columns, levels.repeatColumns)
    else { return nil }
    return (rows, columns)
  }

  /// Returns true if the stage itself can make linear values of codes.
  package static func holds(_ levels: SensorLevels, _ filters: ColorFilterArray) -> Bool {
    levels.linearization.isEmpty && levels.deltaRows.isEmpty && levels.deltaColumns.isEmpty
      && sides(filters, levels) != nil
  }

  /// - Parameter levels: the levels of codes, which `holds`; `nil`: samples are linear values.
  package static func words(
    width: Int, height: Int, _ filters: ColorFilterArray, _ levels: SensorLevels?, table: ([UInt32]) -> UInt32
  ) -> [UInt32] {
    let known = levels ?? SensorLevels(white: [1])
    let (rows, columns) = sides(filters, known) ?? (filters.rows, filters.columns)
    let patterns = patterns(LinearDemosaic(filters), known, rows: rows, columns: columns)
    return Parameters(
      isLinear: (levels == nil).word, columns: columns.word, rows: rows.word,
      columnInverse: inverse(columns).word, rowInverse: inverse(rows).word,
      columnPlaces: table(places(width, mirror: filters.columns, period: columns)),
      rowPlaces: table(places(height, mirror: filters.rows, period: rows)), patterns: table(patterns)
    ).list
  }

  private static func inverse(_ side: Int) -> Int { (65_536 + side - 1) / side }

  /// Returns each place of an axis, from `around` before the first on: the place inside, and above 24 bits its place in
  /// the pattern.
  static func places(_ size: Int, mirror: Int, period: Int) -> [UInt32] {
    (-around..<size + around).map {
      let inside = LinearDemosaic.mirrored($0, size, period: mirror)
      return (inside | (inside % period) << 24).word
    }
  }

  /// Makes four words for each place of the pattern: black, scale, number of its first tap's word, number of taps. Then
  /// taps of four words: column and row from the pixel's, plus `around`, in 8 bits each; weights for R, G, B.
  ///
  /// All places have the same number of taps, the last ones perhaps without weights: SwiftShader ends a loop for all
  /// pixels of a group when it ends for one.
  static func patterns(_ demosaic: LinearDemosaic, _ levels: SensorLevels, rows: Int, columns: Int) -> [UInt32] {
    let side = LinearDemosaic.side
    let places = (0..<rows * columns).map { place in
      (0..<3).map { Array(demosaic.weights(x: place % columns, y: place / columns, color: $0)) }
    }
    let used = places.map { weights in weights[0].indices.filter { tap in weights.contains { $0[tap] != 0 } } }
    let most = used.map(\.count).max() ?? 0
    var heads: [UInt32] = [], taps: [UInt32] = []
    for (place, weights) in places.enumerated() {
      heads += [
        levels.black(x: place % columns, y: place / columns).word, levels.scale().word,
        (4 * rows * columns + taps.count).word, most.word,
      ]
      for tap in used[place] { taps += [(tap % side | (tap / side) << 8).word] + weights.map { $0[tap].word } }
      for _ in used[place].count..<most { taps += [(around | around << 8).word, 0, 0, 0] }
    }
    return heads + taps
  }

  /// An axis of the picture along a strip: step, length of the pattern, places from the strip's first on.
  @usableFromInline struct Axis {
    @usableFromInline let step: Int, period: Int, inverse: Int
    @usableFromInline let places: UnsafePointer<UInt32>

    @inlinable @inline(always) init(
      step: Int, period: UInt32, inverse: UInt32, table: UnsafePointer<UInt32>, first: Int
    ) {
      (self.step, self.period, self.inverse) = (step, Int(period), Int(inverse))
      places = table + (first &+ 2)
    }

    @inlinable @inline(always) func entry(_ i: Int) -> UInt32 { places[i &* step] }
    /// Returns the place in the pattern of the `i`th sample, -2 or more, where it is inside.
    @inlinable @inline(always) func phase(_ i: Int) -> Int {
      var at = Int(places[0] &>> 24) &+ i &* step
      while at < 0 { at = at &+ period }
      while at >= period { at = at &- period }
      return at
    }
    /// Returns a count divided by the period, rounded up.
    @inlinable @inline(always) func times(into count: Int) -> Int { ((count &+ period &- 1) &* inverse) &>> 16 }
  }

  /// The samples of source 0, and the numbers that make them linear.
  @usableFromInline struct Samples {
    @usableFromInline let view: ChannelView, patterns: UnsafePointer<UInt32>, columns: Int, isLinear: Bool

    @inlinable @inline(always) init(
      view: ChannelView, patterns: UnsafePointer<UInt32>, columns: Int, isLinear: Bool
    ) {
      (self.view, self.patterns, self.columns, self.isLinear) = (view, patterns, columns, isLinear)
    }

    @inlinable @inline(always) func pattern(row: Int, column: Int) -> UnsafePointer<UInt32> {
      patterns + 4 &* (row &* columns &+ column)
    }

    @inlinable @inline(always) static func linear(_ code: UInt32, _ black: Float, _ scale: Float) -> Float {
      let value = (Float(Int32(bitPattern: code)) - black) * scale
      return value < 1 ? value : 1
    }

    /// Returns the linear value at the entries of both axes' places.
    @inlinable @inline(always) func value(column: UInt32, row: UInt32) -> Float {
      let x = Int(column & 0xff_ffff), y = Int(row & 0xff_ffff)
      let at = view.base + (y &* view.rowBytes &+ x &* view.stepBytes)
      if isLinear { return at.loadUnaligned(as: Float.self) }
      let p = pattern(row: Int(row &>> 24), column: Int(column &>> 24))
      return Self.linear(
        UInt32(at.loadUnaligned(as: UInt16.self)), Float(bitPattern: p[0]), Float(bitPattern: p[1]))
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    if let ahead = c.ahead, ahead.pointee.fill(s, channels: 3) {
      WeightedSum.finish(s, channels: 3)
      return
    }
    let words = c.words(Parameters.self), m = c.mapping, from = c.source(s.x, s.y), alongX = m.columnX != 0
    let x = Axis(
      step: alongX ? m.columnX : m.rowX, period: words.columns, inverse: words.columnInverse,
      table: c.tables + Int(words.columnPlaces), first: from.x)
    let y = Axis(
      step: alongX ? m.rowY : m.columnY, period: words.rows, inverse: words.rowInverse,
      table: c.tables + Int(words.rowPlaces), first: from.y)
    let samples = Samples(
      view: c.channels[0], patterns: c.tables + Int(words.patterns), columns: Int(words.columns),
      isLinear: words.isLinear != 0)
    // Rows of the result that share most of their samples are made together.
    let isTile = (c.ahead.map { s.y &+ RowsAhead.most < $0.pointee.end }) ?? false
    let rows = isTile ? 1 &+ RowsAhead.most : 1
    let along = alongX ? x : y, across = alongX ? y : x
    let outputs = (along.times(into: s.count) &+ 7) & ~7, apart = outputs &+ 4
    for line in 0..<rows &+ 4 {
      load(
        samples, line, along, across, alongX: alongX, count: s.count, apart: apart, to: s.scratch(line))
    }
    let period = along.period, sums = s.scratch(8)
    for row in 0..<rows {
      for color in 0..<3 {
        for first in 0..<period {
          let place = alongX ? (y.phase(row), x.phase(first)) : (y.phase(first), x.phase(row))
          let taps = gather(
            samples.patterns, samples.pattern(row: place.0, column: place.1), color, s, row: row, first: first, apart,
            period, x: x.step, y: y.step, alongX: alongX)
          let pointers = pointers(s)
          WeightedSum.run(sums + first &* outputs, outputs, taps, s.scratch(12)) { pointers[$0] }
        }
        let out = row == 0 ? s.plane(color) : c.ahead!.pointee.plane(row &- 1, color)
        interleave(sums, outputs, period, to: out, s.count)
      }
    }
    if isTile { c.ahead?.pointee.keep(after: s) }
    WeightedSum.finish(s, channels: 3)
  }

  /// Returns the memory in which `gather` stores places of samples.
  @inlinable @inline(always) static func pointers(_ s: Strip) -> UnsafeMutablePointer<UnsafePointer<Float>> {
    UnsafeMutableRawPointer(s.scratch(10)).assumingMemoryBound(to: UnsafePointer<Float>.self)
  }

  /// Loads one line of samples, those of each place in the pattern side by side: sample `first + period × j`, from 2
  /// before the strip on, at `first × apart + j`.
  @inlinable @inline(always) static func load(
    _ samples: Samples, _ line: Int, _ along: Axis, _ across: Axis, alongX: Bool, count: Int, apart: Int,
    to: UnsafeMutablePointer<Float>
  ) {
    let n = count &+ 4, period = along.period, beside = across.entry(line &- 2)
    var from = 0, end = 0
    if period == 2 && alongX && along.step == 1 && !samples.isLinear && samples.view.stepBytes == 2 {
      // Pairs of codes inside the picture, a word each; the rest goes one by one.
      let start = Int(along.entry(0) & 0xff_ffff) &- 2
      from = start < 0 ? 2 : 0
      end = Swift.max(from, Swift.min(n, samples.view.width &- start) & ~1)
      let row = samples.view.base + Int(beside & 0xff_ffff) &* samples.view.rowBytes
      let pairs = row + 2 &* (start &+ from), h = from &>> 1, wide = (end &- from) &>> 1
      let even = samples.pattern(row: Int(beside &>> 24), column: along.phase(0))
      let odd = samples.pattern(row: Int(beside &>> 24), column: along.phase(1))
      let evenBlack = Float(bitPattern: even[0]), evenScale = Float(bitPattern: even[1])
      let oddBlack = Float(bitPattern: odd[0]), oddScale = Float(bitPattern: odd[1])
      let evens = to + h, odds = to + (apart &+ h)
      for j in 0..<wide {
        let two = (pairs + 4 &* j).loadUnaligned(as: UInt32.self)
        evens[j] = Samples.linear(two & 0xffff, evenBlack, evenScale)
        odds[j] = Samples.linear(two &>> 16, oddBlack, oddScale)
      }
    }
    for first in 0..<period {
      let own = to + first &* apart
      var i = first, j = 0
      while i < n {
        if i == from && end > from || i == from &+ 1 && end > from {
          // Period 2.
          j = j &+ (end &- from) &>> 1
          i = i &+ (end &- from)
          continue
        }
        let at = along.entry(i &- 2)
        own[j] = alongX ? samples.value(column: at, row: beside) : samples.value(column: beside, row: at)
        j = j &+ 1
        i = i &+ period
      }
      while j < apart {
        own[j] = 0
        j = j &+ 1
      }
    }
  }

  /// Stores the samples' places for a colour at the `first` of each pattern of a row; in scratch 12 their weights.
  ///
  /// - Parameter head: the head of the place in the pattern.
  /// - Returns: the number of samples.
  @inlinable @inline(always) static func gather(
    _ patterns: UnsafePointer<UInt32>, _ head: UnsafePointer<UInt32>, _ color: Int, _ s: Strip, row: Int, first: Int,
    _ apart: Int, _ period: Int, x: Int, y: Int, alongX: Bool
  ) -> Int {
    let taps = patterns + Int(head[2]), weights = s.scratch(12), pointers = pointers(s)
    var count = 0
    for tap in 0..<Int(head[3]) {
      let t = taps + 4 &* tap, weight = Float(bitPattern: t[1 &+ color])
      if weight == 0 { continue }
      let right = (Int(t[0] & 0xff) &- 2) &* x, down = (Int(t[0] &>> 8) &- 2) &* y
      var at = first &+ 2 &+ (alongX ? right : down), j = 0
      while at >= period {
        at = at &- period
        j = j &+ 1
      }
      pointers[count] = UnsafePointer(s.scratch(row &+ 2 &+ (alongX ? down : right))) + (at &* apart &+ j)
      weights[count] = weight
      count = count &+ 1
    }
    return count
  }

  /// Puts the results of each place in the pattern in their order.
  @inlinable @inline(always) static func interleave(
    _ sums: UnsafePointer<Float>, _ outputs: Int, _ period: Int, to out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if period == 2 {
      let sums = UnsafeRawPointer(sums)
      for j in stride(from: 0, to: outputs, by: 8) {
        var both = SIMD16<Float>()
        both.evenHalf = (sums + 4 &* j).loadUnaligned(as: SIMD8<Float>.self)
        both.oddHalf = (sums + 4 &* (outputs &+ j)).loadUnaligned(as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(out + 2 &* j).storeBytes(of: both, as: SIMD16<Float>.self)
      }
      return
    }
    for first in 0..<period {
      let own = sums + first &* outputs
      var i = first, j = 0
      while i < count {
        out[i] = own[j]
        i = i &+ period
        j = j &+ 1
      }
    }
  }
}
