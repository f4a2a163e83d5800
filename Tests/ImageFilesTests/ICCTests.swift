import HDRCore
import HDRPlan
import ImageFiles
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
    #expect(try read(13, ["HAGC": hagc]).light == LightMetadata())
    let hlg = try read(18, ["ciis": scene])
    #expect(hlg.light.isSceneReferred)
    // A message of the picture goes first.
    let other: [UInt8] = [0x00, 0x40, 0x4e, 0x20, 0x80]
    let obu = MessageWriter.obu(type: 4, HeadroomAdaptiveMetadata.t35Message(other))
    let both = try read(16, ["HAGC": hagc], obus: obu).light
    #expect(both.headroomAdaptive?.baselineHeadroom == 2 && both.places == [.toneMetadata: .message])
    // Cut short, empty, of another type: as without it; unreadable: a warning.
    for broken in [Array(hagc.dropLast(1)), Array(hagc.prefix(12)), Array("xxxx".utf8) + hagc.dropFirst(4)] {
      #expect(try read(16, ["HAGC": broken]).light.toneMetadata == nil)
    }
    let cut = Array("hagc".utf8) + TinyICC.word(0) + TinyICC.word(1) + [0]
    #expect(try read(16, ["HAGC": cut]).warnings.map(\.code) == ["tone.metadata"])
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

  @Test func everyKindOfCurve() throws {
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

  @Test func impossibleCurvesAndColorants() throws {
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
  func profilesOfRealFiles() throws {
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

/// Profiles made of the fewest bytes that count.
enum TinyICC {
  /// Columns of linear RGB to XYZ (D50), as color-vectors.json has them: red, green, blue.
  static let colorants: [Int: [[Double]]] = [
    1: [
      [0.436041251616051, 0.222484540229477, 0.0139201874713754],
      [0.385112910798156, 0.716905078608458, 0.0970672386971241],
      [0.143045837585794, 0.0606103811620653, 0.713912573831501],
    ],
    9: [
      [0.673480187925327, 0.279042584746334, -0.0019334827800528],
      [0.165671206657657, 0.675344495876177, 0.0299828499664111],
      [0.125048605417016, 0.0456129193774888, 0.796850632813642],
    ],
    12: [
      [0.515118700928096, 0.241189167837403, -0.0010504527079767],
      [0.291977832041374, 0.69224405063782, 0.0418791200601511],
      [0.157103467030529, 0.0665667815247776, 0.784071332647826],
    ],
  ]
  static let chad = [
    1.04788600322255, 0.0229187651747795, -0.050216095311733, 0.0295817824980035, 0.990483518490549,
    -0.0170787077044827, -0.00925188083920884, 0.0150726074870313, 0.751678133617603,
  ]
  static let srgbCurve = para(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

  static var displayP3: [UInt8] {
    matrix(colorants: colorants[12] ?? [], curve: srgbCurve, extra: ["desc": name("P3 of the tests")])
  }

  static func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
  static func half(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
  static func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65536).rounded())) }

  static func curv(_ values: [Int]) -> [UInt8] {
    Array("curv".utf8) + word(0) + word(values.count) + values.flatMap(half)
  }
  static func gammaCurve(_ u8Fixed8: Int) -> [UInt8] { curv([u8Fixed8]) }
  static func para(_ kind: Int, _ parameters: [Double]) -> [UInt8] {
    Array("para".utf8) + word(0) + half(kind) + half(0) + parameters.flatMap(fixed)
  }
  static func xyz(_ value: [Double]) -> [UInt8] { Array("XYZ ".utf8) + word(0) + value.flatMap(fixed) }
  static func name(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { half(Int($0)) }
    return Array("mluc".utf8) + word(0) + word(1) + word(12) + Array("enUS".utf8) + word(units.count) + word(28) + units
  }

  /// `mft2` of two nodes per side, PCS XYZ, straight input and output tables.
  static func linearTable(_ colorants: [[Double]]) -> [UInt8] {
    var bytes = Array("mft2".utf8) + word(0) + [3, 3, 2, 0]
    for value in [1, 0, 0, 0, 1, 0, 0, 0, 1] as [Double] { bytes += fixed(value) }
    bytes += half(2) + half(2)
    for _ in 0..<3 { bytes += half(0) + half(0xFFFF) }
    for red in 0..<2 {
      for green in 0..<2 {
        for blue in 0..<2 {
          for axis in 0..<3 {
            let value =
              Double(red) * colorants[0][axis] + Double(green) * colorants[1][axis] + Double(blue) * colorants[2][axis]
            // u1Fixed15: 1.0 is 0x8000.
            bytes += half(max(0, min(0xFFFF, Int((value * 32768).rounded()))))
          }
        }
      }
    }
    for _ in 0..<3 { bytes += half(0) + half(0xFFFF) }
    return bytes
  }

  static func matrix(
    colorants: [[Double]], curve: [UInt8], chad hasChad: Bool = true, extra: [String: [UInt8]] = [:]
  ) -> [UInt8] {
    var tags = extra
    for (index, letter) in ["r", "g", "b"].enumerated() {
      tags[letter + "XYZ"] = xyz(colorants[index])
      tags[letter + "TRC"] = curve
    }
    if hasChad { tags["chad"] = Array("sf32".utf8) + word(0) + chad.flatMap(fixed) }
    return profile(space: "RGB ", tags: tags)
  }

  static func profile(space: String, tags: [String: [UInt8]]) -> [UInt8] {
    let names = tags.keys.sorted()
    var table = word(names.count), data: [UInt8] = []
    let start = 132 + 12 * names.count
    for name in names {
      let bytes = tags[name] ?? []
      table += Array(name.utf8) + word(start + data.count) + word(bytes.count)
      data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = [UInt8](repeating: 0, count: 128)
    func put(_ bytes: [UInt8], _ at: Int) { header.replaceSubrange(at..<at + bytes.count, with: bytes) }
    put(word(start + data.count), 0)
    put([4, 0x40, 0, 0], 8)
    put(Array("mntr".utf8), 12)
    put(Array(space.utf8), 16)
    put(Array("XYZ ".utf8), 20)
    put(Array("acsp".utf8), 36)
    put(fixed(0.9642) + fixed(1) + fixed(0.8249), 68)
    return header + table + data
  }
}
