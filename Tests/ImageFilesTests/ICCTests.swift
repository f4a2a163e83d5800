import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// ICC profiles: matrix and curves evaluated here, tables by Little CMS, hostile ones refused before it sees them.
@Suite struct ICCTests {
  private typealias Resolved = (encoding: ColorEncoding, cicp: CICP?, description: String?)

  private func resolve(
    _ profile: [UInt8], model: ColorModel = .rgb
  ) -> (result: Resolved?, codes: [String]) {
    var warnings: [Warning] = []
    let result = resolveICC(profile, model: model, warnings: &warnings)
    return (result, warnings.map(\.code))
  }

  // MARK: PQ and HLG without cicp

  /// PQ and HLG as tables of 1024 entries, whole, cut at 1000 cd/m², and with HLG's system gamma: never SDR.
  @Test func curvesOfHDRAreRecognized() throws {
    func table(_ light: (Double) -> Double) -> [UInt8] {
      TinyICC.curv((0..<1024).map { Int((min(max(light(Double($0) / 1023), 0), 1) * 65_535).rounded()) })
    }
    let curves: [(Int, [UInt8])] = [
      (16, table { Transfer.pqEOTF($0) / 10_000 }), (16, table { Transfer.pqEOTF($0) / 1000 }),
      (16, table { Transfer.pqEOTF($0) / 203 }), (18, table { Transfer.hlgInverseOETF($0) }),
      (18, table { ExactMath.pow(Transfer.hlgInverseOETF($0), 1.2) }),
    ]
    for (transfer, curve) in curves {
      for code in [1, 9, 12] {
        let (result, codes) = resolve(
          TinyICC.matrix(colorants: try #require(TinyICC.colorants[code]), curve: curve, chad: true))
        #expect(try #require(result).encoding == .cicp(primaries: code, transfer: transfer))
        #expect(codes == ["icc.hdr"])
      }
    }
    let sdr = [1.8, 2.2, 2.4, 2.6, 3.0, 4.0].map { gamma in table { ExactMath.pow($0, gamma) } } + [TinyICC.srgbCurve]
    for curve in sdr {
      let (result, codes) = resolve(TinyICC.matrix(colorants: try #require(TinyICC.colorants[9]), curve: curve))
      guard case .matrixTRC = try #require(result).encoding, codes.isEmpty else {
        Issue.record("\(codes)")
        continue
      }
    }
  }

  /// A table profile as libjxl makes them for PQ: no curve tells, its name does.
  @Test func tablesOfHDRAreRecognizedByName() throws {
    for (name, code) in [
      ("RGB_D65_202_Rel_PeQ", ColorEncoding.cicp(primaries: 9, transfer: 16)),
      ("Rec2100 HLG", .cicp(primaries: 9, transfer: 18)), ("Display P3 PQ", .cicp(primaries: 12, transfer: 16)),
    ] {
      let tags = ["A2B0": TinyICC.linearTable(try #require(TinyICC.colorants[9])), "desc": TinyICC.name(name)]
      let (result, codes) = resolve(TinyICC.profile(space: "RGB ", tags: tags))
      #expect(try #require(result).encoding == code && codes == ["icc.hdr"], "\(name)")
    }
  }

  // MARK: Light

  /// ST 2094-50 metadata (`HAGC`) and light of the scene (`ciis`) of a profile.
  @Test func profilesSayThingsAboutLight() throws {
    let payload = ToneMetadataMessageTests.payload
    let hagc = Array("hagc".utf8) + TinyICC.word(0) + TinyICC.word(payload.count) + payload
    let scene = Array("sig ".utf8) + TinyICC.word(0) + Array("scoe".utf8)
    func read(_ transfer: UInt8, _ tags: [String: [UInt8]], obus: [UInt8] = []) throws -> SourceImage {
      let cicp = Array("cicp".utf8) + TinyICC.word(0) + [9, transfer, 0, 1]
      let profile = TinyICC.matrix(
        colorants: try #require(TinyICC.colorants[9]), curve: TinyICC.srgbCurve,
        extra: tags.merging(["cicp": cicp]) { $1 })
      var builder = HEIFBuilder()
      builder.brands = ["avif", "mif1"]
      builder.items = [
        HEIFBuilder.Item(
          id: 1, type: "av01", data: ToneMetadataMessageTests.obu(2, []) + obus,
          properties: [
            HEIFBuilder.ispe(64, 64), HEIFBuilder.box("av1C", [0x81, 0x00, 0x4c, 0x00]), HEIFBox.icc(profile),
          ])
      ]
      return try decodeImage(builder.bytes, request: .metadata)
    }
    let pq = try read(16, ["HAGC": hagc])
    #expect(pq.light.toneMetadata == payload && pq.light.places == [.toneMetadata: .profile])
    #expect(!pq.light.isSceneReferred && pq.warnings.isEmpty)
    let sdr = try read(13, ["HAGC": hagc])
    #expect(sdr.light == LightMetadata() && sdr.warnings.map(\.code) == ["hagc.transfer"])
    let hlg = try read(18, ["ciis": scene])
    #expect(hlg.light.isSceneReferred)
    // A message of the picture goes first.
    let other: [UInt8] = [0x00, 0x40, 0x4e, 0x20, 0x80]
    let obu = MessageWriter.obu(type: 4, HeadroomAdaptiveMetadata.t35Message(other))
    let both = try read(16, ["HAGC": hagc], obus: obu).light
    #expect(both.headroomAdaptive?.baselineHeadroom == 2 && both.places == [.toneMetadata: .message])
    // Cut short, empty, of another type, unreadable: as without it, with a warning.
    let cut = Array("hagc".utf8) + TinyICC.word(0) + TinyICC.word(1) + [0]
    for broken in [Array(hagc.dropLast(1)), Array(hagc.prefix(12)), Array("xxxx".utf8) + hagc.dropFirst(4), cut] {
      let source = try read(16, ["HAGC": broken])
      #expect(source.light.toneMetadata == nil && source.warnings.map(\.code) == ["hagc.invalid"])
    }
  }

  // MARK: Matrix profiles

  @Test(arguments: [1, 9, 12])
  func knownPrimariesBecomeExact(code: Int) throws {
    for chad in [true, false] {
      let (result, codes) = resolve(
        TinyICC.matrix(colorants: try #require(TinyICC.colorants[code]), curve: TinyICC.srgbCurve, chad: chad))
      guard case .matrixTRC(let curves, let matrix, let primaries) = try #require(result).encoding else {
        Issue.record("not a matrix encoding")
        continue
      }
      #expect(codes.isEmpty && primaries == code && curves == [.sRGB, .sRGB, .sRGB])
      #expect(matrix == Primaries(code: code)?.matrix(to: .bt2020)?.rows)
    }
  }

  @Test func otherPrimariesKeepTheirWhiteAndTheirMatrix() throws {
    // Adobe RGB (1998), colorants as Bruce Lindbloom's page and the vendor's profile give them.
    let adobe = [
      [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ]
    let (result, codes) = resolve(TinyICC.matrix(colorants: adobe, curve: TinyICC.gammaCurve(563)))
    guard case .matrixTRC(let curves, let matrix, let primaries) = try #require(result).encoding else {
      Issue.record("not a matrix encoding")
      return
    }
    #expect(codes.isEmpty && primaries == nil && curves[0] == .gamma(563.0 / 256))
    let exact = try #require(
      Primaries(
        red: Chromaticity(0.64, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.15, 0.06),
        white: Primaries.d65
      ).matrix(to: .bt2020))
    #expect(zip(matrix, exact.rows).allSatisfy { abs($0 - $1) < 2e-4 })
    for row in 0..<3 { #expect(abs(matrix[row * 3..<row * 3 + 3].reduce(0, +) - 1) < 1e-12) }
  }

  @Test func everyKindOfCurveIsRead() throws {
    func curve(_ tag: [UInt8]) throws -> ToneCurve {
      let profile = TinyICC.matrix(colorants: try #require(TinyICC.colorants[1]), curve: tag)
      guard case .matrixTRC(let curves, _, _) = try #require(resolve(profile).result).encoding else {
        throw DecodeError.io("not a matrix encoding")
      }
      return curves[2]
    }
    let expected: [([UInt8], ToneCurve)] = [
      (TinyICC.curv([]), .identity), (TinyICC.curv([256]), .identity),
      (TinyICC.curv([0, 0x8000, 0xFFFF]), .table([0, 32768.0 / 65535, 1])), (TinyICC.para(0, [1.5]), .gamma(1.5)),
      (TinyICC.para(1, [2, 0.5, 0.25]), .parametric(g: 2, a: 0.5, b: 0.25, c: 0, d: -0.5, e: 0, f: 0)),
      (
        TinyICC.para(2, [2, 0.5, 0.25, 0.125]),
        .parametric(g: 2, a: 0.5, b: 0.25, c: 0, d: -0.5, e: 0.125, f: 0.125)
      ),
      (
        TinyICC.para(3, [2, 0.5, 0.25, 0.125, 0.5]),
        .parametric(g: 2, a: 0.5, b: 0.25, c: 0.125, d: 0.5, e: 0, f: 0)
      ),
      (
        TinyICC.para(4, [2, 0.5, 0.25, 0.125, 0.5, 0.0625, 0.03125]),
        .parametric(g: 2, a: 0.5, b: 0.25, c: 0.125, d: 0.5, e: 0.0625, f: 0.03125)
      ),
    ]
    for (tag, wanted) in expected {
      let found = try curve(tag)
      #expect(found == wanted)
    }
  }

  @Test func impossibleCurvesAndColorantsAreRefused() throws {
    let good = try #require(TinyICC.colorants[1])
    let bad = [
      TinyICC.para(0, [0]), TinyICC.para(0, [-1]), TinyICC.para(1, [2, 0, 0.25]),
      TinyICC.para(5, [1, 1, 1, 1, 1, 1, 1]),
      TinyICC.para(3, [2.4, 1, -0.5, 0.1, 0.1]), TinyICC.curv([0]),
      Array("curv".utf8) + [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2],
    ]
    for curve in bad {
      let (result, codes) = resolve(TinyICC.matrix(colorants: good, curve: curve))
      #expect(result == nil && codes.count == 1 && codes[0].hasPrefix("icc."))
    }
    let flat = resolve(TinyICC.matrix(colorants: [good[0], good[0], good[0]], curve: TinyICC.srgbCurve))
    #expect(flat.result == nil && flat.codes == ["icc.invalid"])
  }

  // MARK: cicp

  @Test func codePointsDecideAlone() throws {
    let curves = TinyICC.srgbCurve, colorants = try #require(TinyICC.colorants[9])
    let tag = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1]
    let long = Array("cicp".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 9, 16, 0, 1]
    for bytes in [tag, long] {
      let (result, codes) = resolve(TinyICC.matrix(colorants: colorants, curve: curves, extra: ["cicp": bytes]))
      #expect(result?.encoding == .cicp(primaries: 9, transfer: 16) && codes.isEmpty)
      #expect(result?.cicp == CICP(9, 16, 0, full: true))
    }
    // Unspecified code points do not count; the rest of the profile does.
    let vague = Array("cicp".utf8) + [0, 0, 0, 0, 2, 2, 0, 1]
    let (result, codes) = resolve(TinyICC.matrix(colorants: colorants, curve: curves, extra: ["cicp": vague]))
    #expect(result?.cicp == nil && codes == ["icc.cicp"])
    guard case .matrixTRC = result?.encoding else {
      Issue.record("not a matrix encoding")
      return
    }
  }

  // MARK: Grey

  @Test func greyProfilesServeGreyPicturesOnly() throws {
    let profile = TinyICC.profile(space: "GRAY", tags: ["kTRC": TinyICC.gammaCurve(512)])
    let grey = try #require(resolve(profile, model: .grey).result)
    #expect(
      grey.encoding
        == .matrixTRC(curves: [.gamma(2), .gamma(2), .gamma(2)], toBT2020: Matrix3.identity.rows, primaries: 9))
    let colour = resolve(profile)
    #expect(colour.result == nil && colour.codes == ["icc.mismatch"])
    let cmyk = resolve(TinyICC.profile(space: "CMYK", tags: [:]))
    #expect(cmyk.result == nil && cmyk.codes == ["icc.mismatch"])
  }

  // MARK: Tables

  @Test func tablesAreBakedInFloat() throws {
    // A 2x2x2 table whose corners are the XYZ of linear BT.709: linear in the device values, whatever the library
    // interpolates with.
    let colorants = try #require(TinyICC.colorants[1])
    let matrix = try #require(Primaries.bt709.matrix(to: .bt2020))
    let (result, codes) = resolve(TinyICC.profile(space: "RGB ", tags: ["A2B0": TinyICC.linearTable(colorants)]))
    guard case .bakedLUT(let size, let values) = try #require(result).encoding else {
      Issue.record("not a table")
      return
    }
    #expect(codes.isEmpty && values.count == size * size * size * 3)
    var worst = 0.0
    for blue in stride(from: 0, to: size, by: 7) {
      for green in stride(from: 0, to: size, by: 5) {
        for red in 0..<size {
          let at = ((blue * size + green) * size + red) * 3
          let light = matrix * [red, green, blue].map { Double($0) / Double(size - 1) }
          for channel in 0..<3 { worst = max(worst, abs(Double(values[at + channel]) - light[channel])) }
        }
      }
    }
    // 16-bit entries in XYZ are off by up to 1.5e-5 each; the way to BT.2020 multiplies that by up to 4.
    #expect(worst < 1e-4)
  }

  @Test func tablesBeyondTheirBytesOrTheLimitNeverReachTheLibrary() {
    var monster = TinyICC.linearTable([[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    monster[8] = 15
    monster[10] = 255
    let big = resolve(TinyICC.profile(space: "RGB ", tags: ["A2B0": monster]))
    #expect(big.result == nil && big.codes == ["icc.limit"])
    var short = TinyICC.linearTable([[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    short[10] = 9
    let cut = resolve(TinyICC.profile(space: "RGB ", tags: ["A2B0": short]))
    #expect(cut.result == nil && cut.codes == ["icc.truncated"])
  }

  // MARK: Structure

  @Test func brokenStructuresAreNamed() {
    let good = TinyICC.displayP3
    #expect(resolve(Array(good.dropLast())).codes == ["icc.truncated"])
    #expect(resolve(Array(good.prefix(100))).codes == ["icc.truncated"])
    #expect(resolve([UInt8](repeating: 0, count: 4 << 20 | 1)).codes == ["icc.limit"])
    var many = good
    many[131] = 101
    #expect(resolve(many).codes == ["icc.limit"])
    var outside = good
    outside[132 + 4] = 0xFF
    #expect(resolve(outside).codes == ["icc.invalid"])
  }

  @Test func noChangedByteTraps() {
    let good = TinyICC.profile(
      space: "RGB ", tags: ["A2B0": TinyICC.linearTable([[0.5, 0.2, 0], [0.3, 0.7, 0.1], [0.1, 0.1, 0.7]])])
    var usable = 0
    var state: UInt64 = 5
    for round in 0..<400 {
      var bytes = round % 10 != 0 ? TinyICC.displayP3 : good
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
      }
      guard let result = resolve(bytes).result else { continue }
      usable += 1
      if case .matrixTRC(_, let matrix, _) = result.encoding { #expect(matrix.allSatisfy { $0.isFinite }) }
      if case .bakedLUT(_, let values) = result.encoding { #expect(values.allSatisfy { $0.isFinite }) }
    }
    #expect(usable > 0)
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func profilesOfRealFilesAreRead() throws {
    func source(_ path: String) throws -> SourceImage {
      try decodeImage(try #require(SharedData.bytes("data/images/" + path)), request: .metadata)
    }
    let seine = try source("gainmap_jpeg/seine_sdr_gainmap_srgb.jpg").color
    guard case .matrixTRC(let curves, _, let primaries) = seine.encoding, case .table(let table) = curves[0] else {
      Issue.record("sRGB IEC61966-2.1 is a profile of tables")
      return
    }
    #expect(primaries == 1 && table.count == 1024 && seine.iccDescription == "sRGB IEC61966-2.1")
    let room = try source("png/hdr_room.png").color
    #expect(room.encoding == .cicp(primaries: 9, transfer: 18) && room.iccDescription == "RGB_D65_202_Rel_HLG")
    let profile = try #require(room.icc)
    #expect(resolve(profile).result?.cicp == CICP(9, 18, 0, full: true))
  }
}
