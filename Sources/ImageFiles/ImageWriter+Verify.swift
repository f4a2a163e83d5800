import FileParts
import HDRCore

/// Reads written bytes again with this project's own readers and compares the result with the request.
///
/// Format, size, depth, orientation, colour code points, profile, light level, mastering display, and the presence of
/// Exif and XMP are compared; for `rgba16f` the length. Pixels are not decoded.
/// - Throws: `EncodeError.verification` with the first thing that differs.
package func verifyEncoded(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
  try request.kind.writer?.verify(files, request)
}

extension ImageWriter {
  /// Verifies a file of any format that one of our readers reads.
  package static func verify(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
    try verifyReadBack(files, request)
  }
}

private func verifyReadBack(_ files: EncodedFiles, _ request: EncodeRequest) throws(EncodeError) {
  let found: SourceImage
  do throws(DecodeError) {
    found = try decodeImage(files.main, request: .metadata, limits: .readingBack)
  } catch {
    throw .verification("\(error)")
  }
  try verifyStructure(found, request)
  try verifyColor(found, request)
  try verifyLight(found.light, request)
  let dropped = Set(files.warnings.map(\.code))
  if request.outputExif != nil, found.exif == nil, !dropped.contains("jpeg.exif-dropped") {
    throw .verification("Exif is missing")
  }
  if request.xmp != nil, found.xmp == nil, !dropped.contains("jpeg.xmp-dropped") {
    throw .verification("XMP is missing")
  }
  try verifyMotion(found, request.motion)
  try verifyAuxiliaries(found, request.auxiliaries, dropped)
}

/// Counts the pictures beside the picture.
func verifyAuxiliaries(
  _ found: SourceImage, _ asked: [AuxiliaryItem], _ dropped: Set<String>
) throws(EncodeError) {
  guard found.extras.auxiliaries.count >= asked.count || dropped.contains("aux.dropped") else {
    throw .verification("\(found.extras.auxiliaries.count) auxiliary pictures, asked for \(asked.count)")
  }
}

/// Compares what XMP says of a video with the one that will follow.
func verifyMotion(_ found: SourceImage, _ video: MotionVideo?) throws(EncodeError) {
  guard let video else { return }
  var ignored: [Warning] = []
  let claims = MotionPhoto.Claims(found.xmp.flatMap { XMPPacket($0, warnings: &ignored) })
  guard claims.isMade, claims.length == video.range.byteCount else {
    throw .verification("XMP announces \(claims.length ?? 0) bytes of video, and \(video.range.byteCount) follow")
  }
}

private func expect<Value: Equatable>(_ what: String, _ found: Value, _ asked: Value) throws(EncodeError) {
  guard found == asked else { throw .verification("\(what) is \(found), asked for \(asked)") }
}

private func verifyStructure(_ found: SourceImage, _ request: EncodeRequest) throws(EncodeError) {
  let isPlanar = request.kind.layout == .planarYCC
  try expect("format", found.format, request.kind.format)
  try expect("width", found.geometry.outputWidth, request.image.width)
  try expect("height", found.geometry.outputHeight, request.image.height)
  try expect("orientation", found.geometry.orientation, .up)
  try expect("bit depth", found.image.bitDepth, request.image.bitDepth)
  if isPlanar { try expect("chroma", found.image.chroma, request.image.chroma) }
}

private func verifyColor(_ found: SourceImage, _ request: EncodeRequest) throws(EncodeError) {
  let asked = request.cicp
  if let icc = request.icc {
    guard found.color.icc == icc else { throw .verification("the ICC profile is not the one asked for") }
    return
  }
  try expect("primaries", found.color.cicp?.primaries, asked.primaries)
  try expect("transfer", found.color.cicp?.transfer, asked.transfer)
  if request.kind.layout == .planarYCC {
    try expect("matrix", found.color.matrix, asked.matrix)
    try expect("full range", found.color.fullRange, asked.fullRange)
  } else {
    try expect("ICC profile size", found.color.icc?.count, request.fileProfile?.count)
  }
  if let tone = request.profileTone {
    let profile = found.color.icc.flatMap { try? ICCProfile($0) }
    let written = try? profile?.toneMetadata()
    guard written == tone else { throw .verification("HAGC is not the one asked for") }
  }
}

private func verifyLight(_ found: LightMetadata, _ request: EncodeRequest) throws(EncodeError) {
  // JPEG and TIFF have no place for either.
  if request.kind == .sdrJPEG || request.kind.format == .tiff { return }
  if let asked = request.clli, asked.maxCLL > 0 {
    guard let clli = found.clli, abs(clli.maxCLL - asked.maxCLL) <= 1, abs(clli.maxFALL - asked.maxFALL) <= 1 else {
      throw .verification("content light level is \(String(describing: found.clli)), asked for \(asked)")
    }
  } else {
    try expect("content light level", found.clli, nil)
  }
  guard request.cicp.transfer == CICP.Transfer.pq, let asked = request.mdcv, asked.payload(order: .redGreenBlue) != nil
  else {
    return try expect("mastering display", found.mdcv, nil)
  }
  guard let mdcv = found.mdcv, let points = mdcv.primaries, let wanted = asked.primaries,
    zip(points, wanted).allSatisfy({ abs($0.x - $1.x) < 2e-5 && abs($0.y - $1.y) < 2e-5 }),
    abs(mdcv.maxLuminance - asked.maxLuminance) < 1e-3, abs(mdcv.minLuminance - max(1e-4, asked.minLuminance)) < 1e-3
  else { throw .verification("mastering display is \(String(describing: found.mdcv)), asked for \(asked)") }
}
