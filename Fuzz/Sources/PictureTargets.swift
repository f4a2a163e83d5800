@testable import FileParts
import HDRCore
@testable import ImageFiles

extension Target {
  static let heif = Target("heif", maxLength: 1 << 15, mutate: HEIFGrammar.mutate, run: picture)
  static let jpeg = Target("jpeg", maxLength: 1 << 15, mutate: JPEGGrammar.mutate, run: picture)
  static let png = Target("png", maxLength: 1 << 15, mutate: PNGGrammar.mutate, run: picture)

  /// Samples of a HEIF file of uncompressed items and JPEGs: grids, identities, overlays, alpha and maps.
  private static func uncompressed(_ bytes: [UInt8]) {
    let coded: [FourCC] = ["hvc1", "av01", "j2k1", "vvc1"]
    guard let file = try? HEIFFile(bytes), file.items.values.allSatisfy({ !coded.contains($0.type) }),
      let source = try? decodeImage(bytes, limits: DecodeLimits(maxPixels: 1 << 14))
    else { return }
    for plane in source.image.channels + (source.image.alpha.map { [$0] } ?? []) {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(last < plane.buffer.byteCount, "samples beyond the memory")
    }
  }

  /// Structure and metadata of a file; payloads taken out; and where there is a gain map, both put into a new file.
  private static func picture(_ bytes: [UInt8]) {
    let source = try? decodeImage(bytes, request: .metadata)
    if source?.format == .heif { uncompressed(bytes) }
    // Pixels of the others are made by libraries, or have a target of their own.
    if let image = source?.image, source?.format == .png, image.pixelCount <= 1 << 14 { _ = try? decodeImage(bytes) }
    if let extras = source?.extras {
      let places = (extras.motion.map { [$0.range] } ?? []) + (extras.credentials?.pieces ?? [])
      demand(places.allSatisfy { $0.lies(in: bytes.count) }, "a video or a manifest store outside the file")
    }
    guard let renditions = try? codedRenditions(bytes) else { return }
    guard let source, let map = renditions.map, let metadata = source.gainMap?.metadata else { return }
    let container: AdaptiveContainer
    switch (renditions.base, source.format) {
    case (.jpegStream, _): container = .jpeg
    case (_, .avif): container = .avif
    default: container = .heic
    }
    var request = AdaptiveRequest(
      container: container, base: renditions.base,
      baseColor: AdaptiveColor(cicp: source.color.cicp ?? CICP(2, 2, 6, full: true), icc: source.color.icc), map: map,
      mapColor: CICP(2, 2, 6, full: true), metadata: metadata,
      alternateColor: source.gainMap?.alternateColor.map {
        AdaptiveColor(cicp: $0.cicp ?? CICP(2, 2, 6, full: true), icc: $0.icc)
      }, exif: source.exif, xmp: source.xmp.flatMap(xmpWithoutPixelDescription))
    request.auxiliaries = renditions.auxiliaries
    for index in request.auxiliaries.indices { request.auxiliaries[index].turn = .leftMirrored }
    guard let files = try? encodeAdaptive(request) else { return }
    // Sizes of the map may differ from those of the request's picture; only traps count here.
    try? verifyAdaptive(files, request)
  }
}
