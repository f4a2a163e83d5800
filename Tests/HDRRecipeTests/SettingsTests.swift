import HDRCore
import HDRRecipe
import Testing

/// The list of settings: what every row owes its readers.
@Suite struct SettingsTests {
  static let rows = Settings.all

  @Test func everySettingIsListedOnce() {
    let names = Self.rows.map(\.name)
    #expect(names.count > 60)
    #expect(Set(names).count == names.count)
    // Reflection finds every row: one of each group by its name.
    for name in ["headroom", "primaries", "quality", "strict", "allow-sdr-filter", "on-existing", "resume", "jobs"] {
      #expect(names.contains(name))
    }
    let shorts = Self.rows.compactMap(\.short)
    #expect(Set(shorts).count == shorts.count)
  }

  @Test(arguments: rows.map(\.name)) func everyRowHasHelpAndAValidDefault(name: String) throws {
    let row = try #require(Self.rows.first { $0.name == name })
    #expect(row.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
    #expect(row.help.count > 20 && row.help.hasSuffix("."))
    #expect(!row.help.contains("\n") && !row.group.isEmpty)
    // A default is a value, in its one form.
    if let standard = row.standard { #expect(try row.normalized([standard]) == [standard]) }
    // One word of a list need not be enough.
    for word in row.words where name != "map-metadata" { #expect(throws: Never.self) { try row.normalized([word]) } }
    // A config may have a view of any name.
    if row.count == .one, row.standard == nil, row.bare == nil, row.words.isEmpty == false, !name.hasSuffix("view") {
      #expect(throws: SettingFault.self) { try row.normalized(["no such value"]) }
    }
    #expect((row.scope == .recipe) == (Settings.recipe[name] != nil))
  }

  @Test("settings that say the same are at least two", arguments: Set(rows.compactMap(\.alternative)).sorted())
  func alternatives(label: String) {
    #expect(Self.rows.count { $0.alternative == label } > 1)
  }

  @Test func outputPatternsMatchKinds() {
    let pattern: KindPattern = "sdr-jpeg *-heic adaptive-*"
    #expect(["sdr-jpeg", "pq-heic", "adaptive-heic", "adaptive-avif"].allSatisfy(pattern.matches))
    #expect(!["sdr-jpe", "heic", "pq-png", "rgba16f"].contains(where: pattern.matches))
    let packed: KindPattern = "*-y4m:* *-raw:p*"
    #expect(["pq-y4m:yuv420p10", "sdr-y4m:gray16", "hlg-raw:p010"].allSatisfy(packed.matches))
    #expect(!["pq-raw:nv12", "y4m:", "pq-y4m"].contains(where: packed.matches))
    for row in Self.rows { #expect(KindNames.all.contains(where: row.outputs.matches), "\(row.name)") }
  }

  @Test("a range is a setting of every raw format with luma, and of no other") func rangeOfRawFormats() {
    let range = Settings.files.range.setting.outputs
    for kind in OutputKind.packed { #expect(range.matches(kind.rawValue) == (kind.layout == .planarYCC), "\(kind)") }
  }

  /// A value, and its one form.
  @Test(arguments: [
    ("headroom", "2ev", "4"), ("headroom", "4.0", "4"), ("tone-map", "referenceWhite", "reference-white"),
    ("tone-map", "bt2390:displayBlack=0.1,knee=1.0", "bt2390:display-black=0.1,knee=1"),
    ("hdr10", "0.005:1000", "0.005:1000"), ("lut-space", "srgb-p3", "p3"),
    ("lut-space", "bt2020-linear", "linear-bt2020"), ("gamut", "CLIP", "clip"),
    ("map-metadata", "mpf,iso", "iso,mpf"), ("map-range", "1.50", "1.5"), ("content-headroom", "p99.90", "p99.9"),
    ("display", "iphone-14", "1600:200"), ("display", "Reference-Mode", "reference-mode"),
    ("display", "1000.0:100", "1000:100"), ("constrained-limit", "1ev", "2"), ("memory", "4G", "4294967296"),
    ("map-offset", "1e-2", "0.01"),
    ("from", "raw:P010le,16x8,range=full,stride=64", "raw:p010,16x8,stride=64,range=full"),
    ("from-space", "acescg", "ACEScg"), ("from-space", "arri logc4", "ARRI LogC4"),
    // A config may call another space by an alias.
    ("from-space", "LIN_AP1", "LIN_AP1"), ("view", "SDR-709", "sdr-709"), ("view", "Film", "Film"),
    ("lut-space", "acescct_ap1", "ACEScct"),
    ("to-space", "linear arri wide gamut 4", "Linear ARRI Wide Gamut 4"), ("context", "SHOT=a=b", "SHOT=a=b"),
    ("primaries", "lin_ap0_scene", "ACES2065-1"),
    ("cicp", "09/16/9", "9/16/9"), ("fps", "30000/1000", "30"), ("missing", "Hold", "hold"),
    ("png-effort", "03", "3"), ("png-effort", "GPU", "gpu"),
  ])
  func valuesHaveOneForm(name: String, text: String, form: String) throws {
    let row = try #require(Self.rows.first { $0.name == name })
    #expect(try row.normalized([text]) == [form])
    #expect(try row.normalized([form]) == [form])
  }
}
