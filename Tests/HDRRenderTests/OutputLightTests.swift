import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import TestPlans
import TestSupport
import Testing

/// Tests the light metadata of outputs: the author's statements where they stay true, else new ones with a reason.
@Suite struct OutputLightTests {
  static let source = AuthoredPicture.source, author = AuthoredPicture.author

  static func said(
    _ kind: OutputKind = .pqHEIC, _ source: SourceImage = source, _ change: (inout RenditionOptions) -> Void = { _ in }
  ) throws -> OutputLight {
    var options = RenditionOptions(kind: kind)
    change(&options)
    let plan = try Planner.plan(source, options.recipe)
    let image = CPUBackend.best.render(plan, threads: 2)
    let light = try #require(RenderedLight(image, plan.report, BandPool(threads: 2)))
    return OutputLight(source, plan.report, options, measured: light)
  }

  @Test func unchangedLightKeepsWhatItsAuthorSaid() throws {
    let said = try Self.said()
    #expect(said.metadata.mdcv == Self.author && said.masteringSource == "file")
    #expect(said.metadata.cclv == Self.source.light.cclv)
    #expect(said.metadata.amve == Self.source.light.amve && said.metadata.reve == Self.source.light.reve)
    #expect(abs(try #require(said.metadata.clli).maxCLL - 800) <= 2 && said.warnings.isEmpty)
    #expect(try Self.said(.sdrJPEG).metadata == LightMetadata())
    #expect(try Self.said(.rgba16f).metadata == LightMetadata())
  }

  @Test func whatNoLongerFitsIsReplacedWithAReason() throws {
    func exposed(_ ev: Double) -> (inout RenditionOptions) -> Void {
      { $0.recipe.edits = [FilterStep("exposure", ["ev": .number(ev)])] }
    }
    // Darker light still fits the author's display, but not the colour volume.
    let darker = try Self.said(.pqHEIC, Self.source, exposed(-1))
    #expect(darker.metadata.mdcv == Self.author && darker.masteringSource == "file")
    #expect(darker.metadata.cclv == nil && darker.metadata.amve != nil)
    #expect(darker.warnings.map(\.code) == ["light.cclv-dropped"])
    let brighter = try Self.said(.pqHEIC, Self.source, exposed(1))
    let display = try #require(brighter.metadata.mdcv)
    #expect(display.maxLuminance >= 1599 && brighter.masteringSource?.contains("reaches 1") == true)
    #expect(try #require(brighter.metadata.clli).maxCLL <= display.maxLuminance)
    let mapped = try Self.said(.pqHEIC, Self.source) { $0.recipe.display = .headroom(Headroom(factor: 2)) }
    #expect(mapped.masteringSource == "output: reference-white was applied")
    #expect((402...412).contains(try #require(mapped.metadata.mdcv).maxLuminance))
    let p3 = try Self.said(.pqHEIC, Self.source) { $0.recipe.target.primaries = 12 }
    #expect(p3.masteringSource == "output: the primaries changed")
    var plain = Self.source
    plain.light.mdcv = nil
    #expect(try Self.said(.pqHEIC, plain).masteringSource == "output")
  }

  /// A view's mastering display is its own: its peak, and the primaries that limit its colours.
  @Test(arguments: [("hdr1000-p3", 1000.0, 12), ("hdr4000-2020", 4000, 9), ("sdr-709", 100, 1)])
  func viewsSayTheirDisplay(view: String, peak: Double, primaries: Int) throws {
    let colors = (0..<64).map { (x: Int) -> [Double] in
      let light = Double(x)
      return [16 * light, 12 * light, light]
    }
    let scene = LinearPicture(colors: colors, primaries: .acesWorking).source
    // Without chroma that is subsampled, which exceeds the view at edges.
    let said = try Self.said(.pqPNG, scene) {
      $0.recipe.view = ACESView.named(view).map { ViewChoice($0) }
    }
    let display = try #require(said.metadata.mdcv), limit = try #require(Primaries(code: primaries))
    #expect(display.maxLuminance == peak && display.minLuminance == 0.0001 && said.masteringSource == "view")
    #expect(display.primaries == [limit.red, limit.green, limit.blue, limit.white])
    let level = try #require(said.metadata.clli)
    #expect(level.maxCLL > 0.5 * peak && level.maxCLL <= 1.001 * peak && said.warnings.isEmpty)
  }

  @Test func callersMayStateTheLight() throws {
    let level = ContentLightLevel(maxCLL: 400, maxFALL: 100)
    let stated = try Self.said(.pqPNG) {
      $0.statements.level = .stated(level)
      $0.statements.mastering = .stated(
        MasteringDisplay(primaries: Self.author.primaries, maxLuminance: 600, minLuminance: 0.1))
    }
    #expect(stated.metadata.clli == level && stated.metadata.mdcv?.maxLuminance == 600)
    #expect(stated.masteringSource == "setting")
    #expect(stated.warnings.map(\.code).prefix(2) == ["light.clli", "light.mdcv"])
    let none = try Self.said(.pqPNG) { ($0.statements.level, $0.statements.mastering) = (.none, .none) }
    #expect(none.metadata.clli == nil && none.metadata.mdcv == nil)
    let file = try Self.said(.pqPNG, Self.source) {
      $0.statements.mastering = .file
      $0.recipe.target.primaries = 12
    }
    #expect(file.metadata.mdcv == Self.author && file.masteringSource == "file")
  }

  /// Light is made relative to the file's diffuse white, and written relative to 203 cd/m².
  @Test func diffuseWhiteIsThatOfTheOutput() throws {
    var dim = Self.source
    dim.light.diffuseWhite = 100
    let said = try Self.said(.pqHEIC, dim)
    #expect(said.metadata.diffuseWhite == 203)
    let level = try #require(said.metadata.clli)
    #expect(abs(level.maxCLL - 1624) <= 16, "\(level)")
    #expect(try #require(said.metadata.mdcv).maxLuminance >= 1624)
  }

  @Test func toneMetadataStayWithTheirLight() throws {
    var curved = Self.source
    curved.light.toneMetadata = HeadroomAdaptiveMetadata.referenceWhitePayload(for: Headroom(factor: 800 / 203.0))
    #expect(try Self.said(.pqHEIC, curved).metadata.toneMetadata == curved.light.toneMetadata)
    let edited = try Self.said(.pqHEIC, curved) { $0.recipe.edits = [FilterStep("exposure", ["ev": .number(-1)])] }
    #expect(edited.metadata.toneMetadata == nil)
    #expect(edited.warnings.map(\.code).contains("tone.metadata-dropped"))
    let kept = try Self.said(.pqHEIC, curved) {
      $0.recipe.edits = [FilterStep("exposure", ["ev": .number(-1)])]
      $0.statements.tone = .keep
    }
    #expect(kept.metadata.toneMetadata == curved.light.toneMetadata)
    let made = try Self.said { $0.statements.tone = .referenceWhite }
    let read = try #require(made.metadata.headroomAdaptive)
    #expect(abs(try #require(read.baselineHeadroom) - 1.9786) < 1e-3 && read.usesReferenceWhiteToneMapping)
    #expect(try Self.said(.pqHEIC, curved) { $0.statements.tone = .none }.metadata.toneMetadata == nil)
  }

  /// The file holds all metadata, and the picture decodes as before.
  @Test(.enabled(if: OutputKind.pqHEIC.isAvailable)) func heicHoldsAllLightMetadata() throws {
    var curved = Self.source
    curved.light.toneMetadata = HeadroomAdaptiveMetadata.referenceWhitePayload(for: Headroom(factor: 800 / 203.0))
    func file(_ source: SourceImage) throws -> (bytes: [UInt8], request: EncodeRequest) {
      let options = RenditionOptions(kind: .pqHEIC), plan = try Planner.plan(source, options.recipe)
      let image = CPUBackend.best.render(plan, threads: 2)
      let request = EncodeRequest(image, plan.report, options, of: source, BandPool(threads: 1), threads: 1)
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      return (files.main, request)
    }
    let (bytes, request) = try file(curved), found = try decodeImage(bytes)
    #expect(found.warnings.isEmpty && found.light.fields == request.light.fields)
    #expect(found.light.fields == [.clli, .mdcv, .cclv, .amve, .reve, .toneMetadata])
    #expect(found.light.mdcv == Self.author && found.light.toneMetadata == curved.light.toneMetadata)
    #expect(found.light.places[.toneMetadata] == .message && found.light.places[.amve] == .box)
    var plain = curved
    plain.light = LightMetadata()
    let other = try decodeImage(file(plain).bytes)
    for (a, b) in zip(found.image.channels, other.image.channels) {
      for y in 0..<a.height {
        #expect(
          memcmp(a.buffer.base + a.offset + y * a.rowBytes, b.buffer.base + b.offset + y * b.rowBytes, 2 * a.width)
            == 0)
      }
    }
  }

  @Test func pngSaysWhatItHasNoPlaceFor() throws {
    let options = RenditionOptions(kind: .pqPNG), plan = try Planner.plan(Self.source, options.recipe)
    let image = CPUBackend.best.render(plan, threads: 2)
    let request = EncodeRequest(image, plan.report, options, of: Self.source, BandPool(threads: 1), threads: 1)
    let files = try encodeImage(request)
    #expect(files.warnings.map(\.code) == ["png.light-dropped"])
    #expect(files.warnings[0].message.description.contains("cclv, amve, reve"))
    #expect(try decodeImage(files.main, request: .metadata).light.mdcv == Self.author)
  }

  @Test func settingsReadTheUnitsOfTheFile() throws {
    func read(_ name: String, _ text: String) throws -> LightStatements {
      var values = SettingValues()
      let light = Settings.light
      if name == "clli" { try values.set(light.clli, text) } else { try values.set(light.mdcv, text) }
      var statements = LightStatements()
      (statements.level, statements.mastering) = (values[light.clli], values[light.mdcv])
      return statements
    }
    let x265 = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
    guard case .stated(let display) = try read("mdcv", x265).mastering else {
      Issue.record("not read")
      return
    }
    #expect(display == Self.author)
    #expect(try read("mdcv", "p3:0.005:1000").mastering == .stated(Self.author))
    #expect(try read("clli", "1000:400").level == .stated(ContentLightLevel(maxCLL: 1000, maxFALL: 400)))
    for (name, text) in [
      ("mdcv", "p3:1000:0.005"), ("mdcv", "p4:0:1"), ("mdcv", "G(1,2)"), ("mdcv", x265 + "x"), ("clli", "100:400"),
      ("clli", "1000"), ("clli", "-1:0"), ("clli", "0:0"), ("mdcv", "G(0,0)B(0,0)R(0,0)WP(0,0)L(1,0)"),
    ] {
      #expect(throws: (any Error).self, "\(name) \(text)") { try read(name, text) }
    }
  }
}
