import CodecService

/// The decisions of a config about an output, for records: runs with the same facts made the same colours.
package struct ConfigFacts: Sendable, Hashable {
  /// The config as the caller named it, and the name that it gives itself.
  package var place: String
  package var name: String?
  /// The SHA-256 of its file.
  package var digest: Digest
  /// The files and the built-in transforms that were used.
  package var use = ConfigUse()
  /// The space of the input's codes; `nil`: what the file says.
  package var space: String?
  /// The file rule that said so; `nil`: none did.
  package var rule: String?
  package var display: String?
  package var view: String?
  /// The display and the view of an Adaptive HDR file's HDR rendition.
  package var hdrDisplay: String?
  package var hdrView: String?
  package var looks: String?
  /// The digest of the tables that the plan has of it; `nil` before there is a plan.
  package var tables: Digest?

  /// The digest of the config and of the files that were used, for the digests of recipes.
  var digestOfFiles: Digest {
    Digest(of: digest.bytes + use.luts.sorted { $0.path < $1.path }.flatMap(\.digest.bytes))
  }

  /// Returns the digest of words, each in the order of a little-endian machine.
  static func digest(of words: [UInt32]) -> Digest {
    Digest(of: words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
  }

  init(place: String, name: String?, digest: Digest) { (self.place, self.name, self.digest) = (place, name, digest) }
}
