import HDRCore

/// How files are coded.
public struct FileSettings: SettingGroup {
  public var title: String { "Files" }
  public var scope: Setting.Scope { .recipe }

  public let quality = SettingKey(
    "quality", .integer(0...100, "q"), assumed: "90", on: "sdr-jpeg *-heic *-avif adaptive-jpeg",
    "Quality of lossy coding, 0...100.")
  public let chroma = SettingKey(
    "chroma", .one(of: ["420", "444"], "chroma"), assumed: "420", on: "*-heic *-avif",
    "Chroma samples of HEIC and AVIF.")
  public let range = SettingKey(
    "range", .one(of: ["full", "limited"], "range"), assumed: "full for outputs; needed for raw inputs",
    on: "pq-heic hlg-heic pq-avif hlg-avif sdr-avif *-raw:* *-y4m:*", rare: true,
    "Range of code values of HEIC, AVIF, raw and Y4M outputs, and of raw and Y4M inputs that do not say theirs.")
  public let depth = SettingKey(
    "depth", .integer(of: [8, 10, 12], "bits"), assumed: "10; for sdr-avif 8",
    on: "pq-heic hlg-heic pq-avif hlg-avif sdr-avif", "Bits of a sample in HEIC and AVIF; HDR has 10 or 12.")
  public let pngEffort = SettingKey(
    "png-effort", .integer(0...9), assumed: "1", on: "*-png *-tiff",
    "Effort of Deflate in PNG and TIFF: 0 fastest ... 9 smallest.")
  public let exrCompression = SettingKey(
    "exr-compression", .choice(EXRCompression.self, "method"), assumed: "zip", on: "exr", rare: true,
    "Compression of OpenEXR, all lossless: zip, 16 rows at a time; zips, one row; rle, runs of bytes; none.")
}
