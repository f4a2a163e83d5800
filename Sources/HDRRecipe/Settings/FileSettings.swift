import HDRCore

/// Settings for the coding of files.
package struct FileSettings: SettingGroup {
  package var title: String { "Files" }
  package var scope: Setting.Scope { .recipe }

  /// The kinds whose coding may lose something.
  private static let lossy: KindPattern = "sdr-jpeg *-heic *-avif pq-jxl hlg-jxl sdr-jxl adaptive-jpeg adaptive-jxl"

  package let quality = SettingKey(
    "quality", .integer(0...100, "q"), assumed: "90; 100 for pq-, hlg- and sdr-jxl",
    on: Self.lossy, like: "quality", "Quality of lossy coding, 0...100; in JPEG XL, 100 is without loss.")
  package let qualityTarget = SettingKey(
    "quality-target", .qualityTarget, on: Self.lossy, because: "others lose nothing", like: "quality",
    """
    Instead of a quality the error that a file may have, as dE-seen:2 or psnr-pq:45: the smallest quality that keeps to it \
    is found, in 5 encodes at most. A file that none does is rejected.
    """)
  package let maxBytes = SettingKey(
    "max-bytes", .bytes(), on: Self.lossy, because: "others have one size",
    """
    The largest size of a file: the largest quality is found, up to --quality, whose file is not larger, in 5 encodes at \
    most. With --quality-target, a bound of what that finds.
    """)
  package let chroma = SettingKey(
    "chroma", .choice(CodedChroma.self, "chroma"), assumed: "420", on: "*-heic *-avif",
    "Chroma samples of HEIC and AVIF.")
  package let range = SettingKey(
    "range", .choice(CodeRange.self, "range"),
    assumed: "limited for Y'CbCr of *-raw and *-y4m, else full; needed for raw inputs",
    on: "pq-heic hlg-heic pq-avif hlg-avif sdr-avif *-raw:nv* *-raw:p* *-raw:yuv* *-raw:gray* *-y4m:*",
    because: "R'G'B' is full range", rare: true,
    "Range of code values of HEIC, AVIF, raw and Y4M outputs, and of raw and Y4M inputs that do not say theirs.")
  package let depth = SettingKey(
    "depth", .integer(of: [8, 10, 12, 16, 32], "bits"), assumed: "10; for sdr-avif 8, for linear-tiff 16",
    on: "pq-heic hlg-heic pq-avif hlg-avif sdr-avif linear-tiff *dpx*",
    "Bits of a sample in HEIC and AVIF, where HDR has 10 or 12, in DPX 10 or 16, and of floats in linear-tiff: 16 or 32."
  )
  package let jpegOptimize = SettingKey(
    flag: "jpeg-optimize", on: "sdr-jpeg adaptive-jpeg", because: "other files have no such tables", rare: true,
    "Huffman tables of its own in each JPEG: a few percent smaller, the same pixels.")
  package let progressive = SettingKey(
    flag: "progressive", on: "sdr-jpeg adaptive-jpeg", because: "other files have no such scans", rare: true,
    """
    Progressive JPEG, which shows a coarse picture before all of it is there: a few percent smaller, the same pixels. \
    Base and gain map are progressive, those that are kept, too.
    """)
  package let pngEffort = SettingKey(
    "png-effort", .deflateEffort, assumed: "1", on: "*-png *-tiff",
    """
    Effort of Deflate in PNG and TIFF: 0 fastest ... 9 smallest. gpu: chunks that are made apart from each other, on \
    the GPU that renders or on all threads.
    """)
  package let exrCompression = SettingKey(
    "exr-compression", .choice(EXRCompression.self, "method"), assumed: "zip", on: "exr", rare: true,
    """
    Compression of OpenEXR, all lossless: zip, 16 rows at a time; zip-gpu, the same on the GPU that renders; zips, one \
    row; rle, runs of bytes; none.
    """)
  package let jxlEffort = SettingKey(
    "jxl-effort", .integer(1...9), assumed: "1 without loss, else 3",
    on: "pq-jxl hlg-jxl sdr-jxl linear-jxl adaptive-jxl", "Effort of JPEG XL: 1 fastest ... 9 smallest.")
  package let metadata = SettingKey(
    "metadata", .choice(MetadataChoice.self, "choice"), standard: .all, on: "pq-* hlg-* sdr-* linear-* exr adaptive-*",
    because: "the file is kept byte for byte, or has no metadata",
    """
    What of Exif, XMP and IPTC goes into outputs: no-location leaves out GPS, names of places and the camera maker's \
    notes; copyright keeps only whose the photo is; none nothing.
    """)
  package let motion = SettingKey(
    "motion", .choice(MotionChoice.self, "choice"), standard: .keep, on: "pq-* hlg-* sdr-* linear-* exr adaptive-*",
    because: "the file is kept byte for byte, or is a part of one",
    """
    The video of a motion photo: keep, in JPEG, HEIC and AVIF outputs of the whole picture; drop; extract, into a file \
    beside the output.
    """)
  package let c2pa = SettingKey(
    "c2pa", .choice(CredentialsChoice.self, "choice"), standard: .drop, on: "pq-* hlg-* sdr-* linear-* exr adaptive-*",
    because: "the file is kept byte for byte, or is a part of one",
    """
    C2PA content credentials, which are signed over the input's bytes: drop, with a warning; refuse such files; sidecar, \
    the manifest store as a .c2pa file beside the output.
    """)
  package let copyLive = SettingKey(
    flag: "copy-live", on: "pq-* hlg-* sdr-* linear-* exr adaptive-*", because: "the file is a part of one",
    "Copies the video of a Live Photo, the .MOV of the input's name, beside the output.")
  package let recompress = SettingKey(
    "recompress", .choice(RestoredPart.self, "part"), assumed: "primary", on: "recompress-jxl",
    """
    What can be restored byte for byte: the primary picture of a JPEG, or the whole file, whose gain map is then stored \
    twice.
    """)
  package let channels = SettingKey(
    "channels", .text("all|none|names"), standard: "all", on: "pq-* hlg-* sdr-* linear-* exr adaptive-*",
    because: "the file is kept byte for byte, or has no channels of its own", rare: true,
    """
    Other channels and parts of OpenEXR inputs that go into OpenEXR: all, none, or names with * for any letters, as \
    Z,crypto*. Those that cannot be kept, or that other formats lose, are named in a warning unless they are not wanted.
    """)
}

/// The effort of Deflate in PNG and TIFF.
package enum DeflateEffort: Sendable, Hashable {
  /// 0 fastest ... 9 smallest.
  case level(Int)
  /// Chunks that devices can make (`DeflateChunkCoder`).
  case gpu
}

extension SettingType where Value == DeflateEffort {
  package static var deflateEffort: SettingType {
    var type = SettingType("n|gpu") { text throws(SettingFault) in
      if text.lowercased() == "gpu" { return .gpu }
      guard let level = Int(text), (0...9).contains(level) else { throw SettingFault("is 0...9 or gpu, not \(text)") }
      return .level(level)
    } text: {
      switch $0 {
      case .level(let level): "\(level)"
      case .gpu: "gpu"
      }
    }
    type.isNumber = true
    return type
  }
}

/// The chroma subsampling of Y'CbCr in files.
package enum CodedChroma: String, Sendable, Hashable, CaseIterable {
  case s420 = "420"
  case s444 = "444"

  package var sampling: ChromaSubsampling { self == .s444 ? .s444 : .s420 }
}

/// The range of code values.
package enum CodeRange: String, Sendable, Hashable, CaseIterable {
  case full, limited
}

/// The part of a JPEG that can be restored from its JPEG XL.
package enum RestoredPart: String, Sendable, Hashable, CaseIterable {
  case primary, whole
}
