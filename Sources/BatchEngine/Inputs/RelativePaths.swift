import HDRRecipe
import HDRRender

/// Inputs with their paths below a folder: `--relative-to`.
package enum RelativePaths {
  /// Returns the inputs with their paths below a folder, so that outputs keep the folders of files that a list names.
  ///
  /// - Throws: `UsageError` for a file elsewhere.
  package static func of(
    _ inputs: [InputReference], below folder: FilePath
  ) throws(UsageError) -> [InputReference] {
    let above = parts(folder.absolute)
    var result: [InputReference] = []
    for var input in inputs {
      let own = parts(input.path.absolute)
      guard own.count > above.count, own.starts(with: above), !own.contains(Array("..".utf8)) else {
        throw UsageError(
          "\(input.path.display) is not below \(folder.display), which \(setting: "relative-to") names")
      }
      let slash = [UInt8(ascii: "/")]
      let below = Array(own.dropFirst(above.count).joined(separator: slash))
      // A path ends in what is relative in it.
      if input.path.bytes.suffix(below.count + 1) != slash + below, input.path.bytes != below {
        input.path = FilePath(bytes: slash + Array(own.joined(separator: slash)))
      }
      input.relative = FilePath(bytes: below)
      result.append(input)
    }
    return result
  }

  private static func parts(_ path: FilePath) -> [[UInt8]] {
    path.bytes.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
  }
}
