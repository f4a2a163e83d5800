import HDRCore
@testable import ImageFiles

extension Target {
  static let exr = Target("exr", maxLength: 1 << 15, mutate: EXRGrammar.mutate) { bytes in
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
    // OpenEXR's library is not under test here: it runs in a process that may crash.
    if file.parts.contains(where: \.coding.needsLibrary) {
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
    writtenAnew(source.image)
  }

  /// Halves with alpha go into a file of each compression, and come back.
  private static func writtenAnew(_ image: SampleImage) {
    guard image.format == .float16, image.channels.count == 3, image.alpha != nil, image.pixelCount <= 1 << 12 else {
      return
    }
    for compression in EXRCompression.allCases {
      var request = EncodeRequest(
        kind: .exr, image: image, hasAlpha: true, cicp: CICP(9, 8, 0, full: true), contentHeadroom: 1,
        displayHeadroom: 1)
      request.exrCompression = compression
      var limits = DecodeLimits()
      limits.reading.exr.emission = .keep
      guard let files = try? encodeImage(request), let again = try? decodeImage(files.main, limits: limits) else {
        fatalError("\(compression) cannot be written and read")
      }
      let size = 8 * image.pixelCount
      let (a, b) = (image.channels[0].buffer.base, again.image.channels[0].buffer.base)
      let same = UnsafeRawBufferPointer(start: a, count: size)
        .elementsEqual(UnsafeRawBufferPointer(start: b, count: size))
      demand(same, "\(compression) changes words")
    }
  }
}
