import HDRCore
import Kernels

/// Areas around points: each pixel gets the colour at the nearest point. A grid has one point in each cell; points of
/// the pixel's own cell and the eight around it count.
///
/// The colour is a mean over a square around the pixel at the point, so light between points is not lost.
enum Mosaic {
  /// - Parameters:
  ///   - side: the sides of the grid's cells, in pixels.
  ///   - mean: the square's half side in pixels.
  static func apply(
    _ name: String, _ points: MosaicStage.Points, center: (x: Double, y: Double), side: (x: Double, y: Double),
    mean radius: Double, dot: Double? = nil, to edit: inout Edit
  ) {
    let (width, height) = (edit.width, edit.height), whole = Int(radius)
    edit.premultiply()
    if whole > 0 {
      let list = [Double](repeating: 1 / Double(2 * whole + 1), count: whole + 1)
      edit.convolve(
        name, x: .symmetric(width, list, edges: .clamp), y: .symmetric(height, list, edges: .clamp))
    }
    let reach = Int((2 * side.y).rounded(.up)) + 2
    edit.load(
      name, .mosaic, width: width, height: height, rows: .around(height: height, reach: reach)
    ) { channels, _ in
      MosaicStage.Parameters(
        channels: channels.word, points: Choice(points), width: width.word, height: height.word,
        scaleX: Float(1 / side.x), offsetX: Float((0.5 - center.x) / side.x), scaleY: Float(1 / side.y),
        offsetY: Float((0.5 - center.y) / side.y), sideX: Float(side.x), sideY: Float(side.y),
        centerX: Float(center.x - 0.5), centerY: Float(center.y - 0.5),
        reach: dot.map { Float($0 * $0) } ?? .greatestFiniteMagnitude
      ).list
    }
    if dot != nil { edit.makeTransparent() }
    edit.unpremultiply()
  }
}
