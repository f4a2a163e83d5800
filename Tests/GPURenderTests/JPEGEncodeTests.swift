import CTurboJPEG
import Foundation
import GPURender
import HDRCore
import HDRPlan
import Kernels
import SPIRVExecutor
import TestPlans
import Testing

/// JPEG scans of the twin, of kernels in the executor and of kernels on devices: the bytes of libjpeg-turbo.
@Suite struct JPEGEncodeTests {
  enum Pixels: CaseIterable {
    case noise, gradient, checks, flat
  }

  struct Case: CustomStringConvertible {
    var width: Int
    var height: Int
    var chroma = ChromaSubsampling.s420
    var quality = 90
    var pixels = Pixels.noise
    var isOptimized = false
    var description: String {
      "\(width)x\(height) \(chroma.rawValue) q\(quality) \(pixels)\(isOptimized ? ", own tables" : "")"
    }

    var coding: JPEGCoding {
      JPEGCoding(
        JPEGLayout(width: width, height: height, chroma: chroma), JPEGTables(quality: quality),
        isOptimized: isOptimized)
    }
  }

  static let chromas: [ChromaSubsampling] = [.s420, .s422, .s444]
  static let qualities = [1, 10, 49, 50, 75, 90, 95, 99, 100]

  /// All combinations of small sizes, chroma, quality and pixels, and each size in grey.
  static let small: [Case] = {
    let sizes = [(1, 1), (7, 9), (8, 8), (16, 16), (17, 15), (33, 40), (64, 31), (127, 66)]
    var cases: [Case] = []
    for (index, (width, height)) in sizes.enumerated() {
      cases.append(
        Case(width: width, height: height, chroma: .none, quality: qualities[index], pixels: Pixels.allCases[index % 2])
      )
      for chroma in chromas {
        for (number, quality) in qualities.enumerated() {
          let pixels = Pixels.allCases[(index + number) % Pixels.allCases.count]
          for isOptimized in [false, true] {
            cases.append(
              Case(
                width: width, height: height, chroma: chroma, quality: quality, pixels: pixels,
                isOptimized: isOptimized))
          }
        }
      }
    }
    return cases
  }()

  /// Makes halves that become certain codes of 8 bits.
  static func plan(_ one: Case) -> Plan {
    let image = SampleImage.interleaved(
      width: one.width, height: one.height, channelCount: 4, format: .float16, bitDepth: 16)
    var random = SplitMix64(seed: UInt64(one.width * 31 + one.height))
    for y in 0..<one.height {
      let row = (image.channels[0].buffer.base + y * image.channels[0].rowBytes).assumingMemoryBound(to: UInt16.self)
      for x in 0..<one.width {
        for channel in 0..<4 {
          let code: Int =
            switch one.pixels {
            case .noise: Int(random.next() & 255)
            case .gradient: (x * (channel + 1) + y * 2) & 255
            case .checks: (x / 3 + y / 5 + channel / 2) & 1 * 255
            case .flat: [200, 31, 77, 0][channel]
            }
          row[4 * x + channel] = UInt16(E32.half(Float(code) / 255))
        }
      }
    }
    var words = PlanDataBuilder()
    let stage = words.stage(.loadHalf, LoadHalf.words(image))
    let pass = Pass(
      name: "pixels", sources: [.image(image)], width: one.width, height: one.height, mapping: .identity,
      stages: [stage], sink: words.sink(.rgba8, StoreRGBA8.words(dither: 0)))
    return Plan(passes: [pass], constants: words.constants, tables: words.tables, report: PlanReport())
  }

  /// Returns the scan that libjpeg-turbo makes of the CPU's picture, without EOI, and its tables if they are its own.
  ///
  /// The library reads a variable of the process whenever it encodes: callers are in a process of their own.
  static func expected(_ one: Case, _ picture: SampleImage) throws -> JPEGScan {
    let sampling: [ChromaSubsampling: TJSAMP] = [
      .none: TJSAMP_GRAY, .s420: TJSAMP_420, .s422: TJSAMP_422, .s444: TJSAMP_444,
    ]
    setenv("TJ_OPTIMIZE", one.isOptimized ? "1" : "0", 1)
    let codec = try #require(tjInitCompress())
    defer { tjDestroy(codec) }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let plane = picture.channels[0], isGrey = one.chroma == .none
    let pixels = plane.buffer.base.assumingMemoryBound(to: UInt8.self)
    // Of a grey picture the first channel.
    let grey = (0..<(isGrey ? one.width * one.height : 0)).map {
      pixels[$0 / one.width * plane.rowBytes + $0 % one.width * 4]
    }
    let subsampling = Int32(try #require(sampling[one.chroma]).rawValue)
    let code =
      isGrey
      ? tjCompress2(
        codec, grey, Int32(one.width), 0, Int32(one.height), Int32(TJPF_GRAY.rawValue), &memory, &count, subsampling,
        Int32(one.quality), TJFLAG_ACCURATEDCT)
      : tjCompress2(
        codec, pixels, Int32(one.width), Int32(plane.rowBytes), Int32(one.height), Int32(TJPF_RGBX.rawValue), &memory,
        &count, subsampling, Int32(one.quality), TJFLAG_ACCURATEDCT)
    defer { tjFree(memory) }
    #expect(code == 0)
    let bytes = Array(UnsafeBufferPointer(start: try #require(memory), count: Int(count)))
    var place = 2, codes: [UInt8: JPEGCodes] = [:]
    while bytes[place + 1] != 0xDA {
      let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
      if bytes[place + 1] == 0xC4 {
        codes[bytes[place + 4]] = JPEGCodes(
          counts: Array(bytes[place + 5..<place + 21]), values: Array(bytes[place + 21..<end]))
      }
      place = end
    }
    return JPEGScan(
      Array(bytes[(place + 2 + Int(bytes[place + 3]))...].dropLast(2)), chroma: one.chroma,
      codes: one.isOptimized ? try JPEGCodeTable.allCases.map { try #require(codes[$0.identifier]) } : [])
  }

  /// Compares scans and light with those of the CPU's picture.
  static func compare(
    _ cases: [Case], _ name: String, _ encode: (Plan, JPEGCoding) throws -> EncodedScan
  ) throws {
    for one in cases {
      let plan = Self.plan(one), encoded = try encode(plan, one.coding), picture = renderOnCPU(plan)
      #expect(
        encoded.scan == (try expected(one, picture)) && encoded.light == Measurement.codes.sums(of: picture),
        "\(one), \(name)")
    }
  }

  @Test func theTwinWritesTheBytesOfTheLibrary() async {
    await #expect(processExitsWith: .success) {
      for one in Self.small {
        let picture = renderOnCPU(Self.plan(one)), expected = try Self.expected(one, picture)
        #expect(one.coding.scan(of: picture) == expected, "\(one)")
      }
    }
  }

  @Test("kernels write the bytes of the library, whatever the height of bands", arguments: [1 << 12, 1 << 16, 1 << 24])
  func kernelsWriteTheBytesOfTheLibrary(bandBytes: Int) async {
    await #expect(processExitsWith: .success) { [bandBytes] in
      for (number, (name, variant)) in SPIRVRendererTests.variants.enumerated() {
        let renderer = try SPIRVRenderer(variant: variant, bandBytes: bandBytes)
        // Every case is seen as it is, and by one of the three other variants: all sizes, chroma and qualities by each.
        let cases = Self.small.enumerated().filter { place, _ in
          bandBytes == 1 << 16 ? number == 0 || place % 3 == number - 1 : place % 5 == 0
        }.map(\.element)
        try Self.compare(cases, name) { plan, coding in try renderer.encodeJPEG(plan, coding) }
      }
    }
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func aDeviceWritesTheBytesOfTheLibrary() async {
    await #expect(processExitsWith: .success) {
      let renderer = try #require(Lavapipe.renderer)
      let large = [
        Case(width: 1009, height: 613, pixels: .gradient), Case(width: 640, height: 480, chroma: .s444, quality: 100),
        Case(width: 65_500, height: 17, quality: 75), Case(width: 3, height: 9000, chroma: .s422),
      ]
      let own = large.map {
        var one = $0
        one.isOptimized = true
        return one
      }
      try Self.compare(Self.small + large + own, "lavapipe") { plan, coding in try renderer.encodeJPEG(plan, coding) }
    }
  }

  /// Changes a word of the head of a band that is all 0 but for symbols of DC, one a block.
  @Test("a head with numbers that no working device makes is refused", arguments: [false, true])
  func impossibleHeadsAreRefused(counts: Bool) throws {
    let coding = Case(width: 40, height: 24).coding
    let band = JPEGBand(counts ? coding.counting : coding, rows: 0..<24, alignment: 256, behind: 512)
    let later = band.laterBlocks, sums = (band.sumsOffset - 512) / 4, bits = UInt32(8 * band.byteCount)
    #expect(later == (20, 10))
    func isRead(_ place: Int? = nil, _ word: UInt32 = 0) -> Bool {
      let output = PixelBuffer(byteCount: band.byteCount)
      let words = (output.base + 512).assumingMemoryBound(to: UInt32.self)
      if counts { (words[sums], words[sums + 16]) = (UInt32(later.luma), UInt32(later.chroma)) }
      if let place { words[place] = word }
      return band.head(output.base) != nil
    }
    // DC values of the last blocks, and coefficients of the first: 1024 at most.
    #expect(isRead() && isRead(1, 1024) && isRead(1, UInt32(bitPattern: -1024)) && isRead(4, 1024))
    for place in 1...3 { #expect(!isRead(place, 1025) && !isRead(place, .max << 31)) }
    for place in [4, 4 + 6 * 32 - 1] { #expect(!isRead(place, 1025) && !isRead(place, 0x8000_0000)) }
    if counts {
      // A symbol of DC too few or too many, an end of block too many.
      for (place, all) in [(0, later.luma), (16, later.chroma)] {
        #expect(!isRead(sums + place, UInt32(all - 1)) && !isRead(sums + place + 1, 1) && !isRead(sums + place, .max))
      }
      for (place, all) in [(32, later.luma), (288, later.chroma)] {
        #expect(isRead(sums + place, UInt32(all)) && !isRead(sums + place, UInt32(all + 1)))
      }
    } else {
      // Bits beyond the band's end, a code above 255, more pixels than there are.
      #expect(!isRead(0, bits) && !isRead(0, .max))
      #expect(isRead(sums, 255) && !isRead(sums, 256) && isRead(sums + 1, 960) && !isRead(sums + 1, 961))
    }
  }

  @Test("codes of symbols that are as rare as each other, very rare or alone are those of the library's rules")
  func codesOfFewSymbols() {
    #expect(JPEGCodes(frequencies: [0, 0]) == JPEGCodes(counts: [UInt8](repeating: 0, count: 16), values: []))
    #expect(JPEGCodes(frequencies: [0, 7]) == JPEGCodes(counts: [1] + [UInt8](repeating: 0, count: 15), values: [1]))
    // As rare as powers of two, the longest codes would have 31 bits.
    let deep = JPEGCodes(frequencies: (0..<30).map { 1 << $0 })
    #expect(deep.values == (0..<30).reversed().map { UInt8($0) } && deep.counts.reduce(0) { $0 + Int($1) } == 30)
    let taken = deep.counts.enumerated().reduce(0) { $0 + Int($1.element) << (15 - $1.offset) }
    #expect(taken == 1 << 16 - 1, "all codes but that of ones")
  }
}
