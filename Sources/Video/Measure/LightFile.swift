import CodecService
import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// The file that keeps what was measured of a clip: `.measure/NAME.json` beside the clip's output.
struct LightFile: Sendable {
  private let path: FilePath
  /// The path below the folder that is made with all above it.
  private let relative: FilePath

  /// - Parameters:
  ///   - output: the output of the clip, whose name without ending the file has.
  ///   - part: tells files apart that have some frames of the clip each; `nil`: all.
  init(_ item: ClipJob.Item, part: Int? = nil) {
    let name = item.output.name, dot = UInt8(ascii: ".")
    let stem = name.lastIndex(of: dot).flatMap { $0 > 0 ? name[..<$0] : nil } ?? name[...]
    let file = Array(stem) + Array((part.map { ".\($0)" } ?? "").utf8) + Array(".json".utf8)
    path = item.output.parent.appending(".measure").appending(file)
    let folder = item.relative?.parent ?? FilePath(".")
    let below = FilePath(".measure").appending(file)
    relative = folder == FilePath(".") ? below : folder.appending(below.bytes)
  }

  /// The most bytes of a file.
  private static let maxBytes = 1 << 28
  /// The version of what is measured, and of its form.
  private static let version = 1

  /// Reads the light; `nil` if there is none, or that of another clip or of other settings.
  ///
  /// - Parameters:
  ///   - digest: that of the clip.
  ///   - settings: what the light depends on beside the clip.
  func read(_ digest: Digest, _ settings: String) -> ClipLight? {
    guard let file = try? InputFile(path, maxBytes: Self.maxBytes), let bytes = try? file.content().bytes,
      let json = try? JSON(parsing: bytes), json["version"]?.integer == Self.version,
      json["input"]?.string == digest.hex, json["settings"]?.string == settings, let light = json["light"]
    else { return nil }
    return try? ClipLight(light)
  }

  func write(_ light: ClipLight, _ digest: Digest, _ settings: String, _ writer: AtomicWriter) throws(HDRError) {
    let json: JSON = [
      "version": .int(Self.version), "input": .string(digest.hex), "settings": .string(settings), "light": light.json,
    ]
    let bytes = Array((json.line + "\n").utf8)
    do throws(FileFault) {
      let staged = try writer.begin(path, in: try writer.folder(of: path, relative: relative))
      do throws(FileFault) {
        try writer.files.write(bytes, to: staged.file, staged.part)
      } catch {
        writer.discard(staged)
        throw error
      }
      try writer.sync(staged, byteCount: bytes.count)
      try writer.commit(staged, existing: .replace)
    } catch {
      throw HDRError(writing: error)
    }
  }
}
