import HDRCore
import HDRPlan
import PlainData

// The checks of whole files: statements about places, and Ultra HDR.

extension StandardCheck {
  /// Returns a row for each block that may say where a photo was taken.
  static func places(_ source: SourceImage) -> [Row] {
    let photo = PhotoFacts(source)
    func row(_ block: String, _ prefixes: [String]) -> Row {
      let found = photo.places.filter { place in prefixes.contains { place.hasPrefix($0) } }
      if photo.unread.contains(block) { return Row(field: block, verdict: .fault, text: "cannot be read") }
      guard photo.blocks.contains(block) else { return Row(field: block, verdict: .absent, text: "absent") }
      return found.isEmpty
        ? Row(field: block, verdict: .ok, text: "no place")
        : Row(field: block, verdict: .fault, text: found.joined(separator: ", "))
    }
    var rows = [row("Exif", ["gps ", "exif "]), row("XMP", ["xmp "]), row("IPTC", ["iptc "])]
    if photo.hasMakerNote {
      rows.append(Row(field: "maker note", verdict: .warning, text: "it may hold a place, and was not read"))
    }
    if source.extras.motion != nil {
      rows.append(Row(field: "motion", verdict: .warning, text: "its video may state a place, and was not read"))
    }
    for trailer in source.extras.trailers {
      rows.append(Row(field: "trailer", verdict: .warning, text: "\(trailer.kind.rawValue), which was not read"))
    }
    return rows
  }

  /// Returns a row for each part that readers of Ultra HDR look for.
  static func ultraHDR(_ source: SourceImage) -> [Row] {
    func row(_ field: String, _ holds: Bool, _ text: String, _ wanted: String, _ fault: Verdict = .fault) -> Row {
      Row(field: field, verdict: holds ? .ok : fault, text: holds ? text : text + wanted)
    }
    var rows = [
      row("format", source.format == .jpeg, source.format.rawValue.uppercased(), ", and JPEG is wanted"),
      row("bit depth", source.bitDepth == 8, "\(source.bitDepth)", ", and 8 are wanted"),
    ]
    guard let map = source.gainMap, map.metadata.isComplete else {
      let found = source.gainMap == nil ? "absent" : "its metadata are not complete"
      return rows + [Row(field: "gain map", verdict: .fault, text: found)]
    }
    let by = Set(map.bindings)
    rows.append(row("gain map", true, map.metadata.kind.rawValue, ""))
    rows.append(row("base", !map.metadata.baseIsHDR, map.metadata.baseIsHDR ? "HDR" : "SDR", ", and SDR is wanted"))
    func place(_ field: String, _ binding: String, _ text: String, _ fault: Verdict, _ wanted: String = "") {
      let isThere = by.contains(binding)
      rows.append(row(field, isThere, isThere ? text : "absent", wanted, fault))
    }
    place("hdrgm", "xmp", "in XMP", by.contains("app2-iso") ? .warning : .fault, ", and readers of version 1.0 need it")
    place("iso", "app2-iso", "ISO 21496-1", .absent)
    place("directory", "gcontainer", "GContainer", .fault, ", and readers find the map by it")
    place("mpf", "mpf", "in the index", .warning)
    return rows
  }
}
