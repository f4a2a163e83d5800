import HDRCore
import Kernels

/// An output transform of ACES 2.0 or 1: from scene light, 1.0 = a perfect diffuser, to light of a display
/// (docs/filter-formulas.md#aces).
enum ACESOutputFilter: Filter {
  static let name = "aces-output"
  static let summary = "scene light as an output transform of ACES 2.0 or 1 shows it"
  static let category = FilterCategory.tone
  static let view = FilterParameter("view", .choice("sdr-709", ACESView.all.map(\.name)), "the output transform")
  static let parameters = [view, ACESWhite.white]
  static let headroomEffect = HeadroomEffect.recomputed

  fileprivate static func chosen(_ values: FilterValues) -> ACESView {
    ACESView.named(values.choice(view)) ?? ACESView.all[0]
  }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    let view = chosen(values)
    return Headroom(factor: max(1, view.peak / ACESWhite.level(values, of: view)))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let view = chosen(values)
    edit.builder.add(view.operations(white: ACESWhite.level(values, of: view)))
  }
}

/// The scene light that an output transform of ACES 2.0 or 1 would show as this light.
enum ACESInverseFilter: Filter {
  static let name = "aces-inverse"
  static let summary =
    "the scene light that a view of ACES 2.0 or 1 shows like this: for graphics and SDR plates"
  static let category = FilterCategory.tone
  static let parameters = [ACESOutputFilter.view, ACESWhite.white]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let view = ACESOutputFilter.chosen(values)
    edit.builder.add(view.inverseOperations(white: ACESWhite.level(values, of: view)))
  }
}

/// The light of a view that is 1.0.
private enum ACESWhite {
  static let white = FilterParameter(
    "white", .number(nil, 1...10_000),
    "cd/m² of the view that are reference white; by default 100 for SDR, 203 for HDR")

  static func level(_ values: FilterValues, of view: ACESView) -> Double {
    values.number(white) ?? view.referenceWhite
  }
}

/// The reference gamut compression of ACES 1.3: colours of cameras that lie outside AP1 become positive there.
enum ACESGamutCompressFilter: Filter {
  static let name = "aces-gamut-compress"
  static let summary = "scene light with colours outside AP1 brought inside, as ACES 1.3 does it, or back"
  static let category = FilterCategory.color
  static let inverse = FilterParameter("inverse", .flag(false), "true undoes it")
  static let parameters = [inverse]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    guard let there = Primaries.bt2020.matrix(to: .acesWorking), let back = there.inverse else { return }
    edit.matrix(there)
    let direction: ACESGamutCompress.Direction = values.flag(inverse) ? .inverse : .forward
    edit.builder.add([
      .custom { data in
        data.stage(.acesGamutCompress, ACESGamutCompress.words(direction) { data.table($0) })
      }
    ])
    edit.matrix(back)
  }
}

/// The fix of ACES 1 for saturated blue lights, which its output transforms show violet.
enum ACESBlueLightFixFilter: Filter {
  static let name = "aces-blue-light-fix"
  static let summary = "scene light with less saturated blues, as ACES 1 fixes lights that it shows violet, or back"
  static let category = FilterCategory.color
  static let inverse = FilterParameter("inverse", .flag(false), "true undoes it")
  static let parameters = [inverse]
  static let headroomEffect = HeadroomEffect.unknown

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    guard let there = Primaries.bt2020.matrix(to: .aces), let back = there.inverse,
      let fix = values.flag(inverse) ? acesBlueLightFix.inverse : acesBlueLightFix
    else { return }
    edit.matrix(back * fix * there)
  }
}
