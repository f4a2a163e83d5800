import FileParts
import CLCMS
import HDRCore
import HDRPlan
import ImageFiles
import TestSupport
import Testing

/// Profiles of this project, read by Little CMS and by the vectors.
@Suite struct WriterICCTests {
  /// Linear light in the profile's own primaries, by Little CMS, of device R'G'B'.
  private func decoded(_ profile: [UInt8], primaries: Int, _ rgb: [Float]) throws -> [Float] {
    let opened = try #require(cmsOpenProfileFromMem(profile, UInt32(profile.count)))
    defer { cmsCloseProfile(opened) }
    let named = try #require(Primaries(code: primaries))
    var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
    var points = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: named.red.x, y: named.red.y, Y: 1), Green: cmsCIExyY(x: named.green.x, y: named.green.y, Y: 1),
      Blue: cmsCIExyY(x: named.blue.x, y: named.blue.y, Y: 1))
    let line = cmsBuildGamma(nil, 1)
    defer { cmsFreeToneCurve(line) }
    var curves = [line, line, line]
    let linear = try #require(cmsCreateRGBProfile(&white, &points, &curves))
    defer { cmsCloseProfile(linear) }
    // TYPE_RGB_FLT, relative colorimetric, no cache, no optimisation (docs/colour-formulas.md#icc).
    let format: UInt32 = 1 << 22 | 4 << 16 | 3 << 3 | 4
    let transform = try #require(cmsCreateTransform(opened, format, linear, format, 1, 0x0040 | 0x0100))
    defer { cmsDeleteTransform(transform) }
    var output: [Float] = [0, 0, 0]
    cmsDoTransform(transform, rgb, &output, 1)
    return output
  }

  @Test(arguments: [1, 9, 12], [8, 13, 1, 4])
  func littleCMSDecodesKnownColors(primaries: Int, transfer: Int) throws {
    let profile = try #require(ICCProfileWriter.profile(primaries: primaries, transfer: transfer))
    let curve: (Float) -> Double = { v in
      switch transfer {
      case 8: Double(v)
      case 13: Transfer.sRGBDecode(Double(v))
      case 4: ExactMath.pow(Double(v), 2.2)
      default: ExactMath.pow(Double(v), 2.4)
      }
    }
    for rgb in [[0, 0, 0], [1, 1, 1], [1, 0, 0], [0.2, 0.7, 0.9], [0.01, 0.03, 0.5]] as [[Float]] {
      let found = try decoded(profile, primaries: primaries, rgb)
      for (value, device) in zip(found, rgb) { #expect(abs(Double(value) - curve(device)) < 2e-4) }
    }
  }

  @Test(arguments: [9, 12], [16, 18])
  func hdrFallbackIsClippedAtReferenceWhite(primaries: Int, transfer: Int) throws {
    let profile = try #require(ICCProfileWriter.profile(primaries: primaries, transfer: transfer))
    // Reference white and everything above is 1.
    let white: Float = transfer == 16 ? 0.5807 : 0.75
    for device in [white, 0.9, 1] {
      for value in try decoded(profile, primaries: primaries, [device, device, device]) {
        #expect(abs(value - 1) < 2e-3)
      }
    }
    let half = try decoded(profile, primaries: primaries, [0.4, 0.4, 0.4])
    let nits = transfer == 16 ? Transfer.pqEOTF(0.4) : Transfer.hlgEOTF([0.4, 0.4, 0.4], peak: 1000)[0]
    for value in half { #expect(abs(Double(value) - nits / 203) < 1e-3) }
  }

  @Test(arguments: [(9, 16, "63696370 00000000 09100001"), (12, 18, "63696370 00000000 0C120001")])
  func cicpTagIsTwelveBytes(primaries: Int, transfer: Int, bytes: String) throws {
    let profile = try #require(ICCProfileWriter.profile(primaries: primaries, transfer: transfer))
    #expect(Writer.contains(profile, bytes))
    var warnings: [Warning] = []
    let resolved = try #require(resolveICC(profile, model: .rgb, warnings: &warnings))
    #expect(resolved.cicp == CICP(primaries, transfer, 0, full: true))
    #expect(warnings.isEmpty)
  }

  /// The reader still finds the same colour without the cicp tag.
  @Test(arguments: [1, 9, 12])
  func matrixAndCurveSayTheSame(primaries: Int) throws {
    var profile = try #require(ICCProfileWriter.profile(primaries: primaries, transfer: 13))
    let tag = try #require(Writer.position(of: Array("cicp".utf8), in: profile))
    profile.replaceSubrange(tag..<tag + 4, with: Array("xxxx".utf8))
    var warnings: [Warning] = []
    let resolved = try #require(resolveICC(profile, model: .rgb, warnings: &warnings))
    guard case .matrixTRC(let curves, _, let code) = resolved.encoding else {
      Issue.record("not a matrix profile: \(resolved.encoding)")
      return
    }
    #expect(code == primaries)
    #expect(curves == [.sRGB, .sRGB, .sRGB])
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func colorantsAreThoseOfTheVectors() throws {
    let vectors = try #require(SharedData.json("specs/color-vectors.json"))
    let bradford = try #require(vectors["bradford"] as? [String: Any])
    let expected = try #require(bradford["icc_colorants_D50"] as? [String: [[Double]]])
    for (code, rows) in expected {
      let profile = try #require(ICCProfileWriter.profile(primaries: Int(code) ?? 0, transfer: 13))
      for (column, name) in ["rXYZ", "gXYZ", "bXYZ"].enumerated() {
        var wanted: [UInt8] = Array("XYZ ".utf8) + [0, 0, 0, 0]
        for row in 0..<3 {
          let word = Int32((rows[row][column] * 65_536).rounded())
          wanted += (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * Int32($0))) }
        }
        #expect(Writer.position(of: wanted, in: profile) != nil, "\(name) of primaries \(code)")
      }
    }
  }

  @Test func unknownColorsHaveNoProfile() {
    #expect(ICCProfileWriter.profile(primaries: 4, transfer: 13) == nil)
    #expect(ICCProfileWriter.profile(primaries: 9, transfer: 12) == nil)
  }
}
