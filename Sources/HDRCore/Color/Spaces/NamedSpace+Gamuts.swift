/// The primaries of a space and the matrix from them to ACES2065-1.
struct SpaceGamut: Sendable {
  /// The adaptation of a white to that of ACES.
  enum Adaptation {
    case bradford, cat02
  }

  let primaries: Primaries?
  let toACES: Matrix3

  /// Makes the set of x, y of red, green, blue and white; adapted as the maker of the space does.
  init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    white: Chromaticity = Primaries.d65, _ adaptation: Adaptation
  ) {
    func point(_ c: (Double, Double)) -> Chromaticity { Chromaticity(c.0, c.1) }
    self.init(Primaries(red: point(red), green: point(green), blue: point(blue), white: white), adaptation)
  }

  init(_ primaries: Primaries, _ adaptation: Adaptation = .bradford) {
    self.primaries = primaries
    toACES =
      primaries.matrix(to: .aces, cones: adaptation == .cat02 ? Primaries.cat02 : Primaries.bradford) ?? .identity
  }

  /// Makes a set that is defined by its matrix to ACES2065-1.
  init(toACES matrix: Matrix3) { (primaries, toACES) = (nil, matrix) }
}

extension SpaceGamut {
  static let aces = SpaceGamut(.aces), acesWorking = SpaceGamut(.acesWorking)
  static let rec709 = SpaceGamut(.bt709), rec2020 = SpaceGamut(.bt2020), p3 = SpaceGamut(.displayP3)
  static let adobe = SpaceGamut((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), .bradford)
  /// CIE XYZ of a scene whose white is D65.
  static let xyz = SpaceGamut(
    toACES: (Primaries.aces.rgbToXYZ?.inverse ?? .identity)
      * Primaries.bradford(from: Primaries.xyz(Primaries.d65), to: Primaries.xyz(Primaries.aces.white)))

  // ARRI: "ALEXA Log C Curve", "LogC4 Logarithmic Color Space Specification".
  static let arriWide3 = SpaceGamut((0.684, 0.313), (0.221, 0.848), (0.0861, -0.102), .cat02)
  static let arriWide4 = SpaceGamut((0.7347, 0.2653), (0.1424, 0.8576), (0.0991, -0.0308), .cat02)
  // Sony: "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3"; Venice: matrices of ACES' IDTs.
  static let sGamut3 = SpaceGamut((0.73, 0.28), (0.14, 0.855), (0.1, -0.05), .cat02)
  static let sGamut3Cine = SpaceGamut((0.766, 0.275), (0.225, 0.8), (0.089, -0.087), .cat02)
  static let veniceSGamut3 = SpaceGamut(
    toACES: Matrix3([
      0.7933297411, 0.0890786256, 0.1175916333, 0.0155810585, 1.0327123069, -0.0482933654, -0.0188647478, 0.0127694121,
      1.0060953358,
    ]))
  static let veniceSGamut3Cine = SpaceGamut(
    toACES: Matrix3([
      0.6742570921, 0.2205717359, 0.1051711720, -0.0093136061, 1.1059588614, -0.0966452553, -0.0382090673,
      -0.0179383766, 1.0561474439,
    ]))
  // Panasonic: "V-Log/V-Gamut Reference Manual".
  static let vGamut = SpaceGamut((0.73, 0.28), (0.165, 0.84), (0.1, -0.03), .bradford)
  // RED: "White Paper on REDWideGamutRGB and Log3G10".
  static let redWide = SpaceGamut(
    (0.780308, 0.304253), (0.121595, 1.493994), (0.095612, -0.084589), .bradford)
  // Canon: "Canon Log Gamma Curves".
  static let cinemaGamut = SpaceGamut((0.74, 0.27), (0.17, 1.14), (0.08, -0.1), .cat02)
  // DJI: "White Paper on D-Log and D-Gamut".
  static let dGamut = SpaceGamut((0.71, 0.31), (0.21, 0.88), (0.09, -0.08), .cat02)
  // Blackmagic Design: "Generation 5 Color Science", "DaVinci Resolve Wide Gamut Intermediate".
  static let blackmagicWide5 = SpaceGamut(
    (0.7177215, 0.3171181), (0.228041, 0.861569), (0.1005841, -0.0820452), white: Chromaticity(0.312717, 0.3290312),
    .cat02)
  static let davinciWide = SpaceGamut((0.8, 0.313), (0.1682, 0.9877), (0.079, -0.1155), .cat02)
  // Apple Log 2: found from the matrix of OpenColorIO's studio configuration.
  static let appleWide = SpaceGamut((0.725, 0.301), (0.221, 0.814), (0.068, -0.076), .bradford)
  // Fujifilm, Nikon and GoPro publish no conversion to ACES; CAT02 is what most makers take.
  static let rec2020Camera = SpaceGamut(.bt2020, .cat02)
  static let fGamutC = SpaceGamut((0.7347, 0.2653), (0.0263, 0.9737), (0.1173, -0.0224), .cat02)
  static let protune = SpaceGamut((0.69848, 0.193026), (0.329555, 1.024597), (0.108443, -0.034679), .cat02)
}
