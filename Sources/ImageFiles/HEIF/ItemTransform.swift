import FileParts
import HDRCore

/// A transformative property: one step that a viewer applies to an item's picture (ISO/IEC 23008-12 clause 6.5.9 to
/// 6.5.12).
package enum ItemTransform: Sendable, Hashable {
  /// The largest number of transforms that MIAF (ISO/IEC 23000-22) allows: one of each kind.
  static let most = 3

  /// `irot`: turns of 90 degrees counter-clockwise, 0...3.
  case rotation(quarterTurns: Int)
  /// `imir`: left and right change places, otherwise top and bottom. The axis is defined by Amendment 2.
  case mirror(exchangesLeftAndRight: Bool)
  /// `clap`: a crop.
  case crop(CleanAperture)
}

extension Geometry {
  /// Makes the geometry of a stored picture of `width` by `height` pixels with `transforms` applied in order.
  ///
  /// A crop after a rotation is mapped back to stored pixels, so the result is always crop first, then rotation.
  package init(width: Int, height: Int, transforms: [ItemTransform]) throws(DecodeError) {
    self.init(width: width, height: height)
    for transform in transforms {
      let map = mapping
      switch transform {
      case .crop(let aperture):
        let view = try aperture.rectangle(width: outputWidth, height: outputHeight)
        // The stored positions of two opposite corners of the rectangle.
        func stored(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
          (map.x0 + x * map.columnX + y * map.rowX, map.y0 + x * map.columnY + y * map.rowY)
        }
        let a = stored(view.x, view.y), b = stored(view.x + view.width - 1, view.y + view.height - 1)
        crop = PixelRect(
          x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x) + 1, height: abs(a.y - b.y) + 1)
      case .rotation(let quarterTurns):
        var steps = Steps(map)
        for _ in 0..<quarterTurns {
          steps = Steps(columnX: steps.rowX, columnY: steps.rowY, rowX: -steps.columnX, rowY: -steps.columnY)
        }
        orientation = steps.orientation
      case .mirror(let exchangesLeftAndRight):
        var steps = Steps(map)
        if exchangesLeftAndRight {
          (steps.columnX, steps.columnY) = (-steps.columnX, -steps.columnY)
        } else {
          (steps.rowX, steps.rowY) = (-steps.rowX, -steps.rowY)
        }
        orientation = steps.orientation
      }
    }
  }

  /// The directions of a `SourceMapping`: stored steps for one output column and one output row.
  private struct Steps: Hashable {
    var columnX: Int
    var columnY: Int
    var rowX: Int
    var rowY: Int

    init(columnX: Int, columnY: Int, rowX: Int, rowY: Int) {
      (self.columnX, self.columnY, self.rowX, self.rowY) = (columnX, columnY, rowX, rowY)
    }

    init(_ map: SourceMapping) {
      self.init(columnX: map.columnX, columnY: map.columnY, rowX: map.rowX, rowY: map.rowY)
    }

    /// The orientation with these steps. The eight orientations cover all rotations and mirrors, so one of them
    /// matches.
    var orientation: Orientation {
      Orientation.allCases.first { Steps(Geometry(width: 1, height: 1, orientation: $0).mapping) == self } ?? .up
    }
  }
}
