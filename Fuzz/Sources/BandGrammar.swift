import HDRCore

/// Answers with pictures of every layout that the border lets through, and some that it must not.
enum BandGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    let order = Array(bytes.prefix(BandOrder.byteCount)), body = Array(bytes.dropFirst(BandOrder.byteCount))
    switch random.below(6) {
    case 0: return blindly(bytes, maxSize: maxSize)
    case 1: return order + blindly(body, maxSize: maxSize - order.count)
    case 2, 3: return newOrder(&random) + body
    default: return newOrder(&random) + WireMemory.answer(0, source(&random)).dropFirst()
    }
  }

  static func newOrder(_ random: inout Random) -> [UInt8] {
    (0..<BandOrder.byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  // MARK: Pictures

  static func source(_ random: inout Random) -> SourceImage {
    let image = picture(&random)
    var source = SourceImage(
      format: random.pick([.heic, .avif, .jpeg, .png]), image: image, color: color(image, &random),
      geometry: Geometry(width: image.width, height: image.height, orientation: random.pick(Orientation.allCases)))
    if random.one(in: 3) {
      let x = random.below(image.width), y = random.below(image.height)
      source.geometry.crop = PixelRect(
        x: x, y: y, width: 1 + random.below(image.width - x), height: 1 + random.below(image.height - y))
    }
    if random.one(in: 2) { source.gainMap = gainMap(&random) }
    if random.one(in: 3) { source.light.clli = ContentLightLevel(maxCLL: double(&random), maxFALL: double(&random)) }
    if random.one(in: 4) {
      source.light.mdcv = MasteringDisplay(
        primaries: nil, maxLuminance: double(&random), minLuminance: double(&random))
    }
    if random.one(in: 4) { source.light.diffuseWhite = double(&random) }
    if random.one(in: 4) { source.light.toneMetadata = ToneGrammar.payload(&random) }
    return source
  }

  private static func double(_ random: inout Random) -> Double {
    switch random.below(6) {
    case 0: random.pick([0, -1, 1e-300, 1e300, -1e300, 0.5, 203, 10_000, 1e6])
    case 1: Double(random.below(1000)) - 500
    default: Double(random.below(4096)) / 512
    }
  }

  private static func picture(_ random: inout Random) -> SampleImage {
    let width = 1 + random.below(random.pick([8, 64, 300])), height = 1 + random.below(min(200, 4096 / width))
    let model = random.pick([ColorModel.ycc, .ycc, .rgb, .grey])
    let format = random.pick([SampleFormat.uint8, .uint16, .uint16, .float16])
    var chroma = model == .ycc ? random.pick(ChromaSubsampling.allCases.filter { $0 != .none }) : .s444
    // What must be refused now and then.
    if format == .float16, !random.one(in: 16) { chroma = .s444 }
    if random.one(in: 32) { chroma = random.pick(ChromaSubsampling.allCases) }
    if model == .grey { chroma = .none }
    let depth = format == .uint8 ? 1 + random.below(8) : format == .uint16 ? random.pick([9, 10, 12, 16]) : 16
    var planes: [SamplePlane] = []
    let count = model == .grey ? 1 : 3, bytes = format.bytes
    let hasAlpha = random.one(in: 3)
    let wide = (width + (1 << chroma.horizontalShift) - 1) >> chroma.horizontalShift
    let high = (height + (1 << chroma.verticalShift) - 1) >> chroma.verticalShift
    switch random.below(3) {
    case 0 where chroma.horizontalShift + chroma.verticalShift == 0:
      // Side by side, alpha among them.
      let step = bytes * (count + random.below(3))
      let first = plane(width, height, bytes: bytes, step: step, span: step, &random)
      planes = (0..<count).map { index in
        var own = first
        own.offset += index * bytes
        return own
      }
    case 1 where count == 3:
      // Luma apart, chroma in pairs.
      planes = [plane(width, height, bytes: bytes, step: bytes, span: bytes, &random)]
      let pair = plane(wide, high, bytes: bytes, step: 2 * bytes, span: 2 * bytes, &random)
      var other = pair
      other.offset += bytes
      planes += [pair, other]
    default:
      planes = (0..<count).map {
        plane($0 == 0 ? width : wide, $0 == 0 ? height : high, bytes: bytes, step: bytes, span: bytes, &random)
      }
    }
    var image = SampleImage(
      width: width, height: height, model: model, format: format, bitDepth: depth,
      lowZeroBits: format == .uint16 && random.one(in: 2) ? 16 - depth : 0, chroma: chroma,
      siting: ChromaSiting(horizontallyCosited: random.one(in: 2), verticallyCosited: random.one(in: 2)),
      channels: planes)
    if hasAlpha {
      let other = random.pick([SampleFormat.uint8, .uint16])
      let own = random.one(in: 2) || format == .float16 && !random.one(in: 16) ? format : other
      let step = planes[0].stepBytes
      var alpha = planes[0]
      alpha.offset += count * bytes
      if own != format || step < (count + 1) * bytes {
        alpha = plane(width, height, bytes: own.bytes, step: own.bytes, span: own.bytes, &random)
      }
      (image.alpha, image.alphaFormat, image.alphaBitDepth) = (alpha, own, own.bytes * 8 - random.below(2))
      image.alphaIsPremultiplied = random.one(in: 2)
    }
    return image
  }

  /// A plane that ends with its last sample, or a little later; sometimes a byte too early.
  private static func plane(
    _ width: Int, _ height: Int, bytes: Int, step: Int, span: Int, _ random: inout Random
  ) -> SamplePlane {
    let line = (width - 1) * step + span, padding = random.pick([0, 0, 1, 2, 32, 64]) * bytes
    let row = random.one(in: 2) ? (line + 63) & ~63 : line + padding, offset = random.pick([0, 0, 64, bytes * 3])
    var count = offset + (height - 1) * row + line + random.pick([0, 0, 7, 64])
    if random.one(in: 64) { count -= 1 }
    let block = WireMemory.block(64 * random.below(4096), max(0, count))
    return SamplePlane(buffer: block, offset: offset, rowBytes: row, stepBytes: step, width: width, height: height)
  }

  // MARK: Meaning

  private static func color(_ image: SampleImage, _ random: inout Random) -> SourceColor {
    let encoding: ColorEncoding
    switch random.below(8) {
    case 0:
      let curves: [ToneCurve] = [
        .gamma(double(&random)), .sRGB, .identity, .table((0...random.below(20) + 1).map { _ in double(&random) }),
        .parametric(
          g: double(&random), a: double(&random), b: double(&random), c: double(&random), d: double(&random),
          e: double(&random), f: double(&random)),
      ]
      let own = random.pick(curves), isOne = random.one(in: 2)
      encoding = .matrixTRC(
        curves: isOne ? [own] : [own, random.pick(curves), random.pick(curves)],
        toBT2020: (0..<9).map { random.one(in: 8) ? double(&random) : $0 % 4 == 0 ? 0.8 : 0.1 },
        primaries: random.pick([nil, 1, 9, 12]))
    case 1:
      let size = 2 + random.below(3)
      encoding = .bakedLUT(size: size, values: (0..<3 * size * size * size).map { _ in Float(double(&random)) })
    default:
      encoding = .cicp(
        primaries: random.pick([1, 9, 12, 2, 5, 6, 0, 77]), transfer: random.pick([1, 13, 16, 18, 8, 2, 4, 14, 99]))
    }
    // Matrix 0 belongs to planes of one size.
    let matrices =
      image.chroma.isSubsampled && !random.one(in: 16)
      ? [1, 9, 6, 5, 8, 10, 14, 2] : [0, 0, 1, 9, 6, 14, 8, 10, 13, 16, 17]
    return SourceColor(matrix: random.pick(matrices), fullRange: random.one(in: 2), encoding: encoding)
  }

  private static func gainMap(_ random: inout Random) -> GainMap {
    let image = picture(&random)
    func row() -> [Double] {
      let one = double(&random)
      return random.one(in: 2) ? [one, one, one] : [one, double(&random), double(&random)]
    }
    let apple = random.one(in: 4) ? AppleGainMap(headroom: Headroom(stops: Double(random.below(50)) / 8)) : nil
    let metadata = GainMapMetadata(
      kind: apple == nil ? random.pick([.iso, .hdrgm]) : .apple, baseHeadroom: abs(double(&random)),
      alternateHeadroom: abs(double(&random)), min: row(), max: row(), gamma: row().map { max(abs($0), 1e-9) },
      baseOffset: row(), alternateOffset: row(), isMultichannel: random.one(in: 2),
      usesBaseColorSpace: random.one(in: 2), apple: apple)
    return GainMap(
      metadata: metadata, image: image,
      matrix: image.chroma.isSubsampled ? random.pick([1, 5, 6, 9]) : random.pick([0, 1, 5, 6, 9]),
      fullRange: random.one(in: 2), alternateColor: random.one(in: 2) ? color(image, &random) : nil,
      bindings: ["tmap"])
  }
}
