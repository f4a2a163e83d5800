import FileParts
import HDRCore

/// The colour and light of a JPEG XR picture.
///
/// Floats and fixed point are scRGB: linear, BT.709 unless a profile has other primaries, 1.0 = 80 cd/m²; values below 0
/// and beyond 1 are colours outside BT.709. Words of 10 bits are PQ where the container or the profile say so, as
/// screenshots of the Xbox do, else sRGB, as are integers without a profile. Source: IEC 61966-2-2 (scRGB).
struct JXRColor {
  /// The luminance of 1.0, in cd/m².
  static let unit = 80.0
  /// The description of the profile of screenshots of the Xbox, which states PQ in no other way.
  private static let profileOfPQ = "Rec2020 ST.2084"

  private(set) var source: SourceColor
  private let isPQ: Bool
  private let isLinear: Bool

  init(
    _ file: JXRContainer, _ model: ColorModel, profile: [UInt8]?, limits: DecodeLimits, warnings: inout [Warning]
  ) throws(DecodeError) {
    isLinear = file.format.isLinear
    let description = profile.flatMap { try? ICCProfile($0) }?.description
    let white = limits.reading.jxr.white ?? ReferenceWhite.nits
    if isLinear {
      let own = profile.flatMap { SourceColor(icc: $0, model: model, limits: limits, warnings: &warnings) }
      let stated = try limits.reading.statedLinearPrimaries
      source = Self.linear(own, stated, white: white, &warnings)
      isPQ = false
      return
    }
    let found: SourceColor
    if file.format.sample == .bits101010, file.statesPQ || description == Self.profileOfPQ {
      let cicp = CICP(CICP.Primaries.bt2020, CICP.Transfer.pq, CICP.Matrix.identity, full: true)
      found = SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: cicp.primaries, transfer: cicp.transfer), cicp: cicp, icc: profile,
        iccDescription: description)
    } else if let profile, let color = SourceColor(icc: profile, model: model, limits: limits, warnings: &warnings) {
      found = color
    } else {
      found = .sRGB()
      if file.format.sample == .bits101010, limits.reading.raw?.primaries == nil {
        warnings.append(
          Warning(
            "colour.assumed",
            "10 bits without a word about their colour: read as sRGB; \(setting: "cicp") 9/16 reads them as PQ"))
      }
    }
    source = try limits.reading.statedColor(inPlaceOf: found, model) ?? found
    if case .cicp(_, CICP.Transfer.pq) = source.encoding { isPQ = true } else { isPQ = false }
  }

  /// Returns the colour of linear light.
  ///
  /// - Parameters:
  ///   - own: the colour of the file's profile, whose curves do not count.
  ///   - stated: primaries that a caller states.
  private static func linear(
    _ own: SourceColor?, _ stated: Primaries?, white: Double, _ warnings: inout [Warning]
  ) -> SourceColor {
    var primaries: Int? = CICP.Primaries.bt709, matrix = Primaries.bt709.checkedMatrixToBT2020 ?? .identity
    if let stated {
      (primaries, matrix) = (stated.code(within: 1e-4), stated.checkedMatrixToBT2020 ?? .identity)
    } else if let own {
      switch own.encoding {
      case .matrixTRC(let curves, let rows, let code):
        (primaries, matrix) = (code, Matrix3(rows))
        if curves.contains(where: { $0 != .identity && $0 != .gamma(1) }) {
          warnings.append(
            Warning("jxr.curve", "the curves of the ICC profile are not used: floats of JPEG XR are linear light"))
        }
      case .cicp(let code, _):
        primaries = code
        matrix = Primaries(code: code)?.checkedMatrixToBT2020 ?? matrix
      case .bakedLUT, .space:
        warnings.append(
          Warning("jxr.profile", "the ICC profile of floats is a table, whose primaries are not known; BT.709 is taken")
        )
      }
    }
    return SourceColor(
      matrix: CICP.Matrix.identity, fullRange: true,
      encoding: .matrixTRC(
        curves: [.identity, .identity, .identity], toBT2020: (matrix * (unit / white)).rows, primaries: primaries),
      icc: own?.icc, iccDescription: own?.iccDescription)
  }

  /// Returns what the file does not state of its light: the luminance of white that a caller states, and the light level
  /// of the samples, over BT.2020; of a picture without pixels the first alone.
  func light(_ image: SampleImage, _ reading: JXRReading, _ warnings: inout [Warning]) -> LightMetadata {
    var light = LightMetadata(profile: source, warnings: &warnings)
    guard isLinear || isPQ else { return light }
    if let white = reading.white {
      (light.diffuseWhite, light.places[.ndwt]) = (white, .setting)
    }
    guard !image.channels.isEmpty, light.clli == nil else { return light }
    let rank = LightRank(percent: reading.peak.percent) { take in
      isPQ ? forEachRowOfPQ(image, take) : forEachRow(image, white: reading.white ?? ReferenceWhite.nits, take)
    }
    // A black picture states nothing.
    if rank.value > 0 {
      light.clli = ContentLightLevel(maxCLL: Double(rank.value), maxFALL: min(rank.mean, Double(rank.value)))
      light.places[.clli] = .samples
    }
    return light
  }

  /// Hands over the largest of R, G and B of each pixel in cd/m², row by row.
  private func forEachRow(_ image: SampleImage, white: Double, _ take: (UnsafeBufferPointer<Float>) -> Void) {
    guard case .matrixTRC(_, let rows, _) = source.encoding else { return }
    let m = rows.map { Float($0 * white) }, planes = image.channels, isGrey = planes.count == 1
    var line = [Float](repeating: 0, count: image.width)
    for y in 0..<image.height {
      func value(_ plane: Int, _ x: Int) -> Float {
        let at =
          planes[plane].buffer.base + planes[plane].offset + y * planes[plane].rowBytes
          + x * planes[plane].stepBytes
        return image.format == .float16
          ? Float(Float16(bitPattern: at.load(as: UInt16.self))) : at.load(as: Float.self)
      }
      for x in 0..<image.width {
        let r = value(0, x), g = isGrey ? r : value(1, x), b = isGrey ? r : value(2, x)
        line[x] = max(
          m[0] * r + m[1] * g + m[2] * b, m[3] * r + m[4] * g + m[5] * b, m[6] * r + m[7] * g + m[8] * b)
      }
      line.withUnsafeBufferPointer(take)
    }
  }

  /// Hands over the luminance of each pixel's largest PQ code, row by row.
  private func forEachRowOfPQ(_ image: SampleImage, _ take: (UnsafeBufferPointer<Float>) -> Void) {
    let most = 1 << image.bitDepth - 1
    let table = (0...most).map { Float(Transfer.pqEOTF(Double($0) / Double(most))) }
    var line = [Float](repeating: 0, count: image.width)
    for y in 0..<image.height {
      for x in 0..<image.width {
        var code = 0
        for plane in image.channels {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          code = max(code, image.format == .uint8 ? Int(at.load(as: UInt8.self)) : Int(at.load(as: UInt16.self)))
        }
        line[x] = table[min(code, most)]
      }
      line.withUnsafeBufferPointer(take)
    }
  }
}
