/// The turn of the stored picture for viewing: the eight Exif orientations (Exif 2.32, tag 0x0112).
package enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
  /// The stored orientation.
  case up = 1
  /// Left and right exchanged.
  case upMirrored = 2
  /// Turned by 180 degrees.
  case down = 3
  /// Top and bottom exchanged.
  case downMirrored = 4
  /// Rows and columns exchanged.
  case leftMirrored = 5
  /// Stored so that viewing turns it 90 degrees clockwise.
  case right = 6
  /// Exchanged along the other diagonal.
  case rightMirrored = 7
  /// Stored so that viewing turns it 90 degrees counter-clockwise.
  case left = 8

  /// True if width and height are exchanged.
  package var swapsAxes: Bool { rawValue >= 5 }
}

extension Orientation {
  /// Returns the turn of a picture that is turned so, and then by another one.
  package func then(_ next: Orientation) -> Orientation {
    func steps(_ orientation: Orientation) -> SourceMapping {
      Geometry(width: 1, height: 1, orientation: orientation).mapping
    }
    let a = steps(self), b = steps(next)
    let both = SourceMapping(
      x0: 0, y0: 0, columnX: a.columnX * b.columnX + a.rowX * b.columnY,
      columnY: a.columnY * b.columnX + a.rowY * b.columnY, rowX: a.columnX * b.rowX + a.rowX * b.rowY,
      rowY: a.columnY * b.rowX + a.rowY * b.rowY)
    // A picture of one pixel begins at its only one; the eight orientations have all steps that there are.
    return Self.allCases.first { steps($0) == both } ?? .up
  }
}

/// A rectangle of whole pixels in stored orientation.
package struct PixelRect: Sendable, Hashable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// The changes for viewing a stored picture: first the crop (`clap`), then the turn (`irot`, `imir`, Exif orientation).
package struct Geometry: Sendable, Hashable {
  /// The crop in stored pixels, inside the picture.
  package var crop: PixelRect
  package var orientation: Orientation

  package init(crop: PixelRect, orientation: Orientation) {
    self.crop = crop
    self.orientation = orientation
  }

  package init(width: Int, height: Int, orientation: Orientation = .up) {
    self.init(crop: PixelRect(x: 0, y: 0, width: width, height: height), orientation: orientation)
  }

  package var outputWidth: Int { orientation.swapsAxes ? crop.height : crop.width }
  package var outputHeight: Int { orientation.swapsAxes ? crop.width : crop.height }

  /// The stored pixel shown at output (0, 0), and the steps in stored pixels for one output column and one output row.
  package var mapping: SourceMapping {
    let right = crop.x + crop.width - 1, bottom = crop.y + crop.height - 1
    return switch orientation {
    case .up: SourceMapping(x0: crop.x, y0: crop.y, columnX: 1, columnY: 0, rowX: 0, rowY: 1)
    case .upMirrored: SourceMapping(x0: right, y0: crop.y, columnX: -1, columnY: 0, rowX: 0, rowY: 1)
    case .down: SourceMapping(x0: right, y0: bottom, columnX: -1, columnY: 0, rowX: 0, rowY: -1)
    case .downMirrored: SourceMapping(x0: crop.x, y0: bottom, columnX: 1, columnY: 0, rowX: 0, rowY: -1)
    case .leftMirrored: SourceMapping(x0: crop.x, y0: crop.y, columnX: 0, columnY: 1, rowX: 1, rowY: 0)
    case .right: SourceMapping(x0: crop.x, y0: bottom, columnX: 0, columnY: -1, rowX: 1, rowY: 0)
    case .rightMirrored: SourceMapping(x0: right, y0: bottom, columnX: 0, columnY: -1, rowX: -1, rowY: 0)
    case .left: SourceMapping(x0: right, y0: crop.y, columnX: 0, columnY: 1, rowX: -1, rowY: 0)
    }
  }
}

/// The stored pixel of an output pixel: `(x0 + X*columnX + Y*rowX, y0 + X*columnY + Y*rowY)`; steps are -1, 0 or 1.
@usableFromInline package struct SourceMapping: Sendable, Hashable {
  @usableFromInline package var x0: Int
  @usableFromInline package var y0: Int
  @usableFromInline package var columnX: Int
  @usableFromInline package var columnY: Int
  @usableFromInline package var rowX: Int
  @usableFromInline package var rowY: Int

  package init(x0: Int, y0: Int, columnX: Int, columnY: Int, rowX: Int, rowY: Int) {
    self.x0 = x0
    self.y0 = y0
    self.columnX = columnX
    self.columnY = columnY
    self.rowX = rowX
    self.rowY = rowY
  }

  package static let identity = SourceMapping(x0: 0, y0: 0, columnX: 1, columnY: 0, rowX: 0, rowY: 1)
}
