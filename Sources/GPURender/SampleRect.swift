import HDRCore

/// A rectangle of samples, both ranges half open.
struct SampleRect: Equatable {
  var x: Range<Int>
  var y: Range<Int>

  /// Returns the rectangle with `reach` more samples on each side, as far as the picture has them.
  func grown(by reach: Int, within size: (width: Int, height: Int)) -> SampleRect {
    func range(_ own: Range<Int>, _ size: Int) -> Range<Int> {
      max(own.lowerBound - reach, 0)..<min(own.upperBound + reach, size)
    }
    return SampleRect(x: range(x, size.width), y: range(y, size.height))
  }
}

extension SourceMapping {
  /// Returns the source pixels of output columns 0..<width and rows `rows`, within a picture of the given size.
  func sourceRect(width: Int, rows: Range<Int>, within size: (width: Int, height: Int)) -> SampleRect {
    let columns = [0, width - 1], lines = [rows.lowerBound, rows.upperBound - 1]
    let xs = columns.flatMap { c in lines.map { x0 + c * columnX + $0 * rowX } }
    let ys = columns.flatMap { c in lines.map { y0 + c * columnY + $0 * rowY } }
    func range(_ values: [Int], _ size: Int) -> Range<Int> {
      let low = min(max(values.min() ?? 0, 0), size - 1), high = min(max(values.max() ?? 0, 0), size - 1)
      return low..<high + 1
    }
    return SampleRect(x: range(xs, size.width), y: range(ys, size.height))
  }
}
