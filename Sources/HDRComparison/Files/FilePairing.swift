import HDRCore
import HDRRender
import PlainData

/// Two lists of files joined by their names.
package struct FilePairing: Sendable {
  /// The pairs and files without a partner, in the order of names.
  package private(set) var pairs: [(a: InputReference?, b: InputReference?)] = []

  /// Two files of one side that would have the same partner.
  package struct Fault: Error, Sendable, Hashable {
    package var message: Message
    package init(message: Message) { self.message = message }
  }

  /// What makes two files a pair: equal paths below their folders.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Without extension.
    case stem
    case name
  }

  package init(_ a: [InputReference], _ b: [InputReference], by rule: Rule) throws(Fault) {
    let left = try Self.named(a, rule), right = try Self.named(b, rule)
    for key in Set(left.keys).union(right.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      pairs.append((left[key], right[key]))
    }
  }

  private static func named(_ files: [InputReference], _ rule: Rule) throws(Fault) -> [[UInt8]: InputReference] {
    var result: [[UInt8]: InputReference] = [:]
    for file in files {
      var key = file.relative.bytes
      let name = file.relative.name
      if rule == .stem, let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 { key.removeLast(name.count - dot) }
      if let other = result.updateValue(file, forKey: key) {
        throw Fault(
          message:
            "\(other.path.display) and \(file.path.display) have one name: \(setting: "pair-by") name, or rename one")
      }
    }
    return result
  }
}
