import FileParts
import HDRCore

/// Reads stills of the HEIF family: HEIC (HEVC by libavcodec or libde265), AVIF (AV1 by dav1d), uncompressed and JPEG.
///
/// Structure is read here (ISO/IEC 14496-12, ISO/IEC 23008-12); the codecs only see coded pictures. Samples are
/// returned as coded: no matrix, no range expansion, no chroma filter, transforms as `Geometry`.
package enum HEIFDecoder: ImageDecoder {
  package static let name = "heif"
  package static let formats = ["HEIC", "HEIF", "AVIF"]
  package static let extensions = ["heic", "heif", "hif", "avif", "avifs"]
  package static let libraries = RunTimeLibraries.hevc

  package static let hasPictures = true

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { HEIFFile.recognizes(head) }

  /// Decodes the chosen picture.
  ///
  /// - Throws: the faults of that picture. Faults of everything else (alpha, gain map, Exif, XMP) are warnings.
  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let file = try HEIFFile(bytes)
    let pictures = ItemPictures(file, limits: limits)
    var warnings: [Warning] = []
    if file.hasSequence {
      warnings.append(Warning("heif.sequence", "the file holds an image sequence too; only its still picture is read"))
    }
    if let warning = file.truncation { warnings.append(warning) }
    let (id, all, number) = try file.choose(limits.reading)
    // No standard allows this, but it is easily read.
    if file.items[file.primaryID]?.type == "tmap" {
      warnings.append(Warning("gainmap.primary", "the primary item is a tone map; its base is read as the picture"))
    }
    let picture = try pictures.describe(id)
    warnings += picture.properties.oddities
    let geometry = try Geometry(width: picture.width, height: picture.height, transforms: picture.transforms)
    let messages = pictures.messages(of: id)
    var stream = picture.format.color
    if let preferred = messages.preferredTransfer { stream.transfer = preferred }
    let color = try SourceColor(
      picture.properties, stream: stream, range: limits.reading.fullRange, isGrey: picture.format.chroma == .none,
      limits: limits, warnings: &warnings)
    try picture.format.check(matrix: color.matrix, fullRange: color.fullRange)
    var image = request == .pixels ? try pictures.decode(id) : picture.emptyImage

    let auxiliaries = file.auxiliaries(of: id, warnings: &warnings)
    for alpha in auxiliaries where HEIFFile.alphaURNs.contains(alpha.urn) && image.alpha == nil {
      attachAlpha(alpha.id, to: &image, of: id, pictures, request: request, warnings: &warnings)
    }
    let light = light(picture, messages, color, warnings: &warnings)
    let exif = file.exif(of: id, limits: limits, warnings: &warnings)
    let gainMap = pictures.gainMap(
      of: id, picture, auxiliaries: auxiliaries, exif: exif, request: request, limits: limits, warnings: &warnings)?
      .map
    let xmp = file.xmp(of: id, limits: limits, warnings: &warnings)
    // The warning about an unreadable packet comes from the step that leaves it out.
    var ignored: [Warning] = []
    let packet = xmp.flatMap { XMPPacket($0, warnings: &ignored) }
    var extras = file.extras(
      of: id, auxiliaries: auxiliaries, packet: packet, fileBytes: bytes.count, warnings: &warnings)
    extras.liveIdentifier = exif.flatMap { Exif($0, warnings: &ignored) }?.appleNote?.contentIdentifier
    warnings += pictures.warnings
    var texts = TextStatements()
    for (keyword, bytes) in picture.properties.texts { texts.add(keyword, bytes: bytes[...]) }
    let (written, left) = texts.moved(into: xmp, exif: exif)
    extras.trailers += left
    var source = SourceImage(
      format: picture.codec.format, image: image, color: color, geometry: geometry, gainMap: gainMap,
      light: light, exif: exif, xmp: written, warnings: warnings, decoder: pictures.decoder(of: id, picture))
    (source.pictures, source.picture, source.extras) = (all, number, extras)
    return source
  }

  /// Returns the light metadata: from boxes, then from messages of the coded picture, then from the profile.
  private static func light(
    _ picture: ItemPicture, _ messages: PictureMessages, _ color: SourceColor, warnings: inout [Warning]
  ) -> LightMetadata {
    let transfer = color.encoding.transferCode ?? CICP.Transfer.unspecified
    var light = LightMetadata(picture.properties.light, .box, transfer: transfer, warnings: &warnings)
    light.fill(from: LightMetadata(messages, transfer: transfer, warnings: &warnings))
    light.fill(from: LightMetadata(profile: color, warnings: &warnings))
    if let conflict = light.conflict { warnings.append(conflict) }
    return light
  }

  private static func attachAlpha(
    _ alpha: Int, to image: inout SampleImage, of picture: Int, _ pictures: ItemPictures, request: DecodeRequest,
    warnings: inout [Warning]
  ) {
    do throws(DecodeError) {
      let facts = try pictures.describe(alpha)
      guard facts.width == image.width, facts.height == image.height else {
        throw .malformed(
          where: "ispe box", what: "alpha has \(facts.width)x\(facts.height) pixels, the picture another size")
      }
      guard request == .pixels else { return }
      let isPremultiplied = pictures.file.targets("prem", from: picture).contains(alpha)
      _ = image.attachAlpha(try pictures.decode(alpha), isPremultiplied: isPremultiplied)
    } catch {
      warnings.append(Warning("heif.alpha", "alpha is ignored: \(error)"))
    }
  }
}
