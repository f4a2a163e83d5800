import HDRCore

/// An auxiliary picture of a HEIF file, depth or a matte: bit for bit, or samples of it that were cut.
package struct AuxiliaryItem: Sendable {
  /// The number of its item in the file that it comes from.
  package var item: Int
  /// A coded picture of HEIF without `auxC`; or planar grey samples of 8 bits, upright.
  package var picture: AdaptivePicture
  /// The whole `auxC` box, which names its type.
  package var type: [UInt8]
  /// XMP that describes it, as the calibration of depth.
  package var xmp: [UInt8]?
  /// The turn that a coded picture gets after its own.
  package var turn = Orientation.up

  package init(item: Int, picture: AdaptivePicture, type: [UInt8], xmp: [UInt8]? = nil) {
    self.item = item
    self.picture = picture
    self.type = type
    self.xmp = xmp
  }

  /// Returns a file with a coded picture alone, to be decoded as any other.
  ///
  /// - Throws: `EncodeError.unsupported` for samples.
  package func file() throws(EncodeError) -> [UInt8] {
    guard case .heif(let picture) = picture, !picture.items.isEmpty else {
      throw .unsupported(feature: "an auxiliary picture as a file", found: "samples")
    }
    var muxer = HEIFMuxer(brands: [picture.brand, "mif1", "miaf"])
    muxer.primaryItem = muxer.addPicture(picture, isHidden: false)
    return try muxer.fileBytes()
  }
}
