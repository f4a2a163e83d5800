/// The format of a file, or the origin of a picture without one. Raw values are the words of records and messages.
package enum FileFormat: String, Sendable, Hashable, CaseIterable {
  case jpeg, png, heic, avif
  /// HEIF with uncompressed samples or JPEG.
  case heif
  case jxl, tiff, exr, dng
  /// JPEG XR.
  case jxr
  case webp
  /// JPEG 2000 and HTJ2K, with boxes or without.
  case jp2
  /// The merged picture of a Photoshop file.
  case psd
  /// Camera raw that is not DNG, or samples without a header.
  case raw
  case y4m
  /// Radiance's pictures.
  case hdr
  /// Portable float maps, of halves too.
  case pfm
  case dpx, cineon
  case pnm, bmp, qoi
  /// Linear halves R, G, B, A with a JSON sidecar.
  case rgba16f
  /// A black picture of a recipe's size.
  case size
  /// A picture that this program made of others.
  case memory

  /// True if the format has a place for Photoshop's image resources, which include IPTC.
  package var holdsResources: Bool { self == .jpeg || self == .tiff }

  /// The default quality; JPEG XL is then lossless.
  package var standardQuality: Int { self == .jxl ? 100 : 90 }

  /// True if a codec library reads the ICC profiles that go into its files.
  package var codesProfiles: Bool { self == .jxl }

  /// True if its encoder is a video codec that keeps frames, or libjxl, which keeps as many planes of floats.
  package var keepsFrames: Bool { [.heic, .avif, .jxl].contains(self) }
}
