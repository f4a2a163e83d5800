import FileParts
import HDRCore
import PlainData

/// Reads the merged picture of Photoshop files, PSD and PSB: grey and R'G'B' of 8 and 16 bits, light in floats of 32,
/// alpha, ICC, Exif, XMP, IPTC. Layers are not read.
///
/// Light: docs/formats.md#photoshop. Source: Adobe Photoshop File Formats Specification.
package enum PSDDecoder: ImageDecoder {
  package static let name = "Photoshop"
  package static let formats = ["Photoshop (PSD, PSB)"]
  package static let extensions = ["psd", "psb"]
  package static let libraries: RunTimeLibraries = []
  package static let takesCodePoints = true

  private static let profile = 1039, exif = 1058, xmp = 1060, versionInfo = 1057

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: PSDFile.signature) }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let file = try PSDFile(bytes, limits: limits)
    var warnings: [Warning] = []
    let resources = Array(bytes[file.resources]), blocks = PhotoshopResources.blocks(resources) ?? []
    if blocks.isEmpty, !resources.isEmpty {
      warnings.append(Warning("psd.resources", "the image resources are damaged and not read"))
    }
    if let info = file.resource(versionInfo, blocks), info.count >= 5, info[info.startIndex + 4] == 0 {
      throw .unsupported(
        feature: "a PSD without its merged picture",
        found: "layers alone; save it with maximized compatibility")
    }
    let pixels = PSDPixels(file), image = request == .pixels ? try pixels.decode() : pixels.description
    if file.mode == PSDFile.duotone { warnings.append(Warning("psd.duotone", "a duotone is read as grey")) }
    if file.layers > 0 {
      warnings.append(Warning("psd.layers", "the merged picture is read, not its \(file.layers) layers"))
    }
    let idle = file.channels - file.colors - (pixels.hasAlpha ? 1 : 0)
    if idle > 0 { warnings.append(Warning("psd.channels", "\(idle) further channels are not read")) }
    func value(_ id: Int, most: Int, _ code: String, _ name: String) -> [UInt8]? {
      guard let found = file.resource(id, blocks) else { return nil }
      if found.count <= min(most, limits.maxMetadataBytes) { return Array(found) }
      warnings.append(Warning("\(code).limit", "\(name) of \(found.count) bytes is ignored"))
      return nil
    }
    let icc = value(profile, most: limits.maxICCBytes, "icc", "the ICC profile")
    let color = color(icc, file, image.model, limits: limits, warnings: &warnings)
    let xmp = value(xmp, most: XMLScanner.maxBytes, "xmp", "XMP").flatMap { text in
      XMPPacket(text, warnings: &warnings) == nil ? nil : text
    }
    let exif = value(exif, most: ExifValues.maxBytes, "exif", "Exif").flatMap { block in
      Exif(block, warnings: &warnings) == nil ? nil : block
    }
    let travelling = PhotoshopResources.travelling(resources)
    var unknown = UnknownParts()
    unknown.add(pathsOf: resources)
    var source = SourceImage(
      format: .psd, image: image,
      color: try limits.reading.statedColor(inPlaceOf: color, image.model) ?? color,
      geometry: Geometry(width: file.width, height: file.height),
      light: LightMetadata(profile: color, warnings: &warnings), exif: exif, xmp: xmp,
      photoshop: travelling.flatMap { $0.count <= limits.maxMetadataBytes ? $0 : nil }, warnings: warnings,
      decoder: "hdrbatch")
    source.extras.credentials = ContentCredentials(address: xmp)
    source.extras.trailers = unknown.trailers
    return source
  }

  /// Returns the colour: integers by their profile, else sRGB; floats are light in the primaries of the profile, whatever
  /// its curves, as Photoshop keeps 32 bits linear.
  private static func color(
    _ icc: [UInt8]?, _ file: PSDFile, _ model: ColorModel, limits: DecodeLimits, warnings: inout [Warning]
  ) -> SourceColor {
    let found = icc.flatMap { SourceColor(icc: $0, model: model, limits: limits, warnings: &warnings) }
    guard file.bits == 32 else {
      found?.warnAboutBands(bits: file.bits, format: "psd", warnings: &warnings)
      return found ?? .sRGB()
    }
    var color = found ?? .sRGB()
    switch color.encoding {
    case .cicp(let primaries, _):
      color.encoding = .cicp(primaries: primaries, transfer: CICP.Transfer.linear)
    case .matrixTRC(_, _, .some(let code)):
      color.encoding = .cicp(primaries: code, transfer: CICP.Transfer.linear)
    case .matrixTRC(_, let matrix, nil):
      color.encoding = .matrixTRC(curves: [.identity, .identity, .identity], toBT2020: matrix, primaries: nil)
    default:
      warnings.append(Warning("icc.mismatch", "ICC profile ignored: it has tables, and the samples are light"))
      color.encoding = .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear)
    }
    return color
  }
}
