import FileParts
import HDRCore

/// Reads a written Adaptive HDR file again and compares it with the request: format, sizes, the gain map's
/// metadata number by number, colour of base and alternate, Exif and XMP. Pixels are not decoded.
///
/// - Throws: `EncodeError.verification` with the first thing that differs.
package func verifyAdaptive(_ files: EncodedFiles, _ request: AdaptiveRequest) throws(EncodeError) {
  let found: SourceImage
  do throws(DecodeError) {
    found = try decodeImage(files.main, request: .metadata, limits: .readingBack)
  } catch {
    throw .verification("\(error)")
  }
  func expect<Value: Equatable>(_ what: String, _ value: Value, _ asked: Value) throws(EncodeError) {
    guard value == asked else { throw .verification("\(what) is \(value), asked for \(asked)") }
  }
  try expect("format", found.format, request.container.format)
  if case .samples(let image) = request.base {
    try expect("width", found.geometry.outputWidth, image.width)
    try expect("height", found.geometry.outputHeight, image.height)
    try expect("orientation", found.geometry.orientation, .up)
  }
  guard let map = found.gainMap else {
    throw .verification(
      "the gain map is not found again: \(found.warnings.map(\.message.description).joined(separator: "; "))")
  }
  if case .samples(let image) = request.map {
    try expect("gain map width", map.image.width, image.width)
    try expect("gain map height", map.image.height, image.height)
    let isGrey = request.container == .png ? request.hasGreyMap(image) : image.model == .grey
    try expect("gain map channels", map.image.model == .grey, isGrey)
  }
  if request.appleMap != nil { try expect("Apple's gain map", map.bindings.contains("aux"), true) }
  // hdrgm is decimal text; the ISO payload holds the exact fractions.
  if request.container != .jpeg || request.bindings.contains(.iso) {
    guard let written = ISO21496(map.metadata), let asked = ISO21496(request.metadata) else {
      throw .verification("the gain map's metadata are no fractions")
    }
    try expect("gain map metadata", written.serialized(for: .jpeg), asked.serialized(for: .jpeg))
  } else {
    try expect("gain map kind", map.metadata.kind, .hdrgm)
  }
  if !request.base.isCoded, request.baseColor.icc == nil, request.baseColor.cicp.primaries != CICP.Primaries.unspecified
  {
    try expect("primaries", found.color.cicp?.primaries, request.baseColor.cicp.primaries)
    try expect("transfer", found.color.cicp?.transfer, request.baseColor.cicp.transfer)
  }
  let dropped = Set(files.warnings.map(\.code))
  if request.exif != nil, found.exif == nil, !dropped.contains("jpeg.exif-dropped") {
    throw .verification("Exif is missing")
  }
  if request.xmp != nil, found.xmp == nil, !dropped.contains("jpeg.xmp-dropped") {
    throw .verification("XMP is missing")
  }
  try verifyMotion(found, request.motion)
  try verifyAuxiliaries(found, request.auxiliaries, dropped)
}
