import HDRCore

/// A writer of ICC v4.4 display profiles: D50 colorants, one curve, `cicp`. Equal arguments give equal bytes.
///
/// Source: ICC.1:2022 clauses 7.2 (header), 9.2 (tags), 10 (types); choices of docs/colour-formulas.md#icc.
///
/// | transfer | curve | without `cicp` support the reader sees |
/// |---|---|---|
/// | sRGB (13) | `para` type 3 | the picture |
/// | BT.709 and its kin (1, 6, 14, 15) | `para` type 0, 2.4 | the picture (BT.1886, as this project decodes it) |
/// | gamma 2.2, 2.8 (4, 5) | `para` type 0 | the picture |
/// | linear (8) | `curv` of count 0 | the picture |
/// | PQ (16), HLG (18) | `curv` of 4096 entries | everything above reference white at white |
package enum ICCProfileWriter {
  /// Returns the profile, or `nil` for primaries or a transfer that the project does not write.
  ///
  /// - Parameter tone: a payload of ST 2094-50, which becomes the tag `HAGC`.
  package static func profile(primaries: Int, transfer: Int, tone: [UInt8]? = nil) -> [UInt8]? {
    guard let colorants = colorantsD50(primaries: primaries), let curve = curveTag(transfer: transfer) else {
      return nil
    }
    var cicp = ByteSink()
    cicp.ascii("cicp")
    cicp.zeros(4)
    // An RGB profile has matrix 0 and full range.
    for value in [primaries, transfer, 0, 1] { cicp.u8(value) }
    return profile(
      name(primaries: primaries, transfer: transfer), colorants, curve,
      [("cicp", cicp.bytes)] + (tone.map { [("HAGC", ICCProfile.toneTag($0))] } ?? []))
  }

  /// Returns the profile of a linear space of the list; `nil` for other spaces.
  package static func profile(of space: NamedSpace) -> [UInt8]? {
    guard let matrix = space.toBT2020, let colorants = colorantsD50(primaries: CICP.Primaries.bt2020),
      let curve = curveTag(transfer: CICP.Transfer.linear)
    else { return nil }
    return profile(space.name, colorants * matrix, curve, [])
  }

  private static func profile(
    _ name: String, _ colorants: Matrix3, _ curve: [UInt8], _ more: [(signature: String, data: [UInt8])]
  ) -> [UInt8] {
    let texts = [
      ("desc", multiLocalized(name)),
      ("cprt", multiLocalized("No copyright, use freely")),
    ]
    let tags: [(signature: String, data: [UInt8])] =
      texts + [
        ("wtpt", xyzTag(whiteD50)),
        ("chad", matrixTag(adaptation)),
        ("rXYZ", xyzTag(colorants.column(0))),
        ("gXYZ", xyzTag(colorants.column(1))),
        ("bXYZ", xyzTag(colorants.column(2))),
        ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      ] + more
    return assemble(tags)
  }

  /// Returns the profile's description, which is also its name in a PNG.
  package static func name(primaries: Int, transfer: Int) -> String {
    let gamut =
      switch primaries {
      case 1: "BT.709"
      case 9: "BT.2020"
      default: "P3-D65"
      }
    switch (primaries, transfer) {
    case (1, 13): return "sRGB"
    case (12, 13): return "Display P3"
    case (_, 13): return gamut + " with sRGB curve"
    case (9, 16): return "BT.2100 PQ"
    case (9, 18): return "BT.2100 HLG"
    case (_, 16): return gamut + " PQ"
    case (_, 18): return gamut + " HLG"
    case (_, 8): return gamut + " linear"
    case (_, 4): return gamut + " gamma 2.2"
    case (_, 5): return gamut + " gamma 2.8"
    default: return gamut + " gamma 2.4"
    }
  }

  // MARK: - Layout

  private static func assemble(_ tags: [(signature: String, data: [UInt8])]) -> [UInt8] {
    var body = ByteSink()
    var table = ByteSink()
    table.u32(tags.count)
    let bodyStart = 128 + 4 + 12 * tags.count
    // Equal tags, the three curves, share one block, as clause 7.3 allows.
    var places: [(data: [UInt8], offset: Int)] = []
    for tag in tags {
      let offset: Int
      if let known = places.first(where: { $0.data == tag.data }) {
        offset = known.offset
      } else {
        body.align4()
        offset = bodyStart + body.count
        body.append(tag.data)
        places.append((tag.data, offset))
      }
      table.ascii(tag.signature)
      table.u32(offset)
      table.u32(tag.data.count)
    }
    body.align4()

    var profile = ByteSink()
    profile.u32(bodyStart + body.count)
    profile.zeros(4)
    profile.u32(0x0440_0000)
    profile.ascii("mntrRGB XYZ ")
    // A fixed date, so that the same picture always gives the same file.
    for part in [2024, 1, 1, 0, 0, 0] { profile.u16(part) }
    profile.ascii("acsp")
    // Platform, flags, manufacturer, model, attributes: none.
    profile.zeros(4 + 4 + 4 + 4 + 8)
    // Relative colorimetric.
    profile.u32(1)
    for value in whiteD50 { profile.fixed16(value) }
    // Creator, profile identifier (0: not computed), reserved.
    profile.zeros(4 + 16 + 28)
    profile.append(table.bytes)
    profile.append(body.bytes)
    return profile.bytes
  }

  private static func multiLocalized(_ text: String) -> [UInt8] {
    let units = Array(text.utf16)
    var tag = ByteSink()
    tag.ascii("mluc")
    tag.zeros(4)
    tag.u32(1)
    tag.u32(12)
    tag.ascii("enUS")
    tag.u32(2 * units.count)
    tag.u32(28)
    for unit in units { tag.u16(Int(unit)) }
    return tag.bytes
  }

  private static func xyzTag(_ xyz: [Double]) -> [UInt8] {
    var tag = ByteSink()
    tag.ascii("XYZ ")
    tag.zeros(4)
    for value in xyz { tag.fixed16(value) }
    return tag.bytes
  }

  private static func matrixTag(_ matrix: Matrix3) -> [UInt8] {
    var tag = ByteSink()
    tag.ascii("sf32")
    tag.zeros(4)
    for value in matrix.rows { tag.fixed16(value) }
    return tag.bytes
  }

  // MARK: - Curves

  private static func curveTag(transfer: Int) -> [UInt8]? {
    switch transfer {
    case 13: parametric(type: 3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    case 1, 6, 14, 15: parametric(type: 0, [2.4])
    case 4: parametric(type: 0, [2.2])
    case 5: parametric(type: 0, [2.8])
    case 8: table([])
    case 16: table(clipped(Transfer.pqEOTF))
    case 18: table(clipped { Transfer.hlgEOTF([$0, $0, $0], peak: 1000)[0] })
    default: nil
    }
  }

  private static func parametric(type: Int, _ values: [Double]) -> [UInt8] {
    var tag = ByteSink()
    tag.ascii("para")
    tag.zeros(4)
    tag.u16(type)
    tag.u16(0)
    for value in values { tag.fixed16(value) }
    return tag.bytes
  }

  private static func table(_ entries: [Int]) -> [UInt8] {
    var tag = ByteSink()
    tag.ascii("curv")
    tag.zeros(4)
    tag.u32(entries.count)
    for entry in entries { tag.u16(entry) }
    return tag.bytes
  }

  /// Returns 4096 samples of a curve, given in cd/m², from device value to PCS. They are clipped at reference white, as
  /// a matrix profile cannot express values above 1.
  private static func clipped(_ nits: (Double) -> Double) -> [Int] {
    (0..<4096).map { Int((min(nits(Double($0) / 4095) / 203, 1) * 65_535).rounded()) }
  }

  // MARK: - Colorimetry

  /// The profile connection space's white (ICC.1:2022, 7.2.16).
  private static let whiteD50 = [0.9642, 1, 0.8249]

  /// The matrix from XYZ under D65 to XYZ under D50.
  private static let adaptation = Primaries.bradford(from: Primaries.xyz(Primaries.d65), to: whiteD50)

  /// Returns the XYZ of linear R, G, B under D50.
  private static func colorantsD50(primaries: Int) -> Matrix3? {
    guard [1, 9, 12].contains(primaries), let toXYZ = Primaries(code: primaries)?.rgbToXYZ else { return nil }
    return adaptation * toXYZ
  }
}
