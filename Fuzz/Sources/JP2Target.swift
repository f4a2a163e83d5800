import HDRCore
@testable import ImageFiles

extension Target {
  /// Boxes of JPEG 2000, heads of code streams, colour and channels. The library is not under test here.
  static let jp2 = Target("jp2", maxLength: 1 << 12, mutate: JP2Grammar.mutate) { bytes in
    var limits = DecodeLimits(maxPixels: 1 << 20, maxSide: 1 << 14, maxMetadataBytes: 1 << 16)
    limits.reading.readsCinema = bytes.count % 5 == 0
    guard JP2Decoder.recognizes(bytes.prefix(formatBytes)),
      let source = try? JP2Decoder.decode(bytes, request: .metadata, limits: limits)
    else { return }
    var warnings: [Warning] = []
    guard let file = try? JP2Container(bytes, limits: limits, warnings: &warnings),
      let layout = try? JP2Layout(file, warnings: &warnings)
    else { fatalError("a picture of a file that has no structure") }
    let stream = file.stream, all = stream.components
    demand(source.image.width == stream.width && source.image.height == stream.height, "another size is announced")
    demand(
      layout.colors.count == (file.isCMYK ? 4 : source.image.model == .grey ? 1 : 3), "\(layout.colors.count) colours")
    demand(
      Set(layout.colors + (layout.alpha.map { [$0] } ?? [])).isSubset(of: Set(all.indices)),
      "a component that there is not")
    demand(all.allSatisfy { 1...16 ~= $0.bits && !$0.isSigned }, "samples that are not read")
    demand(file.codes.starts(with: J2KCodestream.signature), "the library gets something else")
    guard stream.width * stream.height <= 1 << 12 else { return }
    samples(bytes, stream, layout, source.image)
  }

  /// Makes a picture of samples as the library would hand them over, which may leave the range of the codes.
  private static func samples(
    _ bytes: [UInt8], _ stream: J2KCodestream, _ layout: JP2Layout, _ description: SampleImage
  ) {
    let words = (0..<stream.width * stream.height).map { index in
      Int32(truncatingIfNeeded: (Int(bytes[index % bytes.count]) - 64) << (index % 3 * 7))
    }
    let image = words.withUnsafeBufferPointer { buffer -> SampleImage in
      guard let base = buffer.baseAddress else { return description }
      if layout.colors.count == 4 {
        var ignored: [Warning] = []
        let inks = InkTransform(JP2Color.fourInks, profile: nil, warnings: &ignored)
        return JP2Decoder.read({ _ in base }, stream, layout, by: inks)
      }
      return JP2Decoder.read({ _ in base }, stream, layout, as: description)
    }
    for (plane, bits, format) in image.channels.map({ ($0, image.bitDepth, image.format) })
      + (image.alpha.map { [($0, image.alphaBitDepth, image.alphaFormat)] } ?? [])
    {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          let code = format == .uint8 ? Int(at.load(as: UInt8.self)) : Int(at.load(as: UInt16.self))
          demand(code >> bits == 0, "a sample of \(code) in \(bits) bits")
        }
      }
    }
  }
}

/// JPEG 2000: bytes inside boxes whose sizes stay right, other types and methods, fields of SIZ.
enum JP2Grammar {
  private static let types = ["jp2h", "ihdr", "colr", "pclr", "cdef", "bpcc", "uuid", "jp2c", "res "]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    guard !random.one(in: 5) else { return blindly(bytes, maxSize: maxSize) }
    var changed = bytes
    func number(_ at: Int) -> Int { changed[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    // Places of boxes, those of jp2h too.
    var places: [Int] = [], at = 0
    while at + 8 <= changed.count, places.count < 64 {
      let size = number(at)
      guard size >= 8, at + size <= changed.count || size == 0 else { break }
      places.append(at)
      at += changed[at + 4..<at + 8].elementsEqual("jp2h".utf8) ? 8 : size == 0 ? changed.count : size
    }
    for _ in 0...random.below(2) {
      if let place = places.isEmpty ? nil : random.pick(places), random.one(in: 2) {
        if random.one(in: 4) {
          changed.replaceSubrange(place + 4..<place + 8, with: random.pick(types).utf8)
        } else if place + 8 < changed.count {
          let spot = place + 8 + random.below(min(24, changed.count - place - 8))
          changed[spot] = UInt8(random.pick([0, 1, 2, 3, 5, 9, 16, 17, 18, 128, 255]))
        }
      } else if let start = siz(changed) {
        let spot = start + 4 + random.below(min(46, changed.count - start - 4))
        changed[spot] = UInt8(random.pick([0, 1, 2, 3, 4, 7, 8, 11, 15, 16, 64, 128, 255]))
      }
    }
    return changed
  }

  /// Returns the place of the code stream.
  private static func siz(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 50 else { return nil }
    return (0..<bytes.count - 50).first { bytes[$0..<$0 + 4].elementsEqual(J2KCodestream.signature) }
  }
}
