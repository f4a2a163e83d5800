import FileParts
import HDRCore

/// A search for the gain map of a PNG file as Android writes it (docs/gain-map-maths.md#containers): `gmAP` with the
/// versions, `gdAT` with a whole PNG whose own `gmAP` is the ISO 21496-1 payload.
///
/// Each fault of a map is a warning `gainmap.*`, as the base is still a good picture. Chunks of the map's PNG that would
/// be a map of the map are not read. Source: Skia, SkPngCompositeChunkReader.
struct PNGGainMapSearch {
  let base: PNGChunks
  /// The colour of the base.
  let color: SourceColor
  let request: DecodeRequest
  let limits: DecodeLimits

  /// The bytes of `gmAP` that has versions alone.
  static let versionBytes = 4
  /// The map may have at most this many pixels for one of the base.
  static let mostPixelsOfOne = 4

  func find(warnings: inout [Warning]) -> GainMap? {
    if base.chunks.contains(where: { ["gMAP", "gDAT"].contains($0.name) }) {
      warnings.append(
        Warning(
          "gainmap.png-private",
          "private gain map chunk present: gMAP and gDAT have no agreed layout and are not read"))
    }
    let all = base.chunks.filter { ["gmAP", "gdAT"].contains($0.name) }
    guard let data = all.first(where: { $0.name == "gdAT" }) else { return nil }
    guard let outer = all.first(where: { $0.name == "gmAP" }) else {
      warnings.append(Warning("gainmap.metadata", "gain map ignored: there is no gmAP chunk for the map in gdAT"))
      return nil
    }
    for name in ["gmAP", "gdAT"] {
      let count = all.count { $0.name == name }
      if count > 1 {
        warnings.append(Warning("gainmap.several", "\(count) \(name) chunks; the first one is used"))
      }
    }
    guard !data.isDamaged, !outer.isDamaged else {
      warnings.append(
        Warning("gainmap.damaged", "gain map ignored: \(data.isDamaged ? "gdAT" : "gmAP") has a wrong CRC"))
      return nil
    }
    if data.isLate || outer.isLate {
      warnings.append(Warning("gainmap.order", "the gain map's chunks come behind the pixels; they are read"))
    }
    return map(base.bytes[outer.payload], base.bytes[data.payload], warnings: &warnings)
  }

  private func map(
    _ outer: ArraySlice<UInt8>, _ data: ArraySlice<UInt8>, warnings: inout [Warning]
  ) -> GainMap? {
    guard isReadable(outer, warnings: &warnings) else { return nil }
    do throws(DecodeError) {
      let png = try PNGChunks(Array(data))
      guard let metadata = metadata(of: png, outer, warnings: &warnings) else { return nil }
      try check(png)
      if png.first("gdAT") != nil {
        warnings.append(Warning("gainmap.nested", "the gain map has a gain map of its own, which is not read"))
      }
      // Faults of the pixels alone are about the map.
      var own: [Warning] = []
      let image = try PNGDecoder.samples(png, request: request, limits: limits, warnings: &own)
      warnings += own.map { Warning($0.code, "gain map: \($0.message)") }
      warnAboutAspect(png, warnings: &warnings)
      var map = GainMap(
        metadata: metadata, image: image, matrix: CICP.Matrix.identity, fullRange: true,
        alternateColor: image.model == .rgb ? alternateColor(png, warnings: &warnings) : nil, bindings: ["png-gdat"])
      map.alternateLight = pngLight(png, hasCICP: true, warnings: &warnings)
      return map
    } catch {
      warnings.append(Warning("gainmap.decode", "gain map ignored: \(error)"))
      return nil
    }
  }

  /// Checks the versions of the base's `gmAP`: u16 that a reader must know, u16 of the writer.
  private func isReadable(_ outer: ArraySlice<UInt8>, warnings: inout [Warning]) -> Bool {
    guard outer.count >= Self.versionBytes else {
      warnings.append(Warning("gainmap.truncated", "gain map ignored: gmAP has \(outer.count) bytes"))
      return false
    }
    if outer.prefix(2).allSatisfy({ $0 == 0 }) { return true }
    warnings.append(Warning("gainmap.version", "gain map ignored: its metadata needs a newer reader"))
    return false
  }

  /// Reads the metadata of the map's PNG, or of the base if the map's PNG has none.
  private func metadata(
    of png: PNGChunks, _ outer: ArraySlice<UInt8>, warnings: inout [Warning]
  ) -> GainMapMetadata? {
    let inner = png.chunks.first { $0.name == "gmAP" }
    if inner?.isDamaged == true {
      warnings.append(Warning("gainmap.damaged", "gain map ignored: the map's gmAP has a wrong CRC"))
      return nil
    }
    guard let payload = inner.map({ png.bytes[$0.payload] }) ?? (outer.count > Self.versionBytes ? outer : nil) else {
      warnings.append(Warning("gainmap.metadata", "gain map ignored: no gmAP chunk has its metadata"))
      return nil
    }
    guard let metadata = parseISO21496(jpegPayload: payload, warnings: &warnings) else { return nil }
    if metadata.baseHeadroom == 0, case .cicp(_, let transfer) = color.encoding, CICP.Transfer.isHDR(transfer) {
      warnings.append(
        Warning("gainmap.base", "gain map ignored: it is made for an SDR picture, and this one is PQ or HLG"))
      return nil
    }
    return metadata
  }

  /// Checks the map's size and samples before memory is taken.
  private func check(_ png: PNGChunks) throws(DecodeError) {
    let pixels = try checkedPixels(png.width, png.height, limits, place: "gain map IHDR")
    let most = Self.mostPixelsOfOne * base.width * base.height
    guard pixels <= most else { throw .limit(what: "pixels of the gain map", found: pixels, allowed: most) }
    guard png.bitDepth >= 8, png.colorType == 0 || png.colorType == 2, png.first("tRNS") == nil else {
      throw .unsupported(
        feature: "samples of a gain map", found: "colour type \(png.colorType) with \(png.bitDepth) bits")
    }
  }

  /// Returns the colour of the alternate: the profile in a map describes it, not the map.
  private func alternateColor(_ png: PNGChunks, warnings: inout [Warning]) -> SourceColor? {
    guard png.early("iCCP") != nil else { return nil }
    var own: [Warning] = []
    let color = pngColor(png, model: .rgb, limits: limits, warnings: &own)
    warnings += own.map { Warning($0.code, "gain map: \($0.message)") }
    return color
  }

  /// Adds a warning if the map's aspect ratio differs from the base's by more than 2 %; any ratio is accepted.
  private func warnAboutAspect(_ map: PNGChunks, warnings: inout [Warning]) {
    let ratio = Double(map.width) * Double(base.height) / (Double(map.height) * Double(base.width))
    if !(0.98...1.02).contains(ratio) {
      warnings.append(
        Warning(
          "gainmap.aspect", "the map is \(map.width)x\(map.height) for a picture of \(base.width)x\(base.height)"))
    }
  }
}
