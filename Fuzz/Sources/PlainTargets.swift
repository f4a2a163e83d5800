import HDRCore
@testable import ImageFiles

extension Target {
  static let radiance = plain("radiance", RadianceDecoder.self, [.hdr], RadianceGrammar.mutate)
  static let pfm = plain("pfm", PFMDecoder.self, [.pfm], PFMGrammar.mutate)
  static let dpx = plain("dpx", DPXDecoder.self, [.dpx, .dpxLog, .pqDPX, .hlgDPX], DPXGrammar.mutate)
  static let cineon = plain("cineon", CineonDecoder.self, [], DPXGrammar.mutateCineon)
  static let pnm = plain("pnm", PNMDecoder.self, [], SimpleGrammar.pnm)
  static let bmp = plain("bmp", BMPDecoder.self, [], SimpleGrammar.bmp)
  static let qoi = plain("qoi", QOIDecoder.self, [], SimpleGrammar.qoi)

  /// Makes the target of a format without a library: files as they are, and pictures that are written and read again.
  private static func plain(
    _ name: String, _ decoder: any PlainDecoder.Type, _ kinds: [OutputKind],
    _ mutate: @escaping @Sendable ([UInt8], Int, inout Random) -> [UInt8]
  ) -> Target {
    Target(name, maxLength: 1 << 13, mutate: mutate) { bytes in
      if bytes.first == mark, let kind = kinds.first {
        let rest = bytes.dropFirst()
        return writtenAnew(kinds[Int(rest.first ?? 0) % kinds.count], rest, kind.format)
      }
      var limits = DecodeLimits(maxPixels: 1 << 16)
      // The last byte chooses what a caller says.
      let choice = bytes.last ?? 0
      limits.reading.plain.exposure = choice & 1 == 0 ? .keep : .apply
      if choice & 2 != 0 { limits.reading.plain.white = 100 }
      if choice & 12 == 12 { limits.reading.raw = RawDescription(primaries: 9, transfer: choice & 16 == 0 ? 8 : 16) }
      guard decoder.recognizes(bytes.prefix(formatBytes)),
        let head = try? decoder.decode(bytes, request: .metadata, limits: limits)
      else { return }
      demand(head.image.pixelCount <= limits.maxPixels && head.header.count <= HeaderField.most, "limits do not hold")
      guard let source = try? decoder.decode(bytes, request: .pixels, limits: limits) else { return }
      demand(
        source.image.width == head.image.width && source.image.height == head.image.height
          && source.image.format == head.image.format && source.color == head.color,
        "the picture is not the one announced")
      check(source.image)
    }
  }

  /// Demands that samples lie within their memory, and are numbers of their depth.
  private static func check(_ image: SampleImage) {
    let all =
      image.channels.map { ($0, image.format, image.bitDepth) }
      + (image.alpha.map { [($0, image.alphaFormat, image.alphaBitDepth)] } ?? [])
    for (plane, format, bits) in all {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(last + format.bytes <= plane.buffer.byteCount, "samples beyond the memory")
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          switch format {
          case .uint8: demand(Int(at.load(as: UInt8.self)) >> bits == 0, "a sample of more than \(bits) bits")
          case .uint16:
            demand(Int(at.loadUnaligned(as: UInt16.self)) >> bits == 0, "a sample of more than \(bits) bits")
          case .float32: demand(abs(at.loadUnaligned(as: Float.self)) <= 0x1p20, "a sample beyond all light")
          case .float16: break
          }
        }
      }
    }
  }

  /// A picture of the input's bytes is written, verified and read.
  private static func writtenAnew(_ kind: OutputKind, _ bytes: ArraySlice<UInt8>, _ format: FileFormat) {
    guard let made = MadePicture(bytes, kind.layout) else { return }
    let cicp = CICP(
      kind.primaries ?? 9, kind.curve == .pq ? 16 : kind.curve == .hlg ? 18 : kind.curve == .sdr ? 1 : 8, 0, full: true)
    let request = EncodeRequest(
      kind: kind, image: made.image, hasAlpha: made.hasAlpha, cicp: cicp, contentHeadroom: 1, displayHeadroom: 1)
    do throws(EncodeError) {
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      guard let again = try? decodeImage(files.main) else { fatalError("\(kind.rawValue) is not read") }
      demand(again.format == format, "another format")
      check(again.image)
    } catch {
      fatalError("\(kind.rawValue): \(error)")
    }
  }
}

/// Radiance files: headers of lines that there are, and scan lines of every kind that fit their width.
enum RadianceGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 2) { return blindly(bytes, maxSize: maxSize) }
    if random.one(in: 8) { return [Target.mark] + (0..<24).map { _ in UInt8(random.below(256)) } }
    var text = "#?" + random.pick(["RADIANCE", "RGBE", ""]) + "\n"
    let lines = [
      "FORMAT=32-bit_rle_rgbe", "FORMAT=32-bit_rle_xyze", "FORMAT=?", "EXPOSURE=\(random.below(9))", "EXPOSURE=1e-3 ",
      "COLORCORR= 1 2 \(random.below(5))", "PRIMARIES= 0.68 0.32 0.265 0.69 0.15 0.06 0.3127 0.329",
      "PRIMARIES=1 2 3 4 5 6 7 8", "GAMMA=2.2", "PIXASPECT=2", "# comment", "pfilt -1\r", "VIEW=-vtv",
    ]
    for _ in 0..<random.below(5) { text += random.pick(lines) + "\n" }
    let width = random.one(in: 3) ? 1 + random.below(7) : 8 + random.below(60), height = 1 + random.below(6)
    let x = random.pick(["+X", "-X"]), y = random.pick(["-Y", "+Y"])
    let isTurned = random.one(in: 3)
    text += "\n" + (isTurned ? "\(x) \(height) \(y) \(width)" : "\(y) \(height) \(x) \(width)") + "\n"
    var file = Array(text.utf8)
    for _ in 0..<height { file += line(width, &random) }
    if random.one(in: 6) { file = Array(file.prefix(random.below(file.count + 1))) }
    file.append(UInt8(random.below(256)))
    return Array(file.prefix(maxSize))
  }

  private static func line(_ width: Int, _ random: inout Random) -> [UInt8] {
    func byte() -> UInt8 { UInt8(random.below(256)) }
    guard width >= 8, !random.one(in: 3) else {
      var line: [UInt8] = [], x = 0
      while x < width {
        if x > 0, random.one(in: 3) {
          let count = random.one(in: 12) ? 255 : random.below(width - x + 1)
          line += [1, 1, 1, UInt8(count)]
          x += count
        } else {
          line += [byte(), byte(), byte(), byte()]
          x += 1
        }
      }
      return line
    }
    var line: [UInt8] = [2, 2, 0, UInt8(width)]
    for _ in 0..<4 {
      var x = 0
      while x < width {
        let count = 1 + random.below(random.one(in: 24) ? 127 : width - x)
        line += random.one(in: 2) ? [UInt8(128 + count), byte()] : [UInt8(count)] + (0..<count).map { _ in byte() }
        x += count
      }
    }
    return line
  }
}

/// PFM files: headers in every shape, and samples that suffice or nearly so.
enum PFMGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    if random.one(in: 8) { return [Target.mark] + (0..<24).map { _ in UInt8(random.below(256)) } }
    let word = random.pick(["PF", "Pf", "PF4", "PH", "Ph", "PH4", "PFM"])
    let channels = word.hasSuffix("4") ? 4 : word.hasSuffix("f") || word == "Ph" ? 1 : 3
    let size = word.hasPrefix("PH") || word == "Ph" ? 2 : 4
    let width = random.below(9), height = random.below(9), blanks = [" ", "\n", "\t", "\r\n", "  "]
    let scale = random.pick(["-1.0", "1", "-2.5", "0", "nan", "1e-3", ""])
    let parts = [word, "\(width)", "\(random.one(in: 12) ? random.number() : height)", scale]
    var file = Array(parts.map { $0 + random.pick(blanks) }.joined().utf8)
    let count = width * height * channels * size + random.pick([0, 0, 0, -1, 1])
    file += (0..<max(0, count)).map { index in
      random.one(in: 6) ? UInt8(random.pick([0, 0x7F, 0x80, 0xFF])) : UInt8(random.below(256))
    }
    return Array(file.prefix(maxSize))
  }
}

/// DPX and Cineon files: headers with likely and unlikely numbers, and samples that suffice or nearly so.
enum DPXGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    if random.one(in: 8) { return [Target.mark] + (0..<40).map { _ in UInt8(random.below(256)) } }
    let isLittle = random.one(in: 2), width = 1 + random.below(12), height = 1 + random.below(8)
    var file = [UInt8](repeating: random.one(in: 2) ? 0 : 0xFF, count: 2048)
    func put(_ value: Int, _ at: Int, _ count: Int) {
      for index in 0..<count {
        file[at + index] = UInt8(truncatingIfNeeded: value >> (8 * (isLittle ? index : count - 1 - index)))
      }
    }
    func odd(_ value: Int) -> Int { random.one(in: 24) ? random.number() : value }
    file.replaceSubrange(0..<4, with: (isLittle ? "XPDS" : "SDPX").utf8)
    put(odd(2048), 4, 4)
    put(odd(random.below(9)), 768, 2)
    put(odd(random.one(in: 4) ? 2 : 1), 770, 2)
    put(odd(width), 772, 4)
    put(odd(height), 776, 4)
    let bits = random.pick([8, 10, 10, 12, 16, 32]), descriptor = random.pick([50, 50, 51, 52, 6, 100])
    for element in [780, 852] {
      for (offset, value) in [
        (0, 0), (4, random.pick([0, 64, 16, 0xFFFF_FFFF])), (12, random.pick([1023, 940, 235, 0, 0xFFFF_FFFF])),
        (16, random.pick([0x3F80_0000, 0x4000_0000, 0x7FC0_0000])), (28, random.pick([2048, 0, 0xFFFF_FFFF])),
        (32, random.pick([0, 0, 4, 0xFFFF_FFFF])),
      ] { put(odd(value), element + offset, 4) }
      for (offset, value) in [(20, descriptor), (21, random.below(16)), (22, random.below(11)), (23, bits)] {
        put(odd(value), element + offset, 1)
      }
      put(odd(random.below(3)), element + 24, 2)
      put(odd(0), element + 26, 2)
    }
    let row = (width * 4 * 2 + 8) * (random.one(in: 6) ? 0 : 1)
    file += (0..<row * height).map { _ in UInt8(random.below(256)) }
    return Array(file.prefix(maxSize))
  }

  @Sendable static func mutateCineon(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    let isLittle = random.one(in: 3), width = 1 + random.below(12), height = 1 + random.below(8)
    var file = [UInt8](repeating: 0, count: 1024)
    func put(_ value: Int, _ at: Int) {
      for index in 0..<4 { file[at + index] = UInt8(truncatingIfNeeded: value >> (8 * (isLittle ? index : 3 - index))) }
    }
    func odd(_ value: Int) -> Int { random.one(in: 24) ? random.number() : value }
    let magic: [UInt8] = [0x80, 0x2A, 0x5F, 0xD7]
    file.replaceSubrange(0..<4, with: isLittle ? magic.reversed() : magic)
    put(odd(1024), 4)
    file[192] = UInt8(random.below(9))
    file[193] = random.pick([3, 3, 1, 2])
    for channel in 0..<3 {
      file[198 + 28 * channel] = random.one(in: 24) ? 8 : 10
      put(odd(width), 200 + 28 * channel)
      put(odd(height), 204 + 28 * channel)
    }
    file[681] = random.one(in: 12) ? 1 : 5
    put(random.pick([0, 0, 4, 0xFFFF_FFFF]), 684)
    file += (0..<(4 * width + 4) * height - random.below(2)).map { _ in UInt8(random.below(256)) }
    return Array(file.prefix(maxSize))
  }
}

/// PNM, BMP and QOI files.
enum SimpleGrammar {
  @Sendable static func pnm(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    let isGrey = random.one(in: 2), width = random.below(9), height = random.below(9)
    let largest = random.pick([1, 7, 100, 255, 256, 1000, 1023, 4095, 65_535, 70_000])
    var text = isGrey ? "P5" : "P6"
    for number in [width, height, largest] {
      text += random.pick([" ", "\n", "\t", " # a\n", "#\r"]) + "\(random.one(in: 16) ? random.number() : number)"
    }
    var file = Array((text + "\n").utf8)
    let count = width * height * (isGrey ? 1 : 3) + random.pick([0, 0, 0, -1, 1])
    for _ in 0..<max(0, count) {
      let code = random.below(random.one(in: 64) ? 65_536 : largest + 1)
      file += largest > 255 ? [UInt8(code >> 8 & 255), UInt8(code & 255)] : [UInt8(code & 255)]
    }
    return Array(file.prefix(maxSize))
  }

  @Sendable static func bmp(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    func u32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func odd(_ value: Int) -> Int { random.one(in: 24) ? random.number() : value }
    let size = random.pick([40, 40, 52, 56, 108, 124, 124, 12]), depth = random.pick([24, 32, 16, 8])
    let compression = depth == 24 ? 0 : random.pick([0, 3, 3, 6, 1, 4]), width = 1 + random.below(9)
    let height = random.pick([1, -1]) * (1 + random.below(7))
    var file = Array("BM".utf8) + u32(0) + u32(0) + u32(odd(14 + max(size, 56) + 16)) + u32(odd(size)) + u32(odd(width))
    file += u32(odd(height)) + [1, 0, UInt8(depth), 0] + u32(odd(compression)) + [UInt8](repeating: 0, count: 20)
    let masks = random.pick([
      [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000], [0xF800, 0x7E0, 0x1F, 0], [0x3FF, 0xFFC00, 0x3FF0_0000, 0xC000_0000],
      [0, 0xFF, 0xFF, 0],
    ])
    file += masks.flatMap(u32) + Array(random.pick(["BGRs", " niW", "DEBM", "KNIL"]).utf8)
    file += [UInt8](repeating: 0, count: 52) + u32(odd(140)) + u32(odd(random.below(300)))
    file += (0..<((width * 4 + 4) * 8 + 80 - random.below(100))).map { _ in UInt8(random.below(256)) }
    return Array(file.prefix(maxSize))
  }

  @Sendable static func qoi(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return blindly(bytes, maxSize: maxSize) }
    func u32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let width = 1 + random.below(20), height = 1 + random.below(9)
    var file = Array("qoif".utf8) + u32(random.one(in: 24) ? random.number() : width) + u32(height)
    file += [random.pick([3, 4, 4, 5]), random.pick([0, 0, 1, 2])]
    while file.count < 22 + width * height * (random.one(in: 200) ? 0 : 3) {
      switch random.below(6) {
      case 0: file += [0xFE] + (0..<3).map { _ in UInt8(random.below(256)) }
      case 1: file += [0xFF] + (0..<4).map { _ in UInt8(random.below(256)) }
      case 2: file.append(UInt8(random.below(64)))
      case 3: file.append(UInt8(0x40 + random.below(64)))
      case 4: file += [UInt8(0x80 + random.below(64)), UInt8(random.below(256))]
      default: file.append(UInt8(0xC0 + random.below(62)))
      }
    }
    return Array(file.prefix(maxSize))
  }
}
