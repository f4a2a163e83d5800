// The attributes of OpenEXR as metadata, of which a caller chooses what travels.

extension EXRPart {
  /// Attributes about samples that are made anew: as thumbnails of other formats they go without a word.
  package static let ofSamples: Set<String> = ["preview", "deepImageState", "dwaCompressionLevel"]
  /// Attributes that hold for the places of pixels.
  package static let ofPlaces: Set<String> = [
    "screenWindowCenter", "screenWindowWidth", "worldToCamera", "worldToNDC", "envmap",
  ]

  /// Selects the attributes for OpenEXR that is made of this part.
  ///
  /// - Parameter isMoved: true if pixels have other places, or are others.
  /// - Returns: also the names of those that would say something wrong.
  package func attributes(_ choice: MetadataChoice, isMoved: Bool) -> (kept: [Attribute], dropped: [String]) {
    var kept: [Attribute] = [], dropped: [String] = []
    for attribute in attributes where !Self.ofSamples.contains(attribute.name) {
      let isScreen = attribute.name.hasPrefix("screenWindow")
      guard isScreen || choice.takes(attribute: attribute.name) else { continue }
      // Samples of an ACES container are halves of AP0 without compression.
      if attribute.name == "acesImageContainerFlag" || isMoved && Self.ofPlaces.contains(attribute.name) {
        if !attribute.isUsual { dropped.append(attribute.name) }
      } else {
        kept.append(attribute)
      }
    }
    return (kept, dropped)
  }
}

extension EXRPart.Attribute {
  /// True for a value that every file has.
  package var isUsual: Bool {
    switch name {
    case "screenWindowCenter": value.allSatisfy { $0 == 0 }
    case "screenWindowWidth": value == [0, 0, 0x80, 0x3F]
    default: false
    }
  }
}

extension MetadataChoice {
  /// True if an attribute of OpenEXR belongs to what is chosen.
  package func takes(attribute name: String) -> Bool {
    let name = name.lowercased()
    switch self {
    case .all: return true
    case .noLocation:
      return !["longitude", "latitude", "altitude"].contains(name) && !name.contains("gps")
        && !name.contains("location")
    case .copyright: return ["owner", "copyright", "author", "artist"].contains { name.contains($0) }
    case .none: return false
    }
  }
}
