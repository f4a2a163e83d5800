import FileParts
import HDRCore

/// Reads camera raw: DNG, including ProRAW, and the formats that LibRaw reads. The result is either the sensor's
/// samples with all data for rendering them, or the JPEG that the camera rendered.
///
/// Light and colour: docs/camera-raw.md.
package enum CameraRawDecoder: ImageDecoder {
  package static let name = "camera raw (LibRaw)"
  package static let formats = ["camera raw (DNG and others)"]
  package static let extensions = [
    "dng", "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "gpr", "iiq", "kdc", "mef", "mos", "mrw", "nef",
    "nrw", "orf", "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw",
  ]
  package static let libraries: RunTimeLibraries = [.raw, .jxl]

  package static func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    TIFFStructure.recognizes(head) || RAWHeader.isOwn(head)
  }

  package static func takes(_ bytes: [UInt8]) -> Bool {
    RAWHeader.isOwn(bytes.prefix(formatBytes)) || RAWHeader.hasSensor(bytes)
  }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(DecodeError) -> SourceImage {
    try checkFileSize(bytes, limits)
    let file = try CameraRawFile(bytes, limits: limits)
    if try file.showsPreview(limits.reading.camera) { return try file.embedded(request, limits) }
    return try file.sensor(request, limits)
  }

  package static func codedRenditions(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> CodedRenditions {
    let file = try CameraRawFile(bytes, limits: limits)
    guard try file.showsPreview(limits.reading.camera), let preview = try file.preview() else {
      throw .unsupported(feature: "taking payloads out", found: "samples of a sensor")
    }
    var coded = try JPEGDecoder.codedRenditions(preview, limits: limits)
    coded.preview = preview
    return coded
  }
}

/// The pictures of a camera raw file, with the container's metadata.
private struct CameraRawFile {
  let container: RAWContainer
  /// The metadata of the container.
  let metadata: TIFFMetadata?
  let warnings: [Warning]

  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    container = try RAWContainer(bytes, limits: limits)
    var warnings = container.dng?.warnings ?? []
    if let structure = container.structure {
      metadata = TIFFMetadata(
        structure, try structure.directory(at: structure.first), limits: limits, warnings: &warnings)
    } else {
      metadata = nil
    }
    self.warnings = warnings
  }

  private var dng: DNGDescription? { container.dng }

  /// True if the camera's rendition is read instead of the samples.
  func showsPreview(_ choice: CameraReading) throws(DecodeError) -> Bool {
    switch choice.source {
    case .embedded: return true
    case .sensor: return false
    case .automatic:
      guard let dng, let preview = dng.preview, preview.hasGainMap else { return false }
      // A preview may be a few rows and columns smaller than the crop.
      let crop = dng.image.crop
      return max(preview.width, preview.height) * 100 >= max(crop.width, crop.height) * 97
    }
  }

  /// Returns the JPEG that the camera rendered; `nil`: there is none.
  func preview() throws(DecodeError) -> [UInt8]? {
    if let dng { return dng.preview.map { Array(container.bytes[$0.place]) } }
    return try container.bytes.withUnsafeBufferPointer { (input) throws(DecodeError) in
      try RAWLibrary(input).preview()
    }
  }

  // MARK: Pictures

  func embedded(_ request: DecodeRequest, _ limits: DecodeLimits) throws(DecodeError) -> SourceImage {
    guard let preview = try preview() else {
      throw .unsupported(feature: "the camera's own rendition", found: "no JPEG of it in the file")
    }
    var source = try JPEGDecoder.decode(preview, request: request, limits: limits)
    if source.geometry.orientation == .up, let dng { source.geometry.orientation = dng.orientation }
    (source.format, source.payloadFormat) = (format, source.format)
    source.exif = metadata?.exif ?? source.exif
    source.xmp = metadata?.xmp ?? source.xmp
    source.photoshop = metadata?.photoshop ?? source.photoshop
    source.warnings = warnings + source.warnings
    // Places in the preview are none in the file.
    source.extras = extras(&source.warnings)
    return source
  }

  /// Returns the parts that the container holds beside its pictures.
  private func extras(_ warnings: inout [Warning]) -> FileExtras {
    var extras = FileExtras()
    let store = container.structure.flatMap { structure in
      (try? structure.directory(at: structure.first)).flatMap { structure.data(TIFFTag.provenance, in: $0) }
    }
    extras.credentials =
      store.flatMap { ContentCredentials($0, place: "tag 52545", warnings: &warnings) }
      ?? ContentCredentials(address: metadata?.packet)
    return extras
  }

  func sensor(_ request: DecodeRequest, _ limits: DecodeLimits) throws(DecodeError) -> SourceImage {
    let raw: CameraRaw
    if request == .pixels {
      raw = try CameraRaw(samplesOf: container, limits: limits)
    } else {
      raw = try CameraRaw(headOf: container, limits: limits)
    }
    let picture = raw.picture
    let shown = limits.reading.camera.crop == .active ? nil : picture.crop
    let image = raw.activeSamples
    var source = SourceImage(
      format: format, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear)),
      geometry: Geometry(
        crop: shown.map { PixelRect(x: $0.left, y: $0.top, width: $0.width, height: $0.height) }
          ?? PixelRect(x: 0, y: 0, width: image.width, height: image.height),
        orientation: picture.orientation),
      exif: metadata?.exif, xmp: metadata?.xmp, photoshop: metadata?.photoshop, warnings: raw.warnings,
      decoder: picture.decoder)
    source.sensor = picture
    source.extras = extras(&source.warnings)
    if metadata == nil, let preview = try? preview(),
      let own = try? JPEGDecoder.decode(preview, request: .metadata, limits: limits)
    {
      (source.exif, source.xmp) = (own.exif, own.xmp)
    }
    return source
  }

  private var format: FileFormat { dng == nil ? .raw : .dng }
}
