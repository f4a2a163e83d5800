import FileParts
import HDRCore

/// The colour of a JPEG 2000 picture: code points, a profile, a space by number, else sRGB with a warning; and the light
/// of digital cinema.
struct JP2Color {
  /// The luminance of white and of the largest code in digital cinema, in cd/m². Source: SMPTE ST 428-1.
  static let cinemaWhite = 48.0, cinemaPeak = 52.37

  private(set) var source: SourceColor
  private(set) var model: ColorModel
  private(set) var light = LightMetadata()
  /// The conversion of inks.
  private(set) var inks: InkTransform?

  /// The samples of inks, as words of all 16 bits.
  static let fourInks = InkTransform.Samples(space: .cmyk, count: 4, isNarrow: false)

  init(
    _ file: JP2Container, _ layout: JP2Layout, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) throws(DecodeError) {
    if file.isCMYK {
      guard !limits.reading.readsCinema, try limits.reading.statedColor(inPlaceOf: .sRGB(), .rgb) == nil else {
        throw .unsupported(feature: "another colour for this JPEG 2000", found: "CMYK")
      }
      let inks = InkTransform(Self.fourInks, profile: file.profiles.first, warnings: &warnings)
      warnings.append(Warning("jp2.converted", "\(inks.what)"))
      (source, model) = (SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: inks.encoding), .rgb)
      self.inks = inks
      return
    }
    let isGrey = layout.colors.count == 1
    if limits.reading.readsCinema || file.colors.isEmpty && file.stream.isCinema {
      guard !isGrey else {
        throw .unsupported(feature: "the setting from-dci for this picture", found: "one component, X'Y'Z' are three")
      }
      (source, model) = (Self.cinema, .rgb)
      (light.diffuseWhite, light.places[.ndwt]) = (Self.cinemaWhite, .setting)
    } else {
      (source, model) = try Self.described(file, isGrey, limits, &warnings)
      light = LightMetadata(profile: source, warnings: &warnings)
    }
    if let stated = try limits.reading.statedColor(inPlaceOf: source, model) {
      (source, light) = (stated, LightMetadata())
    }
    source.warnAboutBands(bits: file.stream.components[0].bits, format: "jp2", warnings: &warnings)
  }

  /// Returns the colour that a file states.
  private static func described(
    _ file: JP2Container, _ isGrey: Bool, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) throws(DecodeError) -> (SourceColor, ColorModel) {
    let plain: ColorModel = isGrey ? .grey : .rgb
    let profiles = file.profiles
    for color in file.colors {
      guard case .codePoints(let cicp) = color else { continue }
      let model: ColorModel = isGrey ? .grey : cicp.matrix == CICP.Matrix.identity ? .rgb : .ycc
      let description = profiles.first.flatMap { try? ICCProfile($0) }?.description
      return (
        SourceColor(
          matrix: cicp.matrix, fullRange: cicp.fullRange,
          encoding: .cicp(primaries: cicp.primaries, transfer: cicp.transfer), cicp: cicp, icc: profiles.first,
          iccDescription: description), model
      )
    }
    for profile in profiles {
      // Inks that lie as in a picture of light would be read as R'G'B'.
      if let space = (try? ICCProfile(profile))?.colorSpace, space == "CMYK" || space.hasSuffix("CLR") {
        throw .unsupported(feature: "this colour of JPEG 2000", found: "\(space), by its profile")
      }
      if let color = SourceColor(icc: profile, model: plain, limits: limits, warnings: &warnings) {
        return (color, plain)
      }
    }
    for color in file.colors {
      guard case .space(let number) = color else { continue }
      switch number {
      case 16, 17: return (.sRGB(), plain)
      case 18: return (.sRGB(matrix: CICP.Matrix.bt601), isGrey ? .grey : .ycc)
      default: throw .unsupported(feature: "this colour of JPEG 2000", found: "space \(number)")
      }
    }
    if limits.reading.raw?.primaries == nil, limits.reading.space == nil {
      warnings.append(
        Warning("colour.assumed", "no word about colour: read as sRGB; \(setting: "cicp") 9/16 reads it as PQ"))
    }
    return (.sRGB(), plain)
  }

  /// X'Y'Z' of digital cinema: (code / largest)^2.6 is light of which 1.0 is 52.37 cd/m², without an adaptation of white;
  /// reference white is 48 cd/m².
  private static var cinema: SourceColor {
    let fromXYZ = Primaries.bt2020.rgbToXYZ?.inverse ?? .identity
    return SourceColor(
      matrix: CICP.Matrix.identity, fullRange: true,
      encoding: .matrixTRC(
        curves: [.gamma(2.6), .gamma(2.6), .gamma(2.6)], toBT2020: (fromXYZ * (cinemaPeak / cinemaWhite)).rows,
        primaries: nil))
  }
}
