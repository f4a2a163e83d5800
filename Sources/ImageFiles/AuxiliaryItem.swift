import HDRCore

/// An auxiliary picture of a HEIF file, bit for bit: depth, a matte.
package struct AuxiliaryItem: Sendable, Hashable {
  /// The number of its item in the file that it comes from.
  package var item: Int
  /// The picture with its properties, `auxC` among them.
  package var picture: HEIFCodedPicture
  /// XMP that describes it, as the calibration of depth.
  package var xmp: [UInt8]?
  /// The turn that it gets after its own.
  package var turn = Orientation.up

  package init(item: Int, picture: HEIFCodedPicture, xmp: [UInt8]? = nil) {
    self.item = item
    self.picture = picture
    self.xmp = xmp
  }
}
