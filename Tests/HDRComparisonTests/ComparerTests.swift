import HDRComparison
import HDRRender
import TestSupport
import Testing

/// Tests the promises of docs/swift.md about comparisons, with what the library shows.
@Suite struct ComparerTests {
  let folder: TemporaryFolder
  let renderer: HDRRenderer
  let comparer: HDRComparer

  init() throws {
    folder = try TemporaryFolder()
    renderer = try HDRRenderer(backend: .cpu)
    comparer = HDRComparer(renderer)
  }

  /// Writes an example with 64 pixels along its longer side.
  private func made(_ name: String, stops: Double = 0, as format: HDRFormat = .pqPNG()) throws -> String {
    let photo = try HDRImage(contentsOf: SharedData.example("lamps.jpg"))
      .applying(.filter("thumbnail", ["size": 64])).applying(.exposure(ev: stops))
    try renderer.write(photo, to: folder.path(name), as: format)
    return folder.path(name)
  }

  @Test("a file equals itself, with infinite decibels")
  func sameFile() throws {
    let file = try made("a.png")
    let difference = try comparer.compare(file, file)
    #expect(difference.verdict == .equal && difference.code == nil && difference.description == "equal")
    #expect(max(difference.width, difference.height) == 64)
    #expect(difference.files["words"] == 0 && difference.files["metadata"] == 0)
    #expect(difference.renditions.map(\.headroom) == [.infinity])
    let values = try #require(difference.renditions.first?.values)
    #expect(values["psnr-pq"] == .infinity && values["max(dE-seen)"] == 0 && values["bias"] == 0)
    #expect(values["ssim"] == nil)
    #expect(difference.json.hasPrefix("{\"type\":\"pair\"") && difference.json.contains("\"verdict\":\"equal\""))
  }

  @Test("a brighter picture differs by its bias, and a condition rejects it with the number")
  func brighter() throws {
    let a = try made("a.png"), b = try made("b.png", stops: 0.1)
    let told = try comparer.compare(a, b, metrics: ["bias", "ssim"])
    let values = try #require(told.renditions.first?.values)
    #expect(told.verdict == .differs && Set(values.keys) == ["bias", "ssim"])
    #expect(abs((values["bias"] ?? 0) - 0.1) < 0.01)
    let rejected = try comparer.compare(a, b, accept: "abs(bias)<0.03")
    #expect(rejected.verdict == .rejected && rejected.code == "accept.rejected")
    #expect(rejected.message?.description.hasPrefix("abs(bias@full) 0.") == true, "\(rejected)")
    #expect(try comparer.compare(a, b, accept: "abs(bias)<0.2").verdict == .accepted)
  }

  @Test("images from memory are compared at the headrooms that are named")
  func imagesAndHeadrooms() throws {
    let image = try HDRImage(contentsOf: try made("a.jpg", as: .adaptiveJPEG()))
    let difference = try comparer.compare(image, image, metrics: ["dE-seen"], headrooms: [1, 2.5, .infinity])
    #expect(difference.verdict == .equal && difference.renditions.map(\.headroom) == [1, 2.5, .infinity])
  }

  @Test("what cannot be compared is an error with its code")
  func errors() throws {
    let a = try made("a.png"), image = try HDRImage(contentsOf: a)
    func code(_ work: () throws -> HDRDifference) -> String? {
      do { _ = try work() } catch let error as HDRError { return error.code } catch {}
      return nil
    }
    #expect(code { try comparer.compare(a, SharedData.example("citadel.avif")) } == "compare.size")
    #expect(code { try comparer.compare(image, image.applying(.exposure(ev: 1))) } == "compare.edited")
    #expect(code { try comparer.compare(a, a, metrics: ["bogus"]) } == "option.value")
    #expect(code { try comparer.compare(a, a, headrooms: [0.5]) } == "option.value")
    #expect(code { try comparer.compare(a, a, accept: "p95(bogus)<2") } == "option.value")
    let missing = #expect(throws: HDRError.self) { try comparer.compare(a, folder.path("none.png")) }
    #expect(missing?.kind == .input && missing?.file == folder.path("none.png"))
  }

  @Test("all names of metrics are known, and the standard ones are among them")
  func names() throws {
    #expect(Set(HDRComparer.standardMetrics).isSubset(of: HDRComparer.metrics))
    let file = try made("a.png")
    #expect(try comparer.compare(file, file, metrics: HDRComparer.metrics).verdict == .equal)
  }
}
