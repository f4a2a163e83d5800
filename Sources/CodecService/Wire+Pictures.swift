import HDRCore
import ImageFiles

// Messages about pixels: sizes and places in the shared memory, never the samples themselves.

extension SamplePlane: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.buffer(buffer)
    for value in [offset, rowBytes, stepBytes, width, height] { wire.put(value) }
  }
  /// Reads the numbers without checks; `SampleImage` compares them with each other.
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      buffer: try wire.buffer(), offset: try wire.take(), rowBytes: try wire.take(), stepBytes: try wire.take(),
      width: try wire.take(), height: try wire.take())
  }

  /// True if the plane has this size, and all samples are inside the buffer and aligned for their format.
  fileprivate func holds(_ format: SampleFormat, width: Int, height: Int) -> Bool {
    let bytes = format.bytes
    guard self.width == width, self.height == height, width > 0, height > 0, offset >= 0, rowBytes > 0,
      rowBytes <= buffer.byteCount,
      (bytes...1024).contains(stepBytes), offset % bytes == 0, rowBytes % bytes == 0, stepBytes % bytes == 0
    else { return false }
    let (across, a) = (width - 1).multipliedReportingOverflow(by: stepBytes)
    let (line, b) = across.addingReportingOverflow(bytes)
    let (down, c) = (height - 1).multipliedReportingOverflow(by: rowBytes)
    let (last, d) = down.addingReportingOverflow(line)
    let (end, e) = last.addingReportingOverflow(offset)
    return !a && !b && !c && !d && !e && line <= rowBytes && end <= buffer.byteCount
  }
}

extension SampleImage: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(width)
    wire.put(height)
    wire.put(model)
    wire.put(format)
    wire.put(bitDepth)
    wire.put(lowZeroBits)
    wire.put(chroma)
    wire.put(siting.horizontallyCosited)
    wire.put(siting.verticallyCosited)
    wire.put(channels)
    wire.put(alpha)
    wire.put(alphaFormat)
    wire.put(alphaBitDepth)
    wire.put(alphaIsPremultiplied)
  }

  package init(from wire: inout WireReader) throws(WireError) {
    let limits = wire.pixels.limits
    self.init(
      width: try wire.int(1...limits.maxSide, "a width"), height: try wire.int(1...limits.maxSide, "a height"),
      model: try wire.take(), format: try wire.take(), bitDepth: try wire.int(1...32, "a bit depth"),
      lowZeroBits: try wire.int(0...15, "a shift"), chroma: try wire.take(),
      siting: ChromaSiting(horizontallyCosited: try wire.take(), verticallyCosited: try wire.take()),
      channels: try wire.take(), alpha: try wire.take(), alphaFormat: try wire.take(SampleFormat.self),
      alphaBitDepth: try wire.int(1...32, "a bit depth"), alphaIsPremultiplied: try wire.take())
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= limits.maxPixels else { throw WireError("a picture of \(width)x\(height)") }
    guard bitDepth + lowZeroBits <= 8 * format.bytes, alphaBitDepth <= 8 * alphaFormat.bytes else {
      throw WireError("\(bitDepth) bits in samples of \(format.rawValue)")
    }
    // Alpha of a float picture is read in the format of its colours.
    guard alpha == nil || (format.isInteger ? alphaFormat.isInteger : alphaFormat == format) else {
      throw WireError("alpha of \(alphaFormat.rawValue) beside \(format.rawValue)")
    }
    // All other pictures have a sample at every pixel in every plane.
    guard !chroma.isSubsampled || model == .ycc && format.isInteger else {
      throw WireError("\(chroma.rawValue) chroma of \(model.rawValue) \(format.rawValue)")
    }
    // An answer with structure only has no pixels.
    if channels.isEmpty, alpha == nil { return }
    guard channels.count == (model == .grey ? 1 : 3) else { throw WireError("\(channels.count) channels") }
    for (index, plane) in channels.enumerated() {
      let h = index == 0 ? 0 : chroma.horizontalShift, v = index == 0 ? 0 : chroma.verticalShift
      guard plane.holds(format, width: (width + (1 << h) - 1) >> h, height: (height + (1 << v) - 1) >> v) else {
        throw WireError("channel \(index) does not fit its memory")
      }
    }
    if let alpha {
      guard alpha.holds(alphaFormat, width: width, height: height) else {
        throw WireError("alpha does not fit its memory")
      }
    }
  }

  /// The blocks of memory that hold the samples.
  package var buffers: [PixelBuffer] {
    var found: [PixelBuffer] = []
    for plane in channels + (alpha.map { [$0] } ?? []) where !found.contains(where: { $0 === plane.buffer }) {
      found.append(plane.buffer)
    }
    return found
  }
}

extension HEIFCodedItem: WireValue {
  /// The largest number of tiles in a grid: 256 in each direction (ISO/IEC 23008-12, 6.6.2.3).
  package static var mostInList: Int { 1 << 16 }
  package func write(to wire: inout WireWriter) {
    wire.put(type)
    wire.put(configuration)
    wire.put(data)
    wire.put(width)
    wire.put(height)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let sides = 0...1 << 32
    self.init(
      type: try wire.take(), configuration: try wire.take(), data: try wire.take(),
      width: try wire.int(sides, "a width"), height: try wire.int(sides, "a height"))
  }
}

extension HEIFCodedPicture.Property: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(box)
    wire.put(isEssential)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(box: try wire.take(), isEssential: try wire.take())
  }
}

extension HEIFCodedPicture: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(items)
    wire.put(grid)
    wire.put(width)
    wire.put(height)
    wire.put(properties)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let sides = 0...1 << 32
    self.init(
      items: try wire.take(), grid: try wire.take(), width: try wire.int(sides, "a width"),
      height: try wire.int(sides, "a height"), properties: try wire.take())
  }
}

extension JXLCodedPicture: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(codestream)
    wire.put(level)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(codestream: try wire.take(), level: try wire.int(0...255, "a level"))
  }
}

extension AdaptivePicture: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .samples(let image):
      wire.byte(0)
      wire.put(image)
    case .jpegStream(let bytes):
      wire.byte(1)
      wire.put(bytes)
    case .heif(let picture):
      wire.byte(2)
      wire.put(picture)
    case .jxl(let picture):
      wire.byte(3)
      wire.put(picture)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: self = .samples(try wire.take())
    case 1: self = .jpegStream(try wire.take())
    case 2: self = .heif(try wire.take())
    case 3: self = .jxl(try wire.take())
    case let other: throw WireError("picture \(other)")
    }
  }

  package var samples: SampleImage? { if case .samples(let image) = self { image } else { nil } }
}

extension AppleMapItem: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(picture)
    wire.put(xmp)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(picture: try wire.take(), xmp: try wire.take())
  }
}

extension CodedRenditions: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(base)
    wire.put(map)
    wire.put(appleMap)
    wire.put(preview)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(base: try wire.take(), map: try wire.take())
    appleMap = try wire.take()
    preview = try wire.take()
    guard base.isCoded, map?.isCoded != false, appleMap?.picture.isCoded != false else {
      throw WireError("samples in place of payloads")
    }
  }
}

extension AdaptiveColor: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(cicp)
    wire.put(icc)
  }
  package init(from wire: inout WireReader) throws(WireError) { self.init(cicp: try wire.take(), icc: try wire.take()) }
}

extension CodingOptions: WireValue {
  package func write(to wire: inout WireWriter) {
    for value in [quality, pngEffort, jxlEffort] { wire.put(value) }
    wire.put(exrCompression)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      quality: try wire.take(), pngEffort: try wire.take(), jxlEffort: try wire.take(),
      exrCompression: try wire.take())
  }
}

extension EncodeRequest: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(kind)
    wire.put(image)
    wire.put(hasAlpha)
    wire.put(cicp)
    wire.put(light)
    for value in [exif, xmp, photoshop, icc] { wire.put(value) }
    wire.put(coding)
    wire.put(contentHeadroom)
    wire.put(displayHeadroom)
    wire.put(white)
    wire.put(threads)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let kind = try wire.take(OutputKind.self), image = try wire.take(SampleImage.self)
    self.init(
      kind: kind, image: image, hasAlpha: try wire.take(), cicp: try wire.take(), contentHeadroom: 1,
      displayHeadroom: 1)
    light = try wire.take()
    exif = try wire.take()
    xmp = try wire.take()
    photoshop = try wire.take()
    icc = try wire.take()
    coding = try wire.take()
    contentHeadroom = try wire.take()
    displayHeadroom = try wire.take()
    white = try wire.take()
    threads = try wire.take()
  }
}

extension AdaptiveRequest: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(container)
    wire.put(base)
    wire.put(baseColor)
    wire.put(map)
    wire.put(mapColor)
    wire.put(metadata)
    wire.put(alternateColor)
    wire.put(alternateDepth)
    wire.put(alternateLight)
    wire.put(baseLight)
    wire.put(bindings.rawValue)
    wire.put(appleMap)
    for value in [exif, xmp, photoshop] { wire.put(value) }
    for value in [quality, mapQuality, effort, threads] { wire.put(value) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      container: try wire.take(), base: try wire.take(), baseColor: try wire.take(), map: try wire.take(),
      mapColor: try wire.take(), metadata: try wire.take(), alternateColor: try wire.take(),
      alternateDepth: try wire.take(), alternateLight: try wire.take(), baseLight: try wire.take(),
      bindings: AdaptiveBindings(rawValue: try wire.take()))
    appleMap = try wire.take()
    exif = try wire.take()
    xmp = try wire.take()
    photoshop = try wire.take()
    quality = try wire.take()
    mapQuality = try wire.take()
    effort = try wire.take()
    threads = try wire.take()
  }
}

extension RecompressRequest: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(jpeg)
    wire.put(map)
    wire.put(metadata)
    wire.put(primaries)
    wire.put(alternateColor)
    wire.put(threads)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self.init(
      jpeg: try wire.take(), map: try wire.take(), metadata: try wire.take(), primaries: try wire.take(),
      alternateColor: try wire.take(), threads: try wire.take())
  }
}

extension FileRequest: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .rendition(let request):
      wire.byte(0)
      wire.put(request)
    case .adaptive(let request):
      wire.byte(1)
      wire.put(request)
    case .recompress(let request):
      wire.byte(2)
      wire.put(request)
    case .copy(let bytes):
      wire.byte(3)
      wire.put(bytes)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0: self = .rendition(try wire.take())
    case 1: self = .adaptive(try wire.take())
    case 2: self = .recompress(try wire.take())
    case 3: self = .copy(try wire.take())
    case let other: throw WireError("request \(other)")
    }
  }

  /// The pictures to encode.
  package var images: [SampleImage] {
    switch self {
    case .rendition(let request): [request.image]
    case .adaptive(let request):
      [request.base, request.map, request.appleMap?.picture].compactMap { $0?.samples }
    case .recompress(let request): [request.map].compactMap { $0?.samples }
    case .copy: []
    }
  }
}
