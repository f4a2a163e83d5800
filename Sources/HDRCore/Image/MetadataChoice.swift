/// The parts of a photo's Exif, XMP and IPTC that its outputs get. Colour, light and orientation do not depend on it.
package enum MetadataChoice: String, Sendable, Hashable, CaseIterable {
  case all
  /// Everything except places: GPS, names of places, and the camera maker's notes, which may hold some.
  case noLocation = "no-location"
  /// The author and the owner of the photo.
  case copyright
  case none
}
