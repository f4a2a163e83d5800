import HDRCore
import Kernels

/// The median of 3x3 pixels: each channel of premultiplied colour, and alpha, on its own. Beyond the border the
/// border's pixels repeat.
enum Median: Filter {
  static let name = "median"
  static let summary = "median of 3x3 pixels, per channel"
  static let category = FilterCategory.blur
  static let parameters: [FilterParameter] = []
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (width, height) = (edit.width, edit.height)
    edit.premultiply()
    edit.load(
      name, .median3, width: width, height: height, rows: .around(height: height, reach: 1)
    ) { channels, _ in Median3.words(channels: channels, width: width, height: height) }
    edit.unpremultiply()
  }
}
