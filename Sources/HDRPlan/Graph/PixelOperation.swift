import HDRCore
import Kernels

/// An operation on pixels between samples and signal, before it becomes stages. The simplifier works on these: it
/// merges matrices and drops pairs that undo each other, so that no pixel pays for an identity.
enum PixelOperation {
  /// Signal to light, per channel.
  case decode(TransferCurve)
  /// Light to signal, per channel.
  case encode(TransferCurve)
  /// Codes of a named space to light and back, per channel.
  case decodeCode(CodeCurve)
  case encodeCode(CodeCurve)
  /// The curves of an ICC profile, from device value to light.
  case deviceCurves([ToneCurve])
  /// Light to device value.
  case inverseCurves([ToneCurve])
  case matrix(Matrix3)
  /// HLG's OOTF on scene light in BT.2020: display peak in cd/m², result relative to `white` cd/m². `isOpen`: uses the
  /// luminance of magnitudes, which every colour has, for light of any size; OOTF and inverse then undo each other.
  case hlgOOTF(peak: Double, white: Double, isOpen: Bool = false)
  /// The inverse of `hlgOOTF`.
  case hlgInverseOOTF(peak: Double, white: Double, isOpen: Bool = false)
  case gainMap(GainMapOperation)
  case tone(ToneOperation)
  case lut(CubeLUT, extrapolates: Bool, LUTChoice.Interpolation)
  case bakedLUT(size: Int, values: [Float])
  case desaturate(luminance: [Double], peak: Double)
  case clamp(low: Double, high: Double)
  case unpremultiply
  case premultiply
  /// Multiplies each channel by a factor and adds an offset.
  case affine(scale: [Double], offset: [Double])
  /// A stage with its tables.
  case custom(@Sendable (inout PlanDataBuilder) -> Stage)

  /// Returns the curves of a profile, as a known transfer if they are one, so that they can cancel against an output's.
  static func device(_ curves: [ToneCurve]) -> PixelOperation {
    guard let first = curves.first, curves.allSatisfy({ $0 == first }) else { return .deviceCurves(curves) }
    switch first {
    case .sRGB: return .decode(.sRGB)
    case .gamma(let g): return .decode(.gamma(g))
    case .identity: return .decode(.linear)
    case .parametric, .table: return .deviceCurves(curves)
    }
  }

  /// Returns the operations from R', Y', B' of constant luminance to R', G', B'.
  static func green(_ source: ConstantLuminance) -> [PixelOperation] {
    [.decode(source.curve), .matrix(source.greenFromLuminance), .encode(source.curve)]
  }

  /// Returns the inverse of a profile's curves, for outputs.
  static func inverse(_ curves: [ToneCurve]) -> PixelOperation {
    switch device(curves) {
    case .decode(let curve): .encode(curve)
    default: .inverseCurves(curves)
    }
  }

  /// Returns true if `next` right after `self` undoes it.
  func isUndone(by next: PixelOperation) -> Bool {
    switch (self, next) {
    case (.decode(let a), .encode(let b)), (.encode(let a), .decode(let b)): a == b
    case (.decodeCode(let a), .encodeCode(let b)), (.encodeCode(let a), .decodeCode(let b)): a == b && a.isOneToOne
    case (.deviceCurves(let a), .inverseCurves(let b)): a == b
    case (.premultiply, .unpremultiply), (.unpremultiply, .premultiply): true
    case (.hlgOOTF(let a, let b, let o), .hlgInverseOOTF(let c, let d, let p)): a == c && b == d && o == p
    case (.hlgInverseOOTF(let a, let b, let o), .hlgOOTF(let c, let d, let p)): a == c && b == d && o == p
    default: false
    }
  }

  /// True if the operation changes nothing.
  var isIdentity: Bool {
    switch self {
    case .decode(.linear), .encode(.linear), .decodeCode(.linear), .encodeCode(.linear): true
    case .matrix(let m): m.isIdentity()
    case .affine(let scale, let offset): scale.allSatisfy { $0 == 1 } && offset.allSatisfy { $0 == 0 }
    case .deviceCurves(let curves): curves.allSatisfy { $0 == .identity }
    default: false
    }
  }

  /// Merges matrices, keeps colour premultiplied if nothing else is done to it, and drops identities and inverses.
  static func simplified(_ operations: [PixelOperation]) -> [PixelOperation] {
    var result: [PixelOperation] = []
    for operation in operations where !operation.isIdentity {
      if case .matrix(let next) = operation, case .matrix(let last) = result.last {
        result.removeLast()
        let product = next * last
        if !product.isIdentity(within: 1e-9) { result.append(.matrix(product)) }
      } else if case .premultiply = operation, case .matrix(let only) = result.last, result.count > 1,
        case .unpremultiply = result[result.count - 2]
      {
        // A matrix does the same to premultiplied colour.
        result.removeLast(2)
        result.append(.matrix(only))
      } else if let last = result.last, last.isUndone(by: operation) {
        result.removeLast()
      } else {
        result.append(operation)
      }
    }
    return result.count == operations.count ? result : simplified(result)
  }
}

/// A gain map ready to be applied.
struct GainMapOperation {
  var metadata: GainMapMetadata
  var image: SampleImage
  var matrix: Int
  var fullRange: Bool
  var weight: Double
  /// The gains of Apple's formula for a headroom, as log2Gain, instead of those of ISO 21496-1.
  var apple: CurveTable?
  /// The primaries of matrix coefficients that follow from them.
  var mapPrimaries = 1
  /// The axes of the base picture as stored.
  var base: (x: SampleAxis, y: SampleAxis)
  /// The part of the map that lies over the base, and its orientation there; `nil`: all of it as stored.
  var geometry: Geometry?

  /// Prepares the map of a picture for that picture.
  init(_ map: GainMap, _ share: GainMapShare, transfer: AppleMapTransfer, source: SourceImage) {
    (metadata, image, matrix, fullRange) = (map.metadata, map.image, map.matrix, map.fullRange)
    weight = share.factor
    apple = share.appleHeadroom.flatMap { map.metadata.apple?.log2GainTable(transfer: transfer, headroom: $0) }
    mapPrimaries = source.color.cicp?.primaries ?? 1
    base = source.image.axes(Geometry(width: source.image.width, height: source.image.height))
  }
}
