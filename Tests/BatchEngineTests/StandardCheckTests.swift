import FileParts
import BatchEngine
import HDRCore
import ImageFiles
import TestPlans
import Testing

/// `info --check iso22028-5`.
@Suite struct StandardCheckTests {
  static func check(_ change: (inout SourceImage) -> Void) -> StandardCheck {
    var source = AuthoredPicture.source
    source.color.cicp = CICP(9, 16, 0, full: true)
    change(&source)
    return StandardCheck(.iso22028, source)
  }

  static func verdicts(_ change: (inout SourceImage) -> Void) -> [String: StandardCheck.Verdict] {
    Dictionary(check(change).rows.map { ($0.field, $0.verdict) }) { first, _ in first }
  }

  @Test func everyFieldHasAVerdict() {
    let good = Self.verdicts { _ in }
    for field in ["transfer", "primaries", "bit depth", "signalling", "range", "clli", "mdcv", "cclv", "amve", "reve"] {
      #expect(good[field] == .ok, "\(field)")
    }
    #expect(good["ndwt"] == .byDefault && good["scene"] == .byDefault && good["st2094-50"] == .absent)
    #expect(Self.check { _ in }.passes)
  }

  @Test func faultsAreNamed() {
    let cases: [(String, StandardCheck.Verdict, (inout SourceImage) -> Void)] = [
      ("transfer", .fault, { $0.color.encoding = .cicp(primaries: 9, transfer: 13) }),
      ("primaries", .fault, { $0.color.encoding = .cicp(primaries: 1, transfer: 16) }),
      ("primaries", .warning, { $0.color.encoding = .cicp(primaries: 12, transfer: 16) }),
      ("bit depth", .fault, { $0.image.bitDepth = 8 }), ("signalling", .fault, { $0.color.cicp = nil }),
      ("clli", .warning, { $0.light.clli = nil }), ("ndwt", .ok, { $0.light.diffuseWhite = 100 }),
      ("scene", .ok, { $0.light.isSceneReferred = true }),
      ("light.conflict", .warning, { $0.warnings = [Warning("light.conflict", "x")] }),
      ("profile", .fault, { $0.color.icc = ICCProfileWriter.profile(primaries: 9, transfer: 18) }),
      ("profile", .ok, { $0.color.icc = ICCProfileWriter.profile(primaries: 9, transfer: 16) }),
    ]
    for (field, verdict, change) in cases {
      #expect(Self.verdicts(change)[field] == verdict, "\(field)")
      #expect(Self.check(change).passes == (verdict != .fault), "\(field)")
    }
  }

  @Test("metadata that state nothing state no place, and damaged ones may")
  func emptyBlocksPass() {
    func rows(exif: [UInt8], xmp: [UInt8], photoshop: [UInt8]) -> [String: StandardCheck.Verdict] {
      var source = AuthoredPicture.source
      (source.exif, source.xmp, source.photoshop) = (exif, xmp, photoshop)
      return Dictionary(StandardCheck(.noLocation, source).rows.map { ($0.field, $0.verdict) }) { first, _ in first }
    }
    let turned = ExifValues.bytes(nil, saying: .right) ?? []
    let bare = XMPAssembly.packet(["<rdf:Description rdf:about=\"\"></rdf:Description>"])
    // A caption's digest, and no IPTC.
    let digest = Array("8BIM".utf8) + [4, 37, 0, 0, 0, 0, 0, 2, 1, 2]
    #expect(rows(exif: turned, xmp: bare, photoshop: digest).values.allSatisfy { $0 == .ok })
    let cut = rows(exif: Array(turned.prefix(6)), xmp: bare.dropLast(9), photoshop: digest.dropLast(2))
    #expect(cut.values.allSatisfy { $0 == .fault })
  }
}
