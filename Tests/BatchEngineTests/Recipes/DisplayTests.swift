import CPURender
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import TestPlans
import Testing

/// Tests the bounds by a stated display, and the light of a reference display.
@Suite struct DisplayTests {
  /// Grey, red and green ramps over all codes of a signal, 64 pixels wide.
  static func ramp(_ transfer: Int, primaries: Int = 9) -> SourceImage {
    let image = SampleImage.interleaved(width: 64, height: 96, channelCount: 3, format: .uint16, bitDepth: 16)
    for (channel, plane) in image.channels.enumerated() {
      for y in 0..<96 {
        for x in 0..<64 {
          let isOn = y < 32 || (y < 64) == (channel == 0) && channel < 2
          let code = isOn ? (y % 32 * 64 + x) * 65_535 / 2047 : 0
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).storeBytes(
            of: UInt16(code), as: UInt16.self)
        }
      }
    }
    return SourceImage(
      format: .png, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: primaries, transfer: transfer)),
      geometry: Geometry(width: 64, height: 96))
  }

  static func render(
    _ source: SourceImage, _ target: OutputSignal, _ display: DisplayChoice,
    _ change: (inout RenderRecipe) -> Void = { _ in }
  ) throws -> (image: SampleImage, report: PlanReport) {
    var recipe = RenderRecipe(target: target, display: display)
    change(&recipe)
    let plan = try Planner.plan(source, recipe)
    return (CPUBackend.best.render(plan, threads: 2), plan.report)
  }

  static func linear(_ primaries: Int = 9) -> OutputSignal {
    OutputSignal(primaries: primaries, encoding: .linear, sink: .rgba16f)
  }

  /// The largest of R, G and B.
  static func peak(_ image: SampleImage) throws -> Double {
    try #require(image.colorLight.max())
  }

  @Test("no light exceeds a stated display", arguments: [1.0, 2, 8, 20], ToneOperators.all.map { $0.name } + ["auto"])
  func aDisplayBounds(headroom: Double, tone: String) throws {
    let choice: ToneChoice = tone == "auto" ? .auto : .named(tone), source = Self.ramp(16)
    for primaries in [1, 9, 12] {
      for gamut in GamutChoice.allCases {
        let (image, report) = try Self.render(
          source, Self.linear(primaries), .headroom(Headroom(factor: headroom))
        ) { ($0.tone, $0.gamut) = (choice, gamut) }
        let peak = try Self.peak(image)
        #expect(peak <= headroom * 1.0005, "\(tone) \(gamut) \(primaries): \(peak)")
        #expect(report.outputHeadroom <= headroom + 1e-9)
      }
    }
  }

  @Test("HLG gets the OOTF of BT.2100 for the display's own peak", arguments: [400.0, 1000, 1500, 2000, 4000])
  func hlgHasNoPeak(peak: Double) throws {
    let source = Self.ramp(18), display = Headroom(factor: peak / ReferenceWhite.nits)
    let (image, report) = try Self.render(source, Self.linear(), .headroom(display)) {
      ($0.tone, $0.gamut) = (.named(HLGPeak.name), .none)
    }
    #expect(abs(report.outputHeadroom - display.factor) < 1e-9)
    let halves = image.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    for y in stride(from: 0, to: 96, by: 8) {
      for x in stride(from: 0, to: 64, by: 7) {
        let signal = source.image.channels.map { plane in
          Double(
            (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).loadUnaligned(as: UInt16.self)
          ) / 65_535
        }
        for (channel, nits) in Transfer.hlgEOTF(signal, peak: peak).enumerated() {
          let got = Double(halves[4 * (y * 64 + x) + channel]) * ReferenceWhite.nits
          #expect(abs(got - nits) <= 1e-3 * nits + 1e-5, "\(signal) at \(peak): \(got), not \(nits)")
        }
      }
    }
  }

  @Test func lightThatIsKeptStays() throws {
    let (kept, _) = try Self.render(Self.ramp(16), Self.linear(), .headroom(Headroom(factor: 8))) { $0.beyond = .keep }
    #expect(try Self.peak(kept) > 49)
    // Nobody stated a display.
    #expect(try Self.peak(Self.render(Self.ramp(16), Self.linear(), .automatic).image) > 49)
    #expect(try Self.peak(Self.render(Self.ramp(16), Self.linear(), .high).image) > 49)
    let (cut, _) = try Self.render(Self.ramp(16), Self.linear(), .constrainedHigh(Headroom(factor: 3)))
    #expect(abs(try Self.peak(cut) - 3) < 2e-3)
  }

  @Test("PQ codes end at the display's", arguments: [2.0, 8]) func pqEnds(headroom: Double) throws {
    let (image, report) = try Self.render(
      Self.ramp(16), OutputSignal(encoding: .pq, sink: .rgba16), .headroom(Headroom(factor: headroom)))
    let pool = BandPool(threads: 1), light = try #require(RenderedLight(image, report, pool))
    let end = Transfer.pqInverseEOTF(headroom * ReferenceWhite.nits) * 65_535
    let codes = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    #expect((0..<image.width * image.height).allSatisfy { Double(codes[4 * $0]) <= end.rounded() })
    #expect(abs(light.peak - headroom) < 1e-3 * headroom)
    #expect(light.clippedShare > 0.05 && light.clippedShare < 0.6, "\(light.clippedShare)")
    let said = OutputLight(Self.ramp(16), report, RenditionOptions(kind: .pqPNG), measured: light).metadata
    #expect(try #require(said.clli).maxCLL <= #require(said.mdcv).maxLuminance)
  }

  @Test("clip follows a gain map to the display, and cuts what exceeds it") func clipKeepsTheMap() throws {
    let photo = try EditedLightTests.bright.get().source
    let display = DisplayChoice.headroom(Headroom(factor: 2))
    let (automatic, _) = try Self.render(photo, Self.linear(), display)
    let (clip, report) = try Self.render(photo, Self.linear(), display) { $0.tone = .named("clip") }
    #expect(report.gainMapWeight.map { $0 > 0 && $0 < 1 } == true)
    let words = { (image: SampleImage) in
      Array(
        UnsafeRawBufferPointer(start: image.channels[0].buffer.base, count: image.height * image.channels[0].rowBytes))
    }
    #expect(words(automatic) == words(clip))
  }

  @Test func rangeAndDisplayBoundTheLightTogether() throws {
    func choice(_ words: [String: String]) throws -> DisplayChoice {
      var values = SettingValues()
      for (name, word) in words { try values.set(#require(Settings.recipe[name]), [word]) }
      return DisplayChoice(values)
    }
    #expect(
      try choice(["headroom": "8", "dynamic-range": "constrained-high"]) == .constrainedHigh(Headroom(factor: 4)))
    #expect(
      try choice(["display": "400:200", "dynamic-range": "constrained-high"]) == .constrainedHigh(Headroom(factor: 2)))
    #expect(try choice(["headroom": "8", "dynamic-range": "standard"]) == .standard)
    #expect(try choice(["headroom": "8", "dynamic-range": "high"]) == .headroom(Headroom(factor: 8)))
    #expect(
      try choice(["dynamic-range": "constrained-high", "constrained-limit": "1ev"])
        == .constrainedHigh(Headroom(factor: 2)))
    #expect(try choice(["display": "1600:203"]) == .headroom(Headroom(factor: 1600.0 / 203)))
  }

  // MARK: Reference displays

  static let reference = DisplayChoice.reference(
    DisplayPreset.named("reference-mode")!.display, Headroom(factor: 10))

  /// A picture of one colour.
  static func flat(_ transfer: Int, _ signal: [Double], primaries: Int = 9) -> SourceImage {
    var source = ramp(transfer, primaries: primaries)
    source.image = .interleaved(width: 8, height: 8, channelCount: 3, format: .uint16, bitDepth: 16)
    source.geometry = Geometry(width: 8, height: 8)
    for (plane, value) in zip(source.image.channels, signal) {
      for y in 0..<8 {
        for x in 0..<8 {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).storeBytes(
            of: UInt16((value * 65_535).rounded()), as: UInt16.self)
        }
      }
    }
    return source
  }

  static func pixel(_ image: SampleImage) -> [Double] {
    let halves = image.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    return (0..<3).map { Double(halves[$0]) }
  }

  @Test("a reference display shows luminances: against double precision") func oneToOne() throws {
    for nits in [0.5, 10, 100, 203, 500, 999, 1000, 4000] {
      let code = (Transfer.pqInverseEOTF(nits) * 65_535).rounded() / 65_535
      let want = min(Transfer.pqEOTF(code) / 100, 10)
      let (image, report) = try Self.render(Self.flat(16, [code, code, code]), Self.linear(), Self.reference)
      for value in Self.pixel(image) { #expect(abs(value - want) <= 1e-3 * want, "\(nits) cd/m²: \(value)") }
      #expect(report.operatorName == "none" && report.white == 100 && abs(report.displayHeadroom - 10) < 1e-9)
    }
    // BT.2100 puts signal 0.75 at 203 cd/m² on a display of 1000, and 1 at its peak.
    for (signal, want) in [(0.75, 2.03), (1.0, 10)] {
      let (image, _) = try Self.render(Self.flat(18, [signal, signal, signal]), Self.linear(), Self.reference)
      let scene = Transfer.hlgInverseOETF((signal * 65_535).rounded() / 65_535)
      let exact = min(10 * ExactMath.pow(scene, 1.2), 10)
      for value in Self.pixel(image) {
        #expect(abs(value - exact) <= 1e-3 * exact && abs(value - want) < 0.02, "\(value)")
      }
    }
    let (white, report) = try Self.render(Self.flat(13, [1, 1, 1], primaries: 1), Self.linear(), Self.reference)
    #expect(Self.pixel(white) == [1, 1, 1] && report.outputHeadroom <= 10)
  }

  @Test("a reference display keeps PQ codes up to its peak, and all colours within P3") func codesStay() throws {
    let target = OutputSignal(encoding: .pq, sink: .rgba16), end = Transfer.pqInverseEOTF(1000) * 65_535
    let (image, report) = try Self.render(Self.ramp(16), target, Self.reference)
    let codes = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for index in 0..<64 * 32 {
      let want = min(Double(index * 65_535 / 2047), end)
      #expect(abs(Double(codes[4 * index]) - want) <= 2, "code \(want) became \(codes[4 * index])")
    }
    #expect(report.outputHeadroom <= 10)
    let (light, _) = try Self.render(Self.ramp(16), Self.linear(12), Self.reference)
    let halves = light.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    #expect(
      (0..<64 * 96).allSatisfy { i in (0..<3).allSatisfy { halves[4 * i + $0] >= -0.01 && halves[4 * i + $0] <= 10 } })
    let wide = try Self.render(Self.ramp(16), Self.linear(9), Self.reference).image
    let p3 = try #require(Primaries(code: 12)), toP3 = try #require(Primaries.bt2020.matrix(to: p3))
    let wideHalves = wide.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    for i in 0..<64 * 96 {
      let inP3 = toP3 * (0..<3).map { Double(wideHalves[4 * i + $0]) }
      #expect(inP3.allSatisfy { $0 >= -0.02 && $0 <= 10.02 }, "\(inP3)")
    }
  }

  @Test("displays below a threshold get what an SDR display gets") func sdrPath() throws {
    let photo = try EditedLightTests.bright.get().source
    func render(_ headroom: Double, _ below: Double) throws -> (SampleImage, PlanReport) {
      try Self.render(photo, Self.linear(), .headroom(Headroom(factor: headroom))) {
        $0.sdrBelow = Headroom(factor: below)
      }
    }
    let (low, report) = try render(1.4, 1.5), (standard, _) = try render(1, 1)
    #expect(report.takesSDRPath && report.displayHeadroom == 1)
    #expect(Self.pixel(low) == Self.pixel(standard))
    #expect(try Self.peak(low) <= 1)
    #expect(try !render(1.5, 1.5).1.takesSDRPath)
    #expect(try Self.peak(render(1.4, 1).0) > 1.3)
  }
}
