import Foundation
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Files that are compared: what must be equal before a number means anything.
@Suite struct PairComparisonTests {
  static let backends = try! RenderBackends(.cpu, device: nil, threads: 2)
  static let hasPairs = SharedData.url("data/compare/pairs.tsv") != nil

  /// Makes a picture of 16-bit R, G, B of 0...1, as PNG has them.
  private func picture(
    _ width: Int, _ height: Int, primaries: Int = 9, transfer: Int = 16, orientation: Orientation = .up,
    alpha: Double? = nil, _ signal: (Int, Int) -> [Double]
  ) -> ComparedFile {
    let image = SampleImage.planar(
      width: width, height: height, model: .rgb, format: .uint16, bitDepth: 16, hasAlpha: alpha != nil)
    func store(_ value: Double, _ plane: SamplePlane, _ x: Int, _ y: Int) {
      (plane.buffer.base + plane.offset + y * plane.rowBytes + 2 * x).storeBytes(
        of: UInt16((value * 65_535).rounded()), as: UInt16.self)
    }
    for y in 0..<height {
      for x in 0..<width {
        for (plane, value) in zip(image.channels, signal(x, y)) { store(value, plane, x, y) }
        if let alpha, let plane = image.alpha { store(alpha, plane, x, y) }
      }
    }
    return ComparedFile(
      FilePath("picture"),
      SourceImage(
        format: .png, image: image,
        color: SourceColor(
          matrix: 0, fullRange: true, encoding: .cicp(primaries: primaries, transfer: transfer),
          cicp: CICP(primaries, transfer, 0, full: true)),
        geometry: Geometry(width: width, height: height, orientation: orientation)))
  }

  /// Makes a picture of halves of linear BT.2020 light.
  private func linear(
    _ width: Int, _ height: Int, alpha: Double? = nil, _ light: (Int, Int) -> [Double]
  ) -> ComparedFile {
    let image = SampleImage.planar(
      width: width, height: height, model: .rgb, format: .float16, bitDepth: 16, hasAlpha: alpha != nil)
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    for y in 0..<height {
      for x in 0..<width {
        for (plane, value) in zip(planes, light(x, y) + (alpha.map { [$0] } ?? [])) {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + 2 * x).storeBytes(
            of: Float16(value), as: Float16.self)
        }
      }
    }
    return ComparedFile(
      FilePath("linear"),
      SourceImage(
        format: .exr, image: image,
        color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
        geometry: Geometry(width: width, height: height)))
  }

  private func compare(
    _ a: ComparedFile, _ b: ComparedFile, _ change: (inout ComparisonOptions) -> Void = { _ in }
  ) throws -> PairComparison {
    var options = ComparisonOptions(metrics: Set(Metric.allCases))
    change(&options)
    return try PairComparison(a, b, options, on: Self.backends)
  }

  private func refusal(_ a: ComparedFile, _ b: ComparedFile) -> String? {
    do {
      _ = try compare(a, b)
      return nil
    } catch {
      return (error as? HDRError)?.code
    }
  }

  private func largest(_ comparison: PairComparison) -> Double {
    comparison.renditions.last?.values[.deltaITP]?[.max] ?? .nan
  }

  private func pq(_ nits: [Double]) -> [Double] { nits.map(Transfer.pqInverseEOTF) }

  @Test("what has no meaning is refused by name")
  func meaninglessPairsAreRefused() {
    let hdr = picture(10, 10) { _, _ in [0.5, 0.5, 0.5] }
    #expect(refusal(hdr, picture(11, 10) { _, _ in [0.5, 0.5, 0.5] }) == "compare.size")
    #expect(refusal(hdr, picture(10, 10, primaries: 1, transfer: 13) { _, _ in [0.5, 0.5, 0.5] }) == "compare.kind")
    #expect(refusal(hdr, picture(10, 10, alpha: 0.5) { _, _ in [0.5, 0.5, 0.5] }) == "compare.alpha")
    #expect(refusal(hdr, hdr) == nil)
  }

  @Test("a colour that a reader could not use is a note, and is said where it makes a file SDR")
  func ignoredColorsAreSaid() throws {
    let hdr = picture(10, 10) { _, _ in [0.5, 0.5, 0.5] }
    var source = picture(10, 10, primaries: 1, transfer: 13) { _, _ in [0.5, 0.5, 0.5] }.source
    source.warnings = [Warning("png.cicp", "cICP 200/99/0/1 is ignored")]
    let unknown = ComparedFile(FilePath("unknown.png"), source)
    #expect(
      try compare(unknown, unknown).notes.map(\.message).map { $0.text(dashes: true) }
        == ["A: cICP 200/99/0/1 is ignored", "B: cICP 200/99/0/1 is ignored"])
    let error = #expect(throws: HDRError.self) { try compare(hdr, unknown) }
    #expect(error?.code == "compare.kind")
    #expect(error?.message.text(dashes: true).hasSuffix("; B: cICP 200/99/0/1 is ignored") == true)
  }

  @Test("light beyond 10 000 cd/m² and below 0 in BT.2020 is cut and counted, on both sides")
  func lightOutsideIsCounted() throws {
    // The white of XYZ is brighter in BT.2020's red.
    let xyz = picture(8, 8, primaries: 10) { x, _ in x < 4 ? [1, 1, 1] : [0.5, 0.5, 0.5] }
    let white = picture(8, 8) { x, _ in x < 4 ? [1, 1, 1] : [0.5, 0.5, 0.5] }
    let found = try #require(try compare(xyz, white).renditions.last)
    #expect(found.lightA.outside == 0.5 && found.lightB.outside == 0)
    let half = Transfer.pqEOTF(0.5)
    expectClose(found.lightB.peak, 10_000, abs: 0, rel: 1e-3)
    expectClose(found.lightB.average, (10_000 + half) / 2, abs: 0, rel: 1e-3)
    let below = linear(8, 8) { x, _ in [x == 0 ? -0.01 : 0.5, 0.5, 0.5] }
    let under = try #require(try compare(linear(8, 8) { _, _ in [0.5, 0.5, 0.5] }, below).renditions.last)
    #expect(under.lightA.outside == 0 && under.lightB.outside == 0.125)
    #expect(under.values[.deltaITP]?[.max]?.isFinite == true)
  }

  @Test("infinite light is the largest half, and its samples count")
  func infiniteLightIsLarge() throws {
    let infinite = linear(8, 8) { _, _ in [.infinity, 0.5, 0.5] }, large = linear(8, 8) { _, _ in [65_504, 0.5, 0.5] }
    let found = try compare(infinite, large)
    #expect(largest(found) == 0 && found.values[.nonfinite]?[nil] == 64 && found.isEqual == false)
    #expect(try compare(infinite, infinite).isEqual)
  }

  @Test("pictures of two sizes and one shape are compared at a smaller one, and nothing is enlarged")
  func sizesAreReduced() throws {
    func ramp(_ width: Int, _ height: Int) -> ComparedFile {
      picture(width, height) { x, y in
        [0.2 + 0.4 * (Double(x) + 0.5) / Double(width), 0.3 + 0.2 * (Double(y) + 0.5) / Double(height), 0.4]
      }
    }
    let large = ramp(200, 121), small = ramp(100, 60)
    #expect(refusal(large, small) == "compare.size")
    let found = try compare(large, small) { $0.side = 50 }
    #expect(found.width == 50 && found.height == 30)
    #expect(largest(found) < 4)
    // The smaller one is the limit; its own pixels are compared.
    let limited = try compare(large, small) { $0.side = 1000 }
    #expect(limited.width == 100 && limited.height == 61 && largest(limited) < 4)
    let own = try compare(small, small) { $0.side = 1000 }
    #expect(own.width == 100 && own.height == 60 && own.isEqual)
    #expect(throws: HDRError.self) { try compare(ramp(200, 100), ramp(100, 60)) { $0.side = 50 } }
    // Both are reduced from the files' own orientation.
    let turned = picture(60, 100, orientation: .right) { x, y in [Double(y) / 100, 0.3, 0.4] }
    #expect(try compare(turned, large) { $0.side = 40 }.width == 40)
  }

  @Test("the light that is compared is exported as PQ and OpenEXR, A and B of each rendition")
  func lightIsExported() throws {
    let a = linear(9, 5) { x, _ in [Double(x) / 4, 0.5, -0.25] }, b = linear(9, 5) { _, _ in [1, 1, 1] }
    var files: [String: [UInt8]] = [:], options = ComparisonOptions(metrics: [.words])
    options.renditions = [.full]
    _ = try PairComparison(a, b, options, on: Self.backends, export: { end, encode in files[end] = try? encode() })
    #expect(files.keys.sorted() == ["@full-A.exr", "@full-A.png", "@full-B.exr", "@full-B.png"])
    let exr = try decodeImage(try #require(files["@full-A.exr"])),
      png = try decodeImage(try #require(files["@full-A.png"]))
    func file(_ name: String, _ source: SourceImage) -> ComparedFile { ComparedFile(FilePath(name), source) }
    #expect(largest(try compare(a, file("exr", exr))) == 0)
    // PQ has no light below 0, which is cut for comparing too.
    #expect(largest(try compare(a, file("png", png))) < 0.1)
    #expect(png.color.cicp == CICP(9, 16, 0, full: true))
  }

  @Test("an opaque alpha on one side is a note")
  func opaqueAlphaIsANote() throws {
    let plain = picture(8, 8) { x, _ in [Double(x) / 20, 0.3, 0.2] }
    let opaque = picture(8, 8, alpha: 1) { x, _ in [Double(x) / 20, 0.3, 0.2] }
    let found = try compare(plain, opaque) { $0.metrics.remove(.words) }
    #expect(found.notes.map(\.code) == ["alpha.opaque"])
    #expect(largest(found) == 0)
    #expect(found.isEqual)
    #expect(try compare(opaque, opaque).values[.alpha]?[nil] == 0)
  }

  @Test("HDR and SDR are compared where headroom 1 is named")
  func headroomOneComparesAll() throws {
    let hdr = picture(8, 8) { _, _ in pq([203, 203, 203]) }
    // The tone operator shows white of a display of 1000 cd/m² at half of SDR white.
    let sdr = picture(8, 8, primaries: 1, transfer: 13) { _, _ in [0.735357, 0.735357, 0.735357] }
    let found = try compare(hdr, sdr) { $0.renditions = [.headroom(1)] }
    #expect(found.renditions.map(\.selector) == [.headroom(1)])
    #expect(largest(found) < 0.5)
  }

  @Test("the same light in other signals is equal up to rounding")
  func lightCountsNotSignals() throws {
    #expect(
      largest(try compare(picture(4, 4) { _, _ in pq([203, 203, 203]) }, linear(4, 4) { _, _ in [1, 1, 1] })) < 0.02)
    // 75 % of HLG is 203.15 cd/m² on a display of 1000.
    let hlg = picture(4, 4, transfer: 18) { _, _ in [0.75, 0.75, 0.75] }
    #expect(largest(try compare(hlg, picture(4, 4) { _, _ in pq([203.15, 203.15, 203.15]) })) < 0.03)
    let inP3 = Primaries.bt2020.matrix(to: .displayP3).map { $0 * [300, 200, 100] } ?? []
    let p3 = picture(4, 4, primaries: 12) { _, _ in pq(inP3) }
    let whole = picture(4, 4) { _, _ in pq([300, 200, 100]) }
    #expect(largest(try compare(whole, p3)) < 0.05)
    // Codes of limited range are 16 to 235 in the upper 8 bits.
    var limited = picture(4, 4) { _, _ in pq([300, 200, 100]).map { (16 + 219 * $0) * 256 / 65_535 } }
    limited.source.color.fullRange = false
    #expect(largest(try compare(whole, limited)) < 0.05)
  }

  @Test("a turned picture with the orientation that turns it back is equal")
  func orientationIsApplied() throws {
    func signal(_ x: Int, _ y: Int) -> [Double] { [Double(x) / 60, Double(y) / 60, 0.3] }
    let upright = picture(30, 40) { x, y in signal(x, y) }
    // Orientation 6: the row 0 of the shown picture is the stored column 0 from below.
    let stored = picture(40, 30, orientation: .right) { x, y in signal(29 - y, x) }
    let found = try compare(upright, stored)
    #expect(largest(found) == 0)
    #expect(found.values[.words] == nil)
    let row = try #require(found.metadata.first { $0.name == "orientation" })
    #expect(row.verdict == "differs")
    #expect(found.values[.metadata]?[nil] == 0)
  }

  @Test("samples that differ are counted before any conversion")
  func wordsAreCounted() throws {
    let a = picture(10, 10) { _, _ in [0.5, 0.5, 0.5] }
    let b = picture(10, 10) { x, y in x == 3 && y == 4 ? [0.5, 0.5 + 7.0 / 65_535, 0.5] : [0.5, 0.5, 0.5] }
    let words = try #require(try compare(a, b).words)
    #expect(words.count == 1 && words.largest == 7)
    #expect(words.planes.map(\.count).sorted() == [0, 0, 1])
    #expect(words.planes.compactMap(\.largest).sorted() == [0, 0, 7])
    #expect(try compare(a, b) { $0.accept = try? AcceptExpression("exact") }.verdict?.code == "accept.rejected")
    // The sum and its parts have the same names in the table and in the columns.
    let report = PairReport(FilePath("a"), FilePath("b"), try compare(a, b))
    #expect(report.table.contains("  words           1 differ"))
    #expect(report.table.contains("  words@base      1 differ, by 7 at most"))
    let cells = Dictionary(zip(PairReport.columns, report.cells)) { $1 }
    #expect(cells["words"] == "1" && cells["words@base"] == "1" && cells["words@map"] == "")
  }

  @Test("NaN is counted and does not pass for equal")
  func nonfiniteSamplesAreCounted() throws {
    let broken = linear(9, 9) { x, y in [x == y ? .nan : 0.5, .infinity, 0.5] }
    let black = linear(9, 9) { _, _ in [0, 0, 0] }
    #expect(broken.nonfinite == 90)
    let same = try compare(broken, broken)
    #expect(same.values[.nonfinite]?[nil] == 0)
    #expect(same.isEqual)
    #expect(try compare(broken, black).isEqual == false)
    #expect(try compare(linear(9, 9) { _, _ in [.nan, .nan, .nan] }, black).isEqual == false)
    // Floats are counted without being asked, and a note says so where a preset does not look.
    let found = try compare(broken, black) { $0.metrics = [.bias] }
    #expect(found.values[.nonfinite]?[nil] == 90)
    #expect(found.notes.map(\.code) == ["compare.nonfinite"])
    #expect(found.isEqual == false)
  }

  @Test("samples that a reader of 32-bit floats has made finite are counted")
  func samplesMadeFiniteAreCounted() throws {
    func floats(madeFinite: Int) -> ComparedFile {
      var file = linear(9, 9) { _, _ in [0, 0, 0] }
      file.source.image = .planar(width: 9, height: 9, model: .rgb, format: .float32, bitDepth: 32)
      file.source.image.madeFinite = madeFinite
      return file
    }
    let broken = floats(madeFinite: 3), found = try compare(broken, floats(madeFinite: 0))
    #expect(found.values[.nonfinite]?[nil] == 3 && found.notes.map(\.code) == ["compare.nonfinite"])
    #expect(!found.isEqual)
    #expect(try compare(broken, broken).isEqual)
  }

  @Test("an alpha of NaN is transparent")
  func alphaOfNaNIsTransparent() throws {
    let broken = linear(4, 4, alpha: .nan) { _, _ in [0.5, 0.5, 0.5] }
    let opaque = linear(4, 4, alpha: 1) { _, _ in [0.5, 0.5, 0.5] }
    #expect(broken.isTransparent && !opaque.isTransparent && broken.nonfinite == 16)
    #expect(refusal(broken, linear(4, 4) { _, _ in [0.5, 0.5, 0.5] }) == "compare.alpha")
    #expect(try compare(broken, opaque).values[.alpha]?[nil] == 65_535)
  }

  @Test("pictures are equal only if all that was asked for could be told")
  func whatCannotBeToldIsNotEqual() throws {
    func grey(_ nits: Double) -> ComparedFile { picture(9, 9) { _, _ in pq([nits, nits, nits]) } }
    func isEqual(_ a: ComparedFile, _ b: ComparedFile, _ metric: Metric) throws -> Bool {
      try compare(a, b) { $0.metrics = [metric] }.isEqual
    }
    // Words of other depths, the peak of black, the hue of grey.
    #expect(try isEqual(grey(0), linear(9, 9) { _, _ in [0, 0, 0] }, .words) == false)
    #expect(try isEqual(grey(0), grey(100), .peak) == false)
    #expect(try isEqual(grey(0), grey(100), .hue) == false)
    #expect(try isEqual(grey(100), grey(100), .hue))
    // Neither has an alpha.
    #expect(try isEqual(grey(100), grey(100), .alpha))
    let tiny = picture(2, 2) { _, _ in [0.5, 0.5, 0.5] }
    #expect(try compare(grey(100), grey(100)).isEqual && compare(tiny, tiny).isEqual)
  }

  @Test("a rejected number has so many digits that it differs from its bound")
  func roundedNumbersDifferFromBounds() throws {
    let a = linear(9, 9) { _, _ in [0.5, 0.5, 0.5] }
    let b = linear(9, 9) { _, _ in [0.5400390625, 0.5400390625, 0.5400390625] }
    let found = try compare(a, b) { $0.accept = try? AcceptExpression("bias < 0.111") }
    let message = PairReport(FilePath("a"), FilePath("b"), found).message?.text(dashes: true) ?? ""
    #expect(message.wholeMatch(of: /bias@full 0\.1111\d+ >= 0\.111/) != nil, "\(message)")
  }

  @Test("a bias of another white is explained")
  func otherWhitesAreSuspected() throws {
    let a = picture(16, 16) { x, y in pq([Double(20 * x + y + 10), 150, 100]) }
    let b = picture(16, 16) { x, y in pq([Double(20 * x + y + 10), 150, 100].map { $0 * 100 / 203 }) }
    #expect(try compare(a, b).notes.map(\.code) == ["white.suspected"])
    #expect(try compare(a, a).notes.isEmpty)
  }

  @Test("metrics of SDR are of the rendition for headroom 1, which is made for them alone")
  func metricsOfSDRHaveARendition() throws {
    let a = picture(40, 40) { x, y in pq([Double(20 * x + y + 10), 150, 100]) }
    let b = picture(40, 40) { x, y in pq([Double(20 * x + y + 10), 160, 100]) }
    func values(_ text: String, headrooms: [AcceptExpression.Selector]? = nil) throws -> PairComparison {
      try compare(a, b) {
        ($0.metrics, $0.renditions, $0.accept) = ([.ssimulacra2, .deltaSeen], headrooms, try? AcceptExpression(text))
      }
    }
    let found = try values("p95(dE-seen) < 100 and ssimulacra2 > 0 and ssimulacra2@1 < 100")
    #expect(found.renditions.map(\.selector) == [.headroom(1), .full])
    #expect(found.renditions[0].values.keys.elementsEqual([.ssimulacra2]))
    #expect(found.renditions[1].values.keys.elementsEqual([.deltaSeen]))
    #expect(found.verdict == .accepted)
    // Renditions that a caller names are all there are.
    let full = try values("ssimulacra2 > 0", headrooms: [.full])
    #expect(full.renditions.map(\.selector) == [.full] && full.verdict?.code == "metric.unavailable")
    let none = try compare(a, a) { ($0.metrics, $0.renditions) = ([.ssimulacra2], [.full]) }
    #expect(none.renditions.isEmpty && none.isEqual == false)
    let both = try values("ssimulacra2 > 0", headrooms: [.headroom(1), .full])
    #expect(both.renditions[0].values.count == 2 && both.verdict == .accepted)
    #expect(try compare(a, a).isEqual && compare(a, b).isEqual == false)
  }

  @Test("NaN is black light to metrics of the CPU too")
  func nonfiniteSamplesAreBlack() throws {
    let broken = linear(20, 20) { x, y in [x == y ? .nan : 0.5, .infinity, Double(x) / 20] }
    let same = try #require(try compare(broken, broken).renditions.last)
    #expect(same.values[.flip]?[.max] == 0 && same.values[.ssim]?[nil] == 1)
    let grey = linear(20, 20) { _, _ in [0.5, 0.5, 0.5] }
    let (sdr, hdr) = try (compare(broken, grey).renditions[0], compare(broken, grey).renditions[1])
    #expect(hdr.values[.flip]?[.mean]?.isFinite == true && hdr.values[.ssim]?[nil]?.isFinite == true)
    #expect(sdr.values[.ssimulacra2]?[nil]?.isFinite == true && sdr.values[.delta2000]?[.max]?.isFinite == true)
  }

  @Test("gain maps of two sizes are not compared, and renditions are", .enabled(if: hasPairs, "skipped: no data"))
  func mapsOfTwoSizesAreNotCompared() throws {
    let folder = try #require(SharedData.url("data/compare"))
    func file(_ name: String) throws -> ComparedFile {
      try ComparedFile(
        InputReference(FilePath(folder.appendingPathComponent(name).path)), limits: DecodeLimits(),
        codecs: InProcessCodecs())
    }
    let quarter = try file("a/lamps_map-scale-4.jpg"), whole = try file("a/lamps_map-scale-1.jpg")
    let found = try compare(quarter, whole) { $0.accept = try? AcceptExpression("max(maps) < 9") }
    #expect(found.values[.maps] == nil && found.mapShift == nil)
    #expect(found.notes.contains { $0.code == "compare.maps" })
    #expect(found.verdict?.code == "metric.unavailable")
    #expect(found.renditions.count > 1 && found.renditions.allSatisfy { $0.values[.deltaSeen] != nil })
    let same = try compare(whole, whole) {
      $0.accept = try? AcceptExpression("max(maps) == 0 and shift@map == 0 and shift == 0")
    }
    #expect(same.verdict == .accepted && same.isEqual)
    #expect(same.renditions.last?.weights == [1, 1] && same.renditions.first?.weights == [0, 0])
  }

  @Test(.enabled(if: hasPairs, "skipped: no data")) func pairsHaveTheirNumbers() throws {
    let folder = try #require(SharedData.url("data/compare"))
    let table = try String(contentsOf: folder.appendingPathComponent("pairs.tsv"), encoding: .utf8)
    let rows = table.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.count > 45)
    for row in rows {
      func file(_ name: String) throws -> ComparedFile {
        try ComparedFile(
          InputReference(FilePath(folder.appendingPathComponent(name).path)), limits: DecodeLimits(),
          codecs: InProcessCodecs())
      }
      let title: Comment = "\(row[0]), \(row[1])"
      let pair = try (file(row[0]), file(row[1]))
      guard !row[2].hasPrefix("refused") else {
        #expect(refusal(pair.0, pair.1)?.hasPrefix("compare.") == true, title)
        continue
      }
      let found = try compare(pair.0, pair.1) { $0.renditions = [.full] }
      if row[2].contains("words equal"), !row[2].contains("base") { #expect(found.words?.count == 0, title) }
      if row[2].contains("base words equal") {
        #expect(found.words?.count == 0 && (found.mapWords?.count ?? 0) > 0, title)
      }
      if row[2].contains("dE not 0") { #expect(largest(found) > 0.5, title) }
      if row[2].contains("equal, note") { #expect(largest(found) == 0 && found.notes.count == 1, title) }
      let values = found.renditions.last?.values ?? [:], isPNG = row[1].hasSuffix(".png")
      let share = isPNG ? 0.018 : 0.03
      for (column, metric, aggregate) in [
        (3, Metric.deltaITP, Aggregate.mean), (4, .deltaITP, .p95), (5, .deltaITP, .max), (6, .deltaSeen, .p95),
      ] {
        guard let expected = Double(row[column]) else { continue }
        let number = try #require(values[metric]?[aggregate])
        #expect(
          abs(number - expected) <= 0.05 + share * expected,
          "\(title), \(metric) \(aggregate): \(number), not \(expected)")
      }
      if let expected = Double(row[7]), expected < 100 {
        let number = try #require(values[.psnrPQ]?[nil])
        #expect(abs(number - expected) <= (isPNG ? 0.05 : 0.2), "\(title), psnr-pq: \(number), not \(expected)")
      }
      if let expected = Double(row[8]) {
        let number = try #require(values[.bias]?[nil])
        #expect(abs(number - expected) <= (isPNG ? 0.0003 : 0.003), "\(title), bias: \(number), not \(expected)")
      }
      if let x = Double(row[9]), let y = Double(row[10]), let score = Double(row[11]) {
        let shift = values[.shift]?.shift
        #expect((shift != nil) == (score >= 0.8), title)
        if let shift {
          // The table has logarithms of light from 0.01 cd/m² on, not from 0.1.
          let most = max(abs(shift.x - x), abs(shift.y - y))
          #expect(most <= 0.02 && abs(shift.score - score) <= 0.06, "\(title), shift: \(shift)")
        }
      }
      if row[2].contains("map shift 1") {
        let shift = try #require(found.mapShift)
        #expect(abs(shift.x - 1) < 0.05 && abs(shift.y) < 0.05, "\(title), shift of the map: \(shift)")
        #expect(found.notes.contains { $0.code == "shift.found" }, title)
        #expect((found.values[.maps]?[.max] ?? 0) > 0.1, title)
      }
    }
  }
}
