import Foundation
import HDRRender
import TestSupport
import Testing

/// Errors have a code, a kind and the file's name, and no files are left.
@Suite struct DoorErrorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func fault<R>(_ work: () throws(HDRError) -> R) -> HDRError? {
    do throws(HDRError) {
      _ = try work()
      return nil
    } catch {
      return error
    }
  }

  @Test func readingNamesTheFile() throws {
    let missing = fault { () throws(HDRError) in try HDRImage(contentsOf: "/no/such.heic") }
    #expect(missing?.kind == .input && missing?.code == "io.read" && missing?.file == "/no/such.heic")
    #expect("\(try #require(missing))" == "/no/such.heic: no such file [io.read]")
    try Data("hello".utf8).write(to: folder.url.appendingPathComponent("text.jpg"))
    let text = fault { () throws(HDRError) in try HDRImage(contentsOf: folder.path("text.jpg")) }
    #expect(text?.kind == .source && text?.code == "decode.unsupported" && text?.file == folder.path("text.jpg"))
    let big = fault { () throws(HDRError) in
      try HDRImage(contentsOf: SharedData.example("temple.heic"), limits: DecodeLimits(maxPixels: 1000))
    }
    #expect(big?.kind == .source && big?.code == "decode.limit")
    #expect(big?.description.hasSuffix("; raise max-pixels [decode.limit]") == true)
    #expect(big?.message.text(dashes: true).hasSuffix("; raise --max-pixels") == true)
    let small = fault { () throws(HDRError) in
      try HDRImage(data: Array("abc".utf8), limits: DecodeLimits(maxFileBytes: 2))
    }
    #expect(small?.code == "decode.limit" && small?.file == "data")
  }

  @Test func truncatedPixelsLeaveNoFile() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedData.example("lamps.jpg"))))
    let half = fault { () throws(HDRError) in
      let photo = try HDRImage(data: bytes.prefix(bytes.count / 20))
      try cpu.get().write(photo, to: folder.path("a.jpg"), as: .sdrJPEG())
    }
    #expect(half?.kind == .source)
    #expect(folder.names.isEmpty)
  }

  @Test("the library finds a quality by bytes, and refuses errors, which it does not measure")
  func qualitiesThatAreFound() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).cropped(
      to: .init(x: 0, y: 0, width: 128, height: 128))
    let renderer = try cpu.get()
    var options = HDROptions()
    try options.set("quality-target", "dE-seen:2")
    let refused = fault { () throws(HDRError) in
      try renderer.write(photo, to: folder.path("a.jpg"), as: .sdrJPEG(), options: options)
    }
    #expect(refused?.code == "option.value" && refused?.message.text(dashes: false).contains("quality-target") == true)
    var small = HDROptions()
    try small.set("max-bytes", "4000")
    try renderer.write(photo, to: folder.path("a.jpg"), as: .sdrJPEG(), options: small)
    #expect(try (1...4000).contains(folder.bytes("a.jpg").count))
    try small.set("max-bytes", "10")
    let large = fault { () throws(HDRError) in
      try renderer.write(photo, to: folder.path("b.jpg"), as: .sdrJPEG(), options: small)
    }
    #expect(large?.kind == .rejected && large?.code == "bytes.unreachable")
    #expect(folder.names == ["a.jpg"])
  }

  @Test func filesAreNotReplacedUnlessAsked() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).cropped(
      to: .init(x: 0, y: 0, width: 64, height: 64))
    let renderer = try cpu.get(), path = folder.path("a.png")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    let there = fault { () throws(HDRError) in try renderer.write(photo, to: path, as: .sdrPNG()) }
    #expect(there?.kind == .exists && there?.file == path)
    #expect(try folder.bytes("a.png") == Array("mine".utf8))
    try renderer.write(photo, to: path, as: .sdrPNG(), existing: .replace)
    #expect(try HDRImage(contentsOf: path).format == "png")
    let nowhere = fault { () throws(HDRError) in
      try renderer.write(photo, to: folder.path("no/such/a.png"), as: .sdrPNG())
    }
    #expect(nowhere?.kind == .output && nowhere?.code == "io.write")
    #expect(folder.names == ["a.png"])
  }

  @Test func impossibleRequestsAreErrorsAndLeaveNoFile() throws {
    let renderer = try cpu.get(), photo = try HDRImage(contentsOf: SharedData.example("temple.heic"))
    let crop = fault { () throws(HDRError) in
      try renderer.render(photo.cropped(to: .init(x: 9000, y: 0, width: 10, height: 10)))
    }
    #expect(crop?.kind == .request && crop?.file == SharedData.example("temple.heic"))
    let name = fault { () throws(HDRError) in try HDRFormat("gif") }
    #expect(name?.code == "format.name")
    let headroom = fault { () throws(HDRError) in try renderer.render(photo, headroom: 0.5) }
    #expect(headroom?.code == "option.value")
    let quality = fault { () throws(HDRError) in
      try renderer.write(photo, to: folder.path("a.jpg"), as: .sdrJPEG(quality: 400))
    }
    #expect(quality?.kind == .request)
    // Settings have their names, as in `HDROptions.set`.
    var options = HDROptions()
    options.headroom = 4
    let light = fault { () throws(HDRError) in
      try renderer.write(photo, to: folder.path("a.png"), as: .sdrPNG(), options: options)
    }
    #expect(light?.code == "recipe" && light?.description.contains("leave out headroom, display and") == true)
    let device = fault { () throws(HDRError) in try HDRRenderer(device: "no such device") }
    #expect(device?.kind == .unavailable)
    let program = fault { () throws(HDRError) in
      try HDRRenderer(backend: .cpu, isolation: .sandbox.program("/no/such/program"))
    }
    #expect(program?.kind == .unavailable && program?.code == "codec.missing")
    // A program's author reads this: no option of a command line is in it.
    let words = try #require(program).message.text(dashes: true)
    let command = "swift build -c release --product hdrbatch-codec"
    #expect(words.contains(command) && words.contains(".inProcess"), "\(words)")
    #expect(!words.contains("--isolation"), "\(words)")
    #expect(folder.names.isEmpty)
  }
}
