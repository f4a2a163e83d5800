import HDRCore

/// A move of whole pixels: the size of the result, and which pixel of the picture each of its pixels is.
package struct PixelMove: Sendable, Hashable {
  package var size: PictureSize
  package var mapping: SourceMapping

  package init(_ size: PictureSize, _ mapping: SourceMapping = .identity) {
    (self.size, self.mapping) = (size, mapping)
  }

  /// Makes the move of a crop and a turn.
  init(_ geometry: Geometry) {
    self.init(PictureSize(geometry.outputWidth, geometry.outputHeight), geometry.mapping)
  }

  /// Returns the move that this one and then another one make.
  func then(_ next: PixelMove) -> PixelMove {
    let a = mapping, b = next.mapping
    return PixelMove(
      next.size,
      SourceMapping(
        x0: a.x0 + b.x0 * a.columnX + b.y0 * a.rowX, y0: a.y0 + b.x0 * a.columnY + b.y0 * a.rowY,
        columnX: b.columnX * a.columnX + b.columnY * a.rowX, columnY: b.columnX * a.columnY + b.columnY * a.rowY,
        rowX: b.rowX * a.columnX + b.rowY * a.rowX, rowY: b.rowX * a.columnY + b.rowY * a.rowY))
  }
}

extension RenderRecipe {
  /// Returns where the filters leave the pixels of a picture; `nil` if a filter mixes pixels of other places, or makes
  /// another picture of them.
  package func move(of size: PictureSize) -> PixelMove? {
    var move: PixelMove? = PixelMove(size)
    for step in resolvedEdits {
      guard let before = move, let filter = step.filter else { return nil }
      move = filter.move(before.size, step.values).map(before.then)
    }
    return move
  }

  /// True if no filter moves pixels, whatever the picture's size.
  package var keepsPlaces: Bool {
    resolvedEdits.allSatisfy { step in step.filter.map { $0.category.keepsPlaces } ?? false }
  }
}

extension FilterCategory {
  /// True if filters of the category leave every pixel's content at its place.
  package var keepsPlaces: Bool { [.color, .tone, .blur, .sharpen, .stylize].contains(self) }
}
