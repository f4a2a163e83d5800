import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Light, a base and their gains, rendered band by band: the bits and numbers of pictures that are rendered whole.
@Suite struct BandedPassesTests {
  private struct Plans {
    var light: Plan
    var codes: Plan
    var options = GainMapOptions()

    /// Plans for a picture of planes, in which no two rows are equal.
    ///
    /// - Parameters:
    ///   - edits: filters of the light.
    ///   - hasMap: the light is made with a gain map of a quarter of the size.
    init(
      _ width: Int, _ height: Int, edits: [FilterStep] = [], hasMap: Bool = false, orientation: Orientation = .up
    ) throws {
      func picture(_ width: Int, _ height: Int, _ model: ColorModel) -> SampleImage {
        let image = SampleImage.planar(
          width: width, height: height, model: model, format: .uint8, bitDepth: 8,
          chroma: model == .grey ? .s444 : .s420, siting: .center)
        for plane in image.channels {
          let base = plane.buffer.base.assumingMemoryBound(to: UInt8.self)
          for at in 0..<plane.rowBytes * plane.height { base[at] = UInt8(truncatingIfNeeded: at &* 40_503 >> 9) }
        }
        return image
      }
      var source = SourceImage(
        format: .jpeg, image: picture(width, height, .ycc),
        color: SourceColor(matrix: 6, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
        geometry: Geometry(width: width, height: height, orientation: orientation))
      if hasMap {
        source.gainMap = GainMap(
          metadata: GainMapMetadata(
            kind: .iso, baseHeadroom: 0, alternateHeadroom: 2, min: [0, 0, 0], max: [2, 2, 2], gamma: [1, 1, 1],
            baseOffset: [0, 0, 0], alternateOffset: [0, 0, 0], isMultichannel: false, usesBaseColorSpace: true),
          image: picture((width + 3) / 4, (height + 3) / 4, .grey), matrix: 6, fullRange: true, alternateColor: nil,
          bindings: [])
      }
      func plan(_ kind: OutputKind) throws -> Plan {
        var rendition = RenditionOptions(kind: kind)
        rendition.recipe.edits = kind == .rgba16f ? edits : []
        rendition.recipe.allowsSDRFilters = true
        return try Planner.plan(source, rendition.recipe)
      }
      (light, codes) = (try plan(.rgba16f), try plan(.sdrPNG))
    }

    func gains(_ light: SampleImage, _ codes: SampleImage) throws -> Plan {
      try GainMapPlanner.gains(
        RenditionPair(
          base: codes, baseCurve: .sRGB, baseToMath: .identity, alternate: light,
          luminance: Primaries.bt709.luminance, baseIsHDR: false), options)
    }

    func banded() throws -> BandedPasses? {
      try BandedPasses(
        light: light, codes: codes, memory: { PixelBuffer(uninitializedByteCount: $0) }, make: gains)
    }
  }

  private struct Sums: Sendable {
    var light = LightStatistics()
    var gains = GainStatistics(planes: 3, countsBuckets: true)
  }

  /// Light that is made in one pass, with planes of gains, of blurred halves, and of a turned picture.
  private enum Light: CaseIterable {
    case plain, mapped, blurred, turned

    func plans(_ width: Int, _ height: Int) throws -> Plans {
      switch self {
      case .plain: try Plans(width, height, edits: [FilterStep("exposure", ["ev": .number(0.5)])])
      case .mapped: try Plans(width, height, hasMap: true)
      case .blurred: try Plans(width, height, edits: [FilterStep("gaussian-blur", ["radius": .number(4)])])
      case .turned: try Plans(width, height, orientation: .right)
      }
    }
  }

  @Test(arguments: [(1, 1), (70, 31), (301, 1000), (5000, 70)], Light.allCases)
  private func bitsAreThoseOfWholePictures(size: (Int, Int), kind: Light) throws {
    let plans = try kind.plans(size.0, size.1), backend = CPUBackend.best
    #expect((plans.light.passes.count > 1) == (kind == .mapped || kind == .blurred))
    let light = backend.render(plans.light, threads: 1), codes = backend.render(plans.codes, threads: 1)
    let gains = backend.render(try plans.gains(light, codes), threads: 1)
    var whole = Sums()
    whole.light.add(light, rows: 0..<light.height)
    whole.gains.add(gains, rows: 0..<light.height)
    for threads in [1, 3] {
      let banded = try #require(try plans.banded()), pool = BandPool(threads: threads)
      defer { pool.close() }
      // Pictures between passes are held whole, or row by row as parts of 64 rows need them.
      var parted = backend
      if threads > 1 { (parted.wholeBytes, parted.partPixels) = (0, 1) }
      let (parts, _) = parted.render(banded, pool: pool, start: { Sums() }) { light, gains, rows, sums in
        sums.light.add(light, rows: rows)
        sums.gains.add(gains, rows: rows)
      }
      var sums = Sums()
      for part in parts {
        sums.light.merge(part.light)
        sums.gains.merge(part.gains)
      }
      #expect(WordComparison(codes, banded.codesImage).differing == 0)
      #expect(WordComparison(gains, banded.madeImage).differing == 0)
      #expect(sums.gains == whole.gains)
      #expect(sums.light.figures == whole.light.figures)
    }
  }

  @Test("light and codes of one picture begin together, but not where one of them turns it or reads it otherwise")
  func commonStagesAreShared() throws {
    for kind in Light.allCases {
      let plans = try kind.plans(70, 31), banded = try #require(try plans.banded())
      #expect(banded.sharesStart == [.plain, .mapped].contains(kind), "\(kind)")
      let shared = SharedStart(plans.light, plans.codes)
      #expect((shared != nil) == banded.sharesStart)
      guard let shared else { continue }
      for (whole, rest) in [(plans.light, shared.first), (plans.codes, shared.second)] {
        let kinds = whole.passes[whole.passes.count - 1].stages.map(\.kind)
        let left = rest.passes[rest.passes.count - 1].stages.map(\.kind)
        #expect(shared.plan.passes[0].stages.map(\.kind) + left.dropFirst() == kinds && left[0] == .loadFloatPlanes)
      }
      // Another picture, and another word of the same stage.
      #expect(SharedStart(plans.light, try kind.plans(70, 31).codes) == nil)
      var other = plans.codes
      other.constants[other.passes[0].stages[0].constants] ^= 1
      #expect(SharedStart(plans.light, other) == nil)
      // A table of the same place with other words.
      other = plans.codes
      var light = plans.light
      (light.tables, other.tables) = ([1, 2], [1, 3])
      #expect(SharedStart(light, other) == nil)
    }
  }

  @Test("after the deadline no band is rendered") func deadlinesAreKept() throws {
    let plans = try Plans(70, 31), pool = BandPool(threads: 1)
    defer { pool.close() }
    let (parts, _) = CPUBackend.best.render(
      try #require(try plans.banded()), pool: pool, deadline: Deadline { true }, start: { 0 }
    ) { _, _, rows, sum in sum += rows.count }
    #expect(parts.isEmpty)
  }

  @Test("pictures of other sizes than their light are rendered one after the other")
  func otherSizesAreRefused() throws {
    #expect(try Plans(70, 31).banded() != nil)
    var reduced = try Plans(70, 31)
    reduced.options.scale = 2
    #expect(try reduced.banded() == nil)
    var other = try Plans(70, 31)
    other.codes = try Plans(70, 30).codes
    #expect(try other.banded() == nil)
  }
}
