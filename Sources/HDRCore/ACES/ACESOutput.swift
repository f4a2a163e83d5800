/// An output transform of ACES 2.0: from ACES2065-1, scene light, to the light of a display.
package struct ACESOutput: Sendable, Hashable {
  /// The name in styles of OpenColorIO: `ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - NAME_2.0`.
  package let name: String
  /// The peak of tones and gamut in cd/m². For 108 and 300 cd/m² it is larger, and `linearScale` brings it down.
  package let peak: Double
  /// The gamut that colours are brought into.
  package let limit: Primaries
  package let linearScale: Double
  /// The display in whose signal the limit's white must fit; `nil`: white is not scaled.
  package let encoding: Primaries?

  private init(_ name: String, _ peak: Double, _ limit: Primaries, scale: Double = 1, into encoding: Primaries? = nil) {
    (self.name, self.peak, self.limit, self.linearScale, self.encoding) = (name, peak, limit, scale, encoding)
  }

  /// Makes an output transform of any peak and limit; its light is in R, G, B of the limit.
  ///
  /// - Parameters:
  ///   - peak: in cd/m², 100 to 10000.
  ///   - points: x and y of red, green, blue and white.
  /// - Returns: `nil` for numbers out of these ranges, and for primaries that are no triangle around white.
  package init?(peak: Double, points: [Double]) {
    guard (100...10_000).contains(peak), points.count == 8, points.allSatisfy({ (-0.2...1.2).contains($0) }) else {
      return nil
    }
    func point(_ i: Int) -> Chromaticity { Chromaticity(points[2 * i], points[2 * i + 1]) }
    let limit = Primaries(red: point(0), green: point(1), blue: point(2), white: point(3))
    guard limit.isTriangleAroundWhite else { return nil }
    self.init("", peak, limit)
  }

  /// All output transforms of the release.
  package static let all: [ACESOutput] = {
    let p3 = Primaries.displayP3, bt2020 = Primaries.bt2020, bt709 = Primaries.bt709
    let p3D60 = p3.withACESWhite, bt2020D60 = bt2020.withACESWhite, bt709D60 = bt709.withACESWhite
    let peaks = [500.0, 1000, 2000, 4000]
    func named(_ nits: Double, _ rest: String) -> String { "HDR-\(Int(nits))nit-\(rest)" }
    return [
      ACESOutput("SDR-100nit-REC709", 100, bt709), ACESOutput("SDR-100nit-P3-D65", 100, p3),
      ACESOutput(named(108, "P3-D65"), 225, p3, scale: 0.48), ACESOutput(named(300, "P3-D65"), 625, p3, scale: 0.48),
    ] + peaks.map { ACESOutput(named($0, "P3-D65"), $0, p3) }
      + peaks.map { ACESOutput(named($0, "REC2020"), $0, bt2020) }
      + [
        ACESOutput("SDR-100nit-REC709-D60-in-REC709-D65", 100, bt709D60, into: bt709),
        ACESOutput("SDR-100nit-REC709-D60-in-P3-D65", 100, bt709D60, into: p3),
        ACESOutput("SDR-100nit-REC709-D60-in-REC2020-D65", 100, bt709D60, into: bt2020),
        ACESOutput("SDR-100nit-P3-D60-in-P3-D65", 100, p3D60, into: p3),
        ACESOutput("SDR-100nit-P3-D60-in-XYZ-E", 100, p3D60),
        ACESOutput(named(108, "P3-D60-in-P3-D65"), 225, p3D60, scale: 0.48, into: p3),
        ACESOutput(named(300, "P3-D60-in-XYZ-E"), 625, p3D60, scale: 0.48, into: .xyzE),
      ]
      + peaks.map { ACESOutput(named($0, "P3-D60-in-P3-D65"), $0, p3D60, into: p3) }
      + peaks.map { ACESOutput(named($0, "P3-D60-in-REC2020-D65"), $0, p3D60, into: bt2020) }
      + peaks.map { ACESOutput(named($0, "REC2020-D60-in-REC2020-D65"), $0, bt2020D60, into: bt2020) }
  }()

  package static func named(view: String) -> ACESOutput? { all.first { $0.view == view } }

  /// The short name: `sdr-709`, `hdr1000-p3`, `hdr500-p3-d60-in-2020`.
  package var view: String {
    [("-100nit", ""), ("HDR-", "hdr"), ("nit", ""), ("REC", ""), ("-D65", "")].reduce(name) {
      $0.replacing($1.0, with: $1.1)
    }.lowercased()
  }

  /// The name of the view in configurations of OpenColorIO, which have none of D60: `ACES 2.0 - HDR 1000 nits (P3 D65)`.
  package var title: String {
    let parts = name.split(separator: "nit-"), range = parts[0].split(separator: "-")
    let gamut = [("-in-", " in "), ("-D6", " D6"), ("REC", "Rec.")].reduce(String(parts[1])) {
      $0.replacing($1.0, with: $1.1)
    }
    return "ACES 2.0 - \(range[0]) \(range[1]) nits (\(gamut))"
  }

  /// The factor that brings the limit's white into the encoding.
  package var whiteScale: Double {
    guard let back = encoding?.rgbToXYZ?.inverse, let white = limit.rgbToXYZ.map({ $0 * [1, 1, 1] }) else { return 1 }
    return 1 / (back * white).max()!
  }

  /// The matrix from RGB of the limit, 1.0 = 100 cd/m², to CIE XYZ in the same unit. No white is adapted.
  package var toXYZ: Matrix3 { limit.rgbToXYZ! * (whiteScale * linearScale) }
}

extension Primaries {
  /// True if red, green and blue are a triangle, in this order around it, with white inside; none so narrow or so far from
  /// visible colours that computing with it means nothing.
  fileprivate var isTriangleAroundWhite: Bool {
    func side(_ a: Chromaticity, _ b: Chromaticity, _ c: Chromaticity) -> Double {
      (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
    let area = side(red, green, blue)
    return area > 0.01 && white.y > 0.05
      && [side(red, green, white), side(green, blue, white), side(blue, red, white)].allSatisfy { $0 > 0.02 * area }
  }

  /// ACES2065-1.
  package static let aces = Primaries(
    red: Chromaticity(0.7347, 0.2653), green: Chromaticity(0, 1), blue: Chromaticity(0.0001, -0.077), white: .aces)
  /// ACEScg and the logarithmic working spaces.
  package static let acesWorking = Primaries(
    red: Chromaticity(0.713, 0.293), green: Chromaticity(0.165, 0.83), blue: Chromaticity(0.128, 0.044), white: .aces)
  /// CIE XYZ as RGB, the encoding of digital cinema.
  fileprivate static let xyzE = Primaries(code: 10)!

  /// The set with the white of ACES, near D60.
  package var withACESWhite: Primaries { Primaries(red: red, green: green, blue: blue, white: .aces) }
}

extension Chromaticity {
  fileprivate static let aces = Chromaticity(0.32168, 0.33767)
}
