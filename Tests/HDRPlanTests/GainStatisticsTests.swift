import HDRCore
import HDRPlan
import Kernels
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
    let range = forward.ranges(.full, Self.limits(stops: 2))[0]
    #expect(abs(range.lowerBound + 5) < 1e-6 && abs(range.upperBound - 4.99) < 1e-6)
  }

  /// Limits of an SDR base and an HDR rendition of this headroom.
  static func limits(stops: Double, isToneMapped: Bool = true) -> GainLimits {
    GainLimits(GainMapOptions(), base: .sdr, alternate: Headroom(stops: stops), isToneMapped: isToneMapped)
  }

  static func robust(_ values: [Float], stops: Double, isToneMapped: Bool = true) -> ClosedRange<Double> {
    statistics(values).ranges(.robust, limits(stops: stops, isToneMapped: isToneMapped))[0]
  }

  @Test("a range of the headroom and one stop is kept whole, outliers of a wider one are cut")
  func outliers() {
    let smooth = (0..<10_000).map { Float($0) / 10_000 * 3 - 1 }
    #expect(Self.robust(smooth, stops: 2) == -1...Double(smooth.last!))
    let speck = Self.robust(smooth + [15, -12], stops: 2)
    #expect(abs(speck.lowerBound + 1) < 0.03 && abs(speck.upperBound - 2) < 0.011)
    #expect(Self.statistics(smooth + [15, -12]).ranges(.full, Self.limits(stops: 2)) == [-12...15])
  }

  @Test("renditions that were made apart may differ by all that the offsets allow")
  func madeApart() {
    let smooth = (0..<10_000).map { Float($0) / 10_000 * 3 - 1 }
    #expect(Self.robust(smooth + [-5], stops: 2, isToneMapped: false).lowerBound == -5)
    #expect(Self.robust(smooth + [-5], stops: 2).lowerBound > -1.1)
    #expect(Self.robust(smooth + [-5, 8], stops: 2, isToneMapped: false).upperBound < 2.1)
  }

  @Test("gains from 0 to the headroom are no outliers, however few they are")
  func highlights() {
    // One bright window: two samples of a hundred thousand, and one colour that the base has not.
    let dark = (0..<100_000).map { Float($0 % 100) / 1000 }
    let range = Self.robust(dark + [2.9, 3, -6], stops: 3)
    #expect(range.lowerBound == 0 && range.upperBound == 3)
  }

  @Test("what remains wider than the headroom and one stop takes the stop where most samples are")
  func oneStop() {
    // 3 % beyond the possible, as of a channel that is negative in the base's primaries, and 0.5 % half a stop below 0.
    let picture = (0..<9650).map { Float($0) / 9650 * 2 }
    let few = Array(repeating: Float(-9), count: 300) + Array(repeating: Float(-0.5), count: 50)
    let range = Self.robust(picture + few, stops: 2)
    #expect(range.upperBound - range.lowerBound <= 3 && range.contains(-0.5) && range.contains(1.99))
    // 2 % of possible gains are part of the picture.
    let many = Array(repeating: Float(-5), count: 200)
    #expect(Self.robust(picture + many, stops: 2).lowerBound == -5)
  }

  @Test("one channel with outliers makes all channels leave theirs out")
  func channels() throws {
    let smooth = (0..<10_000).map { Float($0) / 10_000 * 2 }
    var statistics = GainStatistics(planes: 3, countsBuckets: true)
    let image = Sink(kind: .floatPlanes, constants: 0, channels: 3).makeImage(width: 10_001, height: 1)
    for (channel, last) in [Float(-5), -0.5, 0.5].enumerated() {
      for (x, value) in (smooth + [last]).enumerated() {
        let plane = image.channels[channel]
        plane.buffer.base.storeBytes(of: value, toByteOffset: plane.offset + 4 * x, as: Float.self)
      }
    }
    statistics.add(image, rows: 0..<1)
    let ranges = statistics.ranges(.robust, Self.limits(stops: 2))
    #expect(ranges.count == 3 && ranges.allSatisfy { $0.lowerBound == 0 && $0.upperBound > 1.98 })
  }

  @Test("counts are taken only where they can change the range")
  func counting() {
    func lacks(_ values: [Float], _ rule: GainRange) -> Bool {
      var statistics = GainStatistics(planes: 1, countsBuckets: false)
      statistics.add(Self.plane(values), rows: 0..<1)
      return statistics.lacksCounts(for: rule, Self.limits(stops: 2))
    }
    #expect(!lacks([-1, 2], .robust) && lacks([-1.1, 2], .robust))
    #expect(!lacks([-9, 9], .full) && lacks([0, 1], .percentile(1)))
  }

  @Test("gains that make the alternate negative for any base do not stretch the range")
  func outsideGamut() throws {
    // A third of the samples nearly at -offset: too many to be outliers.
    let values = (0..<3000).map { Float($0) / 1000 } + (0..<1500).map { -5 - Float($0) / 60 }
    func range(
      _ range: GainRange, base: Headroom, alternate: Headroom = Headroom(factor: 8), sign: Float = 1
    ) throws -> (least: Double, most: Double) {
      var options = GainMapOptions()
      options.range = range
      let metadata = try #require(
        GainMapMetadata(
          Self.statistics(values.map { sign * $0 }), options,
          GainLimits(options, base: base, alternate: alternate, isToneMapped: true), usesBaseColorSpace: true))
      return (metadata.min[0], metadata.max[0])
    }
    #expect(abs(try range(.robust, base: .sdr).least - -6.0224) < 1e-4)
    #expect(abs(try range(.percentile(0), base: .sdr).least - -6.0224) < 1e-4)
    #expect(abs(try range(.robust, base: Headroom(factor: 4)).least - -8.0056) < 1e-4)
    #expect(abs(try range(.full, base: .sdr).least - -29.983) < 1e-3)
    #expect(abs(try range(.robust, base: .sdr).most - 2.999) < 1e-3)
    // Maps store HDR over SDR: with the HDR rendition as the base, a negative alternate is at the other end.
    let inverse = try range(.robust, base: Headroom(factor: 4), alternate: .sdr, sign: -1)
    #expect(abs(inverse.most - 8.0056) < 1e-4 && abs(inverse.least + 2.999) < 1e-3)
  }

  @Test("percentiles leave the said share behind at either end")
  func percentiles() {
    let values = (0..<10_000).map { Float($0) / 1000 }
    let range = Self.statistics(values).ranges(.percentile(1), Self.limits(stops: 2))[0]
    #expect(abs(range.lowerBound - 0.1) < 0.03 && abs(range.upperBound - 9.9) < 0.03)
    let flat = Self.statistics([0.5, 0.5, 0.5]).ranges(.full, Self.limits(stops: 2))[0]
    #expect(flat.lowerBound == flat.upperBound)
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
    #expect(light.figures.outsideShare == 1e-4)
    #expect(light.figures.lightLevel?.maxCLL == 12_992.0)
    #expect(LightStatistics().headroom(.maximum).factor == 1)
  }

  @Test("statistics of any halves in any width are those of one pixel after the other")
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
    #expect(whole.figures.outsideShare == Double(outside) / Double(width * height))
    #expect(whole.headroom(.maximum) == Headroom(factor: Double(largest)))
    #expect(first.figures.outsideShare == whole.figures.outsideShare)
    #expect(first.figures == whole.figures)
    #expect(first.headroom(.percentile(99)) == whole.headroom(.percentile(99)))
  }

  @Test("light adds up in whole units of 2^-24, and infinite light has no mean")
  func unitsOfLight() {
    for pattern in [0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff] {
      #expect(Double(LightFigures.units(pattern)) == Double(E32.float(half: UInt32(pattern))) * 0x1p24)
    }
    func level(_ largest: Int, _ sum: UInt64) -> ContentLightLevel? {
      LightFigures(total: 2, outside: 0, largest: largest, sum: sum).lightLevel
    }
    #expect(level(0, 0) == nil)
    #expect(level(0x3c00, 1 << 24) == ContentLightLevel(maxCLL: 203, maxFALL: 102))
    #expect(level(LightFigures.infinity, 0) == ContentLightLevel(maxCLL: 65_535, maxFALL: 65_535))
    #expect(level(0x7bff, .max)?.maxFALL == 65_535)
  }

  @Test("extremes are found in rows of any length, and zeros lose their sign")
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
