import FileParts
import HDRCore

/// The search for the gain map of a picture (docs/gain-map-maths.md#apple).
extension HEIFFile {
  /// The items of a usable `tmap`: the metadata and the map.
  struct ToneMap {
    var id: Int
    var map: Int
  }

  /// Finds the `tmap` item of `base` and a map, as ISO/IEC 23008-12 Amendment 1 requires: brand `tmap`, `dimg` to base
  /// and map in this order, and an `altr` group that prefers it over the base.
  ///
  /// - Returns: `nil` when there is none; `warnings` has the reason if one cannot be used.
  func toneMap(of base: Int, warnings: inout [Warning]) -> ToneMap? {
    let all = items.values.filter { $0.type == "tmap" }.map(\.id).sorted()
    guard !all.isEmpty else { return nil }
    // Tone maps of other pictures come last; they only cause a warning.
    let own = toneMaps(of: base)
    let candidates = (own + all.filter { !own.contains($0) }).prefix(BoxLimits.toneMaps)
    guard brands.contains("tmap") else {
      warnings.append(Warning("gainmap.brand", "a tmap item without the brand tmap is ignored"))
      return nil
    }
    let usable = own.filter { fault(ofToneMap: $0, base) == nil }
    if usable.count > 1 { warnings.append(GainMap.several(usable.count)) }
    if let first = usable.first { return ToneMap(id: first, map: targets("dimg", from: first)[1]) }
    warnings += candidates.compactMap { fault(ofToneMap: $0, base) }
    return nil
  }

  /// Returns the reason why a `tmap` item is ignored; `nil`: it is used.
  private func fault(ofToneMap id: Int, _ base: Int) -> Warning? {
    let inputs = targets("dimg", from: id)
    guard inputs.count == 2, inputs[0] == base, inputs[1] != base, inputs[1] != id else {
      return Warning("gainmap.reference", "tmap item \(id) is not made of the picture and a map; ignored")
    }
    let isPreferred = groups.contains { group in
      guard group.type == "altr", let own = group.entities.firstIndex(of: id),
        let other = group.entities.firstIndex(of: base)
      else { return false }
      return own < other
    }
    return isPreferred
      ? nil : Warning("gainmap.altr", "tmap item \(id) is not preferred by an altr group; ignored")
  }
}

extension ItemPictures {
  /// Returns the gain map of `base` and the item that holds its samples, or `nil`: the map of a usable `tmap`, else an
  /// auxiliary picture. No fault of a map is fatal: the base alone is still a picture, and `warnings` names what is
  /// missing (`gainmap.*`).
  ///
  /// - Parameters:
  ///   - auxiliaries: the auxiliary pictures of the base.
  ///   - exif: the Exif of the base, which contains Apple's maker note.
  func gainMap(
    of base: Int, _ picture: ItemPicture, auxiliaries: [HEIFFile.Auxiliary], exif: [UInt8]?, request: DecodeRequest,
    limits: DecodeLimits, warnings: inout [Warning]
  ) -> (map: GainMap, item: Int)? {
    let candidates = auxiliaries.filter { HEIFFile.gainMapURNs.contains($0.urn) }
    if var found = toneMapped(base, picture, request: request, limits: limits, warnings: &warnings) {
      if !candidates.isEmpty { found.map.bindings.append("aux") }
      return found
    }
    for candidate in candidates.prefix(BoxLimits.gainMaps) {
      if let found = auxiliaryMap(
        candidate, picture, exif: exif, request: request, limits: limits, warnings: &warnings)
      {
        return found
      }
    }
    for other in auxiliaries where other.urn.contains("hdrgainmap") && !HEIFFile.gainMapURNs.contains(other.urn) {
      warnings.append(Warning("gainmap.auxiliary", "a gain map of an unknown type is ignored: \(other.urn)"))
    }
    return nil
  }

  /// Reads the map of a `tmap` item (docs/gain-map-maths.md#containers).
  private func toneMapped(
    _ base: Int, _ picture: ItemPicture, request: DecodeRequest, limits: DecodeLimits, warnings: inout [Warning]
  ) -> (map: GainMap, item: Int)? {
    guard let tone = file.toneMap(of: base, warnings: &warnings) else { return nil }
    do throws(DecodeError) {
      let payload = try file.data(of: tone.id)
      guard let metadata = parseISO21496(tmapPayload: payload, warnings: &warnings) else { return nil }
      let properties = try file.properties(of: tone.id)
      var alternate: SourceColor?
      if properties.nclx != nil || properties.icc != nil {
        alternate = try SourceColor(properties, stream: nil, isGrey: false, limits: limits, warnings: &warnings)
      }
      let map = try describe(tone.map)
      try checkGeometry(map, toneMap: properties, base: picture, warnings: &warnings)
      if properties.width != picture.width || properties.height != picture.height {
        warnings.append(Warning("gainmap.ispe", "the size of tmap item \(tone.id) is not that of the picture"))
      }
      var found = try read(
        tone.map, map, metadata, alternate: alternate, bindings: ["tmap"], request: request, limits: limits)
      found.map.alternateLight = LightMetadata(
        properties.light, .box, transfer: alternate?.encoding.transferCode ?? CICP.Transfer.unspecified,
        isAlternate: true,
        warnings: &warnings)
      return found
    } catch {
      warnings.append(Warning("gainmap.decode", "the gain map is ignored: \(error)"))
      return nil
    }
  }

  /// Reads the map of an auxiliary picture: by `hdrgm` properties in its XMP, else by Apple's
  /// (docs/gain-map-maths.md#apple).
  private func auxiliaryMap(
    _ auxiliary: HEIFFile.Auxiliary, _ picture: ItemPicture, exif: [UInt8]?, request: DecodeRequest,
    limits: DecodeLimits, warnings: inout [Warning]
  ) -> (map: GainMap, item: Int)? {
    do throws(DecodeError) {
      let packet = file.xmp(of: auxiliary.id, limits: limits, warnings: &warnings).flatMap {
        XMPPacket($0, warnings: &warnings)
      }
      var metadata: GainMapMetadata?, bindings = ["aux"]
      if let properties = packet?.properties[HDRGainMapXMP.namespace] {
        metadata = HDRGainMapXMP.parse(properties, warnings: &warnings)
        if metadata != nil { bindings.append("xmp") }
      }
      if metadata == nil, auxiliary.urn == AppleGainMap.urn {
        // Faults in the Exif outside the maker note do not concern the map.
        var ignored: [Warning] = []
        metadata = GainMapMetadata(
          AppleGainMap(
            packet?.properties[AppleGainMap.namespace] ?? [:],
            note: exif.flatMap { Exif($0, warnings: &ignored) }?.appleNote, warnings: &warnings))
      }
      guard let metadata else {
        if !warnings.contains(where: { $0.code == "gainmap.invalid" }) {
          warnings.append(Warning("gainmap.auxiliary", "a gain map without metadata is ignored: \(auxiliary.urn)"))
        }
        return nil
      }
      let map = try describe(auxiliary.id)
      try checkGeometry(map, toneMap: nil, base: picture, warnings: &warnings)
      return try read(
        auxiliary.id, map, metadata, alternate: nil, bindings: bindings, request: request, limits: limits)
    } catch {
      warnings.append(Warning("gainmap.decode", "the gain map is ignored: \(error)"))
      return nil
    }
  }

  private func read(
    _ id: Int, _ map: ItemPicture, _ metadata: GainMapMetadata, alternate: SourceColor?, bindings: [String],
    request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> (map: GainMap, item: Int) {
    // Primaries, curve and profile of a map have no meaning, so their faults give no warning.
    var ignored: [Warning] = []
    let color = try SourceColor(
      map.properties, stream: map.format.color, isGrey: map.format.chroma == .none, limits: limits,
      warnings: &ignored)
    try map.format.check(matrix: color.matrix, fullRange: color.fullRange)
    let found = GainMap(
      metadata: metadata, image: request == .pixels ? try decode(id) : map.emptyImage, matrix: color.matrix,
      // Apple's codes are fractions of 255, whatever the bitstream signals (docs/gain-map-maths.md#apple).
      fullRange: metadata.kind == .apple || color.fullRange, alternateColor: alternate, bindings: bindings)
    return (found, id)
  }

  /// Compares the transforms of map and base. The base's are used for both; differences give a warning.
  private func checkGeometry(
    _ map: ItemPicture, toneMap: ItemProperties?, base: ItemPicture, warnings: inout [Warning]
  ) throws(DecodeError) {
    let turned = try Geometry(width: map.width, height: map.height, transforms: map.transforms)
    let shown = try Geometry(width: base.width, height: base.height, transforms: base.transforms)
    // The tone map item takes the transforms of its base; some writers repeat them on the item.
    let tone = try Geometry(width: base.width, height: base.height, transforms: toneMap?.transforms ?? [])
    let isPlain = tone == shown || tone == Geometry(width: base.width, height: base.height)
    if turned.orientation != shown.orientation || !isPlain {
      warnings.append(
        Warning("gainmap.transform", "the gain map is turned otherwise than the picture; the picture's turn is used"))
    } else if shown.crop.width * map.width != turned.crop.width * base.width
      || shown.crop.height * map.height != turned.crop.height * base.height
    {
      warnings.append(
        Warning("gainmap.transform", "the gain map is cropped otherwise than the picture; the picture's crop is used"))
    }
    let mapRatio = Double(map.width) / Double(map.height), baseRatio = Double(base.width) / Double(base.height)
    if abs(mapRatio / baseRatio - 1) > 0.02 {
      warnings.append(
        Warning(
          "gainmap.aspect",
          "the gain map is \(map.width)x\(map.height) for a picture of \(base.width)x\(base.height)"))
    }
  }
}

extension ItemPicture {
  /// The size and format without samples, for `DecodeRequest.metadata`.
  var emptyImage: SampleImage { format.emptyImage(width: width, height: height) }
}
