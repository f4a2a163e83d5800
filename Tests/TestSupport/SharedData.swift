import Foundation

/// The folder `../shared` beside the checkout: specifications with vectors, and test images. Absent on most machines.
package enum SharedData {
  /// Repository root, from this file's own path.
  package static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of `Examples`.
  package static let examples = repository.appendingPathComponent("Examples").path
  package static func example(_ name: String) -> String { examples + "/" + name }

  /// The path of a picture of `Tests/Pictures`: one of `Examples`, but small, where its size is not what is tested.
  package static func small(_ name: String) -> String {
    repository.appendingPathComponent("Tests/Pictures").path + "/" + name
  }

  /// `../shared`, or the folder named by HDRBATCH_SHARED.
  package static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["HDRBATCH_SHARED"] { return URL(fileURLWithPath: path) }
    return repository.deletingLastPathComponent().appendingPathComponent("shared")
  }()

  /// A file below `../shared`, or `nil` where it is absent.
  package static func url(_ path: String) -> URL? {
    let url = root.appendingPathComponent(path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// True if test images are here; use as `@Test(.enabled(if: SharedData.hasImages, "skipped: no data"))`.
  package static let hasImages = url("data/images/MANIFEST.tsv") != nil
  /// True if the specifications' vectors are here.
  package static let hasVectors = url("specs/color-vectors.json") != nil
  /// True if the malformed set is here.
  package static let hasMalformed = url("data/malformed/MANIFEST.tsv") != nil

  package static func bytes(_ path: String) -> [UInt8]? {
    guard let url = url(path), let data = try? Data(contentsOf: url) else { return nil }
    return [UInt8](data)
  }

  /// A JSON file below `../shared` as dictionaries and arrays.
  package static func json(_ path: String) -> [String: Any]? {
    guard let url = url(path), let data = try? Data(contentsOf: url) else { return nil }
    return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
  }

  /// Paths below `data/images` of the pictures that messages between processes are tested with.
  package static let pictures: [String] = [
    "avif_gainmap", "avif_hdr", "gainmap_jpeg", "heic_gainmap", "heic_hdr", "png",
  ].flatMap { folder -> [String] in
    guard let url = url("data/images/" + folder),
      let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    else { return [] }
    return names.sorted().map { folder + "/" + $0 }
  }
}
