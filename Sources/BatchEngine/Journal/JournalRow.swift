import CodecService
import HDRRecipe
import HDRRender
import PlainData

/// A row of a journal as a value: the one place that knows the keys that `BatchRunner` and `ItemRecord` write. What a row
/// lacks, or has of another type, is `nil`.
package enum JournalRow: Sendable {
  case header(Header)
  case item(Item)
  /// A summary, or a row of a later version.
  case other

  /// The first row: the run.
  package struct Header: Sendable {
    /// The version of the program.
    package var version: String?
    package var recipeDigest: Digest?
    package var unixTime: Int?
    /// The number of the run's items, those done before too.
    package var items: Int?
    /// The folder where the run's relative paths begin.
    package var folder: FilePath?
    /// The output folder; `nil` in journals of older versions.
    package var out: FilePath?
    package var command: [String]
    /// The recipe for every input.
    package var recipe: JSON?
    /// The digest of the manifest; `nil` for `render`.
    package var manifest: Digest?
    /// True if outputs were synced before rows called them done.
    package var isDurable: Bool
  }

  /// The row of an item: how it ended.
  package struct Item: Sendable {
    package var id: String?
    package var input: String?
    /// Number of the picture that was read of a file with several.
    package var image: Int?
    package var output: String?
    /// The bytes of an output's path that is not UTF-8; `output` is its printed form then.
    package var outputBytes: [UInt8]?
    package var status: ItemStatus?
    package var code: String?
    package var message: String?
    package var format: String?
    package var hdrIn: String?
    package var hdrOut: String?
    /// The reason why the GPU did not render it.
    package var fallback: String?
    package var inputDigest: Digest?
    package var outputDigest: Digest?
    /// The digest of the output's own settings, steps and files; `nil` in journals of older versions.
    package var settingsDigest: Digest?
    package var bytesIn: Int?
    package var bytesOut: Int?
    package var pixels: Int?
    /// Wall seconds by phase; any numbers.
    package var seconds: [(phase: String, wall: Double)]

    /// True if the row says how the item ended: skipped and interrupted items are still to be done.
    package var isOutcome: Bool { status != .skipped && code != "batch.interrupted" }
  }

  /// The keys that are read of a run's row, of an item's to know what is done, and for a report.
  static let headerKeys: Set = [
    "type", "version", "recipeDigest", "unixTime", "items", "folder", "out", "command", "recipe",
    "manifest", "durability",
  ]
  package static let outcomeKeys: Set = [
    "type", "id", "input", "image", "status", "code", "message", "format", "inputDigest", "outputDigest", "bytesIn",
    "bytesOut", "settingsDigest",
  ]
  /// The keys that are read to know which files were written.
  static let outputKeys: Set = ["type", "status", "output", "bytesOut"]
  /// The keys that are read to compare a run's files with another's.
  static let comparedKeys = outputKeys.union(["outputHex", "outputDigest", "code", "message"])
  static let reportKeys = outcomeKeys.union(["output", "hdrIn", "hdrOut", "fallback", "pixels", "seconds"])

  package init(_ json: JSON) {
    func text(_ key: String) -> String? { json[key]?.string }
    func digest(_ key: String) -> Digest? { text(key).flatMap { Digest(hex: $0) } }
    switch text("type") {
    case "header":
      self = .header(
        Header(
          version: text("version"), recipeDigest: digest("recipeDigest"), unixTime: json["unixTime"]?.integer,
          items: json["items"]?.integer,
          folder: text("folder").map { FilePath($0) }, out: text("out").map { FilePath($0) },
          command: json["command"]?.array?.compactMap(\.string) ?? [],
          recipe: json["recipe"].flatMap { $0 == .null ? nil : $0 }, manifest: digest("manifest"),
          isDurable: text("durability").flatMap { Durability(rawValue: $0) }.map { $0 != .none } == true))
    case "item":
      var seconds: [(phase: String, wall: Double)] = []
      if case .object(let fields)? = json["seconds"] {
        seconds = fields.map { (phase: $0.key, wall: $0.value["wall"]?.double ?? 0) }
      }
      self = .item(
        Item(
          id: text("id"), input: text("input"), image: json["image"]?.integer, output: text("output"),
          status: text("status").flatMap { ItemStatus(rawValue: $0) },
          code: text("code"), message: text("message"), format: text("format"), hdrIn: text("hdrIn"),
          hdrOut: text("hdrOut"), fallback: text("fallback"), inputDigest: digest("inputDigest"),
          outputDigest: digest("outputDigest"), settingsDigest: digest("settingsDigest"),
          bytesIn: json["bytesIn"]?.integer, bytesOut: json["bytesOut"]?.integer,
          pixels: json["pixels"]?.integer, seconds: seconds))
    default: self = .other
    }
  }
}
