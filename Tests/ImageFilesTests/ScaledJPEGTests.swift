import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// JPEG pictures that are decoded smaller: each sample is the mean of those of the whole picture.
@Suite struct ScaledJPEGTests {
  static func limits(base: Int, map: Int = 1) -> DecodeLimits {
    var limits = DecodeLimits()
    limits.reading.scale = DecodeScale(base: base, map: map)
    return limits
  }

  /// Waves of a few pixels, without codes that a decoder would cut.
  static func photo(_ width: Int, _ height: Int, quality: Int) throws -> [UInt8] {
    let image = Writer.rgba(width, height, .uint8)
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<height {
        for x in 0..<width {
          let value = 128 + (x * (index + 1) + y * 2) % 97 - 48
          (plane.buffer.base + plane.offset + y * plane.rowBytes + 4 * x).storeBytes(of: UInt8(value), as: UInt8.self)
        }
      }
    }
    var request = Writer.request(.sdrJPEG, image)
    request.coding.quality = quality
    return try encodeImage(request).main
  }

  /// Returns the largest difference of samples from the means of those that they stand for, of which all exist.
  static func largestError(_ small: SamplePlane, _ whole: SamplePlane, scale: Int) -> Double {
    let a = samples(small), b = samples(whole)
    var worst = 0.0
    for y in 0..<whole.height / scale {
      for x in 0..<whole.width / scale {
        var sum = 0
        for j in 0..<scale { for i in 0..<scale { sum += Int(b[(y * scale + j) * whole.width + x * scale + i]) } }
        worst = max(worst, abs(Double(a[y * small.width + x]) - Double(sum) / Double(scale * scale)))
      }
    }
    return worst
  }

  @Test(arguments: [2, 4, 8], [60, 95])
  func samplesAreMeansOfTheWholePicturesSamples(scale: Int, quality: Int) throws {
    for (width, height) in [(160, 128), (61, 43), (129, 17)] {
      let bytes = try Self.photo(width, height, quality: quality)
      let whole = try decodeImage(bytes), small = try decodeImage(bytes, limits: Self.limits(base: scale))
      #expect(small.image.width == (width + scale - 1) / scale && small.image.height == (height + scale - 1) / scale)
      #expect(small.image.reduction == Reduction(scale: scale, width: width, height: height))
      #expect(small.image.chroma == whole.image.chroma && whole.image.reduction == nil)
      #expect(small.geometry == Geometry(width: small.image.width, height: small.image.height))
      for (few, many) in zip(small.image.channels, whole.image.channels) {
        #expect(few.width == (many.width + scale - 1) / scale && few.height == (many.height + scale - 1) / scale)
        #expect(Self.largestError(few, many, scale: scale) <= 1, "\(width)x\(height)")
      }
    }
  }

  @Test func aHeadHasTheSizesOfThePixels() throws {
    let bytes = try Self.photo(61, 43, quality: 90), limits = Self.limits(base: 4)
    let head = try decodeImage(bytes, request: .metadata, limits: limits).image
    let image = try decodeImage(bytes, limits: limits).image
    #expect((head.width, head.height, head.reduction) == (image.width, image.height, image.reduction))
    #expect(head.codedPixelCount == 61 * 43 && head.pixelCount == 16 * 11)
  }

  /// The library would take another of its factors for them.
  @Test func tinyPicturesStayWhole() throws {
    for bytes in [TinyJPEG.grey, TinyJPEG.color420, TinyJPEG.rgb] {
      let whole = try decodeImage(bytes), small = try decodeImage(bytes, limits: Self.limits(base: 2, map: 2))
      #expect(small.image.reduction == nil)
      #expect(small.image.channels.map(samples) == whole.image.channels.map(samples))
    }
  }

  @Test func theMapHasItsOwnScale() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedData.example("lamps.jpg"))))
    let whole = try decodeImage(bytes), small = try decodeImage(bytes, limits: Self.limits(base: 4, map: 2))
    let (map, few) = (try #require(whole.gainMap).image, try #require(small.gainMap).image)
    #expect(small.image.reduction == Reduction(scale: 4, width: whole.image.width, height: whole.image.height))
    #expect(few.reduction == Reduction(scale: 2, width: map.width, height: map.height))
    #expect(few.width == (map.width + 1) / 2 && few.height == (map.height + 1) / 2)
    #expect(small.gainMap?.metadata == whole.gainMap?.metadata && small.warnings == whole.warnings)
  }
}
