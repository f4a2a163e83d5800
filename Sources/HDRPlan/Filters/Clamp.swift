import HDRCore

/// The pixels of an extent; around it those of its border repeat.
enum Clamp: Filter {
  static let name = "clamp"
  static let summary = "around an extent the pixels of its border repeat, over all of the picture"
  static let category = FilterCategory.geometry
  static let parameters = [Reduction.extent]
  static let isGeometric = true
  static func keepsPixels(_ values: FilterValues) -> Bool { true }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    guard let (columns, rows) = try edit.extent(values, name) else { return }
    func weights(_ size: Int, _ range: Range<Int>) -> AxisWeights? {
      if range.count == size { return nil }
      return AxisWeights(sourceSize: size, size: size, edges: .clamp) {
        (min(max($0, range.lowerBound), range.upperBound - 1), [1])
      }
    }
    // Each pixel is one pixel, so colours need not be multiplied by alpha.
    edit.convolve(name, x: weights(edit.width, columns), y: weights(edit.height, rows))
  }
}
