import HDRCore

/// A list of the parts of a file that no output holds: how many bytes, and of what names.
///
/// Names come from the file, so only some are kept, and only their first characters.
package struct UnknownParts {
  private static let mostNames = 16, mostCharacters = 64

  private let kind: FileTrailer.Kind
  private var byteCount = 0
  private var names: [String] = []
  private var isEmpty = true

  package init(_ kind: FileTrailer.Kind = .parts) { self.kind = kind }

  package mutating func add(_ name: String, byteCount: Int) {
    isEmpty = false
    self.byteCount += byteCount
    let short = String(name.prefix(Self.mostCharacters))
    if !names.contains(short), names.count < Self.mostNames { names.append(short) }
  }

  /// Adds the paths among image resources of Photoshop, which no output holds. Other resources describe the old pixels.
  package mutating func add(pathsOf resources: [UInt8]?) {
    let blocks = resources.flatMap { PhotoshopResources.blocks($0) } ?? []
    let count = blocks.filter { PhotoshopResources.paths.contains($0.id) }.reduce(0) { $0 + $1.data.count }
    if count > 0 { add("Photoshop paths", byteCount: count) }
  }

  /// The list as one entry of a file's extras; none for an empty list.
  package var trailers: [FileTrailer] { isEmpty ? [] : [FileTrailer(kind, byteCount: byteCount, names: names)] }
}
