/// What of a photo's Exif, XMP and IPTC goes into its outputs. Colour, light and orientation are no matter of it.
public enum MetadataChoice: String, Sendable, Hashable, CaseIterable {
  case all
  /// Without places: GPS, names of places, and the camera maker's notes, which may hold some.
  case noLocation = "no-location"
  /// Who made the photo and who owns it.
  case copyright
  case none
}
