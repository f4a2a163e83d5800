import HDRCore
import Kernels

/// A look of this project with the name and the mood of one of Core Image's photo effects, whose tables are not public.
///
/// In sRGB signals V that go on above 1 and below 0, L their sum with luminance's weights: V = L + saturation (V - L);
/// with u = V cut to 0...1, V + 16 contrast u² (1 - u)² (2u - 1); with the new u, (V + lift (1 - u)²) tint. The slope is
/// the tint's at 1 and above, so highlights are only scaled.
protocol PhotoEffectFilter: Filter {
  static var look: PhotoLook { get }
}

/// The numbers of a `PhotoEffectFilter`.
struct PhotoLook: Sendable {
  var saturation: Double
  var contrast: Double
  var lift: Double
  var tint: [Double] = [1, 1, 1]

  static let extrapolate = FilterParameter(
    "extrapolate", .flag(true), "goes on above white; else signals are cut to 0...1, before and after")

  /// Returns the signal that a signal becomes.
  func signal(_ v: Double, _ channel: Int) -> Double {
    func cut(_ x: Double) -> Double { min(max(x, 0), 1) }
    let u = cut(v), toned = v + 16 * contrast * u * u * (1 - u) * (1 - u) * (2 * u - 1), rest = 1 - cut(toned)
    return (toned + lift * rest * rest) * tint[channel]
  }
}

extension PhotoEffectFilter {
  static var category: FilterCategory { .color }
  static var parameters: [FilterParameter] { [PhotoLook.extrapolate] }
  static var headroomEffect: HeadroomEffect { .unknown }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let look = look, isCut = !values.flag(PhotoLook.extrapolate), most = Double(E32.largest)
    edit.curve(octaves: -20..<20, k: 6) { Transfer.sRGBEncode($0) }
    if isCut { edit.clamp(low: 0, high: 1) }
    edit.matrix(ColorTransform.tinted([1, 1, 1], amount: 1 - look.saturation))
    let pairs = (0..<3).map { channel in
      func light(_ v: Double) -> Double {
        let signal = look.signal(v, channel)
        return min(max(Transfer.sRGBDecode(isCut ? min(max(signal, 0), 1) : signal), -most), most)
      }
      let octaves = -12..<10
      return (
        positive: CurveTable(octaves: octaves, k: 7, light), negative: CurveTable(octaves: octaves, k: 7) { light(-$0) }
      )
    }
    edit.stage(.signedCurve, tables: pairs.map { $0.positive.words + $0.negative.words }) {
      SignedCurve.words(pairs, offsets: $0)
    }
  }
}

enum PhotoEffectMono: PhotoEffectFilter {
  static let name = "photo-effect-mono"
  static let summary = "a look of this project: black and white, soft"
  static let look = PhotoLook(saturation: 0, contrast: -0.2, lift: 0)
}

enum PhotoEffectTonal: PhotoEffectFilter {
  static let name = "photo-effect-tonal"
  static let summary = "a look of this project: black and white, tones as they are"
  static let look = PhotoLook(saturation: 0, contrast: 0, lift: 0)
}

enum PhotoEffectNoir: PhotoEffectFilter {
  static let name = "photo-effect-noir"
  static let summary = "a look of this project: black and white, hard"
  static let look = PhotoLook(saturation: 0, contrast: 0.6, lift: 0)
}

enum PhotoEffectChrome: PhotoEffectFilter {
  static let name = "photo-effect-chrome"
  static let summary = "a look of this project: strong colours and contrast"
  static let look = PhotoLook(saturation: 1.25, contrast: 0.3, lift: 0)
}

enum PhotoEffectFade: PhotoEffectFilter {
  static let name = "photo-effect-fade"
  static let summary = "a look of this project: pale, with lifted shadows"
  static let look = PhotoLook(saturation: 0.6, contrast: -0.15, lift: 0.1)
}

enum PhotoEffectInstant: PhotoEffectFilter {
  static let name = "photo-effect-instant"
  static let summary = "a look of this project: warm and a little faded, as instant film"
  static let look = PhotoLook(saturation: 0.8, contrast: 0.1, lift: 0.06, tint: [1.06, 1, 0.9])
}

enum PhotoEffectProcess: PhotoEffectFilter {
  static let name = "photo-effect-process"
  static let summary = "a look of this project: cool, as film developed in other chemicals"
  static let look = PhotoLook(saturation: 0.95, contrast: 0.15, lift: 0, tint: [0.92, 1, 1.1])
}

enum PhotoEffectTransfer: PhotoEffectFilter {
  static let name = "photo-effect-transfer"
  static let summary = "a look of this project: warm, as an old print"
  static let look = PhotoLook(saturation: 0.95, contrast: 0.1, lift: 0.04, tint: [1.1, 1, 0.86])
}
