import HDRCore
import Kernels

/// The part of a picture in which a shift is looked for: of at most 512 x 512 pixels, where luminance varies most.
struct LuminanceWindow: Sendable, Hashable {
  let x: Range<Int>
  let y: Range<Int>

  /// The distance of windows that are tried.
  private static let cell = 128

  /// Finds the window of the largest variance of log2 of luminance, the first of several.
  ///
  /// - Parameter light: three planes of binary32, linear BT.2020.
  init(_ light: SampleImage, _ threads: MetricThreads) {
    let width = min(light.width, PhaseShift.longest), height = min(light.height, PhaseShift.longest)
    let cell = Self.cell, columns = (light.width + cell - 1) / cell, rows = (light.height + cell - 1) / cell
    guard light.width >= width + cell || light.height >= height + cell else {
      (x, y) = (0..<width, 0..<height)
      return
    }
    let cells = threads.reduced(light.height, [Sums](repeating: Sums(), count: columns * rows)) { band, cells in
      for y in band {
        Self.each(light, y, 0..<light.width) { x, value in cells[y / cell * columns + x / cell].add(value) }
      }
    } merge: { all, part in
      for index in all.indices { all[index].add(part[index]) }
    }
    var best = (variance: -1.0, x: 0, y: 0)
    for top in stride(from: 0, through: light.height - height, by: cell) {
      for left in stride(from: 0, through: light.width - width, by: cell) {
        var sums = Sums()
        for row in top / cell..<(top + height + cell - 1) / cell {
          for column in left / cell..<(left + width + cell - 1) / cell { sums.add(cells[row * columns + column]) }
        }
        if sums.variance > best.variance { best = (sums.variance, left, top) }
      }
    }
    (x, y) = (best.x..<best.x + width, best.y..<best.y + height)
  }

  /// Returns how far B lies beside A in the window; `nil` if it cannot be told.
  func shift(_ a: SampleImage, _ b: SampleImage) -> PhaseShift? {
    PhaseShift(values(a), values(b), width: x.count, height: y.count)
  }

  private func values(_ light: SampleImage) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(x.count * y.count)
    for row in y { Self.each(light, row, x) { result.append(Double($1)) } }
    return result
  }

  /// Gives log2 of luminance, from a tenth of a cd/m² on.
  @inline(__always) private static func each(
    _ light: SampleImage, _ y: Int, _ columns: Range<Int>, _ take: (_ x: Int, _ value: Float) -> Void
  ) {
    let weights = Primaries.bt2020.luminance.map { Float($0) }, wr = weights[0], wg = weights[1], wb = weights[2]
    let r = light.channels[0].floats(row: y), g = light.channels[1].floats(row: y), b = light.channels[2].floats(row: y)
    let floor = Float(0.1 / ReferenceWhite.nits), high = Float(10_000 / ReferenceWhite.nits)
    @inline(__always) func inside(_ x: Float) -> Float {
      let low: Float = x > 0 ? x : 0
      return low < high ? low : high
    }
    for x in columns {
      let luminance = wr * inside(r[x]) + wg * inside(g[x]) + wb * inside(b[x])
      take(x, E32.log2(luminance > floor ? luminance : floor))
    }
  }

  /// Integer sums of values, which do not depend on an order.
  private struct Sums: Sendable {
    var count = 0, sum = 0, squares = 0

    mutating func add(_ value: Float) {
      let steps = Int(value * 1024)
      count += 1
      sum += steps
      squares += steps * steps
    }

    mutating func add(_ other: Sums) {
      count += other.count
      sum += other.sum
      squares += other.squares
    }

    var variance: Double {
      let mean = Double(sum) / Double(max(1, count))
      return Double(squares) / Double(max(1, count)) - mean * mean
    }
  }
}
