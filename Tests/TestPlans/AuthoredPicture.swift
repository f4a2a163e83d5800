import HDRCore

/// Makes a picture with all light metadata that an author may state.
package enum AuthoredPicture {
  /// A PQ picture that reaches 800 cd/m², made on a display of 1000.
  package static let source: SourceImage = {
    let image = SampleImage.interleaved(width: 32, height: 16, channelCount: 3, format: .uint16, bitDepth: 16)
    for (channel, plane) in image.channels.enumerated() {
      for y in 0..<16 {
        for x in 0..<32 {
          let code = Transfer.pqInverseEOTF(800 * Double(y * 32 + x) / 511 * (channel == 2 ? 0.5 : 1)) * 65_535
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).storeBytes(
            of: UInt16(code), as: UInt16.self)
        }
      }
    }
    var source = SourceImage(
      format: .png, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16)),
      geometry: Geometry(width: 32, height: 16))
    source.light = LightMetadata(clli: ContentLightLevel(maxCLL: 800, maxFALL: 400), mdcv: author)
    source.light.cclv = ContentColorVolume(maxLuminance: 800)
    let d65 = Primaries.d65
    source.light.amve = AmbientViewing(illuminance: 31.4, white: d65)
    source.light.reve = ReferenceEnvironment(surround: 5, surroundWhite: d65, periphery: 5, peripheryWhite: d65)
    return source
  }()

  /// The display that it was made on.
  package static let author = MasteringDisplay(
    primaries: [Chromaticity(0.68, 0.32), Chromaticity(0.265, 0.69), Chromaticity(0.15, 0.06), Primaries.d65],
    maxLuminance: 1000, minLuminance: 0.005)
}
