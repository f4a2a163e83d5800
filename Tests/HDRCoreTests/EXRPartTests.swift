import HDRCore
import Testing

/// Tests what of an OpenEXR file travels into another one.
@Suite struct EXRPartTests {
  @Test(
    "names take channels, with a star for any letters",
    arguments: [
      ("Z", ["Z"]), ("crypto*", ["crypto00.R", "crypto01"]), ("*.R", ["crypto00.R", "diffuse.R"]), ("none", []),
      ("*o*R", ["crypto00.R"]), ("Z,diffuse*", ["Z", "diffuse.R"]), ("z", []), ("", []),
      ("all", ["Z", "crypto00.R", "crypto01", "diffuse.R"]), ("*", ["Z", "crypto00.R", "crypto01", "diffuse.R"]),
    ] as [(String, [String])])
  func choice(text: String, names: [String]) {
    let choice = EXRChannelChoice(text)
    #expect(["Z", "crypto00.R", "crypto01", "diffuse.R"].filter(choice.takes) == names)
  }

  private static func part(_ attributes: [(String, [UInt8])]) -> EXRPart {
    let window = EXRPart.Window(left: 0, top: 0, width: 1, height: 1)
    var part = EXRPart(
      outline: .init(dataWindow: window, displayWindow: window, compression: "ZIP", channels: []))
    part.attributes = attributes.map { .init(name: $0.0, type: "x", value: $0.1) }
    return part
  }

  @Test func attributesOfPlacesAreDroppedWherePixelsMove() {
    let part = Self.part([
      ("owner", [1]), ("worldToNDC", [2]), ("screenWindowWidth", [0, 0, 0x80, 0x3F]), ("screenWindowCenter", [1]),
      ("preview", [3]), ("acesImageContainerFlag", [1]),
    ])
    let stays = part.attributes(.all, isMoved: false), moves = part.attributes(.all, isMoved: true)
    #expect(stays.kept.map(\.name) == ["owner", "worldToNDC", "screenWindowWidth", "screenWindowCenter"])
    #expect(stays.dropped == ["acesImageContainerFlag"])
    // A screen window that every file has says nothing.
    #expect(moves.kept.map(\.name) == ["owner"])
    #expect(moves.dropped == ["worldToNDC", "screenWindowCenter", "acesImageContainerFlag"])
  }

  @Test func metadataChoicesCoverAttributes() {
    let names = ["owner", "Copyright", "longitude", "GPSPosition", "cameraLocation", "comments", "screenWindowWidth"]
    let part = Self.part(names.map { ($0, [9]) })
    func kept(_ choice: MetadataChoice) -> [String] { part.attributes(choice, isMoved: false).kept.map(\.name) }
    #expect(kept(.all) == names)
    #expect(kept(.noLocation) == ["owner", "Copyright", "comments", "screenWindowWidth"])
    #expect(kept(.copyright) == ["owner", "Copyright", "screenWindowWidth"] && kept(.none) == ["screenWindowWidth"])
  }
}
