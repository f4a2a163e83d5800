import CAOM
import CAVCodec
import CDav1d
import CDe265
import CDeflate
import CHEIF
import CLCMS
import CPNGShim

/// A library that this build reads or writes pictures with.
public struct CodecLibrary: Sendable, Hashable {
  public var name: String
  /// The version string of the loaded library; `nil` if it has none.
  public var version: String?
  public var role: String
}

/// Returns the codec libraries in use, for `doctor` and records. Versions are read at run time: a machine may load
/// another version than the one at build time.
public func codecLibraries() -> [CodecLibrary] {
  func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
  let lcms = Int(cmsGetEncodedCMMversion())
  let avcodec =
    if let library = HEVCLibrary.avcodec {
      CodecLibrary(
        name: "libavcodec", version: String(cString: library.version), role: "reading HEVC, before libde265")
    } else {
      CodecLibrary(
        name: "libavcodec", version: nil,
        role: "reading HEVC faster: not there (\(String(cString: hdr_avcodec_missing())))")
    }
  return [
    avcodec,
    CodecLibrary(
      name: "libde265", version: text(HEVCLibrary.de265?.de265_get_version()),
      role: HEVCLibrary.de265 == nil
        ? "reading HEVC: not there (\(String(cString: hdr_de265_missing())))" : "reading HEVC (HEIC, HIF)"),
    CodecLibrary(name: "dav1d", version: text(dav1d_version()), role: "reading AV1 (AVIF)"),
    CodecLibrary(name: "libaom", version: text(aom_codec_version_str()), role: "writing AV1 (AVIF)"),
    CodecLibrary(name: "libjpeg-turbo", version: nil, role: "reading and writing JPEG"),
    CodecLibrary(name: "libpng", version: pngLibraryVersion, role: "reading PNG"),
    CodecLibrary(name: "ISA-L", version: nil, role: "writing PNG, fast levels"),
    CodecLibrary(
      name: "libdeflate", version: LIBDEFLATE_VERSION_STRING,
      role: "writing PNG, small levels; reading compressed HEIF"),
    EXRLibrary.missing.map {
      CodecLibrary(
        name: "OpenEXR", version: nil, role: "reading PIZ, PXR24 and B44 of OpenEXR: not there (\($0))")
    } ?? CodecLibrary(name: "OpenEXR", version: EXRLibrary.version, role: "reading PIZ, PXR24 and B44 of OpenEXR"),
    CodecLibrary(
      name: "libheif", version: text(HEVCEncoder.library?.heif_get_version()),
      role: HEVCEncoder.libraryName.map { "writing HEVC, with " + $0 }
        ?? (HEVCEncoder.library == nil
          ? "writing HEVC: not there (\(String(cString: hdr_heif_missing())))"
          : "writing HEVC: \(HEVCEncoder.missing ?? "")")),
    CodecLibrary(
      name: "LibRaw", version: RAWLibrary.version,
      role: RAWLibrary.version == nil ? "camera raw: not there (\(RAWLibrary.missing))" : "samples of camera raw"
    ),
    CodecLibrary(
      name: "libtiff", version: TIFFLibrary.version,
      role: TIFFLibrary.version == nil ? "reading TIFF: not there (\(TIFFLibrary.missing))" : "reading TIFF"),
    CodecLibrary(
      name: "libjxl", version: JXLLibrary.version,
      role: jxlMissing().map { "JPEG XL: not there (\($0))" }
        ?? "reading and writing JPEG XL"
        + (JXLLibrary.functions?.runner == nil ? ", on one thread: its own are not there (\(JXLLibrary.missing))" : "")),
    CodecLibrary(name: "Little CMS", version: "\(lcms / 1000).\(lcms % 1000 / 10)", role: "ICC profiles with tables"),
  ]
}

/// The version of the loaded libpng.
var pngLibraryVersion: String {
  let number = Int(hdr_png_version())
  return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
}

/// Returns the reason why HEVC cannot be decoded with libavcodec; `nil`: it can.
public func avcodecMissing() -> String? { HEVCLibrary.avcodec == nil ? HEVCLibrary.avcodecMissing : nil }
