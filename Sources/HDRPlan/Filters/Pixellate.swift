import HDRCore
import Kernels

/// Squares of the mean light in them, by area; a corner of one is at the centre. A pixel takes the square that its own
/// centre is in.
enum Pixellate: Filter {
  static let name = "pixellate"
  static let summary = "squares of the mean light in them"
  static let category = FilterCategory.stylize
  static let scale = FilterParameter("scale", .number(8, 1...65536), "side of a square in pixels")
  static let parameters = [Pattern.center, scale]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let side = values.value(scale), at = edit.place(values, Pattern.center), (w, h) = (edit.width, edit.height)
    let columns = Cells(size: w, center: at.x, side: side), rows = Cells(size: h, center: at.y, side: side)
    edit.premultiply()
    edit.convolve(name, x: columns.means, y: rows.means)
    edit.convolve(name, x: columns.spread, y: rows.spread)
    edit.unpremultiply()
  }

  /// The cells along one axis.
  private struct Cells {
    let size: Int, center: Double, side: Double
    let first: Double, count: Int

    init(size: Int, center: Double, side: Double) {
      (self.size, self.center, self.side) = (size, center, side)
      first = ((0.5 - center) / side).rounded(.down)
      count = Int(((Double(size) - 0.5 - center) / side).rounded(.down) - first) + 1
    }

    private func start(_ cell: Int) -> Double { center + (first + Double(cell)) * side }

    /// The weights that make each cell from its pixels.
    var means: AxisWeights {
      AxisWeights(sourceSize: size, size: count, edges: .clamp) { cell in
        let low = max(start(cell), 0), high = min(start(cell + 1), Double(size))
        let from = min(Int(low), size - 1), to = max(min(Int(high.rounded(.up)), size), from + 1)
        let shares = (from..<to).map { max(min(high, Double($0 + 1)) - max(low, Double($0)), 0) }
        let sum = shares.reduce(0, +)
        return sum > 0 ? (from, shares.map { $0 / sum }) : (from, [1])
      }
    }

    /// The weights that make each pixel from its cell.
    var spread: AxisWeights {
      AxisWeights(sourceSize: count, size: size, edges: .clamp) { x in
        let cell = Int(((Double(x) + 0.5 - center) / side).rounded(.down) - first)
        return (min(max(cell, 0), count - 1), [1])
      }
    }
  }
}
