import FileParts
import HDRCore

/// A writer of one format. To add one: make a folder for it, a line in `imageWriters`, a row in `OutputKind.allCases`.
package protocol ImageWriter: SendableMetatype {
  /// The `OutputKind.format` that it writes.
  static var format: FileFormat { get }
  /// The reason why this build or machine cannot write it, in one line; `nil`: it can.
  static var missing: String? { get }
  /// Encodes a request as the bytes of a file.
  ///
  /// - Throws: `EncodeError.unsupported` for a layout, size or signalling that the kind cannot hold, `.library` when a
  ///   codec fails.
  static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles
  /// Reads written bytes again and compares them with the request.
  ///
  /// - Throws: `EncodeError.verification` with the first thing that differs.
  static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError)
}

extension ImageWriter {
  package static var missing: String? { nil }
}

extension OutputKind {
  /// True if this build and machine can write it.
  package var isAvailable: Bool { missing == nil }

  /// The reason why it cannot be written, in one line. HEIC needs x265, which a bundle may lack, and libheif; JPEG XL
  /// needs libjxl.
  package var missing: String? {
    guard let writer else { return "nothing writes \(rawValue)" }
    return writer.missing
  }

  package var writer: (any ImageWriter.Type)? { imageWriters.first { $0.format == format } }
}

/// Turns pixels and their meaning into the bytes of a file, in memory.
///
/// - Parameter request: pixels in the layout that `EncodeRequest` names for its kind, already oriented.
/// - Returns: the file, for `rgba16f` with its sidecar. The same request gives the same bytes for any `threads`.
/// - Throws: see `ImageWriter.encode`.
package func encodeImage(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
  guard let writer = request.kind.writer else {
    throw .unsupported(feature: "output", found: request.kind.rawValue)
  }
  return try writer.encode(request)
}

/// Pixels ready for an encoder, with all metadata of the file.
///
/// Pixels have the layout `OutputKind.layout`, rows top-down, already oriented, full range unless `cicp.fullRange` is
/// false.
package struct EncodeRequest: Sendable {
  package var kind: OutputKind
  package var image: SampleImage
  /// True if alpha is used; `false` drops the channel.
  package var hasAlpha: Bool
  /// The code points of the output (matrix 0 for RGB files).
  package var cicp: CICP
  /// An ICC profile that the file gets unchanged, instead of one made of `cicp`; SDR kinds.
  package var icc: [UInt8]?
  /// The linear space of the list that pixels are in, in the place of the code points' primaries.
  package var space: NamedSpace?
  /// The payload of ST 2094-50 metadata for the tag `HAGC` of the profile; PQ, HLG and linear kinds without `icc`.
  package var profileTone: [UInt8]?
  /// The light metadata of the file; it is written as far as the format has a place for it.
  package var light: LightMetadata
  /// TIFF-structured Exif (orientation is reset by the encoder), XMP that does not describe pixels.
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
  /// Image resources that do not describe pixels; JPEG and TIFF.
  package var photoshop: [UInt8]?
  /// The video that will follow the encoded bytes, which announce it; JPEG, HEIC and AVIF.
  package var motion: MotionVideo?
  /// Pictures beside the picture; HEIC and AVIF.
  package var auxiliaries: [AuxiliaryItem] = []
  package var coding: CodingOptions
  /// Headrooms for OpenEXR and the `rgba16f` sidecar, as factors of reference white.
  package var contentHeadroom: Double
  package var displayHeadroom: Double
  /// The luminance of 1.0 in linear files, in cd/m².
  package var white = ReferenceWhite.nits
  /// OpenEXR keeps this of the OpenEXR file that the picture is made of.
  package var carried: EXRCarried?
  /// The number of encoder threads; output bytes must not depend on it.
  package var threads: Int

  package init(
    kind: OutputKind, image: SampleImage, hasAlpha: Bool, cicp: CICP, clli: ContentLightLevel? = nil,
    mdcv: MasteringDisplay? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
    coding: CodingOptions = CodingOptions(), contentHeadroom: Double, displayHeadroom: Double, threads: Int = 1
  ) {
    self.kind = kind
    self.image = image
    self.hasAlpha = hasAlpha
    self.cicp = cicp
    light = LightMetadata(clli: clli, mdcv: mdcv)
    self.exif = exif
    self.xmp = xmp
    self.coding = coding
    self.contentHeadroom = contentHeadroom
    self.displayHeadroom = displayHeadroom
    self.threads = threads
  }
}

extension EncodeRequest {
  package var clli: ContentLightLevel? {
    get { light.clli }
    set { light.clli = newValue }
  }

  package var mdcv: MasteringDisplay? {
    get { light.mdcv }
    set { light.mdcv = newValue }
  }

  /// The profile of the file: the caller's, else one of the code points, with the curves for other displays.
  var fileProfile: [UInt8]? {
    icc ?? ICCProfileWriter.profile(primaries: cicp.primaries, transfer: cicp.transfer, tone: profileTone)
  }

  /// The profile of a file that states code points elsewhere: the caller's, or one with curves for other displays.
  var profileBesideCodePoints: [UInt8]? { icc ?? (profileTone == nil ? nil : fileProfile) }

  /// Returns the fields of light that a format has no place for, by name. ST 2094-50 may be in the profile.
  func lostLight(keeping kept: Set<LightMetadata.Field> = []) -> [String] {
    light.fields.filter { !kept.contains($0) && !($0 == .toneMetadata && profileTone != nil) }.map(\.rawValue)
  }

  /// The Exif for the file of this request, or `nil` when there is none that can be read.
  var outputExif: [UInt8]? {
    exif.flatMap { exifForOutput($0, width: image.width, height: image.height, cicp: cicp) }
  }
}
