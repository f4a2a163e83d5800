import HDRCore

/// Writes HEIC in PQ or HLG: an HEVC still picture, 10 or 12 bits.
package enum HEICWriter: ImageWriter {
  package static let format = FileFormat.heic
  package static var missing: String? { HEVCEncoder.missing }

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    try HEIFStill.file(request) { image, cicp, isLossless throws(EncodeError) in
      let coded = try HEVCEncoder.encode(
        image, cicp: cicp,
        settings: HEVCEncoder.Settings(
          quality: request.coding.quality, isLossless: isLossless, threads: request.threads))
      let item = HEIFCodedItem(
        type: "hvc1", configuration: HEIFBox.hvcC(coded.configuration), data: coded.data, width: coded.width,
        height: coded.height)
      var picture = HEIFCodedPicture(items: [item], width: coded.width, height: coded.height, properties: [])
      if coded.width != image.width || coded.height != image.height {
        // 4:2:0 has no odd sizes, and the encoder none below 64: the picture is coded larger and cropped by viewers.
        let crop = HEIFBox.clap(
          width: image.width, height: image.height, codedWidth: coded.width, codedHeight: coded.height)
        picture.properties.append(HEIFCodedPicture.Property(box: crop, isEssential: true))
      }
      return picture
    } message: {
      MessageWriter.insert(unit: MessageWriter.unit(type: 4, $0), before: $1)
    }
  }
}
