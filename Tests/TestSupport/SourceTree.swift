import Foundation

/// Files of the checkout.
package enum SourceTree {
  package struct File {
    package var path: String
    package var text: String
    package var stem: String { String(path.split(separator: "/").last!.split(separator: ".")[0]) }
    package var folder: Substring { path[..<path.lastIndex(of: "/")!] }
  }

  package static func text(_ path: String) throws -> String {
    try String(contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
  }

  /// Files of one folder, without those below its subfolders.
  package static func files(_ folder: String, extension ext: String) throws -> [File] {
    try FileManager.default.contentsOfDirectory(atPath: SharedData.repository.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix("." + ext) }.sorted()
      .map { File(path: folder + "/" + $0, text: try text(folder + "/" + $0)) }
  }

  /// Files in and below a folder.
  package static func allFiles(_ folder: String, extension ext: String) throws -> [File] {
    try FileManager.default.subpathsOfDirectory(atPath: SharedData.repository.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix("." + ext) }.sorted()
      .map { File(path: folder + "/" + $0, text: try text(folder + "/" + $0)) }
  }
}
