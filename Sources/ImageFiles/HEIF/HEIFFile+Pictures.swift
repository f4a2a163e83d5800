import FileParts
import HDRCore

/// The independent pictures of a file.
extension HEIFFile {
  /// The types of items that are pictures.
  static let pictureTypes: Set<FourCC> = ["hvc1", "av01", "unci", "jpeg", "grid", "iden", "iovl"]

  /// The items that are shown, by rising number, with the primary one; no tiles, thumbnails, auxiliaries or gain maps.
  private var pictureItems: [Int] {
    let primary = baseID
    var parts: Set<Int> = []
    for reference in references {
      switch reference.type {
      case "dimg": parts.formUnion(reference.to)
      case "auxl", "thmb": parts.insert(reference.from)
      default: break
      }
    }
    // The base of a tone map is a picture too.
    for reference in references where reference.type == "dimg" && items[reference.from]?.type == "tmap" {
      if let base = reference.to.first { parts.remove(base) }
    }
    let shown = items.values.filter {
      $0.id == primary || !$0.isHidden && Self.pictureTypes.contains($0.type) && !parts.contains($0.id)
    }
    return Array(shown.map(\.id).sorted().prefix(BoxLimits.pictures))
  }

  /// The primary item, or the base if that is a `tmap`.
  private var baseID: Int {
    items[primaryID]?.type == "tmap" ? targets("dimg", from: primaryID).first ?? primaryID : primaryID
  }

  /// Returns the picture that the caller chooses, and its number among all if there are several.
  ///
  /// - Throws: for a choice of a missing picture, and for a primary tone map without a base.
  func choose(
    _ reading: ReadingOptions
  ) throws(DecodeError) -> (id: Int, pictures: [FilePicture], number: Int) {
    guard try item(primaryID, for: "pitm box").type != "tmap" || baseID != primaryID else {
      throw .malformed(where: "tmap item", what: "the primary item is a tone map of nothing")
    }
    let ids = pictureItems
    guard ids.count > 1 || reading.isChosen else { return (baseID, [], 1) }
    var pictures: [FilePicture] = []
    for id in ids {
      let found = try? properties(of: id), type = items[id].map { "\($0.type)" } ?? ""
      pictures.append(
        FilePicture(
          name: items[id].flatMap { $0.name.isEmpty ? nil : $0.name }, width: found?.width ?? 0,
          height: found?.height ?? 0, note: id == baseID ? "\(type), primary" : type))
    }
    let index = try reading.index(among: pictures, main: ids.firstIndex(of: baseID) ?? 0)
    return pictures.count > 1 ? (ids[index], pictures, index + 1) : (ids[index], [], 1)
  }
}
