import FileParts
import HDRCore

/// Writes Adaptive HDR JPEG: an SDR primary, then its gain map as a second stream (docs/gain-map-maths.md#containers).
///
/// | | primary | gain map |
/// |---|---|---|
/// | APP0 | JFIF | JFIF |
/// | APP1 | Exif | |
/// | APP1 | XMP: `hdrgm:Version`, container directory, XMP of the source | XMP: nine `hdrgm` fields |
/// | APP2 | ICC of the base | ISO 21496-1, full |
/// | APP2 | ISO 21496-1, versions only | ICC of the alternate, where the maths runs in its primaries |
/// | APP2 | multi-picture index | |
///
/// Tables and scans follow. JFIF comes first because a reader hung on files without it (libultrahdr issue 393). The
/// map's stream is made first and the index last: each number in the primary depends on sizes after it.
enum AdaptiveJPEGWriter {
  /// Encodes a file.
  ///
  /// - Throws: `.unsupported` for an HDR base, which readers of Ultra HDR reject; for pictures of HEIF; for a grey base
  ///   from samples; for Apple's metadata, which has another formula; for metadata or colour that a JPEG cannot hold.
  ///   `.library` when the codec fails.
  static func encode(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
    var warnings: [Warning] = []
    let description = try Description(request, warnings: &warnings)
    let isOptimized = request.optimizesJPEG
    var map = try picture(
      request.map, JPEGOptions(quality: request.mapQuality, chroma: .s444, isOptimized: isOptimized))
    var base = try picture(request.base, JPEGOptions(quality: request.quality, isOptimized: isOptimized))
    if request.isProgressiveJPEG { (base, map) = (try base.progressive(), try map.progressive()) }
    if base.isGrey, !request.base.isCoded {
      throw .unsupported(feature: "a grey base in a JPEG with a gain map", found: "one channel of samples")
    }
    if base.jfif.isEmpty {
      warnings.append(Warning("jpeg.jfif", "the base is stored as R'G'B', so the file has no JFIF header"))
    }

    let mapSegments = try segments(ofMap: request, description)
    let mapSize = map.byteCount + mapSegments.count
    var segments = try segments(ofPrimary: request, base, description, mapSize: mapSize, warnings: &warnings)
    var primarySize = base.byteCount + segments.count
    if request.bindings.contains(.multiPicture) {
      let headerPosition = 2 + base.jfif.count + segments.count + MultiPicture.headerOffset
      primarySize += MultiPicture.segmentCount
      guard primarySize <= UInt32.max, mapSize <= UInt32.max else {
        throw .unsupported(feature: "a multi-picture index beyond 4 GiB", found: "\(primarySize) + \(mapSize) bytes")
      }
      segments.append(
        whole: MultiPicture.segment(primarySize: primarySize, headerPosition: headerPosition, mapSize: mapSize))
    }

    var file = ByteSink(reserving: primarySize + mapSize)
    base.append(to: &file, with: segments)
    map.append(to: &file, with: mapSegments)
    return EncodedFiles(main: file.bytes, warnings: warnings)
  }

  private static func picture(
    _ picture: AdaptivePicture, _ options: JPEGOptions
  ) throws(EncodeError) -> JPEGPicture {
    switch picture {
    case .samples(let image): try JPEGPicture(image, options)
    case .jpegStream(let bytes): try JPEGPicture(keeping: bytes)
    case .heif(let picture):
      throw .unsupported(feature: "a coded picture in a JPEG", found: picture.items.first?.type ?? "no item")
    case .jxl: throw .unsupported(feature: "a coded picture in a JPEG", found: "JPEG XL")
    }
  }

  // MARK: Metadata

  /// The metadata in both dialects, with equal numbers: those of the fractions.
  private struct Description {
    var iso: ISO21496?
    var hdrgm: HDRGainMapXMPWriter?

    init(_ request: AdaptiveRequest, warnings: inout [Warning]) throws(EncodeError) {
      let metadata = request.metadata, bindings = request.bindings
      guard !metadata.baseIsHDR, !request.baseColor.cicp.isHDR else {
        throw .unsupported(
          feature: "an HDR base in a JPEG (readers of Ultra HDR reject it)",
          found: "base headroom \(metadata.baseHeadroom), alternate headroom \(metadata.alternateHeadroom) stops")
      }
      guard request.mapColor.fullRange || request.map.isCoded else {
        throw .unsupported(feature: "the range of a gain map in a JPEG", found: "limited")
      }
      guard metadata.kind != .apple else {
        throw .unsupported(feature: "Apple's gain map formula in ISO 21496-1 metadata", found: "codes of an Apple map")
      }
      guard let iso = ISO21496(metadata) else {
        throw .unsupported(feature: "gain map metadata", found: "a number beyond 32-bit fractions")
      }
      guard bindings.contains(.iso) || bindings.contains(.hdrgm) else {
        throw .unsupported(feature: "a gain map without metadata", found: "neither ISO 21496-1 nor hdrgm")
      }
      if bindings.contains(.iso) { self.iso = iso }
      guard bindings.contains(.hdrgm) else { return }
      hdrgm = HDRGainMapXMPWriter(GainMapMetadata(iso, rawPayload: []))
      if hdrgm == nil {
        guard self.iso != nil else {
          throw .unsupported(
            feature: "hdrgm metadata", found: "negative offsets, or headrooms that are not in ascending order")
        }
        warnings.append(Warning("jpeg.hdrgm-dropped", "hdrgm XMP cannot say this metadata; ISO 21496-1 alone does"))
      }
      let isForeignSpace =
        !metadata.usesBaseColorSpace && request.alternateColor != nil
        && request.alternateColor?.cicp.primaries != request.baseColor.cicp.primaries
      if hdrgm != nil, isForeignSpace {
        guard self.iso != nil else {
          throw .unsupported(feature: "hdrgm metadata", found: "a map for the alternate's primaries")
        }
        warnings.append(
          Warning("jpeg.hdrgm-space", "readers of hdrgm alone will apply the map in the base's primaries"))
      }
    }
  }

  private static func segments(
    ofMap request: AdaptiveRequest, _ description: Description
  ) throws(EncodeError) -> JPEGSegments {
    var segments = JPEGSegments()
    // This has at most 27 numbers of 30 digits and always fits.
    if let hdrgm = description.hdrgm { _ = segments.append(0xE1, JPEGIdentifier.xmp, hdrgm.packet) }
    if let iso = description.iso {
      _ = segments.append(0xE2, JPEGIdentifier.iso21496, iso.serialized(for: .jpeg))
    }
    // Readers take a profile here as the primaries of the arithmetic only.
    if !request.metadata.usesBaseColorSpace, let color = request.alternateColor {
      try segments.append(icc: color.profileOfArithmetic())
    }
    return segments
  }

  // MARK: Primary

  private static func segments(
    ofPrimary request: AdaptiveRequest, _ base: JPEGPicture, _ description: Description, mapSize: Int,
    warnings: inout [Warning]
  ) throws(EncodeError) -> JPEGSegments {
    var segments = JPEGSegments()
    // A kept stream keeps its rows, so it keeps its Exif orientation too.
    let exif = request.exif.flatMap {
      request.base.isCoded
        ? $0 : exifForOutput($0, width: base.width, height: base.height, cicp: request.baseColor.cicp)
    }
    if let exif { segments.append(exif: exif, warnings: &warnings) }
    let isMarked = description.hdrgm != nil, video = request.motion.map { MotionEntry($0, in: .jpeg) }
    // The place of a video is that behind the map, so the directory has both.
    let listed = request.bindings.contains(.container) || video != nil ? mapSize : nil
    let states = isMarked || listed != nil
    segments.append(
      xmp: request.xmp,
      stating: states
        ? {
          XMPAssembly.primaryDescription(isMarked: isMarked, mapSize: listed, video: video, extended: $0, about: $1)
        } : nil, warnings: &warnings)
    if let photoshop = request.photoshop { segments.append(photoshop: photoshop) }
    if let profile = try baseProfile(request.baseColor, isGrey: base.isGrey) { try segments.append(icc: profile) }
    if description.iso != nil {
      // The minimum version and the writer version.
      _ = segments.append(0xE2, JPEGIdentifier.iso21496, [0, 0, 0, 0] as [UInt8])
    }
    return segments
  }

  private static func baseProfile(_ color: AdaptiveColor, isGrey: Bool) throws(EncodeError) -> [UInt8]? {
    if let icc = color.icc { return icc }
    // Without a profile a grey stream is read with the sRGB curve; a profile for R, G, B would be invalid.
    if isGrey, color.cicp.transfer == CICP.Transfer.sRGB { return nil }
    guard !isGrey,
      let profile = ICCProfileWriter.profile(primaries: color.cicp.primaries, transfer: color.cicp.transfer)
    else {
      throw .unsupported(
        feature: "JPEG colour", found: "primaries \(color.cicp.primaries), transfer \(color.cicp.transfer)")
    }
    return profile
  }
}
