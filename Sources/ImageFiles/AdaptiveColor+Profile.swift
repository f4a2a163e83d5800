import FileParts
import HDRCore

extension AdaptiveColor {
  /// Returns a profile for the primaries of a map's arithmetic, which a JPEG or PNG map carries.
  ///
  /// - Throws: `.unsupported` for primaries without a profile.
  func profileOfArithmetic() throws(EncodeError) -> [UInt8] {
    if let icc { return icc }
    // Readers do not use its curve; a linear one is the shortest.
    let transfer = cicp.transfer == CICP.Transfer.sRGB ? CICP.Transfer.sRGB : CICP.Transfer.linear
    guard let profile = ICCProfileWriter.profile(primaries: cicp.primaries, transfer: transfer) else {
      throw .unsupported(feature: "colour of the alternate rendition", found: "primaries \(cicp.primaries)")
    }
    return profile
  }
}
