import HDRCore
import HDRPlan
import Kernels

/// Kernels measure this of the pixels that a plan's last pass makes. All results are integers, so that they depend
/// neither on the order of pixels nor on bands.
package enum Measurement: Sendable, Hashable {
  /// R G B x of 8 bits (`SinkKind.rgba8`) give the largest code, and the number of pixels with the code 255.
  case codes
  /// R' G' B' A of 16 bits (`SinkKind.rgba16`) give the largest PQ code, the number of pixels with one from `bound` on,
  /// and the sum of the light of the pixels' largest codes (`PQCodeLight`).
  case pq(bound: Int)
  /// Planes Y', Cb, Cr (`SinkKind.planarYCC`) give the same as `pq`.
  case planarPQ(bound: Int, CodeConversion)
  /// Planes of binary32 (`SinkKind.floatPlanes`) give the largest and the least value of each of the first planes, and
  /// the number of pixels with one from `bound` on.
  case planes(Int, bound: Float)
  /// R G B A halves (`SinkKind.rgba16f`) that stay on the device give the word of the largest of R, G and B, at least
  /// 0, and the number of pixels with one from the word `bound` on. NaN counts as 0.
  case halves(bound: Int)
  /// Light of R G B A halves that stay on the device is summed up: the word of the largest of R, G and B, the number of
  /// pixels with one below -1/64, and the sum of the pixels' largest light (`LightFigures`).
  case light
  /// Pixels of such halves are counted by five bits of their largest word, from bit `shift` on, for each of the 32 values
  /// that follow the digits `prefix`.
  case digits(shift: Int, prefix: Int)

  var kernel: BandKernel {
    switch self {
    case .codes: .measureCodes
    case .pq: .measurePQ
    case .planarPQ: .measurePlanarPQ
    case .planes: .measurePlanes
    case .halves: .measureHalves
    case .light: .measureLight
    case .digits: .measureDigits
    }
  }

  /// The name of its kernel.
  package var kernelName: String { kernel.rawValue }

  /// True if it is measured of what a sink makes.
  func suits(_ sink: Sink) -> Bool {
    switch self {
    case .codes: sink.kind == .rgba8
    case .pq: sink.kind == .rgba16
    case .planarPQ: sink.kind == .planarYCC
    case .planes(let count, _): sink.kind == .floatPlanes && (1...min(3, sink.channels)).contains(count)
    case .halves, .light, .digits: sink.kind == .rgba16f && !sink.isPlanar
    }
  }

  /// True if only pixels that do not come back are measured so: halves come back as an image.
  package var staysOnDevice: Bool {
    switch self {
    case .halves, .light, .digits: true
    case .codes, .pq, .planarPQ, .planes: false
    }
  }

  /// The numbers that are counted of each part apart.
  fileprivate var digits: Int { if case .digits = self { 32 } else { 0 } }

  /// The words of a part that are extremes, and those after them.
  fileprivate var extremes: Int {
    switch self {
    case .planes(let count, _): 2 * count
    case .digits: 0
    case .codes, .pq, .planarPQ, .halves, .light: 1
    }
  }
  fileprivate var sums: Int {
    switch self {
    case .codes, .planes, .halves: 1
    case .pq, .planarPQ, .light: 3
    case .digits: digits
    }
  }
}

/// The sums hold all that was measured of a band or a picture.
package struct PixelSums: Sendable, Hashable {
  /// The largest words: codes, or numbers as `ordered` makes words of them, of each plane with the inverse of the least.
  package private(set) var extremes: [UInt32]
  /// The number of pixels at the bound.
  package private(set) var atBound = 0
  /// The light of the pixels' largest codes in units of `PQCodeLight`, or of their largest halves in those of `LightFigures`; 0
  /// if it is not measured.
  package private(set) var light: UInt64 = 0
  /// The number of pixels with each digit; empty if they are not counted.
  package private(set) var digits: [Int]

  package init(_ measurement: Measurement) {
    extremes = Array(repeating: 0, count: measurement.extremes)
    digits = Array(repeating: 0, count: measurement.digits)
  }

  package mutating func merge(_ other: PixelSums) {
    for index in extremes.indices { extremes[index] = max(extremes[index], other.extremes[index]) }
    for digit in digits.indices { digits[digit] += other.digits[digit] }
    atBound += other.atBound
    add(light: other.light)
  }

  /// Adds light. Of a pixel's codes it is less than 2^32, so the sums of 2^32 pixels fit; what a broken device says may not, and
  /// becomes the largest sum, which `BandSums` refuses. Of halves it is less than 2^40.
  private mutating func add(light more: UInt64) {
    let (sum, isTooLarge) = light.addingReportingOverflow(more)
    light = isTooLarge ? .max : sum
  }

  /// Adds the words of a part: extremes, the number at the bound, and low and high word of light if it is measured.
  fileprivate mutating func add(_ words: Slice<UnsafeBufferPointer<UInt32>>) {
    for (index, word) in words.prefix(extremes.count).enumerated() { extremes[index] = max(extremes[index], word) }
    if !digits.isEmpty {
      for (digit, word) in words.enumerated() { digits[digit] += Int(word) }
      return
    }
    let rest = words.dropFirst(extremes.count).map { UInt64($0) }
    atBound += Int(rest[0])
    if rest.count > 1 { add(light: rest[1] | rest[2] << 32) }
  }

  /// The sums as bytes, for comparison.
  package var bytes: [UInt8] {
    let words = extremes.map { UInt64($0) } + digits.map { UInt64($0) } + [UInt64(atBound), light]
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// The largest value of a plane.
  package func largest(_ plane: Int) -> Float { Self.value(extremes[2 * plane]) }
  /// The least value of a plane.
  package func least(_ plane: Int) -> Float { Self.value(~extremes[2 * plane + 1]) }
  /// The mean light of so many pixels, cd/m²; `PQCodeLight.error` is what it may lack.
  package func meanLight(pixels: Int) -> Double {
    Double(light) / PQCodeLight.unit / Double(max(1, pixels))
  }

  /// Returns a number as a word: words are in the order of their numbers. Zeros of both signs are one.
  static func ordered(_ value: Float) -> UInt32 {
    let word = (value + 0).bitPattern
    return word < 0x8000_0000 ? word | 0x8000_0000 : ~word
  }

  private static func value(_ word: UInt32) -> Float {
    Float(bitPattern: word < 0x8000_0000 ? ~word : word & 0x7fff_ffff)
  }
}

/// The light of PQ codes of 16 bits as kernels add it up: linear between nodes at every 16th code, in whole units.
package enum PQCodeLight {
  /// Units in 1 cd/m².
  static let unit = 0x1p18
  /// The most by which the light of a pixel differs from the CPU's, cd/m²: nodes are half a unit off, and less than a unit
  /// is cut off between them.
  package static let error = 0x1p-17
  /// The nodes; the last lies beyond the last code and makes that code exact.
  static let nodes: [UInt32] = {
    var light = (0..<4096).map { Transfer.pqEOTF(Double(16 * $0) / 65_535) }
    light.append(light[4095] + (Transfer.pqEOTF(1) - light[4095]) * 16 / 15)
    return light.map { UInt32(($0 * unit).rounded()) }
  }()
  /// The words of the nodes, which go up with each band.
  fileprivate static let words = PixelBuffer(words: nodes)

  static func units(_ code: Int) -> UInt32 {
    let node = nodes[code >> 4]
    return node + ((nodes[code >> 4 + 1] - node) * UInt32(code & 15)) >> 4
  }
}

extension PixelBuffer {
  convenience init(words: [UInt32]) {
    self.init(byteCount: 4 * words.count)
    words.withUnsafeBytes { base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }
}

// MARK: - Bands

/// The place of what was measured in a band's output.
package struct BandSums: Sendable {
  let measurement: Measurement
  /// Pixels, and the parts of them that are measured apart.
  let size: (width: Int, height: Int)
  let parts: (columns: Int, rows: Int)
  /// The bytes of the output.
  let bytes: Range<Int>

  /// The most parts: as many as keep a large device busy.
  private static let mostParts = 8192
  /// The pixels of a part, where a picture has so many: of those whose digits are counted more, as their words are many.
  private static let pixelsOfPart = (sums: 128, digits: 8192)

  init(_ measurement: Measurement, width: Int, height: Int, at offset: Int) {
    self.measurement = measurement
    size = (width, height)
    let columns = min(width, 256), words = measurement.extremes + measurement.sums
    let pixels = measurement.digits == 0 ? Self.pixelsOfPart.sums : Self.pixelsOfPart.digits
    let rows = max(1, width * height / (pixels * columns))
    parts = (columns, min(height, rows, Self.mostParts / columns))
    bytes = offset..<offset + 4 * words * parts.columns * parts.rows
  }

  /// Reads the sums; `nil` if their numbers are impossible: a device may fail.
  func sums(_ output: UnsafeRawPointer) -> PixelSums? {
    let words = UnsafeRawBufferPointer(start: output + bytes.lowerBound, count: bytes.count).bindMemory(to: UInt32.self)
    let count = words.count / (parts.columns * parts.rows)
    var sums = PixelSums(measurement)
    for first in stride(from: 0, to: words.count, by: count) { sums.add(words[first..<first + count]) }
    let mostCode: UInt32 =
      switch measurement {
      case .codes: 255
      case .pq, .planarPQ: 65_535
      case .planes: .max
      // Infinity.
      case .halves, .light: 0x7c00
      case .digits: 0
      }
    let pixels = size.width * size.height
    // The light of a pixel's code is a word, that of a half has 40 bits. Extremes of planes are in their order, and 0 in none: nothing has written it.
    var isOrdered = true
    if case .planes(let count, _) = measurement {
      isOrdered = (0..<count).allSatisfy {
        sums.extremes[2 * $0] != 0 && sums.extremes[2 * $0 + 1] != 0
          && ~sums.extremes[2 * $0 + 1] <= sums.extremes[2 * $0]
      }
    }
    let mostLight = measurement == .light ? 0x1p40 : 0x1p32
    let isPossible =
      isOrdered && sums.extremes.first ?? 0 <= mostCode && sums.atBound <= pixels
      && Double(sums.light) <= Double(pixels) * mostLight && sums.digits.reduce(0, +) <= pixels
    return isPossible ? sums : nil
  }
}

extension BandBuild {
  /// Adds the dispatch that measures a band's pixels.
  ///
  /// - Parameters:
  ///   - pixels: rows of the last pass's output; of halves an image.
  ///   - planes: their planes, places from the start of `pixels`.
  mutating func measure(_ pixels: Region, _ sums: BandSums, planes: [BandPlane], chroma: ChromaSubsampling)
    throws(GPUError)
  {
    var words = [sums.parts.columns, sums.parts.rows, sums.size.width, sums.size.height].map { UInt32($0) }
    var sources = [pixels]
    switch sums.measurement {
    case .codes, .light: break
    case .halves(let bound): words.append(UInt32(bound))
    case .digits(let shift, let prefix): words += [UInt32(shift), UInt32(prefix)]
    case .pq(let bound):
      words.append(UInt32(bound))
      sources.append(add(PQCodeLight.words))
    case .planarPQ(let bound, let c):
      words += [bound, planes[0].rowBytes, planes[1].rowBytes, planes[1].offset, planes[2].offset].map { UInt32($0) }
      words += [UInt32(chroma.horizontalShift), UInt32(chroma.verticalShift)]
      words += [c.lumaScale, c.lumaOffset, c.chromaOffset, c.crToRed, c.cbToGreen, c.crToGreen, c.cbToBlue].map(
        \.bitPattern)
      sources.append(add(PQCodeLight.words))
    case .planes(let count, let bound):
      let apart = count > 1 ? planes[1].offset / 4 : 0
      words += [PixelSums.ordered(bound), UInt32(planes[0].rowBytes / 4), UInt32(count), UInt32(apart)]
    }
    try follow(
      sums.measurement.kernel, words, columns: sums.parts.columns, rows: sums.parts.rows, sources,
      .output(offset: sums.bytes.lowerBound, bytes: sums.bytes.count))
  }
}

// MARK: - Twin

extension Measurement {
  /// Returns the sums that kernels must make of a picture in its sink's layout.
  package func sums(of image: SampleImage) -> PixelSums {
    var sums = PixelSums(self)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let words = words(of: image, x, y)
        words.withUnsafeBufferPointer { sums.add($0[...]) }
      }
    }
    return sums
  }

  /// Returns the words of one pixel: extremes, then numbers.
  private func words(of image: SampleImage, _ x: Int, _ y: Int) -> [UInt32] {
    func place(_ channel: Int, _ x: Int, _ y: Int) -> UnsafeRawPointer {
      let plane = image.channels[channel]
      return UnsafeRawPointer(plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes)
    }
    func halves() -> [Int] { (0..<3).map { Int(place($0, x, y).load(as: UInt16.self)) } }
    /// Returns the word of the largest half, at least 0.
    func largest() -> Int { halves().reduce(0) { max($0, $1 > LightFigures.infinity ? 0 : $1) } }
    func light(_ code: Int, _ bound: Int) -> [UInt32] {
      [UInt32(code), code >= bound ? 1 : 0, PQCodeLight.units(code), 0]
    }
    switch self {
    case .codes:
      let most = (0..<3).reduce(0) { max($0, place($1, x, y).load(as: UInt8.self)) }
      return [UInt32(most), most == 255 ? 1 : 0]
    case .halves(let bound):
      let most = largest()
      return [UInt32(most), most >= bound ? 1 : 0]
    case .light:
      let word = largest(), light = LightFigures.units(word)
      let isOutside = halves().contains { $0 > 0xa400 }
      return [UInt32(word), isOutside ? 1 : 0, UInt32(truncatingIfNeeded: light), UInt32(light >> 32)]
    case .digits(let shift, let prefix):
      let word = largest() >> shift
      return (0..<32).map { word >> 5 == prefix && word & 31 == $0 ? 1 : 0 }
    case .pq(let bound):
      return light(Int((0..<3).reduce(0) { max($0, place($1, x, y).load(as: UInt16.self)) }), bound)
    case .planarPQ(let bound, let c):
      let columns = x >> image.chroma.horizontalShift, rows = y >> image.chroma.verticalShift
      let luma = (Float(place(0, x, y).load(as: UInt16.self)) - c.lumaOffset) * c.lumaScale
      let cb = Float(place(1, columns, rows).load(as: UInt16.self)) - c.chromaOffset
      let cr = Float(place(2, columns, rows).load(as: UInt16.self)) - c.chromaOffset
      let green = (luma + cb * c.cbToGreen) + cr * c.crToGreen
      let most = max(luma + cr * c.crToRed, green, luma + cb * c.cbToBlue)
      return light(Int(min(max(most, 0), 65_535).rounded(.toNearestOrEven)), bound)
    case .planes(let count, let bound):
      let values = (0..<count).map { PixelSums.ordered(place($0, x, y).load(as: Float.self)) }
      let isAtBound = values.contains { $0 >= PixelSums.ordered(bound) }
      return values.flatMap { [$0, ~$0] } + [isAtBound ? 1 : 0]
    }
  }
}
