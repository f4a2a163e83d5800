import CAOM
import CDav1d
import CDe265
import CDeflate
import CHEIF
import CLCMS
import CPNGShim

/// A library that this build reads or writes pictures with.
public struct CodecLibrary: Sendable, Hashable {
  public var name: String
  /// What the loaded library says of itself; `nil` for one that says nothing.
  public var version: String?
  public var role: String
}

/// The codec libraries in use, for `doctor` and records. Asked at run time: a machine may load another version than the
/// one that was built against.
public func codecLibraries() -> [CodecLibrary] {
  func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
  var encoder: String?
  var found: OpaquePointer?
  if HEVCEncoder.isAvailable, heif_context_get_encoder_descriptors(nil, heif_compression_HEVC, nil, &found, 1) > 0 {
    encoder = text(heif_encoder_descriptor_get_name(found))
  }
  let png = Int(hdr_png_version()), lcms = Int(cmsGetEncodedCMMversion())
  return [
    CodecLibrary(name: "libde265", version: text(de265_get_version()), role: "reading HEVC (HEIC, HIF)"),
    CodecLibrary(name: "dav1d", version: text(dav1d_version()), role: "reading AV1 (AVIF)"),
    CodecLibrary(name: "libaom", version: text(aom_codec_version_str()), role: "writing AV1 (AVIF)"),
    CodecLibrary(name: "libjpeg-turbo", version: nil, role: "reading and writing JPEG"),
    CodecLibrary(
      name: "libpng", version: "\(png / 10_000).\(png / 100 % 100).\(png % 100)", role: "reading PNG"),
    CodecLibrary(name: "ISA-L", version: nil, role: "writing PNG, fast levels"),
    CodecLibrary(name: "libdeflate", version: LIBDEFLATE_VERSION_STRING, role: "writing PNG, small levels"),
    CodecLibrary(
      name: "libheif", version: text(heif_get_version()),
      role: encoder.map { "writing HEVC, with " + $0 }
        ?? "writing HEVC: not in this build, which holds no HEVC encoder and writes no HEIC"),
    CodecLibrary(name: "Little CMS", version: "\(lcms / 1000).\(lcms % 1000 / 10)", role: "ICC profiles with tables"),
  ]
}
