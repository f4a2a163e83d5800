import HDRCore
import Kernels

/// The box of an extent's pixels whose red is not 0: x, y, width and height in R, G, B and A of one pixel, as shares of
/// the extent, from its left top corner. Without such a pixel all are 0.
enum AreaBoundsRed: ReductionFilter {
  static let name = "area-bounds-red"
  static let summary = "one pixel: x, y, width and height of the box outside which red is 0, as shares of an area"
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    .sdr
  }

  static func reduce(_ values: FilterValues, _ edit: inout Edit) {
    let (width, height) = (edit.width, edit.height)
    edit.makeTransparent()
    for mode in [RedBounds.Mode.places, .box] {
      edit.stage(.redBounds, RedBounds.Parameters(mode, width: width, height: height).list)
      if mode == .places { edit.reduce(.minimum) }
    }
  }
}
