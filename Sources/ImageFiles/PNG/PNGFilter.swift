import FileParts
import HDRCore

/// A filter that makes PNG scanlines of R G B A rows. Source: PNG (third edition) clause 9.
struct PNGFilter {
  let rows: PixelRows
  let line: PNGLine

  /// The bytes of a scanline with its filter byte.
  var lineBytes: Int { line.byteCount }

  typealias Kind = PNGLine.Filter

  /// Writes scanlines `range` with filter Up. The buffer needs 8 spare bytes at its end, which `PixelBuffer` has.
  ///
  /// Up is used because it is one subtraction of whole words (2 ns a pixel). A 16-bit photograph is only 3 % larger
  /// than with filters chosen row by row.
  func up(_ range: Range<Int>, into output: UnsafeMutableRawPointer) {
    for y in range {
      line.up(
        rows.row(y), above: y == 0 ? nil : rows.row(y - 1), into: output + (y - range.lowerBound) * lineBytes)
    }
  }

  /// Returns all scanlines, each with the filter whose bytes, taken as signed, have the smallest sum of magnitudes (the
  /// heuristic that PNG clause 12.7 recommends).
  func adaptive() -> PixelBuffer {
    let result = PixelBuffer(uninitializedByteCount: lineBytes * rows.height)
    let length = lineBytes - 1, step = line.pixelBytes
    // A pixel of zeros before each row replaces the missing left neighbour.
    let scratch = PixelBuffer(byteCount: 2 * (length + step + 16))
    var current = scratch.base.assumingMemoryBound(to: UInt8.self) + step
    var above = current + (length + step + 16)
    for y in 0..<rows.height {
      line.plain(rows.row(y), above: nil, into: UnsafeMutableRawPointer(current))
      let output = (result.base + y * lineBytes).assumingMemoryBound(to: UInt8.self)
      let kind = best(current, above, length: length, step: step)
      output[0] = kind.rawValue
      Self.withPrediction(kind, Store(current: current, above: above, length: length, step: step, output: output + 1))
      swap(&current, &above)
    }
    return result
  }

  private func best(_ current: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, length: Int, step: Int) -> Kind {
    var cheapest = (kind: Kind.none, cost: Int.max)
    for kind in Kind.allCases {
      let cost = Self.withPrediction(kind, Cost(current: current, above: above, length: length, step: step))
      if cost < cheapest.cost { cheapest = (kind, cost) }
    }
    return cheapest.kind
  }

  /// Runs a loop with the filter as a constant, so that each of the five is compiled to its own vector loop.
  @inline(__always)
  private static func withPrediction<Loop: FilterLoop>(_ kind: Kind, _ loop: Loop) -> Loop.Result {
    switch kind {
    case .none: loop.run { _, _, _ in 0 }
    case .sub: loop.run { a, _, _ in a }
    case .up: loop.run { _, b, _ in b }
    case .average: loop.run { a, b, _ in UInt8((UInt16(a) + UInt16(b)) >> 1) }
    case .paeth: loop.run(paeth)
    }
  }

  /// Returns the one of left, above and above left that is nearest to left + above - above left (PNG clause 9.4).
  @inline(__always)
  private static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let fromA = Int16(b) &- Int16(c), fromB = Int16(a) &- Int16(c)
    let distanceA = abs(fromA), distanceB = abs(fromB), distanceC = abs(fromA &+ fromB)
    let nearer = distanceB <= distanceC ? b : c
    return distanceA <= distanceB && distanceA <= distanceC ? a : nearer
  }
}

/// A loop over one row with a predictor of left, above and above left.
private protocol FilterLoop {
  associatedtype Result
  func run(_ predict: (UInt8, UInt8, UInt8) -> UInt8) -> Result
}

/// A loop that sums the magnitudes of a row's filtered bytes, taken as signed.
private struct Cost: FilterLoop {
  var current: UnsafePointer<UInt8>
  var above: UnsafePointer<UInt8>
  var length: Int
  var step: Int

  @inline(__always)
  func run(_ predict: (UInt8, UInt8, UInt8) -> UInt8) -> Int {
    var total = 0, start = 0
    while start < length {
      // The sum of a block is below 2^32.
      let end = min(start + (1 << 24), length)
      var sum: UInt32 = 0
      for index in start..<end {
        let rest = current[index] &- predict(current[index &- step], above[index], above[index &- step])
        sum &+= UInt32(Int8(bitPattern: rest).magnitude)
      }
      total += Int(sum)
      start = end
    }
    return total
  }
}

/// A loop that writes the filtered bytes of a row: the differences between its bytes and their predictions.
private struct Store: FilterLoop {
  var current: UnsafePointer<UInt8>
  var above: UnsafePointer<UInt8>
  var length: Int
  var step: Int
  var output: UnsafeMutablePointer<UInt8>

  @inline(__always)
  func run(_ predict: (UInt8, UInt8, UInt8) -> UInt8) {
    for index in 0..<length {
      output[index] = current[index] &- predict(current[index &- step], above[index], above[index &- step])
    }
  }
}
