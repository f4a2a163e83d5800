import HDRComparison
import HDRCore
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
}
