import CodecService
import HDRCore
import HDRPlan
import Synchronization

/// The files that a command line names beside its inputs: recipes, LUTs, second pictures. What they hold decides pixels,
/// so their digests belong to the recipe's.
public enum SettingFiles {
  private static let seen = Mutex<[(name: FilePath, digest: Digest)]>([])

  /// Reads a whole file and remembers its digest.
  ///
  /// - Throws: as `readFile`.
  public static func read(_ path: FilePath, maxBytes: Int) throws(DecodeError) -> [UInt8] {
    let bytes = try readFile(path, maxBytes: maxBytes)
    note(path, Digest(of: bytes))
    return bytes
  }

  static func note(_ path: FilePath, _ digest: Digest) {
    seen.withLock { seen in if !seen.contains(where: { $0 == (path, digest) }) { seen.append((path, digest)) } }
  }

  /// Of the words that decide pixels and of all files that were read because of them, in the order of their names.
  public static func recipeDigest(of words: [String]) -> Digest {
    var hasher = Digest.Hasher()
    for word in words { hasher.add(word) }
    for file in seen.withLock({ $0 }).sorted(by: { $0.name < $1.name }) { hasher.add(file.digest.hex) }
    return hasher.finish()
  }
}
