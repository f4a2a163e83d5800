import HDRCore
import HDRRender
import PlainData

/// Two lists of files joined by their names.
package struct FilePairing: Sendable {
  /// The pairs and files without a partner, in the order of names.
  package private(set) var pairs: [FilePair] = []

  /// Two files of one side that would have the same partner.
  package struct Fault: Error, Sendable, Hashable {
    package var message: Message
    package init(message: Message) { self.message = message }
  }

  /// Two files are a pair if their paths below their folders are equal by this rule.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Without extension.
    case stem
    case name
  }

  package init(_ a: [InputReference], _ b: [InputReference], by rule: Rule) throws(Fault) {
    let left = try Self.named(a, rule), right = try Self.named(b, rule)
    for key in Set(left.keys).union(right.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      pairs.append(FilePair(left[key], right[key]))
    }
  }

  /// Joins files by a rule that names the partner of each A.
  ///
  /// - Parameter partners: returns the paths below B's folder that the partner of a file may have.
  package init(
    _ a: [InputReference], _ b: [InputReference], partners: (InputReference) throws(Fault) -> [FilePath]
  ) throws(Fault) {
    let right = Dictionary(b.map { ($0.relative, $0) }) { first, _ in first }
    var taken: [FilePath: InputReference] = [:]
    for file in a {
      let found = try partners(file).compactMap { right[$0] }
      if found.count > 1 {
        let names = "\(found[0].path.display) and \(found[1].path.display)"
        throw Fault(message: "\(file.path.display) has two partners: \(names)")
      }
      if let partner = found.first, let other = taken.updateValue(file, forKey: partner.relative) {
        let names = "\(other.path.display) and \(file.path.display)"
        throw Fault(message: "\(names) have one partner: \(partner.path.display)")
      }
      pairs.append(FilePair(file, found.first))
    }
    pairs += b.filter { taken[$0.relative] == nil }.map { FilePair(nil, $0) }
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
