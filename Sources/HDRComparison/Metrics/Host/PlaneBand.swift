/// Rows of a plane of numbers, for metrics that the CPU alone computes. Sums have a fixed order, so that bands and
/// threads change no bit.
struct PlaneBand<Sample: BinaryFloatingPoint & SIMDScalar & Sendable>: Sendable {
  /// The rule for samples beyond the picture's edges.
  enum Edges {
    /// The last sample is repeated.
    case clamp
    /// The picture is mirrored, and its last sample stands twice.
    case mirror

    @inline(__always) func place(_ i: Int, _ count: Int) -> Int {
      switch self {
      case .clamp: min(max(i, 0), count - 1)
      case .mirror: i < 0 ? -1 - i : i < count ? i : 2 * count - 1 - i
      }
    }
  }

  let width: Int
  /// The rows of the picture that are here.
  let rows: Range<Int>
  private var samples: [Sample]

  /// - Parameter fill: writes the samples of a row of the picture.
  init(width: Int, rows: Range<Int>, _ fill: (_ y: Int, _ row: UnsafeMutablePointer<Sample>) -> Void) {
    (self.width, self.rows) = (width, rows)
    samples = [Sample](unsafeUninitializedCapacity: width * rows.count) { buffer, count in
      buffer.initialize(repeating: 0)
      if let base = buffer.baseAddress { for y in rows { fill(y, base + (y - rows.lowerBound) * width) } }
      count = buffer.count
    }
  }

  /// Reads a row of the picture.
  @inline(__always) func withRow<Result>(_ y: Int, _ body: (UnsafePointer<Sample>) -> Result) -> Result {
    samples.withUnsafeBufferPointer { body($0.baseAddress! + (y - rows.lowerBound) * width) }
  }

  /// Changes a row of the picture.
  @inline(__always) mutating func changeRow(_ y: Int, _ body: (UnsafeMutablePointer<Sample>) -> Void) {
    let offset = (y - rows.lowerBound) * width
    samples.withUnsafeMutableBufferPointer { body($0.baseAddress! + offset) }
  }

  /// Returns the band filtered along its rows.
  ///
  /// - Parameter taps: an odd number; with mirrored edges the picture has at least half as many columns.
  func across(_ taps: [Sample], _ edges: Edges) -> PlaneBand {
    let radius = taps.count / 2
    return withUnsafeTemporaryAllocation(of: Sample.self, capacity: width + 2 * radius) { padded in
      let first = padded.baseAddress!
      return PlaneBand(width: width, rows: rows) { y, result in
        withRow(y) { row in
          (first + radius).initialize(from: row, count: width)
          for x in 0..<radius {
            first[x] = row[edges.place(x - radius, width)]
            first[width + radius + x] = row[edges.place(width + x, width)]
          }
        }
        Self.sum(taps, to: result, count: width) { UnsafePointer(first + $0) }
      }
    }
  }

  /// Returns rows of the picture filtered along its columns.
  ///
  /// - Parameters:
  ///   - own: the rows; the band has those above and below that the taps reach.
  ///   - height: the rows of the whole picture.
  func down(_ taps: [Sample], _ edges: Edges, own: Range<Int>, height: Int) -> PlaneBand {
    let radius = taps.count / 2
    return PlaneBand(width: width, rows: own) { y, result in
      let places = taps.indices.map { (edges.place(y + $0 - radius, height) - rows.lowerBound) * width }
      samples.withUnsafeBufferPointer { samples in
        Self.sum(taps, to: result, count: width) { samples.baseAddress! + places[$0] }
      }
    }
  }

  /// Writes sums of weighted samples, added to 0 in the order of taps. They stay in registers for all taps.
  @inline(__always) private static func sum(
    _ taps: [Sample], to result: UnsafeMutablePointer<Sample>, count: Int,
    _ source: (_ tap: Int) -> UnsafePointer<Sample>
  ) {
    typealias Lanes = SIMD8<Sample>
    @inline(__always) func lanes(_ p: UnsafePointer<Sample>) -> Lanes {
      UnsafeRawPointer(p).loadUnaligned(as: Lanes.self)
    }
    @inline(__always) func store(_ sum: Lanes, _ x: Int) {
      UnsafeMutableRawPointer(result + x).storeBytes(of: sum, as: Lanes.self)
    }
    // 128 bytes of sums: as many registers as there are for them.
    let areShort = MemoryLayout<Sample>.size == 4, step = areShort ? 32 : 16
    var x = 0
    while x &+ step <= count {
      var a = Lanes(), b = Lanes(), c = Lanes(), d = Lanes()
      for (index, tap) in taps.enumerated() {
        let p = source(index) + x, weight = Lanes(repeating: tap)
        a += weight * lanes(p)
        b += weight * lanes(p + 8)
        if areShort {
          c += weight * lanes(p + 16)
          d += weight * lanes(p + 24)
        }
      }
      store(a, x)
      store(b, x &+ 8)
      if areShort {
        store(c, x &+ 16)
        store(d, x &+ 24)
      }
      x = x &+ step
    }
    while x < count {
      var sum: Sample = 0
      for (index, tap) in taps.enumerated() { sum += tap * source(index)[x] }
      result[x] = sum
      x = x &+ 1
    }
  }
}

extension Range<Int> {
  /// Returns the range with some rows more on both sides, as far as a picture has them.
  func widened(by reach: Int, height: Int) -> Range<Int> {
    Swift.max(0, lowerBound - reach)..<Swift.min(upperBound + reach, height)
  }
}
