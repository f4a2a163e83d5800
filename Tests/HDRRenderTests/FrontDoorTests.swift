import Foundation
import HDRRender
import TestSupport
import Testing

/// Tests the promises of docs/swift.md about the front door.
@Suite struct FrontDoorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(
    "five lines open a photo, edit it, render it and write it",
    arguments: ["temple.heic", "lamps.jpg", "citadel-pq.heic", "citadel.avif"])
  func fiveLines(name: String) throws {
    let photo = try HDRImage(contentsOf: SharedData.example(name))
    print(photo.isHDR, photo.contentHeadroom, photo.gainMap as Any)
    let edited = photo.applying(.exposure(ev: 0.5)).cropped(to: .init(x: 0, y: 0, width: 1400, height: 700))
    let renderer = try HDRRenderer()
    let pixels = try renderer.render(edited, headroom: 4)
    try renderer.write(edited, to: folder.path("out.heic"), as: .adaptiveHEIC(quality: 90))

    #expect(photo.isHDR && photo.contentHeadroom > 1)
    #expect(pixels.width == min(1400, photo.width) && pixels.height == min(700, photo.height))
    #expect(pixels.primaries == 9)
    let written = try HDRImage(contentsOf: folder.path("out.heic"))
    #expect(written.gainMap != nil && written.isHDR)
    #expect((written.width, written.height) == (pixels.width, pixels.height))
    #expect(folder.names == ["out.heic"])
  }

  @Test("a file's facts are there before a pixel is decoded")
  func facts() throws {
    let temple = try HDRImage(contentsOf: SharedData.example("temple.heic"))
    #expect(temple.format == "heic" && temple.width == 1280 && temple.height == 1792 && temple.bitDepth == 8)
    let map = try #require(temple.gainMap)
    #expect(map.isComplete && map.alternateHeadroom == temple.contentHeadroom)
    #expect("\(map)".contains("gain map"))
    let pq = try HDRImage(contentsOf: SharedData.example("citadel-pq.heic"))
    #expect(pq.isHDR && pq.gainMap == nil && pq.cicp?.transfer == 16 && !pq.contentHeadroomSource.isEmpty)
  }

  @Test("bytes in memory are the same picture as their file")
  func memory() throws {
    let path = SharedData.example("temple.heic"), renderer = try cpu.get()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let a = try renderer.write(HDRImage(data: bytes), to: folder.path("a.jpg"), as: .sdrJPEG(quality: 80))
    let b = try renderer.write(HDRImage(contentsOf: path), to: folder.path("b.jpg"), as: .sdrJPEG(quality: 80))
    #expect(a.outputDigest == b.outputDigest && a.inputDigest == b.inputDigest && a.byteCount == b.byteCount)
  }

  @Test("pixels: rows, points and arrays are the same numbers")
  func pixels() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).cropped(
      to: .init(x: 600, y: 800, width: 40, height: 30))
    let pixels = try cpu.get().render(photo)
    let floats = pixels.floats, halves = pixels.halves
    #expect(floats.count == 1200 && halves.count == 1200)
    #expect(pixels[7, 11] == floats[11 * 40 + 7] && SIMD4<Float>(halves[447]) == floats[447])
    pixels.withUnsafeRow(11) { #expect($0.count == 40 && $0[7] == halves[447]) }
    pixels.withUnsafeBytes { bytes, rowBytes in
      #expect(bytes.load(fromByteOffset: 11 * rowBytes + 56, as: SIMD4<Float16>.self) == halves[447])
    }
    #expect(floats.allSatisfy { $0.w == 1 } && !pixels.hasAlpha)
  }

  @Test("exposure doubles light, and the display's headroom bounds it")
  func light() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).cropped(
      to: .init(x: 500, y: 700, width: 64, height: 64))
    let renderer = try cpu.get()
    let plain = try renderer.render(photo).floats,
      doubled = try renderer.render(photo.applying(.exposure(ev: 1))).floats
    for (a, b) in zip(plain, doubled) { #expect(abs(b.y - 2 * a.y) <= 2e-3 * b.y) }
    let small = try renderer.render(photo, headroom: 2)
    #expect(small.report.displayHeadroom == 2)
    #expect(small.report.contentHeadroom > 2 && !small.report.operatorReason.isEmpty)
  }

  @Test("any filter applies by its name, with a second picture")
  func filters() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).cropped(
      to: .init(x: 0, y: 0, width: 96, height: 64))
    let renderer = try cpu.get()
    let pq = try HDRImage(contentsOf: SharedData.example("citadel-pq.heic"))
    let blurred = photo.applying(.filter("gaussian-blur", ["radius": 8])).applying(
      try HDRFilter(parsing: "gamma=power:1.1"))
    let over = blurred.applying(.filter("dissolve", ["input": .image(pq), "time": 0.5]))
    let (a, b) = (try renderer.render(blurred), try renderer.render(over))
    #expect(a.floats != b.floats && a.report.facts.report?.edits.map(\.name) == ["crop", "gaussian-blur", "gamma"])
    #expect(HDRFilter.names.contains("gaussian-blur"))
    #expect(throws: HDRError.self) { try renderer.render(photo.applying(.filter("gaussianBlurr"))) }
  }

  @Test("a typed filter is the filter of that name with its values")
  func typedFilters() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).cropped(
      to: .init(x: 0, y: 0, width: 96, height: 64))
    let renderer = try cpu.get(), pq = try HDRImage(contentsOf: SharedData.example("citadel-pq.heic"))
    let pairs: [(HDRFilter, HDRFilter)] = [
      (.gaussianBlur(radius: 8), .filter("gaussian-blur", ["radius": 8])),
      (.vibrance(amount: 0.4), .filter("vibrance", ["amount": 0.4])),
      (
        .perspectiveTransform(topLeft: [9, 9], sampling: .bicubic),
        .filter("perspective-transform", ["top-left": [9, 9], "sampling": "bicubic"])
      ),
      (.dissolve(input: .image(pq), time: 0.5), .filter("dissolve", ["input": .image(pq), "time": 0.5])),
      (
        .colorMonochrome(color: try FilterColor(.p3, 1, 0.2, 0)),
        .filter("color-monochrome", ["color": "p3(1, 0.2, 0)"])
      ),
      (.colorPosterize(), .filter("color-posterize")),
    ]
    for (typed, named) in pairs {
      #expect(try renderer.render(photo.applying(typed)).floats == renderer.render(photo.applying(named)).floats)
    }
    #expect(throws: HDRError.self) { try renderer.render(photo.applying(.gaussianBlur(radius: -1))) }
  }

  @Test("options and recipes of the command line work in the library")
  func recipes() throws {
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")), renderer = try cpu.get()
    var options = HDROptions()
    options.toneMap = .named("bt2390")
    options.primaries = .p3
    options.gamut = .clip
    try options.set("apple-map-transfer", "bt709")
    let report = try renderer.write(
      photo, to: folder.path("a.png"), as: .pqPNG(), options: options)
    #expect(report.facts.report?.outputCICP.primaries == 12 && report.light != nil)
    #expect(throws: HDRError.self) { try options.set("headrom", "4") }
    #expect(throws: HDRError.self) { try options.set("headroom", "much") }

    let recipe = try Recipe(
      "steps: [{exposure: {ev: 0.5}}, {crop: {rect: [0, 0, 200, 100]}}]\ntone-map: reference-white\n"
        + "outputs: [{to: pq-png, headroom: 4}, {to: sdr-jpeg, quality: 85}]")
    #expect(recipe.formats.map(\.fileExtension) == ["png", "jpg"])
    for format in recipe.formats {
      let made = try renderer.write(photo.applying(recipe), to: folder.path("r." + format.fileExtension), as: format)
      #expect((made.width, made.height) == (200, 100))
    }
    let again = try Recipe(contentsOf: SharedData.example("recipes/two-renditions.yaml"))
    #expect(again.formats.count == 2)
    #expect(throws: HDRError.self) { try Recipe("steps: 4") }
  }

  @Test("a picture without a file is what generators make it")
  func generator() throws {
    let pixels = try cpu.get().render(
      HDRImage(width: 32, height: 16).applying(.filter("constant-color", ["color": [1, 1, 1]])))
    #expect((pixels.width, pixels.height) == (32, 16) && pixels[3, 4].x == 1)
  }
}
