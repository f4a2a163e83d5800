/// Rows of a plane of numbers, for metrics that the CPU alone computes. Sums have a fixed order, so that bands and
/// threads change no bit.
struct PlaneBand<Sample: RowSample>: Sendable {
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
  /// The samples from a row to the next: an odd number of cache lines of 64 bytes, so that the rows of a column do not
  /// compete for the same places of the cache.
  private let pitch: Int
  private var samples: [Sample]

  /// - Parameter fill: writes the samples of a row of the picture.
  init(width: Int, rows: Range<Int>, _ fill: (_ y: Int, _ row: UnsafeMutablePointer<Sample>) -> Void) {
    (self.width, self.rows) = (width, rows)
    let line = 64 / MemoryLayout<Sample>.stride, pitch = ((width + line - 1) / line | 1) * line
    self.pitch = pitch
    samples = [Sample](unsafeUninitializedCapacity: pitch * rows.count) { buffer, count in
      buffer.initialize(repeating: 0)
      if let base = buffer.baseAddress { for y in rows { fill(y, base + (y - rows.lowerBound) * pitch) } }
      count = buffer.count
    }
  }

  /// Reads a row of the picture.
  @inline(__always) func withRow<Result>(_ y: Int, _ body: (UnsafePointer<Sample>) -> Result) -> Result {
    samples.withUnsafeBufferPointer { body($0.baseAddress! + (y - rows.lowerBound) * pitch) }
  }

  /// Changes a row of the picture.
  @inline(__always) mutating func changeRow(_ y: Int, _ body: (UnsafeMutablePointer<Sample>) -> Void) {
    let offset = (y - rows.lowerBound) * pitch
    samples.withUnsafeMutableBufferPointer { body($0.baseAddress! + offset) }
  }

  /// Writes a row of the picture filtered along its columns.
  ///
  /// - Parameters:
  ///   - y: a row that is here, as are those above and below that the taps reach.
  ///   - height: the rows of the whole picture.
  func down(
    _ taps: SymmetricTaps<Sample>, _ edges: Edges, row y: Int, height: Int, to result: UnsafeMutablePointer<Sample>
  ) {
    samples.withUnsafeBufferPointer { samples in
      taps.filter(to: result, count: width) { tap in
        let row = edges.place(y + tap, height) - rows.lowerBound
        return samples.baseAddress! + row * pitch
      }
    }
  }
}

extension Range<Int> {
  /// Returns the range with some rows more on both sides, as far as a picture has them.
  func widened(by reach: Int, height: Int) -> Range<Int> {
    Swift.max(0, lowerBound - reach)..<Swift.min(upperBound + reach, height)
  }
}
