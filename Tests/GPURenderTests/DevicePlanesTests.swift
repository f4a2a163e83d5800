import Foundation
import GPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels
import TestFiles
import TestPlans
import TestSupport
import Testing

/// Planes of JPEGs that stay on the device that decoded them, on emulated cards. Each test is a process of its own.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct DevicePlanesTests {
  /// A base and a smaller map.
  static let files: [[UInt8]] = [(201, 143, ChromaSubsampling.s420), (51, 37, .none)].map { width, height, chroma in
    BaselineJPEG(width: width, height: height, chroma: chroma).file
  }

  /// Returns the planes of both, where the device keeps them.
  static func keep(_ renderer: GPURenderer) throws -> [SampleImage] {
    let made = try #require(try renderer.decodeJPEG(keeping: try files.map { try JPEGDecodeTests.scan($0) }))
    #expect(made.allSatisfy { $0.flags.isEmpty })
    return made.map(\.image)
  }

  /// Returns plans that read base and map: whole ones, and one that turns and cuts the picture.
  static func plans(_ images: [SampleImage]) -> [Plan] {
    var map = Recipes.gainMap(width: 51, height: 37, grey: true)
    map.image = images[1]
    let recipe = RenderRecipe(target: Recipes.target16f)
    return [
      Recipes.plan(images[0], transfer: 13, primaries: 1, gainMap: map, recipe),
      Recipes.plan(images[0], transfer: 13, primaries: 1, orientation: .right, recipe),
      .copying(images[1]),
    ]
  }

  /// Changes of a picture that give it another shape.
  static let shapes: [@Sendable (inout SampleImage) -> Void] = [
    { $0.channels[0].width += 1 }, { $0.channels[0].height -= 1 }, { $0.channels[0].stepBytes = 2 },
    { $0.format = .uint16 }, { $0.channels.append($0.channels[0]) },
  ]

  static func expectSamples(_ images: [SampleImage]) throws {
    for (image, file) in zip(images, files) {
      #expect(JPEGDecodeTests.differing(image, try decodeImage(file).image) == 0)
    }
  }

  @Test(
    "passes read planes where the device that decoded them has them, and nothing of them goes up or comes back",
    arguments: [
      "nvidia", "nvidia,late=1,delay=2000", "amd,granule=16", "intel,late=1,range=1MiB", "mobile", "moltenvk",
    ])
  func passesReadPlanesWhereTheyAre(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer(), images = try DevicePlanesTests.keep(renderer)
        let back = renderer.lastTimings.bytesReadBack
        let expected = DevicePlanesTests.plans(try DevicePlanesTests.files.map { try decodeImage($0).image })
        for (kept, plan) in zip(DevicePlanesTests.plans(images), expected) {
          #expect(kept.devicePlanes.count > 0 && plan.devicePlanes.isEmpty)
          #expect(differingSamples(try renderer.render(kept), renderOnCPU(plan)) == 0, "\(card)")
          let up = renderer.lastTimings.bytesUploaded, bands = renderer.lastTimings.bands
          #expect(differingSamples(try renderer.render(plan), renderOnCPU(plan)) == 0, "\(card)")
          // As many bands at least, each with its words, and more bytes.
          #expect(up < renderer.lastTimings.bytesUploaded || card == "moltenvk", "\(card)")
          #expect(bands <= renderer.lastTimings.bands)
        }
        #expect(images.allSatisfy { $0.devicePlanes?.areHere == false })
        // A word of flags for each group of chunks.
        #expect(back < 1024)
        for image in images { try image.devicePlanes?.bring() }
        try DevicePlanesTests.expectSamples(images)
        // The device goes on with its own.
        let again = DevicePlanesTests.plans(images)[0]
        #expect(differingSamples(try renderer.render(again), renderOnCPU(expected[0])) == 0)
      }
    }
  }

  @Test("another device gets planes from the host, once they are there")
  func otherDevicesWaitForPlanes() async {
    await #expect(processExitsWith: .success) {
      try EmulatedCard.use("nvidia") {
        let holder = try EmulatedCardTests.renderer(), other = try EmulatedCardTests.renderer()
        let images = try DevicePlanesTests.keep(holder), plan = DevicePlanesTests.plans(images)[0]
        #expect(throws: GPUError.samplesLost(reason: "another device holds them")) { try other.render(plan) }
        for planes in plan.devicePlanes {
          #expect(holder.holds(planes) && !other.holds(planes))
          try planes.bring()
        }
        #expect(differingSamples(try other.render(plan), renderOnCPU(plan)) == 0)
      }
    }
  }

  @Test("planes are kept within the memory for them, which is given back with the last picture that has them")
  func keptPlanesAreBounded() async {
    await #expect(processExitsWith: .success) {
      try EmulatedCard.use("nvidia") {
        // Base and map take 47 KiB.
        let renderer = try RendererTests.renderer { $0.memoryBudget = 80 << 10 }
        for _ in 0..<3 {
          let images = try DevicePlanesTests.keep(renderer)
          let scans = try DevicePlanesTests.files.map { try JPEGDecodeTests.scan($0) }
          let more = try renderer.decodeJPEG(keeping: scans)
          #expect(more == nil && images.count == 2)
        }
      }
    }
  }

  @Test(
    "planes of a card that is lost or hangs are lost, and filled with the samples of another decoder",
    arguments: ["nvidia,lost=", "nvidia,clock=100,hang="])
  func lostPlanesAreFilled(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      // The submissions until planes are kept: so the next is the last.
      var last = 1
      try EmulatedCard.use("nvidia") {
        let renderer = try EmulatedCardTests.renderer()
        _ = try DevicePlanesTests.keep(renderer)
        // The probe of the self-test is one, and two pictures of noise are decoded before.
        last = 2 + 3 * renderer.lastTimings.submissions
      }
      try EmulatedCard.use(card + "\(last)") {
        let renderer = try EmulatedCardTests.renderer(), images = try DevicePlanesTests.keep(renderer)
        for (image, file) in zip(images, DevicePlanesTests.files) {
          let planes = try #require(image.devicePlanes)
          #expect(throws: GPUError.self) { try planes.bring() }
          // A decoder that makes another picture of the same file is not believed.
          for change in DevicePlanesTests.shapes {
            var other = try decodeImage(file).image
            change(&other)
            #expect(throws: GPUError.samplesLost(reason: "another decoder makes another picture")) {
              try planes.fill(from: other, because: "it is lost")
            }
          }
          #expect(!planes.areHere && planes.loss == nil)
          try planes.fill(from: try decodeImage(file).image, because: "it is lost")
          #expect(planes.areHere && planes.loss == "it is lost")
        }
        try DevicePlanesTests.expectSamples(images)
      }
    }
  }

  @Test("planes for which the host has no memory are not kept, or not brought until there is some")
  func planesWithoutHostMemory() async {
    await #expect(processExitsWith: .success) {
      // Emulated cards end the process when their own memory ends.
      var options = GPUOptions()
      (options.selfTest, options.cacheFolder) = (false, "")
      let renderer = try GPURenderer(selection: .named("llvmpipe"), options: options)
      var one = BaselineJPEG(width: 1600, height: 1200)
      (one.density, one.largestBits) = (0.03, 4)
      let file = one.file, scan = try JPEGDecodeTests.scan(file), library = try decodeImage(file).image
      _ = try DevicePlanesTests.keep(renderer)
      // mmap fails: nothing is kept, and nothing is held for it.
      let none = try MemoryLimit(RLIMIT_AS, "VmSize").with(1 << 20) { try renderer.decodeJPEG(keeping: [scan]) }
      #expect(none == nil)
      let made = try #require(try renderer.decodeJPEG(keeping: [scan]))
      let planes = try #require(made[0].image.devicePlanes), limit = MemoryLimit(RLIMIT_DATA, "VmData")
      // mprotect fails, of samples that the library has, and of those that the device has copied to the host.
      #expect(throws: GPUError.outOfMemory(what: "decoded planes in host memory", bytes: planes.bytes)) {
        try limit.with(planes.bytes / 2) { try planes.fill(from: library, because: "there is no memory") }
      }
      #expect(!planes.areHere && planes.loss == nil)
      var reasons: [String] = []
      for halves in 1...20 where !planes.areHere {
        do throws(GPUError) {
          try limit.with(halves * planes.bytes / 2) { () throws(GPUError) in try planes.bring() }
        } catch {
          guard case .samplesLost(let reason) = error else { throw error }
          #expect(!planes.areHere)
          reasons.append(reason)
        }
      }
      #expect(reasons.contains { $0.contains("decoded planes in host memory") }, "\(reasons)")
      // Then all is as it would have been.
      #expect(planes.areHere && planes.loss == nil && JPEGDecodeTests.differing(made[0].image, library) == 0)
      #expect(differingSamples(try renderer.render(.copying(made[0].image)), renderOnCPU(.copying(library))) == 0)
    }
  }
}

/// A limit of the memory of this process.
private struct MemoryLimit {
  private let resource: __rlimit_resource_t
  /// The line of /proc/self/status that says what is used.
  private let used: String

  init(_ resource: __rlimit_resource, _ used: String) {
    (self.resource, self.used) = (__rlimit_resource_t(resource.rawValue), used)
  }

  /// Runs with room for so many bytes more than are used.
  func with<R, Failure: Error>(_ room: Int, _ run: () throws(Failure) -> R) throws(Failure) -> R {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(used + ":") } ?? ""
    let bytes = line.split { !$0.isNumber }.first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
    var before = rlimit()
    getrlimit(resource, &before)
    var limit = rlimit(rlim_cur: rlim_t(bytes + room), rlim_max: before.rlim_max)
    setrlimit(resource, &limit)
    defer { setrlimit(resource, &before) }
    return try run()
  }
}
