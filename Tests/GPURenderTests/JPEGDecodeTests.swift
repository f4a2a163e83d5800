import Foundation
import GPURender
import HDRCore
import ImageFiles
import Kernels
import SPIRVExecutor
import TestFiles
import TestSupport
import Testing

/// Samples of JPEGs by the twin, by kernels in the executor and by kernels on devices: those of libjpeg-turbo.
@Suite struct JPEGDecodeTests {
  /// All combinations of small sizes and layouts, with restarts, own codes, many coefficients and few, and quantisers
  /// from those of encoders to the largest.
  static let small: [BaselineJPEG] = {
    let sizes = [(1, 1), (7, 9), (8, 8), (16, 16), (17, 15), (33, 40), (64, 31), (127, 66)]
    let quantisers: [[UInt16]] = [[1], [16, 11, 10, 99], [255], [257, 65_535, 4096, 3, 32_768], [2]]
    var cases: [BaselineJPEG] = []
    for (width, height) in sizes {
      for chroma in [ChromaSubsampling.none, .s444, .s422, .s440, .s420, .s411] {
        for restarts in [0, 0, 1, 3, 7] {
          let number = cases.count
          var one = BaselineJPEG(width: width, height: height, chroma: chroma)
          one.seed = UInt64(number)
          one.restartInterval = restarts
          one.hasOwnCodes = number % 2 == 0
          one.density = [0.02, 0.15, 0.35][number % 3]
          one.largestBits = [3, 6, 10][number / 2 % 3]
          one.quantisers = quantisers[number / 3 % quantisers.count]
          cases.append(one)
        }
      }
    }
    return cases
  }()

  /// Pictures of more than one group of chunks.
  static let large: [BaselineJPEG] = [(ChromaSubsampling.s420, 0), (.s444, 50), (.none, 0)].map { chroma, restarts in
    var one = BaselineJPEG(width: 331, height: 257, chroma: chroma)
    one.restartInterval = restarts
    one.density = 0.4
    return one
  }

  static func scan(_ bytes: [UInt8]) throws -> JPEGDecoding { JPEGDecoding(try JPEGDecoder.scan(bytes)) }

  /// Returns the number of samples of the library's that a picture has not.
  static func differing(_ made: SampleImage, _ expected: SampleImage) -> Int {
    guard made.width == expected.width, made.height == expected.height, made.chroma == expected.chroma,
      made.model == expected.model, made.siting == expected.siting, made.channels.count == expected.channels.count
    else { return .max }
    return zip(made.channels, expected.channels).reduce(0) { sum, planes in
      let (a, b) = planes
      return (0..<b.height).reduce(sum) { sum, y in
        let left = (a.buffer.base + a.offset + y * a.rowBytes).assumingMemoryBound(to: UInt8.self)
        let right = (b.buffer.base + b.offset + y * b.rowBytes).assumingMemoryBound(to: UInt8.self)
        // Nearly all rows are the same, and loops here are not optimised.
        if memcmp(left, right, b.width) == 0 { return sum }
        return (0..<b.width).reduce(sum) { left[$1] == right[$1] ? $0 : $0 + 1 }
      }
    }
  }

  @Test func theTwinMakesTheSamplesOfTheLibrary() throws {
    #expect(Self.small.count >= 240)
    for one in Self.small + Self.large {
      let bytes = one.file, made = JPEGScanDecoder(try Self.scan(bytes)).decode()
      #expect(made.flags.isEmpty, "\(one)")
      #expect(Self.differing(made.image, try decodeImage(bytes).image) == 0, "\(one)")
    }
  }

  @Test func kernelsMakeTheSamplesOfTheLibrary() throws {
    for (name, variant) in SPIRVRendererTests.variants {
      let renderer = try SPIRVRenderer(variant: variant)
      for (number, one) in (Self.small + Self.large).enumerated() where number % 7 == 0 || number >= Self.small.count {
        let bytes = one.file, made = try renderer.decodeJPEG(try Self.scan(bytes))
        #expect(made.flags.isEmpty, "\(one), \(name)")
        #expect(Self.differing(made.image, try decodeImage(bytes).image) == 0, "\(one), \(name)")
      }
    }
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func aDeviceMakesTheSamplesOfTheLibrary() throws {
    let renderer = try #require(Lavapipe.renderer)
    for one in Self.small + Self.large {
      let bytes = one.file, made = try renderer.decodeJPEG(try Self.scan(bytes))
      #expect(made.flags.isEmpty, "\(one)")
      #expect(Self.differing(made.image, try decodeImage(bytes).image) == 0, "\(one)")
    }
  }

  /// Flips bits of a file, most of them behind its header.
  static func mutated(_ file: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = file
    for _ in 0...random.next() % 3 {
      let first = random.next() % 8 == 0 ? 2 : file.count / 2
      bytes[first + Int(random.next() % UInt64(file.count - first))] ^= 1 << UInt8(random.next() & 7)
    }
    return bytes
  }

  @Test("of a damaged stream nothing differs that is not flagged, and kernels flag what the twin flags")
  func damageIsFlagged() throws {
    var random = SplitMix64(seed: 37), flagged = 0, same = 0
    let renderer = try SPIRVRenderer()
    for one in Self.small where one.width > 16 {
      let file = one.file
      for turn in 0..<12 {
        let bytes = Self.mutated(file, &random)
        guard let scan = try? Self.scan(bytes) else { continue }
        let made = JPEGScanDecoder(scan).decode()
        if turn == 0 {
          let kernels = try renderer.decodeJPEG(scan)
          #expect(kernels.differing(from: made) == 0, "\(one)")
        }
        if !made.flags.isEmpty {
          flagged += 1
          continue
        }
        let expected = try #require(try? decodeImage(bytes), "the library refuses what is not flagged: \(one)")
        #expect(expected.warnings.isEmpty && Self.differing(made.image, expected.image) == 0, "\(one)")
        same += 1
      }
    }
    #expect(flagged > 100 && same > 100)
  }

  @Test(
    "the twin makes the samples of all pictures of the shared data",
    .enabled(if: SharedData.hasImages, "skipped: no data"))
  func theTwinDecodesTheSharedData() throws {
    let folder = try #require(SharedData.url("data"))
    var streams = 0, refused: [String: Int] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".jpg") {
      guard !path.contains("malformed"), let bytes = SharedData.bytes("data/" + path) else { continue }
      let scan: JPEGDecoding
      do {
        scan = try Self.scan(bytes)
      } catch {
        refused["\(error)", default: 0] += 1
        continue
      }
      guard let expected = try? decodeImage(bytes) else { continue }
      let made = JPEGScanDecoder(scan).decode()
      #expect(made.flags.isEmpty && Self.differing(made.image, expected.image) == 0, "\(path)")
      streams += 1
    }
    print("JPEGs of the shared data: kernels decode \(streams), the library the others: \(refused)")
    #expect(streams > 20)
  }
}
