import HDRCore

/// A kind of output file: `--to` on the command line.
public enum OutputKind: String, Sendable, Hashable, CaseIterable {
  case pqPNG = "pq-png"
  case hlgPNG = "hlg-png"
  case sdrPNG = "sdr-png"
  case sdrJPEG = "sdr-jpeg"
  case pqHEIC = "pq-heic"
  case hlgHEIC = "hlg-heic"
  case rgba16f = "rgba16f"

  /// Whether this build holds the encoder. HEIC needs x265, which a bundle may lack.
  public var isAvailable: Bool {
    switch self {
    case .pqHEIC, .hlgHEIC: HEVCEncoder.isAvailable
    case .pqPNG, .hlgPNG, .sdrPNG, .sdrJPEG, .rgba16f: true
    }
  }
}

/// Pixels ready for an encoder, with all metadata of the file.
///
/// Pixel layouts by kind (rows top-down, already oriented, full range unless `cicp.fullRange` is false):
/// - PNG 16 bit: interleaved R G B A `uint16`, straight alpha; 8 bit (`sdr-png`): R G B A `uint8`.
/// - `sdr-jpeg`: interleaved R G B A `uint8`, alpha ignored.
/// - HEIC: planar Y Cb Cr `uint16`, 10 bits right-aligned, `chroma` 4:2:0 or 4:4:4.
/// - `rgba16f`: interleaved R G B A `float16`.
public struct EncodeRequest: Sendable {
  public var kind: OutputKind
  public var image: SampleImage
  /// Whether alpha carries anything; `false` drops the channel.
  public var hasAlpha: Bool
  /// Code points of the output (matrix 0 for RGB files).
  public var cicp: CICP
  /// Measured from the pixels, PQ only; `nil` writes no box.
  public var clli: ContentLightLevel?
  public var mdcv: MasteringDisplay?
  /// TIFF-structured Exif (orientation is reset by the encoder), XMP that does not describe pixels.
  public var exif: [UInt8]?
  public var xmp: [UInt8]?
  /// Image resources that do not describe pixels; JPEG only.
  public var photoshop: [UInt8]?
  /// 0...100; lossy kinds only.
  public var quality: Int
  /// PNG: 0 fastest ... 9 smallest.
  public var effort: Int
  /// For the `rgba16f` sidecar: factors of reference white.
  public var contentHeadroom: Double
  public var displayHeadroom: Double
  /// Encoder threads; output bytes must not depend on them.
  public var threads: Int

  public init(
    kind: OutputKind, image: SampleImage, hasAlpha: Bool, cicp: CICP, clli: ContentLightLevel? = nil,
    mdcv: MasteringDisplay? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil, quality: Int = 90, effort: Int = 1,
    contentHeadroom: Double, displayHeadroom: Double, threads: Int = 1
  ) {
    self.kind = kind
    self.image = image
    self.hasAlpha = hasAlpha
    self.cicp = cicp
    self.clli = clli
    self.mdcv = mdcv
    self.exif = exif
    self.xmp = xmp
    self.quality = quality
    self.effort = effort
    self.contentHeadroom = contentHeadroom
    self.displayHeadroom = displayHeadroom
    self.threads = threads
  }
}

/// The files of one output: the main one, and for `rgba16f` a JSON sidecar.
public struct EncodedFiles: Sendable {
  public var main: [UInt8]
  /// Goes to the main file's name plus `.json`.
  public var sidecar: [UInt8]?
  /// What the format could not carry, for the record.
  public var warnings: [Warning]
  public init(main: [UInt8], sidecar: [UInt8]? = nil, warnings: [Warning] = []) {
    self.main = main
    self.sidecar = sidecar
    self.warnings = warnings
  }
}
