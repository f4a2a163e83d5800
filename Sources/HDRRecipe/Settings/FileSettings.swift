/// How files are coded.
public struct FileSettings: SettingGroup {
  public var title: String { "Files" }
  public var scope: Setting.Scope { .recipe }

  public let quality = SettingKey(
    "quality", .integer(0...100, "q"), assumed: "90", on: "sdr-jpeg *-heic adaptive-*",
    "Quality of lossy coding, 0...100.")
  public let chroma = SettingKey(
    "chroma", .one(of: ["420", "444"], "chroma"), assumed: "420", on: "*-heic adaptive-avif",
    "Chroma samples of HEIC and AVIF.")
  public let range = SettingKey(
    "range", .one(of: ["full", "limited"], "range"), assumed: "full", on: "pq-heic hlg-heic", rare: true,
    "Range of code values of HEIC.")
  public let pngEffort = SettingKey(
    "png-effort", .integer(0...9), assumed: "1", on: "*-png *-tiff",
    "Effort of Deflate in PNG and TIFF: 0 fastest ... 9 smallest.")
}
