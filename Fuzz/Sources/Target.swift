/// A test of one parser, or of one way there and back.
struct Target: Sendable {
  let name: String
  /// The longest input that is tried: short enough for speed, long enough to reach the important limits of the parser.
  let maxLength: Int
  /// Traps on a finding. Typed errors are none.
  let run: @Sendable ([UInt8]) -> Void
  /// Knows the format's lengths and checksums; `nil` where blind changes get as far.
  let mutate: (@Sendable ([UInt8], Int, inout Random) -> [UInt8])?

  /// First byte of inputs for what no file reaches: pictures to be written, colour as bits. No format begins so.
  static let mark: UInt8 = 0xC0

  init(
    _ name: String, maxLength: Int, mutate: (@Sendable ([UInt8], Int, inout Random) -> [UInt8])? = nil,
    run: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.name = name
    self.maxLength = maxLength
    self.mutate = mutate
    self.run = run
  }

  static let all: [Target] = [
    heif, uncompressed, jpeg, scan, jxl, png, exr, raw, tiff, psd,
    dng, opcodes, gainTable, cost,
    iso21496, jhgm, hdrgm, xmp, mpf, exif, makerNote, icc, iccBake, photoshop, gainMapPlan,
    tone, light, rpu, sei, cube, threeDL, lut, ocioConfig, zipArchive, recipe, filter, manifest, journal, json, wire,
    bands, pngPixels, pngWritten, planes, spirv,
    extras, jxr, webP, jp2, radiance, pfm, dpx, cineon, pnm, bmp, qoi,
    nut, ebml, hvcc, probe, clipLight, request,
  ]
}

/// A property that does not hold.
func demand(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}
