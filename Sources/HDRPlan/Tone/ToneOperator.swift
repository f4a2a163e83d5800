import HDRCore
import Kernels

/// A tone operator from content headroom to display headroom, in linear BT.2020 light, 1.0 = reference white.
///
/// An operator is a Swift file here and a line in `ToneOperators.all`. It returns its operations; the planner turns
/// them into tables and matrices that both backends run.
package protocol ToneOperator: Sendable {
  /// The name on the command line and in records.
  static var name: String { get }
  /// The summary line for `--help` and docs.
  static var summary: String { get }
  /// The working space and driving value, for docs and records.
  static var space: String { get }
  static var direction: ToneDirection { get }
  /// The parameters that can be set, with defaults.
  static var parameters: [ToneParameter] { get }
  /// True if no component of a colour inside BT.2020 can exceed the display, so that only the conversion to smaller
  /// primaries needs gamut mapping.
  static var staysInside: Bool { get }
  /// True if reference white stays 1.0 on every display.
  static var keepsWhite: Bool { get }
  /// Returns the operations from linear BT.2020 light to linear BT.2020 light; none if nothing has to change.
  static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation]
  /// Returns the headroom of the result.
  static func result(content: Headroom, display: Headroom, _ values: ToneValues) -> Headroom
}

extension ToneOperator {
  package static var direction: ToneDirection { .down }
  package static var parameters: [ToneParameter] { [] }
  package static var staysInside: Bool { true }
  package static var keepsWhite: Bool { false }
  package static func result(content: Headroom, display: Headroom, _ values: ToneValues) -> Headroom {
    direction == .up ? display : min(content, display)
  }
  /// Returns the operations with the parameters' defaults.
  package static func operations(content: Headroom, display: Headroom) -> [ToneOperation] {
    operations(content: content, display: display, ToneValues())
  }
}

/// The direction in which an operator maps.
package enum ToneDirection: String, Sendable, Hashable {
  /// Maps content to a display that shows less.
  case down
  /// Maps SDR content to a display that shows more.
  case up
  /// Maps between any headrooms; the operator itself decides how.
  case both
}

/// A parameter of an operator.
package struct ToneParameter: Sendable, Hashable {
  package var name: String
  package var value: Double
  package var range: ClosedRange<Double>
  package var summary: String

  package init(_ name: String, _ value: Double, _ range: ClosedRange<Double>, _ summary: String) {
    self.name = name
    self.value = value
    self.range = range
    self.summary = summary
  }
}

/// The parameters that a caller sets; others have their defaults.
public struct ToneValues: Sendable, Hashable {
  public private(set) var values: [String: Double] = [:]

  public init(_ values: [String: Double] = [:]) { self.values = values }

  func value(_ parameter: ToneParameter) -> Double { values[parameter.name] ?? parameter.value }
  func flag(_ parameter: ToneParameter) -> Bool { value(parameter) != 0 }

  /// Returns the values with one for a parameter that is not set, if the operator has it and the value is in its range.
  func setting(_ parameter: ToneParameter, _ value: Double, of tone: any ToneOperator.Type) -> ToneValues {
    guard tone.parameters.contains(parameter), values[parameter.name] == nil, parameter.range.contains(value) else {
      return self
    }
    return ToneValues(values.merging([parameter.name: value]) { own, _ in own })
  }

  /// Returns the value of every parameter of an operator, in its order, for records.
  package func all(_ tone: any ToneOperator.Type) -> [ToneParameter] {
    tone.parameters.map { ToneParameter($0.name, value($0), $0.range, $0.summary) }
  }

  /// Returns the reason why an operator refuses these values; `nil` if it takes them.
  package func complaint(_ tone: any ToneOperator.Type) -> String? {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let known = tone.parameters.first(where: { $0.name == name }) else {
        let names = tone.parameters.map(\.name)
        return names.isEmpty
          ? "\(tone.name) has no parameters" : "\(tone.name) has no \(name), only \(names.joined(separator: ", "))"
      }
      guard known.range.contains(value) else {
        return "\(name) of \(tone.name) is \(known.range.lowerBound)...\(known.range.upperBound), not \(value)"
      }
    }
    return nil
  }
}

/// An operation that an operator asks the planner for. Functions map factors of reference white, unless an earlier
/// operation changed the unit. Tables are functions of the magnitude; `octaves` is the range in which the function
/// varies.
package enum ToneOperation: Sendable {
  /// Multiplies R, G, B by a factor of max(R, G, B). Outside `octaves` the factor is that of the nearer end.
  case scaleByMax(octaves: Range<Int>, k: Int, factor: @Sendable (Double) -> Double)
  /// Multiplies R, G, B by a factor of the magnitude of a weighted sum: luminance or luma of BT.2020.
  case scaleByLuminance(octaves: Range<Int>, k: Int, factor: @Sendable (Double) -> Double)
  /// Multiplies the first component by one function of its magnitude, the others by another.
  case scaleByFirst(
    octaves: Range<Int>, k: Int, first: @Sendable (Double) -> Double, others: @Sendable (Double) -> Double)
  /// Applies an odd-extended curve to each component.
  case curve(octaves: Range<Int>, k: Int, @Sendable (Double) -> Double)
  case matrix(Matrix3)
  /// Adds `amount` times the positive part of the weighted sum to each component.
  case addPositive(weights: [Double], amount: Double)
  /// Multiplies R, G, B each by factors that are curves of mixes of the three.
  case mixedGains([MixedGain])
  /// Applies Khronos PBR Neutral to linear BT.709 that is not negative.
  case pbrNeutral
  /// Clamps each component to [low, high], at this place in the order.
  case limit(low: Double, high: Double)
  /// Clamps each component to [low, high], in the destination's primaries, after all other operations.
  case clamp(low: Double, high: Double)
}

extension ToneOperation {
  static let luminance = Transfer.HLG.luminance

  /// Applies the operation in binary64, as its tables approximate it: the reference of tests.
  package func apply(_ p: [Double]) -> [Double] {
    func clamped(_ v: Double, _ octaves: Range<Int>) -> Double {
      min(max(abs(v), ExactMath.exp2(Double(octaves.lowerBound))), ExactMath.exp2(Double(octaves.upperBound)))
    }
    func weighted(_ w: [Double]) -> Double { w[0] * p[0] + w[1] * p[1] + w[2] * p[2] }
    switch self {
    case .scaleByMax(let octaves, _, let factor):
      let f = factor(clamped(max(p[0], p[1], p[2], 0), octaves))
      return p.map { $0 * f }
    case .scaleByLuminance(let octaves, _, let factor):
      let f = factor(clamped(weighted(Self.luminance), octaves))
      return p.map { $0 * f }
    case .scaleByFirst(let octaves, _, let first, let others):
      let v = clamped(p[0], octaves), f = others(v)
      return [p[0] * first(v), p[1] * f, p[2] * f]
    case .curve(let octaves, _, let f):
      let last = ExactMath.exp2(Double(octaves.upperBound))
      return p.map { $0 < 0 ? -f(min(-$0, last)) : f(min($0, last)) }
    case .matrix(let m): return m * p
    case .addPositive(let weights, let amount):
      let d = amount * max(weighted(weights), 0)
      return p.map { $0 + d }
    case .mixedGains(let curves):
      return (0..<3).map { channel in
        curves.reduce(p[channel]) { light, curve in
          let k = curve.shares, high = max(p[0], p[1], p[2]), low = min(p[0], p[1], p[2])
          let v = k[0] * p[0] + k[1] * p[1] + k[2] * p[2] + k[3] * high + k[4] * low + k[5] * p[channel]
          return light * curve.factor(clamped(max(v, 0), curve.octaves))
        }
      }
    case .pbrNeutral: return KhronosNeutral.map(p)
    case .limit(let low, let high), .clamp(let low, let high): return p.map { min(max($0, low), high) }
    }
  }
}

/// The list of tone operators.
package enum ToneOperators {
  package static let all: [any ToneOperator.Type] = [
    ReferenceWhiteTone.self, ReferenceWhiteExact.self, HeadroomAdaptiveTone.self, FileCurveTone.self, BT2390.self,
    BT2390Luminance.self,
    BT2390Channel.self, BT2390ICtCp.self, BT2446A.self, BT2446AInverse.self, BT2446B.self, BT2446C.self,
    BT2446CInverse.self, BT2408.self,
    HLGPeak.self, ClipTone.self, ClipRatio.self, Reinhard.self, Hable.self, Uchimura.self, ACESHill.self,
    ACESNarkowicz.self,
    KhronosNeutral.self,
  ]

  package static func named(_ name: String) -> (any ToneOperator.Type)? { all.first { $0.name == name } }
}
