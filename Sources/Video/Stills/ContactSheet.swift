import HDRCore
import HDRPlan
import HDRRender
import ImageFiles

/// Tiles of a clip in one picture of light, black between them.
final class ContactSheet {
  private let grid: SheetGrid
  private let cell: (width: Int, height: Int)
  private let layout: RawLayout
  private let samples: PixelBuffer

  /// The bytes of a pixel of `StillOptions.tileKind`.
  private static let bytes = 8

  /// - Parameter size: that of a still.
  /// - Throws: `HDRError`, `video.limit` for a sheet of too many pixels.
  init(_ grid: SheetGrid, of size: PictureSize, _ format: RawFormat) throws(HDRError) {
    self.grid = grid
    let scale = Double(grid.side) / Double(max(size.width, size.height))
    cell = (
      max(1, Int((Double(size.width) * scale).rounded())), max(1, Int((Double(size.height) * scale).rounded()))
    )
    layout = RawLayout(format, width: cell.width * grid.columns, height: cell.height * grid.rows)
    guard max(layout.width, layout.height) <= FFmpegSource.maxSide else {
      throw HDRError(
        clip: "limit", "a contact sheet of \(layout.width)x\(layout.height) pixels: ask for fewer or smaller tiles",
        kind: .request)
    }
    samples = PixelBuffer(byteCount: layout.byteCount)
  }

  /// The filter that fits a frame into its tile.
  var fitting: FilterStep {
    FilterStep(
      "resize",
      ["width": .number(Double(cell.width)), "height": .number(Double(cell.height)), "enlarge": .flag(true)])
  }

  /// Puts a frame in the middle of a tile, counted by rows.
  func put(_ tile: PixelBuffer, width: Int, height: Int, at number: Int) {
    guard width <= cell.width, height <= cell.height, tile.byteCount == width * height * Self.bytes else {
      preconditionFailure("it was fitted")
    }
    let left = number % grid.columns * cell.width + (cell.width - width) / 2
    let top = number / grid.columns * cell.height + (cell.height - height) / 2
    for y in 0..<height {
      (samples.base + ((top + y) * layout.width + left) * Self.bytes).copyMemory(
        from: tile.base + y * width * Self.bytes, byteCount: width * Self.bytes)
    }
  }

  /// Returns the sheet as a picture.
  func picture(_ limits: DecodeLimits) throws(HDRError) -> SourceImage {
    let description = RawDescription(layout, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)
    do throws(DecodeError) {
      var picture = try RawPicture.source(samples, layout, description, limits: limits, format: .raw)
      picture.image.alpha = nil
      return picture
    } catch {
      throw HDRError(error)
    }
  }
}
