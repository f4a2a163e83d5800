@testable import FileParts
import CAVCodec
import Glibc
import HDRCore
import HDRPlan
@testable import HDRRender
@testable import ImageFiles
import Kernels

extension Target {
  /// Copies of planes against copies sample by sample: tiles, edges, other layouts, and what a HEVC library shows.
  static let planes = Target("planes", maxLength: 64) { bytes in
    guard let kind = bytes.first else { return }
    var numbers = Numbers(Array(bytes.dropFirst()))
    switch kind % 6 {
    case 0: copyRows(&numbers)
    case 1: padded(&numbers)
    case 2: layouts(&numbers)
    case 3: interleaved(&numbers)
    case 4: hevc(&numbers)
    default: light(&numbers)
    }
  }

  /// Numbers out of an input; 0 after its end.
  private struct Numbers {
    private var rest: ArraySlice<UInt8>
    private(set) var seed: UInt32 = 1
    init(_ bytes: [UInt8]) {
      rest = bytes[...]
      for byte in bytes { seed = seed &* 16_777_619 ^ UInt32(byte) }
    }
    mutating func below(_ bound: Int) -> Int { Int(rest.popFirst() ?? 0) % max(1, bound) }
    mutating func flag() -> Bool { below(2) == 1 }
    mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }
  }

  private static func noisy(_ image: SampleImage, seed: UInt32) -> SampleImage {
    for (index, plane) in (image.channels + (image.alpha.map { [$0] } ?? [])).enumerated() {
      BandMemory.fill(plane.buffer, seed: seed &+ UInt32(index))
      if image.format == .uint16 {
        // Values within their bits; what is beside them stays noise.
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            let place = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
            let value = place.loadUnaligned(as: UInt16.self) & UInt16((1 << image.bitDepth) - 1)
            place.storeBytes(of: value, as: UInt16.self)
          }
        }
      }
    }
    return image
  }

  private static func picture(_ n: inout Numbers) -> SampleImage {
    let isWide = n.flag(), model = n.pick([ColorModel.ycc, .ycc, .grey, .rgb])
    return noisy(
      .planar(
        width: 1 + n.below(70), height: 1 + n.below(40), model: model, format: isWide ? .uint16 : .uint8,
        bitDepth: isWide ? n.pick([10, 8, 12, 16]) : 8,
        chroma: model == .ycc ? n.pick([.s420, .s444, .s422, .s440, .s411]) : .s444), seed: n.seed)
  }

  /// Foreign rows into a plane, at any place, upwards or downwards.
  private static func copyRows(_ n: inout Numbers) {
    let image = picture(&n), plane = image.channels[0], bytes = image.format.bytes
    let width = 1 + n.below(90), height = 1 + n.below(50), x = n.below(80), y = n.below(50)
    let stride = width * bytes + n.below(5), isUpward = n.flag()
    let source = PixelBuffer(byteCount: stride * (height - 1) + width * bytes)
    BandMemory.fill(source, seed: n.seed)
    let first = source.base + (isUpward ? stride * (height - 1) : 0), step = isUpward ? -stride : stride
    let before = (0..<plane.height).map { row in (0..<plane.width).map { plane.sample($0, row, image.format) } }
    plane.copyRows(from: first, stride: step, width: width, height: height, toX: x, y: y)
    for row in 0..<plane.height {
      for column in 0..<plane.width {
        let isCopied = row >= y && row < y + height && column >= x && column < x + width
        let place = first + (row - y) * step + (column - x) * bytes
        let expected =
          isCopied
          ? (bytes == 1 ? UInt16(place.load(as: UInt8.self)) : place.loadUnaligned(as: UInt16.self))
          : before[row][column]
        demand(plane.sample(column, row, image.format) == expected, "a row in the wrong place")
      }
    }
  }

  /// A part that reaches over the edges: the last column and row again and again.
  private static func padded(_ n: inout Numbers) {
    let image = picture(&n), h = image.chroma.horizontalShift, v = image.chroma.verticalShift
    let x = (n.below(image.width) >> h) << h, y = (n.below(image.height) >> v) << v
    let width = (1 + n.below(20)) << h, height = (1 + n.below(20)) << v
    let part = image.padded(x: x, y: y, width: width, height: height)
    for (index, (from, to)) in zip(image.channels, part.channels).enumerated() {
      let h = index == 0 ? 0 : h, v = index == 0 ? 0 : v
      for row in 0..<to.height {
        for column in 0..<to.width {
          let expected = from.sample(
            min((x >> h) + column, from.width - 1), min((y >> v) + row, from.height - 1), image.format)
          demand(to.sample(column, row, image.format) == expected, "another sample in the part")
        }
      }
    }
    _ = try? image.checkForCoding(codec: "fuzz", depths: [8, 10, 12])
  }

  /// Checks one channel of interleaved samples, and words as bytes.
  private static func layouts(_ n: inout Numbers) {
    let isWide = n.flag(), channels = 1 + n.below(4)
    let side = noisy(
      .interleaved(
        width: 1 + n.below(50), height: 1 + n.below(20), channelCount: channels, format: isWide ? .uint16 : .uint8,
        bitDepth: isWide ? 16 : 8), seed: n.seed)
    demandSame(side.channels[0], side.format, side.firstChannel.channels[0], side.format)
    let bits = 1 + n.below(8)
    let words = noisy(
      .planar(
        width: 1 + n.below(50), height: 1 + n.below(20), model: .ycc, format: .uint16, bitDepth: bits,
        chroma: n.pick([.s420, .s444])), seed: n.seed)
    let narrow = words.narrowed(toBits: bits)
    demand(narrow.format == .uint8, "words that stay words")
    for (from, to) in zip(words.channels, narrow.channels) { demandSame(from, .uint16, to, .uint8) }
  }

  private static func demandSame(_ a: SamplePlane, _ first: SampleFormat, _ b: SamplePlane, _ second: SampleFormat) {
    demand(a.width == b.width && a.height == b.height, "a plane of another size")
    for y in 0..<a.height {
      for x in 0..<a.width { demand(a.sample(x, y, first) == b.sample(x, y, second), "another sample") }
    }
  }

  /// Rows that an encoder walks without checks lie in their memory; what does not is refused.
  private static func interleaved(_ n: inout Numbers) {
    let width = n.below(40), height = n.below(20), format = n.pick([SampleFormat.uint8, .uint16])
    let step = 4 * format.bytes, row = width * step + n.below(24) - 8, offset = n.below(16) - 2
    let buffer = PixelBuffer(byteCount: max(0, offset + (height - 1) * row + width * step + n.below(9) - 4))
    let odd = n.below(9)
    var planes = (0..<3).map {
      SamplePlane(
        buffer: buffer, offset: offset + $0 * format.bytes, rowBytes: row, stepBytes: step, width: width,
        height: height)
    }
    if odd == 0 { planes[1].offset += 1 }
    if odd == 1 { planes[2].rowBytes += 4 }
    let image = SampleImage(
      width: width, height: height, model: .rgb, format: format, bitDepth: 8 * format.bytes, channels: planes)
    guard let rows = try? PixelRows(image, format: format, output: "fuzz") else { return }
    var sum = 0
    for y in 0..<rows.height {
      for byte in 0..<rows.width * step { sum &+= Int(rows.row(y).load(fromByteOffset: byte, as: UInt8.self)) }
      for x in 0..<width where format == .uint8 {
        demand(
          UInt16(rows.row(y).load(fromByteOffset: step * x + 1, as: UInt8.self)) == planes[1].sample(x, y, format),
          "another row")
      }
    }
    demand(odd > 1 && sum >= 0, "planes that do not lie side by side")
  }

  // MARK: A HEVC library that says anything

  /// The picture that the library returns next. libFuzzer's targets run on one thread.
  nonisolated(unsafe) private static var shown = hdr_hevc_picture()
  nonisolated(unsafe) private static var code: Int32 = 0
  nonisolated(unsafe) private static let text = UnsafePointer<CChar>(strdup("fuzz")!)

  private static var library: hdr_avcodec {
    hdr_avcodec(
      interface: HDR_AVCODEC_INTERFACE, version: text, open: { _ in UnsafeMutableRawPointer(bitPattern: 64) },
      decode: { _, units, count, picture in
        // All units come after their sizes.
        var at = 0
        while at + 4 <= count { at += 4 + UnsafeBufferPointer(start: units, count: count).number(at, 4) }
        demand(at == count, "units that do not end where they should")
        picture.pointee = Target.shown
        return Target.code
      }, message: { _ in Target.text }, close: { _ in })
  }

  private static func hevc(_ n: inout Numbers) {
    let format = CodedFormat(
      bitDepth: n.pick([8, 10, 12]), chroma: n.pick([.s420, .s444, .s422, .none]), siting: .left, color: .init())
    let width = 1 + n.below(64), height = 1 + n.below(48), bytes = format.bitDepth > 8 ? 2 : 1
    let coded = HEVCCodedPicture(
      parameterSets: [[0x42, 1, 1][...]], units: [[0x26, 1, 0x80, UInt8(n.below(256))][...]], format: format,
      width: width, height: height, place: "fuzz")
    // Most of what it says is right.
    let oddity = n.below(16)
    let shownWidth = oddity == 0 ? n.below(70) : width, shownHeight = oddity == 1 ? n.below(50) : height
    let depth = oddity == 2 ? n.pick([8, 10, 12]) : format.bitDepth
    let idc = [ChromaSubsampling.none: 0, .s420: 1, .s422: 2, .s444: 3][format.chroma] ?? 0
    var planes: [(memory: PixelBuffer, first: UnsafeRawPointer, stride: Int)] = []
    for index in 0..<(format.chroma == .none ? 1 : 3) {
      let h = index == 0 ? 0 : format.chroma.horizontalShift, v = index == 0 ? 0 : format.chroma.verticalShift
      let columns = (shownWidth + (1 << h) - 1) >> h, rows = (shownHeight + (1 << v) - 1) >> v
      let stride = columns * bytes + n.below(7), isUpward = n.flag()
      let memory = PixelBuffer(byteCount: max(0, stride * (rows - 1) + columns * bytes))
      BandMemory.fill(memory, seed: n.seed &+ UInt32(index))
      planes.append(
        (
          memory, UnsafeRawPointer(memory.base + (isUpward && rows > 0 ? stride * (rows - 1) : 0)),
          isUpward ? -stride : stride
        ))
    }
    func plane(_ index: Int) -> UnsafeRawPointer? {
      oddity == 4 && index == planes.count - 1 || index >= planes.count ? nil : planes[index].first
    }
    func stride(_ index: Int) -> Int { index < planes.count ? planes[index].stride : 0 }
    shown = hdr_hevc_picture(
      width: Int32(shownWidth), height: Int32(shownHeight), bit_depth: Int32(depth),
      chroma_format: Int32(oddity == 3 ? n.below(4) : idc), planes: (plane(0), plane(1), plane(2)),
      strides: (stride(0), stride(1), stride(2)))
    code = oddity == 5 ? n.pick([1, -1]) : 0
    let image: SampleImage
    do throws(DecodeError) {
      guard let found = try AVCodecPicture.decode(coded, library) else {
        return demand(code == Int32(HDR_HEVC_UNSUPPORTED), "no picture and no word")
      }
      image = found
    } catch {
      return demand(oddity < 6, "a good picture is refused: \(error)")
    }
    demand(shownWidth == width && shownHeight == height && depth == format.bitDepth, "another picture than was coded")
    withExtendedLifetime(planes) {
      for (target, source) in zip(image.channels, planes) {
        for y in 0..<target.height {
          for x in 0..<target.width {
            let place = source.first + y * source.stride + x * bytes
            let expected = bytes == 1 ? UInt16(place.load(as: UInt8.self)) : place.loadUnaligned(as: UInt16.self)
            demand(target.sample(x, y, image.format) == expected, "another sample than the library's")
          }
        }
      }
    }
  }

  // MARK: Light

  /// The largest light of halves, and of codes.
  private static func light(_ n: inout Numbers) {
    let width = 1 + n.below(40), height = 1 + n.below(20)
    let halves = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    BandMemory.fill(halves.channels[0].buffer, seed: n.seed)
    var statistics = LightStatistics()
    let cut = n.below(height + 1)
    statistics.add(halves, rows: 0..<cut)
    statistics.add(halves, rows: cut..<height)
    var largest: Float = 1
    for y in 0..<height {
      for x in 0..<width {
        let pixel = halves.channels.map { $0.sample(x, y, .uint16) }
        // A pixel with a NaN is black.
        if pixel.contains(where: { (0x7C01...0x7FFF).contains($0) }) { continue }
        for half in pixel where half < 0x8000 { largest = max(largest, E32.float(half: UInt32(half))) }
      }
    }
    let found = statistics.headroom(.maximum).factor
    demand(found.isFinite && found >= 1, "no headroom")
    demand(abs(found / Double(largest) - 1) < 1e-6, "\(found) where the largest is \(largest)")
    _ = (statistics.figures.lightLevel, statistics.figures.outsideShare, statistics.headroom(.percentile(99)))
    let planes = noisy(
      .planar(
        width: width, height: height, model: .ycc, format: .uint16, bitDepth: 10,
        chroma: n.pick([.s420, .s444, .s422])), seed: n.seed)
    for transfer in [16, 18] {
      let level = measureLightLevel(planes, cicp: CICP(9, transfer, 9, full: n.flag()))
      demand(level.map { $0.maxCLL.isFinite && $0.maxFALL <= $0.maxCLL } != false, "light without a bound")
    }
  }
}
