import HDRCore
import Kernels

/// A filter whose result repeats a cell of the picture; `shape` says how.
protocol TileFilter: PlaceFilter {
  static var shape: WarpPlace.Shape { get }
  /// The angle between the axes, in degrees; `nil` if a parameter says it.
  static var acuteAngle: Double? { get }
}

extension TileFilter {
  static var category: FilterCategory { .tile }
  static var own: [FilterParameter] {
    [Pattern.center, Tile.angle] + (acuteAngle == nil ? [Tile.acuteAngle] : []) + [Tile.width]
  }

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    try Tile.formula(
      name, shape, center: edit.place(values, Pattern.center), angle: values.value(Tile.angle),
      acute: acuteAngle ?? values.value(Tile.acuteAngle), width: values.value(Tile.width), edit)
  }
}

/// Parameters of tiles, and the lattice of their cells.
enum Tile {
  static let angle = Placing.angle("angle", 0, "of the cells, in degrees counter-clockwise")
  static let acuteAngle = FilterParameter(
    "acute-angle", .number(90, 1...179), "between the cells' sides, in degrees")
  static let width = Placing.length("width", 100, from: 1, "side of a cell in pixels")

  /// - Throws: `PlanError.invalidParameter` where the picture has too many cells.
  static func formula(
    _ name: String, _ shape: WarpPlace.Shape, center: (x: Double, y: Double), angle: Double, acute: Double,
    width: Double, _ edit: Edit
  ) throws(PlanError) -> PlaceFormula {
    let first = ExactMath.cosSin(degrees: angle), second = ExactMath.cosSin(degrees: angle + acute)
    let (ax, ay, bx, by) = (width * first.cos, -width * first.sin, width * second.cos, -width * second.sin)
    let d = ax * by - bx * ay, inverse = [by / d, -bx / d, -ay / d, ax / d]
    let reach = Double(edit.width + edit.height) + abs(center.x) + abs(center.y)
    guard inverse.allSatisfy({ abs($0) * reach < 0x1p20 }) else {
      throw .invalidParameter(
        "\(name): the picture and its distance from the centre have more than 2^20 cells in a row")
    }
    // A fold gives up to a whole side of each. The numbers of a cell far away are rounded as these sums.
    let sum = abs(ay) * (abs(inverse[0]) + abs(inverse[1])) + abs(by) * (abs(inverse[2]) + abs(inverse[3]))
    let half = abs(ay) + abs(by) + 0x1p-20 * sum * reach
    return PlaceFormula(
      shape: shape, center: center, numbers: inverse + [ax, bx, ay, by],
      rows: .between(center.y - half, center.y + half))
  }
}

enum ParallelogramTile: TileFilter {
  static let name = "parallelogram-tile"
  static let summary = "a parallelogram mirrored at its sides"
  static let shape = WarpPlace.Shape.parallelogram
  static let acuteAngle: Double? = nil
}

enum FourfoldReflectedTile: TileFilter {
  static let name = "fourfold-reflected-tile"
  static let summary = "cells of four mirrored quarters"
  static let shape = WarpPlace.Shape.reflected
  static let acuteAngle: Double? = nil
}

enum FourfoldTranslatedTile: TileFilter {
  static let name = "fourfold-translated-tile"
  static let summary = "a cell repeated"
  static let shape = WarpPlace.Shape.translated
  static let acuteAngle: Double? = nil
}

enum GlideReflectedTile: TileFilter {
  static let name = "glide-reflected-tile"
  static let summary = "a cell repeated along rows, every other row mirrored"
  static let shape = WarpPlace.Shape.glide
  static let acuteAngle: Double? = 90
}

enum FourfoldRotatedTile: TileFilter {
  static let name = "fourfold-rotated-tile"
  static let summary = "a quarter of a cell turned four times"
  static let shape = WarpPlace.Shape.quarters
  static let acuteAngle: Double? = 90
}

enum EightfoldReflectedTile: TileFilter {
  static let name = "eightfold-reflected-tile"
  static let summary = "an eighth of a cell mirrored"
  static let shape = WarpPlace.Shape.eighths
  static let acuteAngle: Double? = 90
}

enum TriangleTile: TileFilter {
  static let name = "triangle-tile"
  static let summary = "a triangle turned by half turns"
  static let shape = WarpPlace.Shape.triangle
  static let acuteAngle: Double? = 60
}

enum SixfoldReflectedTile: TileFilter {
  static let name = "sixfold-reflected-tile"
  static let summary = "a triangle mirrored at its sides"
  static let shape = WarpPlace.Shape.thirds
  static let acuteAngle: Double? = 60
}

enum TwelvefoldReflectedTile: TileFilter {
  static let name = "twelvefold-reflected-tile"
  static let summary = "a sixth of a triangle mirrored at its sides"
  static let shape = WarpPlace.Shape.twelfths
  static let acuteAngle: Double? = 60
}

enum SixfoldRotatedTile: TileFilter {
  static let name = "sixfold-rotated-tile"
  static let summary = "a sixth of a hexagon turned six times"
  static let shape = WarpPlace.Shape.sixths
  static let acuteAngle: Double? = 60
}
