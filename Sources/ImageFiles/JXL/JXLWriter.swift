import FileParts
import HDRCore

/// Writes JPEG XL: PQ and HLG of 16 bits, SDR of 8, linear halves. Quality 100 is lossless, except for halves below
/// 2^-14, which the library rounds. Colour is in code points or a profile in the codestream, Exif and XMP in boxes.
///
/// intensity_target: for PQ, the brightest pixel's light or 255 cd/m²; for HLG, 1000; for others, 255, which is
/// reference white.
package enum JXLWriter: ImageWriter {
  package static let format = FileFormat.jxl
  package static var missing: String? { jxlMissing().map { "JPEG XL without libjxl: " + $0 } }

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    // Four interleaved samples of the kind's format.
    let sample: SampleFormat =
      switch request.kind.layout {
      case .rgba8: .uint8
      case .rgba16: .uint16
      default: .float16
      }
    _ = try PixelRows(request.image, format: sample, kind: request.kind)
    let cicp = request.cicp
    let color = JXLColor(primaries: cicp.primaries, transfer: cicp.transfer)
    // A lossy picture is converted by its profile, which cannot say light above reference white.
    guard request.profileTone == nil || request.coding.quality >= 100 else {
      throw .unsupported(feature: "HAGC in lossy JPEG XL", found: "quality \(request.coding.quality)")
    }
    guard cicp.fullRange, color != nil || request.icc != nil else {
      throw .unsupported(
        feature: "JPEG XL colour", found: "primaries \(cicp.primaries), transfer \(cicp.transfer)")
    }
    let coded = try JXLEncoding.code(
      request.image, hasAlpha: request.hasAlpha && request.image.alpha != nil,
      JXLEncoding.Settings(
        quality: request.coding.quality, effort: request.coding.jxlEffort, threads: request.threads, color: color,
        icc: request.profileBesideCodePoints, intensity: intensity(request)))
    let file = JXLFile(consume coded, exif: request.outputExif, xmp: request.xmp)
    // intensity_target expresses the light level; JPEG XL has no place for the rest.
    let lost = request.lostLight(keeping: [.clli, .mdcv])
    let warning = Warning("jxl.light-dropped", "JPEG XL has no place for \(lost.joined(separator: ", "))")
    return EncodedFiles(main: file.bytes, warnings: lost.isEmpty ? [] : [warning])
  }

  private static func intensity(_ request: EncodeRequest) -> Double {
    switch request.cicp.transfer {
    case CICP.Transfer.pq:
      let peak = request.clli.map(\.maxCLL).flatMap { $0 > 0 ? $0 : nil } ?? request.contentHeadroom * request.white
      return JXLEncoding.intensity(ofPeak: peak)
    case CICP.Transfer.hlg: return 1000
    default: return 255
    }
  }

  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    func expect<Value: Equatable>(_ what: String, _ found: Value, _ asked: Value) throws(EncodeError) {
      guard found == asked else { throw .verification("\(what) is \(found), asked for \(asked)") }
    }
    let found: SourceImage
    do throws(DecodeError) {
      found = try decodeImage(files.main, request: .metadata, limits: .readingBack)
    } catch {
      throw .verification("\(error)")
    }
    try expect("format", found.format, format)
    try expect("width", found.geometry.outputWidth, request.image.width)
    try expect("height", found.geometry.outputHeight, request.image.height)
    try expect("orientation", found.geometry.orientation, .up)
    if let icc = request.icc {
      // Lossy samples are read in another colour than the profile's.
      if request.coding.quality >= 100 { try expect("ICC profile size", found.color.icc?.count, icc.count) }
    } else {
      try expect("bit depth", found.image.bitDepth, request.kind.bitDepths[0])
      try expect("primaries", found.color.cicp?.primaries, request.cicp.primaries)
      try expect("transfer", found.color.cicp?.transfer, request.cicp.transfer)
    }
    if let tone = request.profileTone { try expect("HAGC", found.light.toneMetadata, tone) }
    let light = intensity(request)
    if request.cicp.transfer == CICP.Transfer.pq, light < 10_000 {
      try expect("the brightest light", found.light.mdcv?.maxLuminance, light)
    }
    if request.outputExif != nil, found.exif == nil { throw .verification("Exif is missing") }
    if request.xmp != nil, found.xmp == nil { throw .verification("XMP is missing") }
  }
}

/// A JPEG XL file of level, metadata, codestream and gain map.
struct JXLFile {
  let bytes: [UInt8]

  /// Makes the file in the codestream's memory, with boxes around it.
  init(_ coded: consuming JXLEncoding.Coded, exif: [UInt8]?, xmp: [UInt8]?, gainMap: [UInt8]? = nil) {
    var head = ByteSink(), tail = ByteSink()
    head.append(JXLContainer.signature)
    head.append(JXLContainer.fileType)
    if coded.level != 5 { JXLContainer.append("jxll", [[UInt8(coded.level)]], to: &head) }
    if let exif { JXLContainer.append("Exif", [[0, 0, 0, 0], exif], to: &head) }
    if let xmp { JXLContainer.append("xml ", [xmp], to: &head) }
    let place = coded.place
    JXLContainer.appendHeader("jxlc", payload: place.count, to: &head)
    if let gainMap { JXLContainer.append("jhgm", [gainMap], to: &tail) }
    coded.bytes.replaceSubrange(place.upperBound..., with: tail.bytes)
    coded.bytes.replaceSubrange(..<place.lowerBound, with: head.bytes)
    bytes = coded.bytes
  }
}
