import FileParts
import HDRCore

/// A search for the gain map of a JPEG file, which is then decoded (docs/gain-map-maths.md#containers).
///
/// Candidates are the pictures of the MPF index, the items of the GContainer directory and streams after the primary.
/// A candidate is a map only if it has gain map metadata itself, so previews, depth and motion pictures are not taken.
/// ISO 21496-1 has priority over `hdrgm`, and that over Apple's map of 2020.
///
/// Each fault of a map is a warning `gainmap.*`, as the base is still a good picture.
struct JPEGGainMapSearch {
  let bytes: [UInt8]
  let primary: JPEGStructure
  let metadata: JPEGMetadata
  let request: DecodeRequest
  let limits: DecodeLimits

  private struct Candidate {
    var position: Int
    var bindings: [String]
  }

  private struct Found {
    var jpeg: JPEGStructure
    var metadata: JPEGMetadata
    var bindings: [String]
  }

  /// Returns the gain map and the stream that holds it.
  func pick(warnings: inout [Warning]) -> (map: GainMap, stream: JPEGStructure)? {
    var best: (found: Found, metadata: GainMapMetadata, binding: String)?
    var kinds: [Int: Int] = [:]
    for candidate in candidates(warnings: &warnings) {
      guard let found = read(candidate, warnings: &warnings),
        let (parsed, binding) = parse(found, warnings: &warnings)
      else { continue }
      kinds[Self.rank(parsed.kind), default: 0] += 1
      // The map with the better metadata is used if there are several, then the first.
      guard let current = best else {
        best = (found, parsed, binding)
        continue
      }
      if Self.rank(parsed.kind) < Self.rank(current.metadata.kind) { best = (found, parsed, binding) }
    }
    guard let best else {
      noteMissing(warnings: &warnings)
      return nil
    }
    if let count = kinds[Self.rank(best.metadata.kind)], count > 1 { warnings.append(GainMap.several(count)) }
    return decode(best.found, best.metadata, best.binding, warnings: &warnings).map { ($0, best.found.jpeg) }
  }

  private static func rank(_ kind: GainMapKind) -> Int {
    switch kind {
    case .iso, .jhgm: 0
    case .hdrgm: 1
    case .apple: 2
    }
  }

  private func noteMissing(warnings: inout [Warning]) {
    if !warnings.contains(where: { $0.code.hasPrefix("gainmap.") }),
      metadata.hdrgm?["Version"] != nil || metadata.hasISOVersion
    {
      warnings.append(Warning("gainmap.missing", "the file announces a gain map and has none"))
    }
  }

  // MARK: Candidates

  private func candidates(warnings: inout [Warning]) -> [Candidate] {
    var result: [Candidate] = []
    func add(_ position: Int, _ binding: String) {
      if let index = result.firstIndex(where: { $0.position == position }) {
        if !result[index].bindings.contains(binding) { result[index].bindings.append(binding) }
      } else if result.count < MultiPicture.maxPictures {
        result.append(Candidate(position: position, bindings: [binding]))
      }
    }
    func begins(_ position: Int) -> Bool {
      position >= primary.end && position <= bytes.count - 4 && bytes[position] == 0xFF && bytes[position + 1] == 0xD8
    }
    if let (tiff, origin) = metadata.multiPicture,
      let index = MultiPicture(tiff, origin: origin, warnings: &warnings)
    {
      for picture in index.pictures.dropFirst() {
        if begins(picture.position) {
          add(picture.position, "mpf")
        } else {
          warnings.append(Warning("mpf.offset", "the multi-picture index points at \(picture.position): no JPEG there"))
        }
      }
    }
    for item in metadata.packet?.containerItems ?? [] where item.hasFault {
      warnings.append(
        Warning("gcontainer.number", "the container directory has an impossible length or padding, which counts as 0"))
      break
    }
    for (item, position) in containerPositions(metadata.packet?.containerItems ?? [], primaryLength: primary.end)
    where item.semantic == "GainMap" {
      if begins(position), item.length <= bytes.count - position {
        add(position, "gcontainer")
      } else {
        warnings.append(
          Warning("gcontainer.range", "the container directory says \(item.length) bytes at \(position): not there"))
      }
    }
    // Streams in an index are left out: the bindings of a map record how it was found.
    for position in streamsBehindPrimary() where !result.contains(where: { $0.position == position }) {
      add(position, "scan")
    }
    return result
  }

  /// Returns the starts of further streams, each searched after the end of the one before.
  private func streamsBehindPrimary() -> [Int] {
    var result: [Int] = []
    var at = primary.end
    while result.count < MultiPicture.maxPictures, at + 3 < bytes.count {
      guard bytes[at] == 0xFF, bytes[at + 1] == 0xD8, bytes[at + 2] == 0xFF else {
        at += 1
        continue
      }
      result.append(at)
      at = max(at + 3, (try? JPEGStructure(bytes, at: at))?.end ?? at + 3)
    }
    return result
  }

  private func read(_ candidate: Candidate, warnings: inout [Warning]) -> Found? {
    guard let jpeg = try? JPEGStructure(bytes, at: candidate.position) else { return nil }
    // Faults in a preview's segments are ignored: previews are not used.
    var own: [Warning] = []
    let found = JPEGMetadata(jpeg, bytes, limits: limits, warnings: &own)
    if found.isoPayload != nil || found.hdrgm != nil || found.isAppleGainMap { warnings += own }
    return Found(jpeg: jpeg, metadata: found, bindings: candidate.bindings)
  }

  private func parse(_ found: Found, warnings: inout [Warning]) -> (GainMapMetadata, String)? {
    if let payload = found.metadata.isoPayload, payload.count > 4,
      let iso = parseISO21496(jpegPayload: payload, warnings: &warnings)
    {
      return (iso, "app2-iso")
    }
    if let properties = found.metadata.hdrgm, let parsed = HDRGainMapXMP.parse(properties, warnings: &warnings) {
      return (parsed, "xmp")
    }
    if found.metadata.isAppleGainMap {
      let apple = AppleGainMap(
        found.metadata.packet?.properties[AppleGainMap.namespace] ?? [:],
        note: metadata.parsedExif?.appleNote, warnings: &warnings)
      return (GainMapMetadata(apple), "apple-xmp")
    }
    return nil
  }

  // MARK: Pixels

  private func decode(
    _ found: Found, _ metadata: GainMapMetadata, _ binding: String, warnings: inout [Warning]
  ) -> GainMap? {
    do throws(DecodeError) {
      _ = try checkedPixels(found.jpeg.width, found.jpeg.height, limits, place: "gain map")
      guard found.jpeg.hasEnd else { throw .truncated(where: "gain map") }
      let scale = limits.reading.scale.map
      let image =
        request == .pixels
        ? try decodeJPEGSamples(
          found.jpeg, bytes, scale: scale, leastScan: limits.leastScan, warnings: &warnings)
        : try describeJPEGSamples(found.jpeg, scale: scale)
      warnAboutAspect(found.jpeg, warnings: &warnings)
      return GainMap(
        metadata: metadata, image: image, matrix: image.model == .rgb ? 0 : 6, fullRange: true,
        alternateColor: alternateColor(found, warnings: &warnings),
        bindings: bindings(found, binding) + found.bindings)
    } catch {
      warnings.append(Warning("gainmap.pixels", "gain map ignored: \(error)"))
      return nil
    }
  }

  /// Returns the dialect that was used, then the others in the stream.
  private func bindings(_ found: Found, _ used: String) -> [String] {
    var result = [used]
    if used != "xmp", found.metadata.hdrgm?["Version"] != nil { result.append("xmp") }
    if used != "apple-xmp", found.metadata.isAppleGainMap { result.append("apple-xmp") }
    return result
  }

  /// Returns the colour of the alternate rendition: the profile in a map describes it, not the map
  /// (docs/gain-map-maths.md#applying).
  private func alternateColor(_ found: Found, warnings: inout [Warning]) -> SourceColor? {
    found.metadata.icc.flatMap {
      SourceColor(icc: $0, model: .rgb, matrix: CICP.Matrix.bt601, limits: limits, warnings: &warnings)
    }
  }

  /// Adds a warning if the map's aspect ratio differs from the base's by more than 2 %; any ratio is accepted.
  private func warnAboutAspect(_ map: JPEGStructure, warnings: inout [Warning]) {
    let ratio = Double(map.width) * Double(primary.height) / (Double(map.height) * Double(primary.width))
    if !(0.98...1.02).contains(ratio) {
      warnings.append(
        Warning(
          "gainmap.aspect",
          "the map is \(map.width)x\(map.height) for a picture of \(primary.width)x\(primary.height)"))
    }
  }
}
