import HDRCore

/// Finding the gain map of a picture (specs/gain-maps.md §5.1).
extension HEIFFile {
  /// Items of a usable `tmap`: the metadata and the map.
  struct ToneMap {
    var id: Int
    var map: Int
  }

  /// The `tmap` item made of `base` and a map, as ISO/IEC 23008-12 Amendment 1 wants it: brand `tmap`, `dimg` to base and
  /// map in this order, and an `altr` group that prefers it over the base.
  ///
  /// - Returns: `nil` when there is none; `warnings` says why one that is there does not count.
  func toneMap(of base: Int, warnings: inout [Warning]) -> ToneMap? {
    let candidates = items.values.filter { $0.type == "tmap" }.map(\.id).sorted()
    guard !candidates.isEmpty else { return nil }
    guard brands.contains("tmap") else {
      warnings.append(Warning("gainmap.brand", "a tmap item without the brand tmap is ignored"))
      return nil
    }
    for id in candidates {
      let inputs = targets("dimg", from: id)
      guard inputs.count == 2, inputs[0] == base, inputs[1] != base, inputs[1] != id else {
        warnings.append(Warning("gainmap.reference", "tmap item \(id) is not made of the picture and a map; ignored"))
        continue
      }
      let isPreferred = groups.contains { group in
        guard group.type == "altr", let own = group.entities.firstIndex(of: id),
          let other = group.entities.firstIndex(of: base)
        else { return false }
        return own < other
      }
      guard isPreferred else {
        warnings.append(Warning("gainmap.altr", "tmap item \(id) is not preferred by an altr group; ignored"))
        continue
      }
      return ToneMap(id: id, map: inputs[1])
    }
    return nil
  }
}

extension ItemPictures {
  /// The ISO gain map of `base`, or `nil`. Nothing about a map is fatal: the base alone is still a picture, and
  /// `warnings` says what is missing (`gainmap.*`).
  func gainMap(
    of base: Int, _ picture: ItemPicture, request: DecodeRequest, limits: DecodeLimits, warnings: inout [Warning]
  ) -> GainMap? {
    guard let tone = file.toneMap(of: base, warnings: &warnings) else { return nil }
    do throws(DecodeError) {
      let payload = try file.data(of: tone.id)
      guard let metadata = parseISO21496(tmapPayload: payload, warnings: &warnings) else { return nil }
      let properties = try file.properties(of: tone.id)
      let map = try describe(tone.map)
      try checkGeometry(toneMap: tone.id, map, properties, base: picture, warnings: &warnings)
      var ignored: [Warning] = []
      let color = try SourceColor(
        map.properties, stream: map.format.color, isGrey: map.format.chroma == .none, limits: limits,
        warnings: &ignored)
      var alternate: SourceColor?
      if properties.nclx != nil || properties.icc != nil {
        alternate = try SourceColor(properties, stream: nil, isGrey: false, limits: limits, warnings: &warnings)
      }
      let image = request == .pixels ? try decode(tone.map) : map.emptyImage
      return GainMap(
        metadata: metadata, image: image, matrix: color.matrix, fullRange: color.fullRange,
        alternateColor: alternate, bindings: ["tmap"])
    } catch {
      warnings.append(Warning("gainmap.decode", "the gain map is ignored: \(error)"))
      return nil
    }
  }

  /// Map and base are shown through the same transforms; the base's are used, and differences are reported.
  private func checkGeometry(
    toneMap id: Int, _ map: ItemPicture, _ properties: ItemProperties, base: ItemPicture, warnings: inout [Warning]
  ) throws(DecodeError) {
    let turned = try Geometry(width: map.width, height: map.height, transforms: map.transforms)
    let shown = try Geometry(width: base.width, height: base.height, transforms: base.transforms)
    // The tone map itself takes its turn from the base; writers that repeat it there mean the same.
    let tone = try Geometry(width: base.width, height: base.height, transforms: properties.transforms)
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
    if properties.width != base.width || properties.height != base.height {
      warnings.append(Warning("gainmap.ispe", "the size of tmap item \(id) is not that of the picture"))
    }
  }
}

extension ItemPicture {
  /// Size and format without samples, for `DecodeRequest.metadata`.
  var emptyImage: SampleImage {
    SampleImage(
      width: width, height: height, model: format.chroma == .none ? .grey : .ycc,
      format: format.bitDepth > 8 ? .uint16 : .uint8, bitDepth: format.bitDepth, chroma: format.chroma,
      siting: format.siting, channels: [])
  }
}
