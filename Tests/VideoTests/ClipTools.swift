import CodecService
import Foundation
import TestSupport

/// The ffmpeg of the machine, and clips beside the checkout.
enum ClipTools {
  /// The program that HDRBATCH_FFMPEG names, else the first of PATH; `nil`: none.
  static let ffmpeg: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["HDRBATCH_FFMPEG"] { return named }
    return (environment["PATH"] ?? "").split(separator: ":").map { $0 + "/ffmpeg" }
      .first(where: FileManager.default.isExecutableFile)
  }()

  /// That program, and the one that HDRBATCH_FFMPEG_9 names, of another version, where it is there.
  static let programs = [
    ffmpeg,
    ProcessInfo.processInfo.environment["HDRBATCH_FFMPEG_9"].flatMap {
      FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil
    },
  ].compactMap { $0 }

  /// The first ffprobe of PATH; `nil`: none.
  static let ffprobe = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { $0 + "/ffprobe" }
    .first(where: FileManager.default.isExecutableFile)

  /// Returns what ffprobe says of a clip.
  static func probe(
    _ path: String
  ) throws -> (streams: [[String: Any]], chapters: [[String: Any]], format: [String: Any]) {
    let text = try run(
      ["-v", "error", "-of", "json", "-show_streams", "-show_chapters", "-show_format", path], program: ffprobe)
    let object = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
    return (
      object["streams"] as? [[String: Any]] ?? [], object["chapters"] as? [[String: Any]] ?? [],
      object["format"] as? [String: Any] ?? [:]
    )
  }

  /// True if `hdrbatch video` can be tested on clips.
  static let areThere = Program.url != nil && ffmpeg != nil && SharedData.url("data/video/MANIFEST.tsv") != nil

  static func clip(_ name: String) -> String { SharedData.root.appendingPathComponent("data/video/" + name).path }

  /// The vectors describe each clip under `clips`.
  static var vectors: [String: [String: Any]] {
    SharedData.json("specs/video-vectors.json")?["clips"] as? [String: [String: Any]] ?? [:]
  }

  /// Returns the standard output of ffmpeg, or of another program that takes all its words.
  static func run(_ words: [String], input: Data? = nil, program: String? = nil) throws -> Data {
    let folder = try TemporaryFolder(), process = Process()
    process.executableURL = URL(fileURLWithPath: program ?? ffmpeg ?? "")
    process.arguments = program == nil ? ["-nostdin", "-v", "error"] + words : words
    process.standardInput =
      try input.map { FileHandle(forReadingAtPath: try folder.file("in", [UInt8]($0))) ?? .nullDevice }
      ?? FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: try folder.file("out", ""))
    process.standardError = FileHandle(forWritingAtPath: try folder.file("err", ""))
    try process.run()
    process.waitUntilExit()
    return Data(try folder.bytes("out"))
  }

  /// Returns all frames of a clip behind each other.
  static func frames(_ path: String, as format: String) throws -> Data {
    try run([
      "-noautorotate", "-i", path, "-map", "0:V:0", "-fps_mode", "passthrough", "-pix_fmt", format, "-f", "rawvideo",
      "-",
    ])
  }

  /// Returns the times of a clip's packets in seconds, sorted.
  static func times(_ path: String) throws -> [Double] {
    let lines = try run(["-i", path, "-map", "0:V:0", "-c", "copy", "-f", "framecrc", "-"])
    let text = String(decoding: lines, as: UTF8.self)
    var tick = 0.0, found: [Double] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#tb 0: ") {
        let sides = line.dropFirst(7).split(separator: "/").compactMap { Double($0) }
        tick = sides[0] / sides[1]
      } else if !line.hasPrefix("#") {
        let time = line.split(separator: ",")[2].trimmingCharacters(in: .whitespaces)
        found.append((Double(time) ?? .nan) * tick)
      }
    }
    return found.sorted()
  }

  static func hex(_ data: Data) -> String { Digest(of: [UInt8](data)).hex }
}
