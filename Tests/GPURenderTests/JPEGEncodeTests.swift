import CTurboJPEG
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
    var description: String { "\(width)x\(height) \(chroma.rawValue) q\(quality) \(pixels)" }

    var coding: JPEGCoding {
      JPEGCoding(JPEGLayout(width: width, height: height, chroma: chroma), JPEGTables(quality: quality))
    }
  }

  static let chromas: [ChromaSubsampling] = [.s420, .s422, .s444]
  static let qualities = [1, 10, 49, 50, 75, 90, 95, 99, 100]

  /// All combinations of small sizes, chroma, quality and pixels.
  static let small: [Case] = {
    let sizes = [(1, 1), (7, 9), (8, 8), (16, 16), (17, 15), (33, 40), (64, 31), (127, 66)]
    var cases: [Case] = []
    for (index, (width, height)) in sizes.enumerated() {
      for chroma in chromas {
        for (number, quality) in qualities.enumerated() {
          let pixels = Pixels.allCases[(index + number) % Pixels.allCases.count]
          cases.append(Case(width: width, height: height, chroma: chroma, quality: quality, pixels: pixels))
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

  /// Returns the scan that libjpeg-turbo makes of the CPU's picture, without EOI.
  static func expected(_ one: Case, _ picture: SampleImage) throws -> [UInt8] {
    let sampling: [ChromaSubsampling: TJSAMP] = [.s420: TJSAMP_420, .s422: TJSAMP_422, .s444: TJSAMP_444]
    let codec = try #require(tjInitCompress())
    defer { tjDestroy(codec) }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = tjCompress2(
      codec, picture.channels[0].buffer.base.assumingMemoryBound(to: UInt8.self), Int32(one.width),
      Int32(picture.channels[0].rowBytes), Int32(one.height), Int32(TJPF_RGBX.rawValue), &memory, &count,
      Int32(try #require(sampling[one.chroma]).rawValue), Int32(one.quality), TJFLAG_ACCURATEDCT)
    defer { tjFree(memory) }
    #expect(code == 0)
    let bytes = Array(UnsafeBufferPointer(start: try #require(memory), count: Int(count)))
    var place = 2
    while bytes[place + 1] != 0xDA { place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3]) }
    return Array(bytes[(place + 2 + Int(bytes[place + 3]))...].dropLast(2))
  }

  static func light(_ picture: SampleImage) -> JPEGBand.Light {
    var light = JPEGBand.Light()
    let bytes = UnsafeBufferPointer(
      start: picture.channels[0].buffer.base.assumingMemoryBound(to: UInt8.self),
      count: 4 * picture.width * picture.height)
    for pixel in stride(from: 0, to: bytes.count, by: 4) {
      let most = Int(max(bytes[pixel], bytes[pixel + 1], bytes[pixel + 2]))
      light.largest = max(light.largest, most)
      if most == 255 { light.full += 1 }
    }
    return light
  }

  @Test func theTwinWritesTheBytesOfTheLibrary() throws {
    for one in Self.small {
      let picture = renderOnCPU(Self.plan(one))
      #expect(one.coding.scan(of: picture) == (try Self.expected(one, picture)), "\(one)")
    }
  }

  @Test("kernels write the bytes of the library, whatever the height of bands", arguments: [1 << 12, 1 << 16, 1 << 24])
  func kernelsWriteTheBytesOfTheLibrary(bandBytes: Int) throws {
    for (name, variant) in SPIRVRendererTests.variants {
      let renderer = try SPIRVRenderer(variant: variant, bandBytes: bandBytes)
      for (number, one) in Self.small.enumerated() where bandBytes == 1 << 16 || number % 5 == 0 {
        let plan = Self.plan(one), scan = try renderer.encodeJPEG(plan, one.coding), picture = renderOnCPU(plan)
        #expect(scan.bytes == (try Self.expected(one, picture)) && scan.light == Self.light(picture), "\(one), \(name)")
      }
    }
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func aDeviceWritesTheBytesOfTheLibrary() throws {
    let renderer = try #require(Lavapipe.renderer)
    let large = [
      Case(width: 1009, height: 613, pixels: .gradient), Case(width: 640, height: 480, chroma: .s444, quality: 100),
      Case(width: 65_500, height: 17, quality: 75), Case(width: 3, height: 9000, chroma: .s422),
    ]
    for one in Self.small + large {
      let plan = Self.plan(one), scan = try renderer.encodeJPEG(plan, one.coding), picture = renderOnCPU(plan)
      #expect(scan.bytes == (try Self.expected(one, picture)) && scan.light == Self.light(picture), "\(one)")
    }
  }
}
