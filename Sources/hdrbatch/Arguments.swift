import ArgumentParser
import BatchEngine
import HDRCore
import ImageFiles

// Words of the command line for types of the library.

extension OutputKind: ExpressibleByArgument {}
extension GamutChoice: ExpressibleByArgument {}
extension LUTChoice.Space: ExpressibleByArgument {}
extension BackendChoice: ExpressibleByArgument {}
extension OnExisting: ExpressibleByArgument {}

/// `--headroom`: a bare number is the factor of reference white, `2ev` is in stops.
struct HeadroomArgument: ExpressibleByArgument {
  var headroom: Headroom

  init?(argument: String) {
    guard let headroom = Headroom(argument: argument) else { return nil }
    self.headroom = headroom
  }

  var defaultValueDescription: String { "\(headroom.factor)" }
}

enum DynamicRange: String, ExpressibleByArgument, CaseIterable {
  case standard
  case constrainedHigh = "constrained-high"
  case high
}

enum OutputPrimaries: String, ExpressibleByArgument, CaseIterable {
  case bt2020, p3, srgb

  /// Code point of ITU-T H.273.
  var code: Int {
    switch self {
    case .bt2020: 9
    case .p3: 12
    case .srgb: 1
    }
  }
}

enum LUTRange: String, ExpressibleByArgument, CaseIterable {
  case extrapolate, clamp
}

enum ChromaArgument: String, ExpressibleByArgument, CaseIterable {
  case s420 = "420"
  case s444 = "444"

  var subsampling: ChromaSubsampling { self == .s420 ? .s420 : .s444 }
}

enum RangeArgument: String, ExpressibleByArgument, CaseIterable {
  case full, limited
}

enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
  case none, human, jsonl
}

/// `--tone-map`: `auto`, `none` or the name of an operator.
struct ToneArgument: ExpressibleByArgument {
  var choice: ToneChoice

  init?(argument: String) {
    switch argument {
    case "auto": choice = .auto
    case "none": choice = .none
    default:
      guard ToneOperators.named(argument) != nil else { return nil }
      choice = .named(argument)
    }
  }

  static var allValueStrings: [String] { ["auto"] + ToneOperators.all.map { $0.name } + ["none"] }

  var defaultValueDescription: String { "auto" }
}

/// `--display`: a preset by name.
struct DisplayArgument: ExpressibleByArgument {
  var preset: DisplayPreset

  init?(argument: String) {
    guard let preset = DisplayPreset.named(argument) else { return nil }
    self.preset = preset
  }

  static var allValueStrings: [String] { DisplayPreset.all.map(\.name) }

  /// "iphone-14 (8), ...".
  static var listing: String {
    DisplayPreset.all.map { "\($0.name) (\(short($0.factor)))" }.joined(separator: ", ")
  }
}
