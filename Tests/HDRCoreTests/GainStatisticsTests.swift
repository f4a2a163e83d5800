import HDRCore
import HDRPlan
import Testing

/// Ranges and headrooms measured from pixels.
struct GainStatisticsTests {
  static func plane(_ values: [Float]) -> SampleImage {
    let image = Sink(kind: .floatPlanes, constants: 0, channels: 1).makeImage(width: values.count, height: 1)
    for (x, value) in values.enumerated() {
      image.channels[0].buffer.base.storeBytes(of: value, toByteOffset: 4 * x, as: Float.self)
    }
    return image
  }

  static func statistics(_ values: [Float]) -> GainStatistics {
    var result = GainStatistics(planes: 1, countsBuckets: true)
    result.add(plane(values), rows: 0..<1)
    return result
  }

  @Test("extremes do not depend on the order of parts")
  func merging() {
    let values = (0..<1000).map { Float(($0 * 7919) % 1000) / 100 - 5 }
    var forward = GainStatistics(planes: 1, countsBuckets: true)
    var backward = forward
    for part in [0..<300, 300..<650, 650..<1000] {
      var one = GainStatistics(planes: 1, countsBuckets: true)
      one.add(Self.plane(Array(values[part])), rows: 0..<1)
      forward.merge(one)
    }
    for part in [650..<1000, 0..<300, 300..<650] {
      var one = GainStatistics(planes: 1, countsBuckets: true)
      one.add(Self.plane(Array(values[part])), rows: 0..<1)
      backward.merge(one)
    }
    #expect(forward == backward && forward == Self.statistics(values))
    let range = forward.range(.full, plane: 0)
    #expect(abs(range.min + 5) < 1e-6 && abs(range.max - 4.99) < 1e-6)
  }

  @Test("a speck far away is cut, a dense tail and an ordinary range are not")
  func gaps() {
    let smooth = (0..<10_000).map { Float($0) / 10_000 * 3 - 1 }
    let plain = Self.statistics(smooth).range(.gap, plane: 0)
    #expect(plain.min == -1 && abs(plain.max - 2) < 0.001)
    let speck = Self.statistics(smooth + [15, -12]).range(.gap, plane: 0)
    #expect(abs(speck.max - 2) < 0.011 && abs(speck.min + 1) < 0.011)
    #expect(Self.statistics(smooth + [15, -12]).range(.full, plane: 0).max == 15)
    // More than 0.05 % of the samples are no speck.
    let crowd = Self.statistics(smooth + Array(repeating: 15, count: 20)).range(.gap, plane: 0)
    #expect(abs(crowd.max - 15) < 0.011)
    // A tail without gaps is kept to its end.
    let tail = Self.statistics(smooth + (0..<40).map { Float($0) / 4 }).range(.gap, plane: 0)
    #expect(tail.max > 9.7)
  }

  @Test("gains that make the alternate negative for any base do not stretch the range")
  func outsideGamut() throws {
    // A third of the samples nearly at -offset: a gap is no reason to cut them.
    let values = (0..<3000).map { Float($0) / 1000 } + (0..<1500).map { -5 - Float($0) / 60 }
    func least(_ range: GainRange, base: Headroom) throws -> Double {
      var options = GainMapOptions()
      options.range = range
      let metadata = try #require(
        GainMapMetadata(
          Self.statistics(values), options, base: base, alternate: Headroom(factor: 8), usesBaseColorSpace: true))
      #expect(metadata.max.allSatisfy { abs($0 - 2.999) < 1e-3 })
      return metadata.min[0]
    }
    #expect(abs(try least(.gap, base: .sdr) - -6.0224) < 1e-4)
    #expect(abs(try least(.percentile(0), base: .sdr) - -6.0224) < 1e-4)
    #expect(abs(try least(.gap, base: Headroom(factor: 4)) - -8.0056) < 1e-4)
    #expect(abs(try least(.full, base: .sdr) - -29.983) < 1e-3)
  }

  @Test("percentiles leave the said share behind at either end")
  func percentiles() {
    let values = (0..<10_000).map { Float($0) / 1000 }
    let range = Self.statistics(values).range(.percentile(1), plane: 0)
    #expect(abs(range.min - 0.1) < 0.03 && abs(range.max - 9.9) < 0.03)
    let flat = Self.statistics([0.5, 0.5, 0.5]).range(.full, plane: 0)
    #expect(flat.min == flat.max)
  }

  @Test("headroom is that of the largest component, by percentile or maximum")
  func headroom() {
    let image = SampleImage.interleaved(width: 10_000, height: 1, channelCount: 4, format: .float16, bitDepth: 16)
    let halves = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for x in 0..<10_000 {
      for channel in 0..<4 {
        let light: Float = channel == x % 3 ? 4 : 0.25
        halves[4 * x + channel] = UInt16(truncatingIfNeeded: E32.half(light))
      }
    }
    halves[0] = UInt16(truncatingIfNeeded: E32.half(64))
    halves[5] = UInt16(truncatingIfNeeded: E32.half(-0.5))
    halves[9] = 0x7e00
    var light = LightStatistics()
    light.add(image, rows: 0..<1)
    #expect(light.headroom(.maximum).factor == 64)
    #expect(light.headroom(.percentile(99.99)).factor == 4)
    #expect(light.outsideShare == 1e-4)
    #expect(light.lightLevel?.maxCLL == 12_992.0)
    #expect(LightStatistics().headroom(.maximum).factor == 1)
  }

  @Test("any halves, any width: the same as one pixel after the other")
  func randomHalves() {
    let width = 1003, height = 7
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random: UInt64 = 1, outside = 0, largest: Float = 0
    for pixel in 0..<(width * height) {
      var light: Float = 0, isOutside = false, isBlack = false
      for channel in 0..<4 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let word = UInt16(truncatingIfNeeded: random &>> 40)
        words[4 * pixel + channel] = word
        if channel == 3 { continue }
        let isNaN = word & 0x7fff > 0x7c00, value = E32.float(half: UInt32(word))
        // A positive NaN makes the pixel count as black.
        isBlack = isBlack || (isNaN && word < 0x8000)
        light = isNaN ? light : max(light, value)
        isOutside = isOutside || (!isNaN && value < -1 / 64)
      }
      largest = isBlack ? largest : max(largest, light)
      outside += isOutside ? 1 : 0
    }
    var whole = LightStatistics(), first = LightStatistics(), second = LightStatistics()
    whole.add(image, rows: 0..<height)
    first.add(image, rows: 0..<3)
    second.add(image, rows: 3..<height)
    first.merge(second)
    #expect(whole.outsideShare == Double(outside) / Double(width * height))
    #expect(whole.headroom(.maximum) == Headroom(factor: Double(largest)))
    #expect(first.outsideShare == whole.outsideShare)
    #expect(first.lightLevel == whole.lightLevel)
    #expect(first.headroom(.percentile(99)) == whole.headroom(.percentile(99)))
  }

  @Test("extremes of rows of any length, and zeros of both signs")
  func extremes() {
    for count in [1, 7, 8, 9, 63] {
      var values = (0..<count).map { Float(($0 * 37) % 19) - 6.5 }
      var wide = Self.statistics(values)
      #expect(wide.low[0] == values.min() && wide.high[0] == values.max())
      values = (0..<count).map { $0 % 2 == 0 ? -0.0 : 0 }
      wide = Self.statistics(values)
      #expect(wide.low[0].bitPattern == 0 && wide.high[0].bitPattern == 0)
    }
  }
}
