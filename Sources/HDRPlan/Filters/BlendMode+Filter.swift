import HDRCore
import Kernels

extension BlendMode {
  static let headroom = FilterParameter(
    "headroom", .number(1, 1...65536),
    "both layers are divided by it before they are cut to 0...1, and multiplied after")

  static func apply(_ mode: Mode, _ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let picture = edit.planes(), top = try edit.foreground(values, isPremultiplied: false)
    edit.use(picture)
    let at = values.vector(Compositing.offset) ?? [0, 0], x = Int(at[0].rounded()), y = Int(at[1].rounded())
    let source = edit.read(top, rows: edit.rows(of: top, from: y)), peak = values.value(headroom)
    edit.stage(.blendMode, tables: mode == .softLight ? [root.words] : []) { offsets in
      words(
        mode, source: source, x: x, y: y, width: top.width, height: top.height, headroom: peak,
        root: offsets.first ?? 0)
    }
    edit.unpremultiply()
  }
}
