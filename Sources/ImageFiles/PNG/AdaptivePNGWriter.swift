import FileParts
import HDRCore

/// Writes Adaptive HDR PNG as Android 16 does: an SDR base, `gmAP` with versions, and in `gdAT` its gain map as a whole
/// PNG with the ISO 21496-1 payload in its own `gmAP` (docs/gain-map-maths.md#containers).
enum AdaptivePNGWriter {
  /// Encodes a file.
  ///
  /// - Throws: `.unsupported` for an HDR base, which readers of this layout do not expect; for coded pictures; for
  ///   layouts, metadata or colour that a PNG cannot hold.
  static func encode(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
    guard request.metadata.kind != .apple else {
      throw .unsupported(feature: "Apple's gain map formula in ISO 21496-1 metadata", found: "codes of an Apple map")
    }
    guard !request.metadata.baseIsHDR, !request.baseColor.cicp.isHDR else {
      throw .unsupported(
        feature: "an HDR base in a PNG with a gain map (readers expect SDR)",
        found: "base headroom \(request.metadata.baseHeadroom) stops")
    }
    guard case .samples(let base) = request.base, case .samples(let map) = request.map else {
      throw .unsupported(feature: "a coded picture in a PNG", found: "another format's")
    }
    let data = try gainMap(map, request)
    guard data.count < 1 << 31 else {
      throw .unsupported(feature: "a gain map in a PNG", found: "\(data.count) bytes; a chunk has less than 2 GiB")
    }
    let line = try line(of: base)
    let rows = try PixelRows(base, format: base.format, output: "adaptive-png")
    var file = PNGFile(reserving: line.byteCount * base.height + data.count + (1 << 17))
    file.header(width: base.width, height: base.height, sampleBytes: line.sampleBytes, colors: .rgb)
    try color(request.baseColor, into: &file)
    if let level = request.baseLight.clli { file.level(level) }
    let exif = request.exif.flatMap {
      exifForOutput($0, width: base.width, height: base.height, cicp: request.baseColor.cicp)
    }
    file.metadata(exif: exif, xmp: request.xmp)
    // The version that a reader must know, and the writer's.
    file.chunk("gmAP", [0, 0, 0, 0])
    file.chunk("gdAT", data)
    try file.pixels(rows, line, request.deflate, threads: request.threads)
    file.chunk("IEND", [])
    return EncodedFiles(parts: file.parts, warnings: lost(request))
  }

  /// Makes the PNG of the map. A grey map of wider primaries than the base's becomes R = G = B, because a grey one
  /// cannot name them.
  private static func gainMap(_ map: SampleImage, _ request: AdaptiveRequest) throws(EncodeError) -> [UInt8] {
    guard let iso = ISO21496(request.metadata) else {
      throw .unsupported(feature: "gain map metadata", found: "a number that fits no fraction of 32 bits")
    }
    let isGrey = request.hasGreyMap(map)
    let picture = !isGrey && map.model == .grey ? map.greyAsRGBA : map
    var file = PNGFile(reserving: picture.width * picture.height * 4 * picture.format.bytes + (1 << 16))
    file.header(
      width: picture.width, height: picture.height, sampleBytes: picture.format.bytes, colors: isGrey ? .grey : .rgb)
    if !isGrey, !request.metadata.usesBaseColorSpace, let color = request.alternateColor {
      try file.profile(color.profileOfArithmetic(), name: "gain map")
    }
    // Light metadata here are of the alternate.
    if let display = request.alternateLight.mdcv { file.mastering(display) }
    if let level = request.alternateLight.clli { file.level(level) }
    file.chunk("gmAP", iso.serialized(for: .jpeg))
    if isGrey {
      try file.greyPixels(picture, request.deflate)
    } else {
      let line = try line(of: picture)
      let rows = try PixelRows(picture, format: picture.format, output: "a gain map in adaptive-png")
      try file.pixels(rows, line, request.deflate, threads: request.threads)
    }
    file.chunk("IEND", [])
    return EncodedFiles(parts: file.parts).main
  }

  private static func line(of image: SampleImage) throws(EncodeError) -> PNGLine {
    guard image.format == .uint8 || image.format == .uint16, image.bitDepth == 8 * image.format.bytes else {
      throw image.refusal(for: "adaptive-png")
    }
    let line = PNGLine(width: image.width, sampleBytes: image.format.bytes, keepsAlpha: false)
    guard line.byteCount * image.height < 1 << 36 else {
      throw .unsupported(feature: "PNG picture size", found: "\(image.width)x\(image.height)")
    }
    return line
  }

  /// Writes the base's colour: its own profile, else code points with a profile for readers that do not know these.
  private static func color(_ color: AdaptiveColor, into file: inout PNGFile) throws(EncodeError) {
    if let icc = color.icc { return try file.profile(icc, name: "ICC profile") }
    let cicp = color.cicp
    guard let profile = ICCProfileWriter.profile(primaries: cicp.primaries, transfer: cicp.transfer) else {
      throw .unsupported(feature: "PNG colour", found: "primaries \(cicp.primaries), transfer \(cicp.transfer)")
    }
    file.codePoints(cicp)
    try file.profile(profile, name: ICCProfileWriter.name(primaries: cicp.primaries, transfer: cicp.transfer))
  }

  /// Returns the warning about fields of light without a PNG chunk.
  private static func lost(_ request: AdaptiveRequest) -> [Warning] {
    let fields = Set(request.baseLight.fields).subtracting([.clli]).union(
      Set(request.alternateLight.fields).subtracting([.clli, .mdcv]))
    let names = LightMetadata.Field.allCases.filter(fields.contains).map(\.rawValue)
    return names.isEmpty
      ? [] : [Warning("png.light-dropped", "PNG has no place for \(names.joined(separator: ", "))")]
  }
}

extension AdaptiveRequest {
  /// Returns true if a PNG gets a grey map: the map is, and its arithmetic runs in the base's primaries.
  func hasGreyMap(_ map: SampleImage) -> Bool {
    let primaries = alternateColor?.cicp.primaries ?? baseColor.cicp.primaries
    return map.model == .grey && (metadata.usesBaseColorSpace || primaries == baseColor.cicp.primaries)
  }

  fileprivate var deflate: DeflateMethod { deflatesInChunks ? .chunks : DeflateMethod(effort: effort) }
}

extension SampleImage {
  /// A grey picture of 8 or 16 bits as interleaved R G B A, whose first three samples are equal.
  fileprivate var greyAsRGBA: SampleImage {
    let copy = SampleImage.interleaved(
      width: width, height: height, channelCount: 4, format: format, bitDepth: bitDepth)
    guard let from = channels.first else { return copy }
    for y in 0..<height {
      for x in 0..<width {
        let sample = from.buffer.base + from.offset + y * from.rowBytes + x * from.stepBytes
        for to in copy.channels {
          (to.buffer.base + to.offset + y * to.rowBytes + x * to.stepBytes)
            .copyMemory(from: sample, byteCount: format.bytes)
        }
      }
    }
    return copy
  }
}
