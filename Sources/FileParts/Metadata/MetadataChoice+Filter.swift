import HDRCore
import PlainData

extension MetadataChoice {
  /// Returns the part of Exif that is kept; all bytes for `all`, `nil` if nothing is kept or they cannot be read.
  ///
  /// - Parameter bytes: the TIFF structure from `II*\0` or `MM\0*` on; untrusted.
  package func exif(_ bytes: [UInt8]) -> [UInt8]? {
    if self == .all { return bytes }
    guard self != .none, var values = ExifValues(bytes) else { return nil }
    values.gps = []
    if self == .noLocation {
      values.exif.removeAll { $0.tag == Self.makerNote }
    } else {
      values.main = values.main.filter { Self.rights.contains($0.tag) }
      (values.exif, values.interoperability) = ([], [])
    }
    return values.saysNothing ? nil : values.serialized
  }

  /// Returns the part of Exif that is kept for unchanged rows, always with their orientation.
  package func exif(_ bytes: [UInt8]?, keeping orientation: Orientation) -> [UInt8]? {
    ExifValues.bytes(bytes.flatMap(exif), saying: orientation)
  }

  /// Returns the part of an XMP packet that is kept; `nil` if nothing is kept or it cannot be read.
  package func xmp(_ packet: [UInt8]) -> [UInt8]? {
    if self == .all { return packet }
    guard self != .none, let elements = try? XMLScanner(packet).elements else { return nil }
    if self == .noLocation { return packet.cut(elements, where: Self.isPlace) }
    // A nested one is a property like any other, which is removed or kept whole.
    var end = 0
    let graphs = elements.filter { element in
      guard element.name == XMLName(XMPNamespace.rdf, "RDF"), element.bytes.lowerBound >= end else { return false }
      end = element.bytes.upperBound
      return true
    }
    let properties = graphs.flatMap(\.children).map { elements[$0] }
    var cuts: [Range<Int>] = [], stays = false
    func judge(_ name: XMLName, _ bytes: Range<Int>) {
      if Self.names(rightsIn: name.namespace)?(name.local) == true { stays = true } else { cuts.append(bytes) }
    }
    for property in properties {
      for attribute in property.attributes
      where attribute.declaredNamespace == nil && ![XMPNamespace.rdf, ""].contains(attribute.name.namespace) {
        judge(attribute.name, attribute.bytes)
      }
      for child in property.children.map({ elements[$0] }) { judge(child.name, child.bytes) }
    }
    return stays ? packet.without(cuts) : nil
  }

  /// Returns the part of Photoshop's image resources that is kept: of IPTC, and of the copyright flag and address.
  package func photoshop(_ resources: [UInt8]) -> [UInt8]? {
    switch self {
    case .all: resources
    case .noLocation: PhotoshopResources.filtered(resources) { !Self.placesInIPTC.contains($0) }
    case .copyright: PhotoshopResources.filtered(resources) { Self.rightsInIPTC.contains($0) }
    case .none: nil
    }
  }

  // MARK: What is what

  private static let makerNote = 0x927C
  /// The tags of Artist and Copyright.
  private static let rights: Set<Int> = [315, 33432]

  /// The data sets of record 2 of IPTC-IIM 4.2 about places: location codes and names, city, sub-location, province,
  /// country.
  static let placesInIPTC: Set<Int> = [26, 27, 90, 92, 95, 100, 101]
  /// The data sets about rights: by-line and its title, credit, copyright.
  private static let rightsInIPTC: Set<Int> = [80, 85, 110, 116]

  /// Returns true for a property about a place, in any vocabulary.
  static func isPlace(_ name: XMLName) -> Bool {
    let local = name.local.lowercased()
    return ["gps", "latitude", "longitude", "location"].contains { local.contains($0) }
      || [
        "city", "state", "provincestate", "country", "countrycode", "countryname", "sublocation", "worldregion",
        "region_place", "venue",
      ].contains(local)
  }

  /// Returns a test of a vocabulary's names: true for names about the photo's author and rights; `nil`: it has none.
  private static func names(rightsIn namespace: String) -> ((String) -> Bool)? {
    switch namespace {
    case "http://purl.org/dc/elements/1.1/": { ["creator", "rights"].contains($0) }
    case "http://ns.adobe.com/xap/1.0/rights/": { _ in true }
    case XMPNamespace.photoshop: { ["Credit", "AuthorsPosition"].contains($0) }
    case XMPNamespace.tiff: { ["Artist", "Copyright"].contains($0) }
    case "http://ns.useplus.org/ldf/xmp/1.0/": { _ in true }
    default: nil
    }
  }
}

extension PhotoshopResources {
  /// Returns the resources with only the wanted data sets of IPTC record 2; `nil` if none is left.
  ///
  /// The digest of the IPTC, which would be wrong, is removed. Source: IPTC-IIM 4.2 clause 1.5.
  fileprivate static func filtered(_ bytes: [UInt8], keeping isWanted: (Int) -> Bool) -> [UInt8]? {
    guard let blocks = blocks(bytes) else { return nil }
    var rest: [UInt8] = []
    for block in blocks {
      switch block.id {
      case digest: break
      case iptc:
        let kept = dataSets(bytes[block.data]) { $0 != 2 || $1 == 0 || isWanted($1) }
        if !kept.isEmpty { rest = joined(rest, iptc: kept) ?? rest }
      default: rest += bytes[block.whole]
      }
    }
    return rest.isEmpty ? nil : rest
  }

  /// Returns the data sets that are wanted by record and number, in order, up to the first invalid one.
  private static func dataSets(_ bytes: ArraySlice<UInt8>, where isWanted: (Int, Int) -> Bool) -> [UInt8] {
    let kept = dataSets(bytes).filter { isWanted($0.record, $0.number) }
    // Versions and the character set alone describe nothing.
    return kept.contains { $0.record == 2 && $0.number != 0 } ? kept.flatMap { bytes[$0.whole] } : []
  }
}
