/// A colour space of cameras, renderers and displays, by the name that studios use. `all` has one row for each; reading,
/// LUTs, linear outputs and OpenEXR's attributes take them from there.
package struct NamedSpace: Sendable, Hashable, RawRepresentable {
  /// The meaning of the numbers of a space.
  package enum Kind: String, Sendable, Hashable {
    /// Light of a scene, and a camera's or compositor's logarithm of it.
    case linear, log
    /// Codes of SDR pictures and textures: 1.0 is white, and nothing is brighter.
    case video
    /// Signals of displays, which the program knows by code points.
    case display
  }

  /// An operation from codes to ACES2065-1.
  package enum Step: Sendable, Hashable {
    case curve(CodeCurve)
    case matrix(Matrix3)
    /// Negative numbers become 0.
    case clamp
    /// HLG's scene light to the light of a display of 1000 cd/m², 1.0 = reference white (BT.2100).
    case hlgDisplay
  }

  /// The name, as OpenColorIO's studio configuration spells it where it has the space.
  package let name: String
  /// Other names of the same space, without regard to case.
  package let aliases: [String]
  /// The identifier that files state (`colorInteropID` of OpenEXR); `nil`: there is none.
  package let interopID: String?
  package let kind: Kind
  /// The primaries; `nil` for densities of film, CIE XYZ and spaces that are defined by a matrix.
  package let primaries: Primaries?
  /// The operations from codes to ACES2065-1; 1.0 = a perfect diffuser.
  package let steps: [Step]
  /// The encoding that the program has of the same signal; `nil`: the steps are the encoding.
  package let known: ColorEncoding?

  package init(
    _ name: String, id: String? = nil, _ aliases: [String], _ kind: Kind, primaries: Primaries? = nil, steps: [Step],
    known: ColorEncoding? = nil
  ) {
    (self.name, self.aliases, interopID, self.kind) = (name, aliases, id, kind)
    (self.primaries, self.steps, self.known) = (primaries, steps, known)
  }

  /// True for light of a scene or its logarithm, which have no largest value.
  package var isScene: Bool { kind == .linear || kind == .log }

  /// The conversion of pictures in this space.
  package var encoding: ColorEncoding { known ?? .space(self) }

  /// The matrix from light of a linear space to linear BT.2020; `nil` for other spaces.
  package var toBT2020: Matrix3? {
    guard kind == .linear, let toACES else { return nil }
    // Bradford there and back is no adaptation: whites that are BT.2020's own then stay as they are, bit for bit.
    if let primaries, primaries.matrix(to: .aces) == toACES { return primaries.matrix(to: .bt2020) }
    return Self.bt2020FromACES * toACES
  }

  /// The matrix from light in the space's primaries to ACES2065-1; `nil` for densities of film.
  package var toACES: Matrix3? {
    var matrix = Matrix3.identity, count = 0
    for case .matrix(let next) in steps { (matrix, count) = (next * matrix, count + 1) }
    return count == 1 ? matrix : nil
  }

  package static let bt2020FromACES = Primaries.aces.matrix(to: .bt2020) ?? .identity

  /// Converts codes to ACES2065-1. Of displays' signals 1.0 is reference white.
  package func aces(_ codes: [Double]) -> [Double] {
    steps.reduce(codes) { values, step in
      switch step {
      case .curve(let curve): values.map(curve.decode)
      case .matrix(let matrix): matrix * values
      case .clamp: values.map { max($0, 0) }
      case .hlgDisplay:
        Self.scaled(values, by: Transfer.hlgGamma(peak: 1000) - 1).map { $0 * 1000 / ReferenceWhite.nits }
      }
    }
  }

  /// Converts ACES2065-1 to codes.
  package func codes(_ aces: [Double]) -> [Double] {
    steps.reversed().reduce(aces) { values, step in
      switch step {
      case .curve(let curve): values.map(curve.encode)
      case .matrix(let matrix): (matrix.inverse ?? .identity) * values
      case .clamp: values.map { max($0, 0) }
      case .hlgDisplay:
        Self.scaled(values.map { $0 * ReferenceWhite.nits / 1000 }, by: 1 / Transfer.hlgGamma(peak: 1000) - 1)
      }
    }
  }

  /// Multiplies a colour of BT.2020 by a power of its luminance, which is that of magnitudes.
  private static func scaled(_ rgb: [Double], by power: Double) -> [Double] {
    let luminance = zip(Transfer.HLG.luminance, rgb).reduce(0) { $0 + $1.0 * abs($1.1) }
    let factor = luminance > 0 ? ExactMath.pow(luminance, power) : 0
    return rgb.map { $0 * factor }
  }

  package static func == (a: NamedSpace, b: NamedSpace) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension NamedSpace {
  /// The space that codec processes are told in the place of one of a config, which they do not know: codes stay as they
  /// are.
  package static var ofConfig: NamedSpace { all[0] }

  /// Returns the space that a name, an alias or an identifier means, without regard to case; `nil`: none.
  package static func named(_ name: String) -> NamedSpace? { byName[name.lowercased()] }

  /// Returns the space of an identifier.
  package static func identified(_ id: String) -> NamedSpace? { all.first { $0.interopID == id } }

  /// Returns the linear space whose primaries these are, within 1e-4.
  package static func linear(near primaries: Primaries) -> NamedSpace? {
    all.first { $0.kind == .linear && $0.primaries?.isNear(primaries, within: 1e-4) == true }
  }

  /// Returns the linear space of a code point's primaries, which outputs have.
  package static func linear(code: Int) -> NamedSpace? { Primaries(code: code).flatMap(linear(near:)) }

  package var rawValue: String { name }

  /// Finds a space by its own name, as messages between processes have it.
  package init?(rawValue: String) {
    if let film = FilmLog(spaceName: rawValue) {
      self = film.space
      return
    }
    guard let space = Self.named(rawValue), space.name == rawValue else { return nil }
    self = space
  }

  /// All words that name the space.
  package var names: [String] { [name] + aliases + (interopID.map { [$0] } ?? []) }

  /// All words that name a space, for hints.
  package static let allNames = all.flatMap(\.names)

  private static let byName = Dictionary(
    all.flatMap { space in space.names.map { ($0.lowercased(), space) } }
  ) { first, _ in first }
}
