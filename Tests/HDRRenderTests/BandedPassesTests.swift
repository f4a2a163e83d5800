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
    init(_ width: Int, _ height: Int, edits: [FilterStep] = []) throws {
      let image = SampleImage.planar(
        width: width, height: height, model: .ycc, format: .uint8, bitDepth: 8, chroma: .s420, siting: .center)
      for plane in image.channels {
        let base = plane.buffer.base.assumingMemoryBound(to: UInt8.self)
        for at in 0..<plane.rowBytes * plane.height { base[at] = UInt8(truncatingIfNeeded: at &* 40_503 >> 9) }
      }
      let source = SourceImage(
        format: .jpeg, image: image,
        color: SourceColor(matrix: 6, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
        geometry: Geometry(width: width, height: height))
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

  @Test(arguments: [(1, 1), (70, 31), (301, 1000), (5000, 70)], [1, 3])
  func bitsAreThoseOfWholePictures(size: (Int, Int), threads: Int) throws {
    let plans = try Plans(size.0, size.1, edits: [FilterStep("exposure", ["ev": .number(0.5)])])
    let banded = try #require(try plans.banded()), backend = CPUBackend.best
    let pool = BandPool(threads: threads)
    defer { pool.close() }
    let (parts, _) = backend.render(banded, pool: pool, start: { Sums() }) { light, gains, rows, sums in
      sums.light.add(light, rows: rows)
      sums.gains.add(gains, rows: rows)
    }
    var sums = Sums(), whole = Sums()
    for part in parts {
      sums.light.merge(part.light)
      sums.gains.merge(part.gains)
    }
    let light = backend.render(plans.light, threads: 1), codes = backend.render(plans.codes, threads: 1)
    let gains = backend.render(try plans.gains(light, codes), threads: 1)
    whole.light.add(light, rows: 0..<size.1)
    whole.gains.add(gains, rows: 0..<size.1)
    #expect(WordComparison(codes, banded.codesImage).differing == 0)
    #expect(WordComparison(gains, banded.madeImage).differing == 0)
    #expect(sums.gains == whole.gains)
    #expect(sums.light.peak == whole.light.peak && sums.light.lightLevel == whole.light.lightLevel)
    #expect(sums.light.outsideShare == whole.light.outsideShare)
  }

  @Test("after the deadline no band is rendered") func deadlinesAreKept() throws {
    let plans = try Plans(70, 31), pool = BandPool(threads: 1)
    defer { pool.close() }
    let (parts, _) = CPUBackend.best.render(
      try #require(try plans.banded()), pool: pool, deadline: Deadline { true }, start: { 0 }
    ) { _, _, rows, sum in sum += rows.count }
    #expect(parts.isEmpty)
  }

  @Test("passes that read other rows than their own are rendered one after the other")
  func otherRowsAreRefused() throws {
    #expect(try Plans(70, 31).banded() != nil)
    #expect(try Plans(70, 31, edits: [FilterStep("gaussian-blur", ["radius": .number(4)])]).banded() == nil)
    var reduced = try Plans(70, 31)
    reduced.options.scale = 2
    #expect(try reduced.banded() == nil)
    var other = try Plans(70, 31)
    other.codes = try Plans(70, 30).codes
    #expect(try other.banded() == nil)
  }
}
