import ArgumentParser
import BatchEngine
import HDRCore
import HDRPlan
import ImageFiles

// Parsing of library types from arguments.

extension OutputKind: ExpressibleByArgument {}
extension GamutChoice: ExpressibleByArgument {}
extension LUTChoice.Interpolation: ExpressibleByArgument {}
extension BackendChoice: ExpressibleByArgument {}
extension OnExisting: ExpressibleByArgument {}
extension Durability: ExpressibleByArgument {}
extension Isolation: ExpressibleByArgument {}
extension GainMapPart: ExpressibleByArgument {}
extension AdaptiveOptions.Base: ExpressibleByArgument {}
extension AdaptiveOptions.Space: ExpressibleByArgument {}
extension AppleMapTransfer: ExpressibleByArgument {}
extension ApplePartialHeadroom: ExpressibleByArgument {}

/// `--to`: a rendition, or an Adaptive HDR file.
enum TargetArgument: ExpressibleByArgument, Hashable, CaseIterable {
  case rendition(OutputKind)
  case adaptive(AdaptiveContainer)

  static let allCases =
    OutputKind.allCases.map { Self.rendition($0) } + AdaptiveContainer.allCases.map { Self.adaptive($0) }

  var name: String {
    switch self {
    case .rendition(let kind): kind.rawValue
    case .adaptive(let container): "adaptive-\(container.rawValue)"
    }
  }

  init?(argument: String) {
    guard let found = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = found
  }

  static var allValueStrings: [String] { allCases.map(\.name) }

  /// The rendition that the options of a recipe are about; of an Adaptive HDR file its SDR base.
  var kind: OutputKind { if case .rendition(let kind) = self { kind } else { .sdrJPEG } }

  var form: OutputForm {
    switch self {
    case .rendition(let kind): OutputForm(kind)
    case .adaptive(let container): OutputForm(container)
    }
  }
}

/// `--headroom`: a bare number is the factor of reference white, `2ev` is in stops.
struct HeadroomArgument: ExpressibleByArgument {
  var headroom: Headroom

  init?(argument: String) {
    guard let headroom = Headroom(argument: argument) else { return nil }
    self.headroom = headroom
  }

  var defaultValueDescription: String { "\(headroom.factor)" }
}

/// `--content-headroom`: a headroom, or how to measure it.
enum ContentHeadroomArgument: ExpressibleByArgument {
  case stated(Headroom)
  case measured(HeadroomMeasure)

  init?(argument: String) {
    if argument == "measured" {
      self = .measured(.maximum)
    } else if argument.hasPrefix("p") {
      guard let percent = Double(argument.dropFirst()), (0...100).contains(percent) else { return nil }
      self = .measured(.percentile(percent))
    } else {
      guard let headroom = Headroom(argument: argument) else { return nil }
      self = .stated(headroom)
    }
  }

  var headroom: Headroom? { if case .stated(let headroom) = self { headroom } else { nil } }
  var measure: HeadroomMeasure? { if case .measured(let measure) = self { measure } else { nil } }
}

/// `--hdr10`: `hlg`, `file`, or black, peak and scale in cd/m².
struct MasteringArgument: ExpressibleByArgument {
  var choice: MasteringChoice

  init?(argument: String) {
    switch argument {
    case "hlg": choice = .hlg
    case "file": choice = .file
    default:
      let numbers = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard numbers.count == 2 || numbers.count == 3, numbers.allSatisfy(\.isFinite) else { return nil }
      let scale = numbers.count == 3 ? numbers[2] : ReferenceWhite.nits
      guard (0...10).contains(numbers[0]), (1...10_000).contains(numbers[1]), numbers[0] < numbers[1],
        (1...10_000).contains(scale)
      else { return nil }
      choice = .hdr10(black: numbers[0], peak: numbers[1], scale: scale)
    }
  }
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

/// `--lut-space`: a curve, with primaries after a hyphen.
extension LUTChoice.Space: ExpressibleByArgument {
  public init?(argument: String) {
    if argument == "p3" {
      self.init(.srgb, primaries: 12)
    } else {
      let parts = argument.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let curve = Curve(rawValue: parts[0]) else { return nil }
      guard parts.count == 2 else {
        self.init(curve)
        return
      }
      guard let primaries = OutputPrimaries(rawValue: parts[1]) else { return nil }
      self.init(curve, primaries: primaries.code)
    }
  }

  static var curves: String { Curve.allCases.map(\.rawValue).joined(separator: ", ") }
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
  case none, human, jsonl, openjd

  /// The default.
  static var standard: ProgressMode { Environment.value(OpenJDLines.sessionVariable) == nil ? .human : .openjd }
}

/// `--tone-map`: `auto`, `none` or the name of an operator, with parameters: `bt2390:knee=1,display-black=0.1`.
struct ToneArgument: ExpressibleByArgument {
  var choice: ToneChoice

  init?(argument: String) {
    switch argument {
    case "auto": choice = .auto
    case "none": choice = .none
    default:
      let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let tone = ToneOperators.named(String(parts[0])) else { return nil }
      var values: [String: Double] = [:]
      for pair in parts.count > 1 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : [] {
        let sides = pair.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let value = Double(sides[1]), value.isFinite else { return nil }
        guard values.updateValue(value, forKey: String(sides[0])) == nil else { return nil }
      }
      // Names and ranges are checked in `complaint`, which can explain the mistake.
      choice = .named(tone.name, ToneValues(values))
    }
  }

  static var allValueStrings: [String] { ["auto"] + ToneOperators.all.map { $0.name } + ["none"] }

  /// What is wrong with the parameters; `nil` when nothing is.
  var complaint: String? {
    guard case .named(let name, let values) = choice, let tone = ToneOperators.named(name) else { return nil }
    return values.complaint(tone)
  }

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

/// A number of bytes: 1500000, 512M, 4G (powers of 1024).
struct ByteCountArgument: ExpressibleByArgument {
  var bytes: Int

  init?(argument: String) {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = argument.last.flatMap { shifts[Character($0.uppercased())] }
    guard let number = Int(shift == nil ? argument : String(argument.dropLast())), number > 0, number < 1 << 42
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !overflow else { return nil }
    self.bytes = bytes
  }
}
