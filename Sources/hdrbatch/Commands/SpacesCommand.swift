import HDRCore

/// `hdrbatch spaces`: prints the page docs/data/spaces.md.
enum SpacesCommand {
  static let command = Command(
    name: "spaces", summary: "Prints all colour spaces by name as the page docs/data/spaces.md.", isHidden: true
  ) { _ in
    for line in SpaceTable.markdown { Terminal.output.line(line) }
  }
}

/// The list of spaces as a page.
enum SpaceTable {
  static let markdown =
    [
      "# Colour spaces by name", "",
      "[`--from-space`](../formats.md#spaces) and `--lut-space` take any of these names, aliases and identifiers, in capitals or",
      "not; `--to-space` takes those of linear light.",
      "`hdrbatch spaces` prints this page. Codes are of the full range; 1.0 of a scene's light is a perfect diffuser.",
    ] + kinds.flatMap { kind, title in ["", "## \(title)", ""] + header + rows(kind) }

  private static let kinds: [(NamedSpace.Kind, String)] = [
    (.linear, "Light of a scene"), (.log, "Logarithms of cameras, film and compositors"), (.video, "Textures"),
    (.display, "Signals of displays"),
  ]
  private static let header = ["| name | other names | red, green, blue, white |", "|---|---|---|"]

  private static func rows(_ kind: NamedSpace.Kind) -> [String] {
    NamedSpace.all.filter { $0.kind == kind }.map { space in
      let others = space.names.dropFirst().map { "`\($0)`" }.joined(separator: ", ")
      let points = space.primaries?.points.map { "\($0.x) \($0.y)" }.joined(separator: ", ")
      return "| \(space.name) | \(others) | \(points ?? "by a matrix") |"
    }
  }
}
