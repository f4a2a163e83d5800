import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import Testing

/// Folders joined by the names of their files.
@Suite struct FilePairingTests {
  private func files(_ folder: String, _ names: [String]) -> [InputReference] {
    names.map { InputReference(path: FilePath(folder + "/" + $0), relative: FilePath($0)) }
  }

  private func names(_ pairing: FilePairing) -> [String] {
    pairing.pairs.map { "\($0.a?.path.display ?? "-") \($0.b?.path.display ?? "-")" }
  }

  @Test("files are joined by their paths without extension, and others have no partner")
  func stemsMatch() throws {
    let pairing = try FilePairing(
      files("a", ["day/x.png", "y.png", ".hidden"]), files("b", ["y.avif", "day/x.jpg", "z.jpg"]), by: .stem)
    #expect(names(pairing) == ["a/.hidden -", "a/day/x.png b/day/x.jpg", "a/y.png b/y.avif", "- b/z.jpg"])
    let byName = try FilePairing(files("a", ["y.png"]), files("b", ["y.avif"]), by: .name)
    #expect(names(byName) == ["- b/y.avif", "a/y.png -"])
  }

  @Test("two files of one folder with one name are refused by both names")
  func doubledNamesAreRefused() {
    #expect(
      throws: FilePairing.Fault(message: "a/x.jpg and a/x.png have one name: \(setting: "pair-by") name, or rename one")
    ) {
      try FilePairing(files("a", ["x.jpg", "x.png"]), [], by: .stem)
    }
  }

  @Test("a rule that names partners joins files, and partners that are not there are missing on both sides")
  func partnersMatch() throws {
    let a = files("a", ["day/x.png", "y.png"]), b = files("b", ["day/x-hdr.avif", "z.avif"])
    let pairing = try FilePairing(a, b) { file in
      let path = file.relative.bytes.dropLast(4)
      return [FilePath(bytes: path + Array("-hdr.avif".utf8)), FilePath(bytes: path + Array("-hdr.jxl".utf8))]
    }
    #expect(names(pairing) == ["a/day/x.png b/day/x-hdr.avif", "a/y.png -", "- b/z.avif"])
  }

  @Test("two partners of a file, and two files with one partner, are refused by their names")
  func doubledPartnersAreRefused() {
    #expect(throws: FilePairing.Fault(message: "a/x.png has two partners: b/x.avif and b/x.jxl")) {
      try FilePairing(files("a", ["x.png"]), files("b", ["x.avif", "x.jxl"])) { _ in
        [FilePath("x.avif"), FilePath("x.jxl")]
      }
    }
    #expect(throws: FilePairing.Fault(message: "a/x.jpg and a/x.png have one partner: b/x.avif")) {
      try FilePairing(files("a", ["x.jpg", "x.png"]), files("b", ["x.avif"])) { _ in [FilePath("x.avif")] }
    }
  }

  @Test("what is drawn of a pair lies below its folder, and pairs of a list have names of their own")
  func drawingsStayBelow() {
    var pair = FilePair(nil, InputReference(path: FilePath("/b/x.png"), relative: FilePath("../../b/x.png")))
    #expect(pair.drawingName == Array("up/up/b/x.png".utf8))
    pair.b?.relative = FilePath("/b/x.png")
    #expect(pair.drawingName == Array("b/x.png".utf8))
    pair.number = 12
    #expect(pair.drawingName == Array("12-x.png".utf8))
  }

  @Test(
    "an expression accepts files of the same bytes if nothing in it needs their pictures",
    arguments: [
      ("good", true), ("exact", true), ("psnr-pq > 40", true), ("p95(dE-seen@4) < 1", false), ("hue == 0", false),
      ("bias > 1", false), ("not p95(dE-ITP) < 1", false), ("alpha == 0", false),
    ])
  func sameBytesAreAccepted(text: String, isAccepted: Bool) throws {
    #expect(try AcceptExpression(text).acceptsSameBytes == isAccepted)
  }
}
