import FileParts
import CLCMS
import HDRCore

/// The conversion of inks and Lab to R'G'B' of 16 bits during decoding: BT.2020 with the sRGB curve, relative
/// colorimetric with black point compensation, by Little CMS; CMYK without a profile becomes sRGB as (1 - ink)(1 -
/// black).
///
/// `@unchecked Sendable`: it belongs to one decode.
final class InkTransform: @unchecked Sendable {
  enum Space: Sendable {
    case cmyk
    /// Lab with signed a* and b*, as TIFF has it, or as profiles have it.
    case cieLab, iccLab
  }

  /// The samples of a pixel as they lie in memory: the colours first.
  struct Samples: Sendable {
    var space: Space
    /// The samples of a pixel, and the index of alpha.
    var count: Int
    var alpha: Int?
    var isAssociated = false
    /// True for codes of 8 bits, false for those of 16.
    var isNarrow: Bool

    var colors: Int { space == .cmyk ? 4 : 3 }
  }

  private let samples: Samples
  /// The colour encoding of the result.
  let encoding: ColorEncoding
  /// The conversion in words, for the record.
  let what: String
  private let profile: ICCProfile?
  private var context: cmsContext?
  private var transform: cmsHTRANSFORM?
  private var words: [UInt16] = []

  /// Chooses the conversion of a picture.
  ///
  /// - Parameter profile: the file's profile, if it has one.
  init(_ samples: Samples, profile bytes: [UInt8]?, warnings: inout [Warning]) {
    let wide = ColorEncoding.cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.sRGB)
    self.samples = samples
    switch samples.space {
    case .cieLab, .iccLab:
      (profile, encoding, what) = (nil, wide, "Lab became R'G'B' in BT.2020")
    case .cmyk:
      profile = bytes.flatMap { Self.usable($0, warnings: &warnings) }
      if let profile {
        (encoding, what) = (wide, "CMYK became R'G'B' in BT.2020 by its profile, \(profile.description ?? "no name")")
      } else {
        encoding = .sRGB
        what = "CMYK without a profile became sRGB as (1 - ink)(1 - black)"
      }
    }
  }

  deinit {
    if let transform { cmsDeleteTransform(transform) }
    if let context { cmsDeleteContext(context) }
  }

  /// Returns the profile if it can be used. Limits are checked before Little CMS sees a byte.
  private static func usable(_ bytes: [UInt8], warnings: inout [Warning]) -> ICCProfile? {
    do throws(ICCProfile.Fault) {
      let icc = try ICCProfile(bytes)
      guard icc.colorSpace == "CMYK" else {
        throw ICCProfile.Fault("mismatch", "a profile for '\(icc.colorSpace)' on a CMYK picture")
      }
      try icc.checkTables()
      guard ["A2B0", "A2B1", "A2B2"].contains(where: icc.has) else {
        throw ICCProfile.Fault("invalid", "it has no table from its device")
      }
      return icc
    } catch {
      warnings.append(Warning(error.code, "ICC profile ignored: \(error.what)"))
      return nil
    }
  }

  /// Makes the transform of Little CMS; pictures that are only described do not need it.
  func prepare() throws(DecodeError) {
    if samples.space == .cmyk && profile == nil { return }
    func refusal(_ what: String) -> DecodeError { .library(name: "Little CMS", code: 0, message: what) }
    context = cmsCreateContext(nil, nil)
    guard let context else { throw refusal("no context") }
    let opened =
      if let profile {
        cmsOpenProfileFromMemTHR(context, profile.bytes, cmsUInt32Number(profile.bytes.count))
      } else {
        cmsCreateLab4ProfileTHR(context, nil)
      }
    guard let source = opened else { throw refusal("it does not open the profile") }
    defer { cmsCloseProfile(source) }
    guard let target = Self.target(context) else { throw refusal("no output profile") }
    defer { cmsCloseProfile(target) }
    // Spaces CMYK (6) and Lab (10), two bytes a sample; RGB (4) perhaps with one extra sample that is not changed.
    let from: cmsUInt32Number = profile == nil ? 10 << 16 | 3 << 3 | 2 : 6 << 16 | 4 << 3 | 2
    // A precalculated table is fast, but too coarse for Lab, whose greys lie between its nodes.
    let accuracy = profile == nil ? cmsFLAGS_NOOPTIMIZE : cmsFLAGS_HIGHRESPRECALC
    let to: cmsUInt32Number = 4 << 16 | (samples.alpha == nil ? 0 : 1 << 7) | 3 << 3 | 2
    transform = cmsCreateTransformTHR(
      context, source, from, target, to, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
      cmsUInt32Number(accuracy | cmsFLAGS_BLACKPOINTCOMPENSATION))
    guard transform != nil else { throw refusal("it makes no transform of the profile") }
  }

  private static func target(_ context: cmsContext) -> cmsHPROFILE? {
    let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    guard let curve = cmsBuildParametricToneCurve(context, 4, parameters) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    return bt2020Profile(context, curve)
  }

  /// Converts a row of the file's samples, a word each, to words R, G, B and perhaps alpha.
  func convert(_ row: UnsafePointer<UInt16>, count: Int, into out: UnsafeMutableRawPointer) {
    let step = samples.count, colors = samples.colors, channels = samples.alpha == nil ? 3 : 4
    let widening: UInt16 = samples.isNarrow ? 257 : 1
    if words.count < count * colors { words = [UInt16](repeating: 0, count: count * colors) }
    for x in 0..<count {
      for c in 0..<colors { words[x * colors + c] = word(row[x * step + c], c) }
      guard let alpha = samples.alpha else { continue }
      let share = row[x * step + alpha] * widening
      out.storeBytes(of: share, toByteOffset: 8 * x + 6, as: UInt16.self)
      guard samples.isAssociated, samples.space == .cmyk else { continue }
      // Inks of a partly transparent pixel are divided by alpha.
      for c in 0..<colors {
        let ink = Int(words[x * colors + c])
        words[x * colors + c] = share == 0 ? 0 : UInt16(min(65_535, (ink * 65_535 + Int(share) / 2) / Int(share)))
      }
    }
    if let transform { return cmsDoTransform(transform, words, out, cmsUInt32Number(count)) }
    for x in 0..<count {
      let black = 65_535 - Int(words[x * 4 + 3])
      for c in 0..<3 {
        let value = ((65_535 - Int(words[x * 4 + c])) * black + 32_767) / 65_535
        out.storeBytes(of: UInt16(value), toByteOffset: (x * channels + c) * 2, as: UInt16.self)
      }
    }
  }

  /// Returns a code of the file in the scale of Little CMS: inks 0 to 65535; L* 0...100 likewise, a* and b* (v + 128)
  /// 257.
  private func word(_ code: UInt16, _ channel: Int) -> UInt16 {
    let isNarrow = samples.isNarrow, isSigned = samples.space == .cieLab && channel > 0
    guard samples.space != .cmyk else { return isNarrow ? code * 257 : code }
    if isNarrow { return (isSigned ? code ^ 0x80 : code) * 257 }
    if samples.space == .cieLab, channel == 0 { return code }
    // 16-bit Lab of ICC version 2, and CIE Lab converted to it, has 256 codes a unit.
    return UInt16(min(65_535, (Int(isSigned ? code ^ 0x8000 : code) * 257 + 128) / 256))
  }
}
