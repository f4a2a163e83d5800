import HDRCore
@testable import ImageFiles

extension Target {
  static let exr = Target("exr", maxLength: 1 << 15, mutate: EXRGrammar.mutate) { bytes in
    if bytes.first == mark {
      guard let made = MadePicture(bytes.dropFirst(), .rgba16f) else { return }
      return writtenAnew(made.image, hasAlpha: made.hasAlpha, choice: made.choices.1)
    }
    var limits = DecodeLimits(maxPixels: 1 << 16)
    limits.unsafeCodecs = true
    let pictures = min((try? decodeImage(bytes, request: .metadata, limits: limits))?.pictures.count ?? 0, 4)
    for number in 0...pictures {
      limits.reading.picture = number == 0 ? nil : "\(number)"
      limits.reading.exr.window = bytes.count % 2 == 0 ? .display : .data
      limits.reading.exr.emission = bytes.count % 3 == 0 ? .keep : .drop
      picture(bytes, limits)
    }
  }

  private static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) {
    guard let head = try? decodeImage(bytes, request: .metadata, limits: limits),
      let file = try? EXRFile(bytes)
    else { return }
    // OpenEXR's library and OpenJPEG are not under test here: they run in a process that may crash.
    if file.parts.contains(where: { $0.coding.needsLibrary || $0.coding.isJPEG2000 }) {
      for (index, part) in file.parts.enumerated() where !part.kind.isDeep {
        _ = try? file.chunks(of: index, in: part.displayWindow)
      }
      return
    }
    guard let source = try? decodeImage(bytes, limits: limits) else { return }
    demand(
      source.image.width == head.image.width && source.image.height == head.image.height
        && source.image.format == head.image.format && source.image.model == head.image.model,
      "the picture is not the one announced")
    for plane in source.image.channels + (source.image.alpha.map { [$0] } ?? []) {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(last + source.image.format.bytes <= plane.buffer.byteCount, "samples beyond the memory")
    }
    writtenAnew(source.image, hasAlpha: source.image.alpha != nil, choice: 0)
    for isMoved in [false, true] { merged(bytes, source, limits.reading.exr.window, isMoved: isMoved) }
  }

  /// Other channels and parts go into a file of another picture, which then has what it says.
  private static func merged(_ bytes: [UInt8], _ source: SourceImage, _ window: EXRReading.Window, isMoved: Bool) {
    guard let part = source.exr, source.image.pixelCount <= 1 << 12 else { return }
    let (width, height) = (source.image.width, source.image.height)
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    image.channels[0].buffer.base.initializeMemory(as: UInt8.self, repeating: 0, count: 8 * width * height)
    var request = EncodeRequest(
      kind: .exr, image: image, hasAlpha: false, cicp: CICP(9, 8, 0, full: true), contentHeadroom: 1,
      displayHeadroom: 1)
    var carried = EXRCarried(width: width, height: height)
    let area = window == .data ? part.outline.dataWindow : part.outline.displayWindow
    if !isMoved {
      (carried.left, carried.top, carried.displayWindow) = (area.left, area.top, part.outline.displayWindow)
    }
    carried.attributes = part.attributes(.all, isMoved: isMoved).kept
    let all = part.outline.channels
    var kept = EXRKept(
      file: bytes, part: part.outline.number, layer: part.layer, channels: all.indices.filter { !all[$0].isShown },
      parts: part.others.map(\.number), window: area)
    kept.isMoved = isMoved
    if isMoved { kept.mapping = Geometry(width: width, height: height, orientation: .down).mapping }
    carried.kept = kept
    request.carried = carried
    guard let files = try? encodeImage(request) else { return }
    do throws(EncodeError) {
      try verifyEncoded(files, request)
    } catch {
      fatalError("a file lacks what was kept: \(error)")
    }
  }

  /// Halves go into a file of each compression, and come back.
  private static func writtenAnew(_ image: SampleImage, hasAlpha: Bool, choice: UInt8) {
    guard image.format == .float16, image.channels.count == 3, image.alpha != nil, image.pixelCount <= 1 << 12 else {
      return
    }
    for compression in EXRCompression.allCases {
      var request = EncodeRequest(
        kind: .exr, image: image, hasAlpha: hasAlpha, cicp: CICP([9, 1, 12][Int(choice) % 3], 8, 0, full: true),
        contentHeadroom: 1, displayHeadroom: 1)
      request.coding.exrCompression = compression
      var limits = DecodeLimits()
      limits.reading.exr.emission = .keep
      guard let files = try? encodeImage(request), let again = try? decodeImage(files.main, limits: limits) else {
        fatalError("\(compression) cannot be written and read")
      }
      demand(words(again.image, hasAlpha: hasAlpha) == words(image, hasAlpha: hasAlpha), "\(compression) changes words")
    }
  }

  private static func words(_ image: SampleImage, hasAlpha: Bool) -> [UInt16] {
    let planes = image.channels + (hasAlpha ? image.alpha.map { [$0] } ?? [] : [])
    return (0..<image.height).flatMap { y in
      (0..<image.width).flatMap { x in planes.map { $0.sample(x, y, image.format) } }
    }
  }
}
