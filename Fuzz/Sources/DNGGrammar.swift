@testable import FileParts
@testable import ImageFiles

/// DNG: entries of any of its directories, and of its profiles, changed where they lie.
enum DNGGrammar {
  private static let tags = [
    254, 256, 257, 258, 259, 262, 273, 277, 279, 322, 324, 330, 339, 33421, 33422, 50706, 50711, 50712, 50713, 50714,
    50715, 50716, 50717, 50719, 50720, 50721, 50722, 50723, 50727, 50728, 50729, 50730, 50739, 50778, 50779, 50829,
    50933, 50937, 50938, 50940, 50964, 50975, 50981, 50982, 51008, 51009, 51022, 51041, 51109, 51110, 52525, 52543,
    52544, 52547, 52551, 52552,
  ]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    guard !random.one(in: 6), let structure = try? TIFFStructure(bytes),
      let first = try? structure.directory(at: structure.first)
    else { return blindly(bytes, maxSize: maxSize) }
    var all = [(structure, first)]
    for position in structure.integers(TIFFTag.subDirectories, in: first, atMost: 8) ?? [] {
      if let directory = try? structure.directory(at: position) { all.append((structure, directory)) }
    }
    for position in structure.integers(DNGTag.extraProfiles, in: first, atMost: 8) ?? [] {
      guard let block = TIFFStructure(profileAt: position, of: structure),
        let directory = try? block.directory(at: block.first)
      else { continue }
      all.append((block, directory))
    }
    let (owner, directory) = random.pick(all)
    return TIFFGrammar.change(bytes, owner, directory, tags: tags, random: &random)
  }
}
