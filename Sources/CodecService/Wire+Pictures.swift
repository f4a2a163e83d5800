import HDRCore
import ImageFiles

// Messages about pixels: sizes and places in the shared memory, never the samples themselves.

extension ChromaSiting: Fields {
  package static var blank: ChromaSiting { .center }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("horizontallyCosited", &horizontallyCosited)
    try coder("verticallyCosited", &verticallyCosited)
  }
}

extension SamplePlane: Fields {
  package static let blank = SamplePlane(
    buffer: PixelBuffer(byteCount: 0), rowBytes: 0, stepBytes: 0, width: 0, height: 0)
  /// Codes the numbers without checks; `SampleImage` compares them with each other.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("buffer", &buffer)
    try coder("offset", &offset)
    try coder("rowBytes", &rowBytes)
    try coder("stepBytes", &stepBytes)
    try coder("width", &width)
    try coder("height", &height)
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

extension Reduction: Fields {
  package static var blank: Reduction { Reduction(scale: 0, width: 0, height: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("scale", &scale, in: 2...8)
    try coder("width", &width, in: 1...coder.limits.maxSide)
    try coder("height", &height, in: 1...coder.limits.maxSide)
  }
}

extension JPEGScan: Fields {
  package static var blank: JPEGScan { JPEGScan([], chroma: .s444) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("bytes", &bytes)
    try coder("chroma", &chroma)
    try coder("codes", &codes)
    try coder.demand(coder.isTrusted, "a scan that no device of ours has made")
  }
}

extension PNGLine: Fields {
  package static var blank: PNGLine { PNGLine(width: 0, sampleBytes: 0, keepsAlpha: false) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("width", &width)
    try coder("sampleBytes", &sampleBytes)
    try coder("keepsAlpha", &keepsAlpha)
  }
}

extension TIFFLine: Fields {
  package static var blank: TIFFLine { TIFFLine(.integers, width: 0, channels: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("samples", &samples)
    try coder("width", &width)
    try coder("channels", &channels)
  }
}

extension TIFFLine.Samples: WireRaw {}

extension EXRLine: Fields {
  package static var blank: EXRLine { EXRLine(width: 0, channels: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("width", &width)
    try coder("channels", &channels)
  }
}

extension DeflateLine: Cases {
  package static var blanks: [DeflateLine] { [.png(.blank), .tiff(.blank), .exr(.blank)] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .png(let line):
      try coder.number(0)
      self = .png(try coder(line))
    case .tiff(let line):
      try coder.number(1)
      self = .tiff(try coder(line))
    case .exr(let line):
      try coder.number(2)
      self = .exr(try coder(line))
    }
  }
}

extension DeflatedRows: Fields {
  package static var blank: DeflatedRows { DeflatedRows(.blank, []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var counts = counts.map { UInt32(truncatingIfNeeded: $0) }
    try coder("line", &line)
    try coder("stream", &stream)
    try coder("counts", &counts)
    self.counts = counts.map { Int($0) }
    try coder.demand(coder.isTrusted, "rows that no device of ours has deflated")
    try coder.check { self.counts.reduce(0, +) == stream.byteCount ? nil : "streams that do not fill their memory" }
  }
}

extension JPEGCodes: Fields {
  package static var blank: JPEGCodes { JPEGCodes(counts: [], values: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("counts", &counts)
    try coder("values", &values)
  }
}

extension JPEGSourceScan.Tables: Fields {
  package static var blank: JPEGSourceScan.Tables { JPEGSourceScan.Tables(quantisers: [], dc: .blank, ac: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("quantisers", &quantisers, count: 64...64)
    try coder("dc", &dc)
    try coder("ac", &ac)
  }
}

extension JPEGSourceScan: Fields {
  package static var blank: JPEGSourceScan {
    JPEGSourceScan(
      width: 0, height: 0, chroma: .none, tables: [], restartInterval: 0, starts: [], bytes: 0, words: [])
  }
  /// Codes the scan. A reader copies the stream and then asks `fault`: who has sent it can change nothing afterwards.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    var starts = starts.map { UInt32(truncatingIfNeeded: $0) }
    try coder("width", &width, in: 1...coder.limits.maxSide)
    try coder("height", &height, in: 1...coder.limits.maxSide)
    try coder("chroma", &chroma)
    try coder("tables", &tables, count: 1...3)
    try coder("restartInterval", &restartInterval, in: 0...0xFFFF)
    try coder("starts", &starts)
    try coder("bytes", &bytes, in: 1...Self.mostBytes)
    try coder("words", &words)
    self.starts = starts.map { Int($0) }
    try coder.demand(
      coder.isTrusted || coder.limits.leastScan.map { width * height >= $0 } ?? false, "a scan that nobody asked for")
    try coder.check { fault }
  }
}

extension JPEGHandover: Cases {
  package static var blanks: [JPEGHandover] { [.scan(.blank), .refused(.process)] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .scan(let scan):
      try coder.number(0)
      self = .scan(try coder(scan))
    case .refused(let reason):
      try coder.number(1)
      self = .refused(try coder(reason))
    }
  }
}

extension JPEGRefusal: WireRaw {}

extension SampleImage: Fields {
  package static var blank: SampleImage {
    SampleImage(width: 0, height: 0, model: .grey, format: .uint8, bitDepth: 0, channels: [])
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("width", &width, in: 1...coder.limits.maxSide)
    try coder("height", &height, in: 1...coder.limits.maxSide)
    try coder("model", &model)
    try coder("format", &format)
    try coder("bitDepth", &bitDepth, in: 1...32)
    try coder("lowZeroBits", &lowZeroBits, in: 0...15)
    try coder("chroma", &chroma)
    try coder("siting", &siting)
    try coder("channels", &channels)
    try coder("alpha", &alpha)
    try coder("alphaFormat", &alphaFormat)
    try coder("alphaBitDepth", &alphaBitDepth, in: 1...32)
    try coder("alphaIsPremultiplied", &alphaIsPremultiplied)
    try coder("madeFinite", &madeFinite, in: 0...1 << 40)
    try coder("reduction", &reduction)
    try coder("scan", &scan)
    try coder("deflated", &deflated)
    try coder("handover", &handover)
    try coder.check { fault(coder.limits) }
  }

  /// Returns the first contradiction between fields.
  private func fault(_ limits: DecodeLimits) -> String? {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= limits.maxPixels else { return "a picture of \(width)x\(height)" }
    guard bitDepth + lowZeroBits <= 8 * format.bytes, alphaBitDepth <= 8 * alphaFormat.bytes else {
      return "\(bitDepth) bits in samples of \(format.rawValue)"
    }
    // Alpha of a float picture is read in the format of its colours.
    guard alpha == nil || (format.isInteger ? alphaFormat.isInteger : alphaFormat == format) else {
      return "alpha of \(alphaFormat.rawValue) beside \(format.rawValue)"
    }
    guard reduction?.fits(width: width, height: height) ?? true else { return "a picture that is no smaller one" }
    // All other pictures have a sample at every pixel in every plane.
    guard !chroma.isSubsampled || model == .ycc && format.isInteger else {
      return "\(chroma.rawValue) chroma of \(model.rawValue) \(format.rawValue)"
    }
    guard scan == nil && deflated == nil || channels.isEmpty && alpha == nil else { return "a scan beside samples" }
    if case .scan(let scan) = handover { return fault(scan) }
    // An answer with structure only has no pixels.
    if channels.isEmpty, alpha == nil { return nil }
    guard channels.count == (model == .grey ? 1 : 3) else { return "\(channels.count) channels" }
    for (index, plane) in channels.enumerated() {
      let h = index == 0 ? 0 : chroma.horizontalShift, v = index == 0 ? 0 : chroma.verticalShift
      guard plane.holds(format, width: (width + (1 << h) - 1) >> h, height: (height + (1 << v) - 1) >> v) else {
        return "channel \(index) does not fit its memory"
      }
    }
    return alpha?.holds(alphaFormat, width: width, height: height) ?? true ? nil : "alpha does not fit its memory"
  }

  /// Returns the first contradiction to the scan that is handed over in the place of samples.
  private func fault(_ scan: JPEGSourceScan) -> String? {
    guard channels.isEmpty, alpha == nil, reduction == nil else { return "a scan beside samples" }
    guard format == .uint8, bitDepth == 8, lowZeroBits == 0, siting == .center,
      model == (scan.chroma == .none ? .grey : .ycc), chroma == scan.chroma, width == scan.width, height == scan.height
    else { return "a scan of another picture" }
    return nil
  }

  /// The blocks of memory that hold the samples.
  package var buffers: [PixelBuffer] {
    var found: [PixelBuffer] = []
    for plane in channels + (alpha.map { [$0] } ?? []) where !found.contains(where: { $0 === plane.buffer }) {
      found.append(plane.buffer)
    }
    if let deflated { found.append(deflated.stream) }
    return found
  }
}

extension HEIFCodedItem: Fields {
  /// The largest number of tiles in a grid: 256 in each direction (ISO/IEC 23008-12, 6.6.2.3).
  package static var maxInList: Int { 1 << 16 }
  package static var blank: HEIFCodedItem {
    HEIFCodedItem(type: "", configuration: [], data: [], width: 0, height: 0)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("type", &type)
    try coder("configuration", &configuration)
    try coder("data", &data)
    try coder("width", &width, in: .sides)
    try coder("height", &height, in: .sides)
  }
}

extension HEIFCodedPicture.Property: Fields {
  package static var blank: HEIFCodedPicture.Property { HEIFCodedPicture.Property(box: [], isEssential: false) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("box", &box)
    try coder("isEssential", &isEssential)
  }
}

extension HEIFCodedPicture: Fields {
  package static var blank: HEIFCodedPicture { HEIFCodedPicture(items: [], width: 0, height: 0, properties: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("items", &items)
    try coder("grid", &grid)
    try coder("width", &width, in: .sides)
    try coder("height", &height, in: .sides)
    try coder("properties", &properties)
  }
}

extension JXLCodedPicture: Fields {
  package static var blank: JXLCodedPicture { JXLCodedPicture(codestream: [], level: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("codestream", &codestream)
    try coder("level", &level, in: 0...255)
  }
}

extension AdaptivePicture: Cases {
  package static var blanks: [AdaptivePicture] { [.samples(.blank), .jpegStream([]), .heif(.blank), .jxl(.blank)] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .samples(let image):
      try coder.number(0)
      self = .samples(try coder(image))
    case .jpegStream(let bytes):
      try coder.number(1)
      self = .jpegStream(try coder(bytes))
    case .heif(let picture):
      try coder.number(2)
      self = .heif(try coder(picture))
    case .jxl(let picture):
      try coder.number(3)
      self = .jxl(try coder(picture))
    }
  }

  package var samples: SampleImage? { if case .samples(let image) = self { image } else { nil } }
}

extension AppleMapItem: Fields {
  package static var blank: AppleMapItem { AppleMapItem(picture: .blank, xmp: nil) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("picture", &picture)
    try coder("xmp", &xmp)
  }
}

extension CodedRenditions: Fields {
  package static var blank: CodedRenditions { CodedRenditions(base: .blank, map: nil) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("base", &base)
    try coder("map", &map)
    try coder("appleMap", &appleMap)
    try coder("auxiliaries", &auxiliaries)
    try coder("preview", &preview)
    try coder.demand(
      base.isCoded && map?.isCoded != false && appleMap?.picture.isCoded != false
        && auxiliaries.allSatisfy(\.picture.isCoded), "samples in place of payloads")
  }
}

extension AdaptiveColor: Fields {
  package static var blank: AdaptiveColor { AdaptiveColor(cicp: .blank) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("cicp", &cicp)
    try coder("icc", &icc)
  }
}

extension CodingOptions: Fields {
  package static var blank: CodingOptions { CodingOptions() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("quality", &quality)
    try coder("optimizesJPEG", &optimizesJPEG)
    try coder("isProgressiveJPEG", &isProgressiveJPEG)
    try coder("pngEffort", &pngEffort)
    try coder("deflatesInChunks", &deflatesInChunks)
    try coder("jxlEffort", &jxlEffort)
    try coder("exrCompression", &exrCompression)
    try coder("dpxBits", &dpxBits)
  }
}

extension EncodeRequest: Fields {
  package static var blank: EncodeRequest {
    EncodeRequest(
      kind: .pqHEIC, image: .blank, hasAlpha: false, cicp: .blank, contentHeadroom: 1, displayHeadroom: 1)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("kind", &kind)
    try coder("image", &image)
    try coder("hasAlpha", &hasAlpha)
    try coder("cicp", &cicp)
    try coder("icc", &icc)
    try coder("space", &space)
    try coder("profileTone", &profileTone)
    try coder("light", &light)
    try coder("exif", &exif)
    try coder("xmp", &xmp)
    try coder("photoshop", &photoshop)
    try coder("motion", &motion)
    try coder("auxiliaries", &auxiliaries)
    try coder("coding", &coding)
    try coder("contentHeadroom", &contentHeadroom)
    try coder("displayHeadroom", &displayHeadroom)
    try coder("white", &white)
    try coder("threads", &threads)
    try coder("carried", &carried)
  }
}

extension EXRCarried: Fields {
  package static var blank: EXRCarried { EXRCarried(width: 1, height: 1) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("left", &left)
    try coder("top", &top)
    try coder("displayWindow", &displayWindow)
    try coder("pixelAspectRatio", &pixelAspectRatio)
    try coder("attributes", &attributes, count: 0...4096)
    try coder("kept", &kept)
  }
}

extension SourceMapping: Fields {
  package static var blank: SourceMapping { .identity }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("x0", &x0, in: 0...1 << 32)
    try coder("y0", &y0, in: 0...1 << 32)
    try coder("columnX", &columnX, in: -1...1)
    try coder("columnY", &columnY, in: -1...1)
    try coder("rowX", &rowX, in: -1...1)
    try coder("rowY", &rowY, in: -1...1)
  }
}

extension EXRKept: Fields {
  package static var blank: EXRKept {
    EXRKept(file: [], part: 1, layer: "", channels: [], parts: [], window: .blank)
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("file", &file)
    try coder("part", &part, in: 1...64)
    try coder("layer", &layer)
    try coder("channels", &channels, count: 0...256)
    try coder("parts", &parts, count: 0...64)
    try coder("window", &window)
    try coder("mapping", &mapping)
    try coder("isMoved", &isMoved)
    try coder("metadata", &metadata)
    try coder("unsafeCodecs", &unsafeCodecs)
  }
}

extension AdaptiveRequest: Fields {
  package static var blank: AdaptiveRequest {
    AdaptiveRequest(
      container: .jpeg, base: .blank, baseColor: .blank, map: .blank, mapColor: .blank, metadata: .blank,
      alternateColor: nil)
  }
  /// Codes all but `recodedPixels`, by which the main process counts memory.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("container", &container)
    try coder("base", &base)
    try coder("baseColor", &baseColor)
    try coder("map", &map)
    try coder("mapColor", &mapColor)
    try coder("appleMap", &appleMap)
    try coder("metadata", &metadata)
    try coder("alternateColor", &alternateColor)
    try coder("alternateDepth", &alternateDepth)
    try coder("alternateLight", &alternateLight)
    try coder("baseLight", &baseLight)
    try coder("bindings", &bindings)
    try coder("exif", &exif)
    try coder("xmp", &xmp)
    try coder("photoshop", &photoshop)
    try coder("motion", &motion)
    try coder("auxiliaries", &auxiliaries)
    try coder("quality", &quality)
    try coder("mapQuality", &mapQuality)
    try coder("optimizesJPEG", &optimizesJPEG)
    try coder("isProgressiveJPEG", &isProgressiveJPEG)
    try coder("effort", &effort)
    try coder("deflatesInChunks", &deflatesInChunks)
    try coder("threads", &threads)
  }
}

extension RecompressRequest: Fields {
  package static var blank: RecompressRequest { RecompressRequest(jpeg: []) }
  /// Codes all but `pixels`, by which the main process counts memory.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("jpeg", &jpeg)
    try coder("map", &map)
    try coder("metadata", &metadata)
    try coder("primaries", &primaries)
    try coder("alternateColor", &alternateColor)
    try coder("threads", &threads)
  }
}

extension FileRequest: Cases {
  package static var blanks: [FileRequest] {
    [.rendition(.blank), .adaptive(.blank), .recompress(.blank), .copy([])]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .rendition(let request):
      try coder.number(0)
      self = .rendition(try coder(request))
    case .adaptive(let request):
      try coder.number(1)
      self = .adaptive(try coder(request))
    case .recompress(let request):
      try coder.number(2)
      self = .recompress(try coder(request))
    case .copy(let bytes):
      try coder.number(3)
      self = .copy(try coder(bytes))
    }
  }

  /// The pictures to encode.
  package var images: [SampleImage] {
    switch self {
    case .rendition(let request): [request.image] + request.auxiliaries.compactMap(\.picture.samples)
    case .adaptive(let request):
      ([request.base, request.map, request.appleMap?.picture] + request.auxiliaries.map(\.picture))
        .compactMap { $0?.samples }
    case .recompress(let request): [request.map].compactMap { $0?.samples }
    case .copy: []
    }
  }
}
