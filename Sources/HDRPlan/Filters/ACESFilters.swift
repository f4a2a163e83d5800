import HDRCore
import Kernels

/// An output transform of ACES 2.0: from scene light, 1.0 = a perfect diffuser, to light of a display
/// (docs/filter-formulas.md#aces).
enum ACESOutputFilter: Filter {
  static let name = "aces-output"
  static let summary = "scene light as an output transform of ACES 2.0 shows it"
  static let category = FilterCategory.tone
  static let parameters = [ACESView.view, ACESView.white]
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let view = ACESView(values)
    return Headroom(factor: max(1, view.output.peak * view.output.linearScale / view.level))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let view = ACESView(values)
    guard let scene = Primaries.bt2020.matrix(to: .acesWorking), let display = view.fromLimit else { return }
    edit.matrix(scene)
    edit.stage(.acesOutput, tables: [ACESTable.words(view.output)]) { ACESOutputStage.words(table: $0[0]) }
    edit.matrix(display)
  }
}

/// The scene light that an output transform of ACES 2.0 would show as this light.
enum ACESInverseFilter: Filter {
  static let name = "aces-inverse"
  static let summary =
    "the scene light that an output transform of ACES 2.0 shows like this: for graphics and SDR plates"
  static let category = FilterCategory.tone
  static let parameters = [ACESView.view, ACESView.white]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let view = ACESView(values)
    guard let scene = Primaries.acesWorking.matrix(to: .bt2020), let display = view.fromLimit?.inverse else { return }
    edit.matrix(display)
    edit.stage(.acesInverse, tables: [ACESTable.words(view.output, isInverse: true)]) {
      ACESInverseStage.words(table: $0[0])
    }
    edit.matrix(scene)
  }
}

/// The view that both filters name.
private struct ACESView {
  static let view = FilterParameter("view", .choice("sdr-709", ACESOutput.all.map(\.view)), "the output transform")
  static let white = FilterParameter(
    "white", .number(nil, 1...10_000),
    "cd/m² of the view that are reference white; by default 100 for SDR, 203 for HDR")

  let output: ACESOutput
  /// The cd/m² that are 1.0.
  let level: Double

  init(_ values: FilterValues) {
    output = ACESOutput.named(view: values.choice(Self.view)) ?? ACESOutput.all[0]
    level = values.number(Self.white) ?? (output.peak == 100 ? 100 : ReferenceWhite.nits)
  }

  /// The matrix from RGB of the limiting gamut to light.
  var fromLimit: Matrix3? { Primaries.bt2020.rgbToXYZ?.inverse.map { $0 * output.toXYZ * (100 / level) } }
}
