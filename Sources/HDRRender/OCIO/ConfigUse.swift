import CodecService
import HDRPlan

/// The files and the built-in transforms that operations of a config lead to, for records.
package struct ConfigUse: Sendable, Hashable {
  /// A LUT that the config names, and the digest of its file.
  package struct LUT: Sendable, Hashable {
    package var path: String
    package var digest: Digest
  }
  package var luts: [LUT] = []
  /// The names of built-in transforms.
  package var styles: [String] = []

  /// Adds what another part leads to.
  mutating func add(_ other: ConfigUse) {
    luts += other.luts.filter { !luts.contains($0) }
    styles += other.styles.filter { !styles.contains($0) }
  }
}

/// A chain of a config, with what it leads to.
struct ConfigChain {
  var chain: LUTChain
  var use: ConfigUse
}
