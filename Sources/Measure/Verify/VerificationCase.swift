import GPURender
import HDRPlan
import Kernels

/// A case to verify: a name and a plan.
package struct VerificationCase: Sendable {
  package var name: String
  package var plan: Plan
  /// Plans that other threads render on the same device at the same time.
  package var beside: [Plan]
  package var compared: Compared
  package init(name: String, plan: Plan, beside: [Plan] = [], compared: Compared = .pixels) {
    self.name = name
    self.plan = plan
    self.beside = beside
    self.compared = compared
  }

  /// A case compares one of these parts of a picture.
  package enum Compared: Sendable {
    case pixels
    /// The bytes of its scan, encoded so.
    case scan(JPEGCoding)
    /// The streams of its rows, deflated so, and what is measured of them.
    case rows(DeflateCoding, measuring: Measurement? = nil)
    /// The samples and flags of another scan, decoded so.
    case planes(JPEGDecoding)
    /// The sums that are measured of its pixels.
    case sums(Measurement)
  }

  var plans: [Plan] { [plan] + beside }

  package var pixels: Int {
    if case .planes(let decoding) = compared { return decoding.layout.width * decoding.layout.height }
    return plans.reduce(0) { $0 + ($1.passes.last.map { $0.width * $0.height } ?? 0) }
  }

  /// Stages of all passes.
  package var stages: Set<StageKind> { Set(plans.flatMap { $0.passes.flatMap { $0.stages.map(\.kind) } }) }

  /// True if a LUT is looked up.
  var hasLUT: Bool { !stages.isDisjoint(with: [.lut1D, .lut3D, .lut3DTrilinear]) }
}

/// The group of a case: the part of the program that it tests.
package enum VerificationGroup: String, Sendable, Hashable, CaseIterable {
  /// Layouts of samples and orientations.
  case decoding
  /// Samples of sensors, and looks of camera profiles.
  case cameras = "camera raw"
  /// Single stages and sinks on random bits and ramps.
  case stages
  /// Stages with numbers of which no two are equal.
  case numbers
  /// Tone operators.
  case operators
  case filters
  case gainMaps = "gain maps"
  case luts = "LUTs"
  /// Whole recipes.
  case recipes
  /// Small and odd ones.
  case sizes
  /// Several pictures at once on one device.
  case together
  /// JPEGs that devices encode and decode, and rows that they deflate.
  case codecs
  /// Sums that devices measure.
  case sums
  /// Recipes of drawn filters with drawn values.
  case random
}
