import HDRCore
import Kernels

/// A smaller picture in the picture's size, with the picture's edges: a joint bilateral filter (Kopf and others, Joint
/// Bilateral Upsampling, 2007).
///
/// L is the sRGB signal of the picture's luminance, L' the same of the picture averaged to the small one's size. The mean
/// of premultiplied pixels of the small picture within ceil(2 spatial-sigma) of the nearest one, weighted by
/// e^(-D² / 2 spatial-sigma²) max(e^(-(L - L')² / 2 luma-sigma²), 2^-20).
enum EdgePreserveUpsample: Filter {
  static let name = "edge-preserve-upsample"
  static let summary = "a smaller picture in this one's size, with this one's edges"
  static let category = FilterCategory.geometry
  static let small = FilterParameter("small", .input(nil), "the smaller picture")
  static let spatial = FilterParameter("spatial-sigma", .number(3, 0.1...5), "in pixels of the smaller picture")
  static let luma = FilterParameter("luma-sigma", .number(0.15, 0.001...1), "difference of signals that counts less")
  static let parameters = [small, spatial, luma]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    values.input(small).flatMap(inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (width, height) = (edit.width, edit.height), own = edit.planes()
    edit.use(try edit.input(values.input(small) ?? ""))
    edit.premultiply()
    let other = edit.builder.close()
    edit.use(own)
    edit.luminancePlane()
    let luminance = edit.builder.close(channels: 1)
    edit.use(luminance)
    edit.resize(width: other.width, height: other.height)
    edit.builder.add(.encode(.sRGB))
    let guide = edit.builder.close(channels: 1)
    edit.use(luminance)
    edit.builder.add(.encode(.sRGB))
    let sigma = values.value(spatial), reach = JointBilateral.reach(sigma) + 1
    let scale = Double(other.height) / Double(height), last = Double(other.height - 1)
    let rows = (0..<height).map { row in
      let place = (Double(row) + 0.5) * scale - 0.5
      return (
        first: Int32(min(max((place - Double(reach)).rounded(.down), 0), last)),
        last: Int32(min(max((place + Double(reach)).rounded(.up), 0), last))
      )
    }
    let needed = RowScale(firstRow: rows.map(\.first), lastRow: rows.map(\.last))
    let source = edit.read(other, rows: needed), second = edit.read(guide, rows: needed)
    if other.hasAlpha { edit.makeTransparent() }
    edit.stage(
      .jointBilateral,
      JointBilateral.words(
        small: source, guide: second, channels: other.channels, size: (other.width, other.height), of: width, height,
        spatial: sigma, difference: values.value(luma)))
    edit.unpremultiply()
  }
}
