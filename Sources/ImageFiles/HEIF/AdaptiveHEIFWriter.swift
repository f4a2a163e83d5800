import FileParts
import HDRCore

/// Writes Adaptive HDR HEIC and AVIF: the base as primary item, a hidden gain map, and the `tmap` item that joins them
/// (ISO/IEC 23008-12 Amendment 1; docs/gain-map-maths.md#containers).
enum AdaptiveHEIFWriter {
  static func encode(_ request: AdaptiveRequest) throws(EncodeError) -> EncodedFiles {
    guard let metadata = ISO21496(request.metadata) else {
      throw .unsupported(feature: "gain map metadata", found: "a number that fits no fraction of 32 bits")
    }
    let base = try base(request), map = try map(request, for: base)
    var muxer = HEIFMuxer(brands: [base.brand, "mif1", "miaf", "tmap"])
    let baseItem = muxer.addPicture(base, isHidden: false)
    muxer.primaryItem = baseItem
    let tone = muxer.addItem("tmap", data: metadata.serialized(for: .tmap))
    for box in toneMapProperties(request, base: base) { muxer.setProperty(box, essential: false, of: tone) }
    let mapItem = muxer.addPicture(map, isHidden: true)
    muxer.addReference("dimg", from: tone, to: [baseItem, mapItem])
    if let apple = request.appleMap { try add(apple, request, base: base, item: baseItem, to: &muxer) }
    // The tone map comes first: readers that support it shall show it.
    muxer.addGroup("altr", members: [tone, baseItem])
    var warnings: [Warning] = []
    try muxer.add(
      request.auxiliaries, of: baseItem,
      HEIFPictureCoding.Settings(container: request.container, quality: 100, threads: request.threads),
      warnings: &warnings)
    addMetadata(request, base: base, describing: baseItem, to: &muxer)
    return EncodedFiles(main: try muxer.fileBytes(), warnings: warnings)
  }

  // MARK: - Pictures

  private static func base(_ request: AdaptiveRequest) throws(EncodeError) -> HEIFCodedPicture {
    switch request.base {
    case .jpegStream: throw .unsupported(feature: "picture for \(request.container.rawValue)", found: "JPEG stream")
    case .jxl: throw .unsupported(feature: "picture for \(request.container.rawValue)", found: "JPEG XL")
    case .heif(let kept): return try checked(kept, request.container)
    case .samples(let image):
      var picture = try code(image, cicp: request.baseColor.cicp, request, quality: request.quality)
      picture.add(HEIFBox.nclx(request.baseColor.cicp))
      if let profile = request.baseColor.icc { picture.add(HEIFBox.icc(profile)) }
      picture.add(HEIFBox.pixi(bitDepth: image.bitDepth, channels: image.channels.count))
      for box in request.baseLight.boxes(transfer: request.baseColor.cicp.transfer) { picture.add(box) }
      return picture
    }
  }

  private static func map(
    _ request: AdaptiveRequest, for base: HEIFCodedPicture
  ) throws(EncodeError) -> HEIFCodedPicture {
    var picture: HEIFCodedPicture
    // A map is data: its primaries and transfer are unspecified.
    let cicp = CICP.gainMap(matrix: request.mapColor.matrix, full: request.mapColor.fullRange)
    switch request.map {
    case .jpegStream: throw .unsupported(feature: "gain map for \(request.container.rawValue)", found: "JPEG stream")
    case .jxl: throw .unsupported(feature: "gain map for \(request.container.rawValue)", found: "JPEG XL")
    case .heif(let kept):
      picture = try checked(kept, request.container)
      if !picture.hasColor("nclx") { picture.add(HEIFBox.nclx(cicp)) }
    case .samples(let image):
      picture = try code(image, cicp: cicp, request, quality: request.mapQuality)
      picture.add(HEIFBox.nclx(cicp))
      picture.add(HEIFBox.pixi(bitDepth: image.bitDepth, channels: image.channels.count))
    }
    try picture.takeGeometry(of: base)
    return picture
  }

  /// Adds Apple's map as an auxiliary picture of the base, with its metadata.
  private static func add(
    _ apple: AppleMapItem, _ request: AdaptiveRequest, base: HEIFCodedPicture, item baseItem: Int,
    to muxer: inout HEIFMuxer
  ) throws(EncodeError) {
    var picture: HEIFCodedPicture
    switch apple.picture {
    case .jpegStream, .jxl: throw .unsupported(feature: "Apple's map", found: "a payload of another format")
    case .heif(let kept): picture = try checked(kept, request.container)
    case .samples(let image):
      let cicp = CICP.gainMap()
      picture = try code(image, cicp: cicp, request, quality: request.mapQuality)
      picture.add(HEIFBox.nclx(cicp))
      picture.add(HEIFBox.pixi(bitDepth: image.bitDepth, channels: image.channels.count))
      try picture.takeGeometry(of: base)
    }
    picture.properties.append(HEIFCodedPicture.Property(box: HEIFBox.auxC(AppleGainMap.urn), isEssential: true))
    let map = muxer.addPicture(picture, isHidden: true)
    muxer.addReference("auxl", from: map, to: [baseItem])
    if let xmp = apple.xmp { muxer.addXMP(xmp, describing: map) }
  }

  private static func code(
    _ image: SampleImage, cicp: CICP, _ request: AdaptiveRequest, quality: Int
  ) throws(EncodeError) -> HEIFCodedPicture {
    try HEIFPictureCoding.code(
      image, cicp: cicp,
      HEIFPictureCoding.Settings(container: request.container, quality: quality, threads: request.threads))
  }

  /// Checks that a kept payload has the codec of the container.
  private static func checked(
    _ picture: HEIFCodedPicture, _ container: AdaptiveContainer
  ) throws(EncodeError) -> HEIFCodedPicture {
    let type = container == .avif ? "av01" : "hvc1"
    guard let first = picture.items.first, picture.items.allSatisfy({ $0.type == type }) else {
      throw .unsupported(
        feature: "payload for \(container.rawValue)", found: picture.items.first?.type ?? "no coded picture")
    }
    guard picture.grid != nil || picture.items.count == 1 else {
      throw .unsupported(feature: "tiles without a grid", found: "\(picture.items.count)")
    }
    guard picture.grid != nil || first.width == picture.width && first.height == picture.height else {
      throw .unsupported(
        feature: "picture size", found: "\(picture.width)x\(picture.height), coded \(first.width)x\(first.height)")
    }
    return picture
  }

  // MARK: - The rest

  /// Returns the properties of `tmap`: the base's size before transforms; colour, depth and light of the alternate.
  /// Transforms are not allowed here.
  private static func toneMapProperties(_ request: AdaptiveRequest, base: HEIFCodedPicture) -> [[UInt8]] {
    var boxes = [HEIFBox.ispe(width: base.width, height: base.height)]
    if let color = request.alternateColor {
      boxes.append(HEIFBox.nclx(color.cicp))
      if let profile = color.icc { boxes.append(HEIFBox.icc(profile)) }
    }
    boxes.append(HEIFBox.pixi(bitDepth: request.alternateDepth))
    let transfer = request.alternateColor?.cicp.transfer ?? CICP.Transfer.unspecified
    return boxes + request.alternateLight.boxes(transfer: transfer)
  }

  /// Adds Exif and XMP. Exif of a kept payload still describes it; for samples it gets their size, colour and
  /// orientation.
  private static func addMetadata(
    _ request: AdaptiveRequest, base: HEIFCodedPicture, describing item: Int, to muxer: inout HEIFMuxer
  ) {
    var exif = request.exif
    if !request.base.isCoded {
      exif = exif.flatMap {
        exifForOutput($0, width: base.width, height: base.height, cicp: request.baseColor.cicp)
      }
    }
    if let exif { muxer.addExif(exif, describing: item) }
    muxer.addXMP(request.xmp, announcing: request.motion, in: request.container.format, describing: item)
  }
}
