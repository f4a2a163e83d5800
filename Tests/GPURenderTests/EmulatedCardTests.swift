import Foundation
import GPURender
import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Rendering on graphics cards that lavapipe emulates: what the host writes and reads moves only where Vulkan says so, and
/// queues overtake each other. Each test is a process of its own, because the loader reads the environment.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct EmulatedCardTests {
  /// A picture of several bands of 64 KiB.
  static let plan = Recipes.plan(Recipes.p010(200, 400), RenderRecipe(target: Recipes.target16f))

  /// Bands so small that every slot of the ring has several.
  static func renderer() throws -> GPURenderer { try RendererTests.renderer { $0.bandBytes = 1 << 16 } }

  /// Others are those of `ImportedPagesTests`.
  @Test(
    "cards of two makers render the bits of the CPU, whether writes of the host reach them early or late",
    arguments: ["amd,granule=16", "moltenvk,late=1"])
  func cardsHaveTheBitsOfTheCPU(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer()
        #expect(renderer.device.name.contains("emulated") && renderer.device.type != .cpu)
        try RendererTests.expectSameBits(renderer, Recipes.all(131, 67), card)
        #expect(differingSamples(try renderer.render(EmulatedCardTests.plan), renderOnCPU(EmulatedCardTests.plan)) == 0)
        #expect(renderer.lastTimings.bands > 3)
      }
    }
  }

  /// On lavapipe itself host and device share memory, and these faults change nothing.
  @Test(
    "a barrier for the host or a flush that is left out fails the self-test, and pictures show it",
    arguments: ["nvidia,nohost=1", "nvidia,noflush=1", "moltenvk,nohost=1", "moltenvk,noflush=1"])
  func faultsAreSeen(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let error = #expect(throws: GPUError.self) { try EmulatedCardTests.renderer() }
        guard case .selfTest(_, let differing) = error, differing > 1_000_000 else {
          Issue.record("\(card): \(String(describing: error))")
          return
        }
        // A card that promises its rounding can be taken without the test.
        if card.hasPrefix("moltenvk") { return }
        let blind = try RendererTests.renderer { $0.selfTest = false }
        let plan = EmulatedCardTests.plan
        #expect(differingSamples(try blind.render(plan), renderOnCPU(plan)) > 200 * 400)
      }
    }
  }

  /// The clock of a card that hangs runs a hundred times as fast.
  @Test(
    "a card that hangs or is lost ends a picture within seconds, and takes no other",
    arguments: ["nvidia,hang=9,clock=100", "nvidia,lost=9", "amd,granule=16,lost=10", "moltenvk,hang=4,clock=100"])
  func failuresEnd(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer(), begin = ContinuousClock.now
        for _ in 0..<2 {
          #expect(throws: GPUError.deviceLost(device: renderer.device.name)) {
            try renderer.render(EmulatedCardTests.plan)
          }
        }
        #expect(ContinuousClock.now - begin < .seconds(20))
      }
    }
  }

  /// NVIDIA's driver may hang of that.
  @Test("no two threads give a card of NVIDIA work at once")
  func threadsTakeTurns() async {
    await #expect(processExitsWith: .success) {
      try EmulatedCard.use("nvidia") {
        let renderer = try EmulatedCardTests.renderer(), plans = Recipes.all(131, 67)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          for index in plans.indices {
            for plan in [plans[(index + thread) % plans.count].plan, EmulatedCardTests.plan] {
              if (try? renderer.render(plan)) == nil { Issue.record("thread \(thread), plan \(index)") }
            }
          }
        }
      }
    }
  }

  @Test("bands get smaller until they fit a card whose memory is full")
  func bandsFitFullCards() async {
    await #expect(processExitsWith: .success) {
      let plan = Recipes.plan(Recipes.p010(2000, 1500), RenderRecipe(target: Recipes.target16f))
      let expected = renderOnCPU(plan)
      var bands: [Int] = []
      for card in ["nvidia", "nvidia,oom=32MiB"] {
        try EmulatedCard.use(card) {
          let renderer = try RendererTests.renderer()
          #expect(differingSamples(try renderer.render(plan), expected) == 0)
          bands.append(renderer.lastTimings.bands)
        }
      }
      #expect(bands[1] > bands[0], "\(bands)")
    }
  }

  @Test("bands are smaller on a card of which other programs leave little")
  func bandsKeepToTheBudget() async {
    await #expect(processExitsWith: .success) {
      let plan = Recipes.plan(Recipes.p010(2000, 1500), RenderRecipe(target: Recipes.target16f))
      let expected = renderOnCPU(plan)
      var bands: [Int] = []
      for card in ["nvidia", "nvidia,budget=64MiB"] {
        try EmulatedCard.use(card) {
          let renderer = try RendererTests.renderer()
          #expect(differingSamples(try renderer.render(plan), expected) == 0)
          bands.append(renderer.lastTimings.bands)
        }
      }
      #expect(bands[1] > bands[0], "\(bands)")
    }
  }

  @Test("a card without any memory left is an error")
  func cardsWithoutMemoryAreErrors() async {
    await #expect(processExitsWith: .success) {
      // The self-test has three allocations.
      try EmulatedCard.use("nvidia,oom=4") {
        let renderer = try EmulatedCardTests.renderer()
        let error = #expect(throws: GPUError.self) { try renderer.render(EmulatedCardTests.plan) }
        guard case .outOfMemory = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }
  }

  @Test("the card counts what the renderer reports")
  func countsAgree() async throws {
    let ended = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      try EmulatedCard.use("nvidia,stats=1") {
        let renderer = try RendererTests.renderer {
          $0.bandBytes = 1 << 16
          $0.selfTest = false
          // Several dispatches for each band.
          $0.dispatchSeconds = 1e-9
        }
        let plan = EmulatedCardTests.plan
        _ = try renderer.render(plan)
        let timings = renderer.lastTimings
        let numbers = [
          timings.bands, timings.dispatches, timings.bytesUploaded + 4 * plan.tables.count, timings.submissions,
        ]
        print("\nreported", numbers.map(String.init).joined(separator: " "))
        // A test's process ends without the destructors that print the counts.
        exit(EXIT_SUCCESS)
      }
    }
    let output = String(decoding: try #require(ended).standardOutputContent, as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("reported ") })
    let reported = line.split(separator: " ").dropFirst().compactMap { Int($0) }
    let counts = EmulatedCard.counts(String(decoding: try #require(ended).standardErrorContent, as: UTF8.self))
    #expect(reported.count == 4 && reported[0] > 3 && reported[1] > reported[0])
    // Three for each band, and the upload of the plan's tables.
    #expect(
      reported[3] == 3 * reported[0] && counts["submissions"] == reported[3] + 1
        && counts["copy"] == 2 * reported[0] + 1, "\(counts)")
    #expect(counts["dispatches"] == reported[1] && counts["bytes_up"] == reported[2], "\(counts)")
    // Eight bytes a pixel.
    #expect(counts["bytes_down"] == 200 * 400 * 8 && counts["timeouts"] == 0, "\(counts)")
  }

  @Test(
    "a card that nobody knows is no device",
    arguments: ["", "voodoo", "nvidia,delay", "nvidia,late=yes", "amd,lost=-1"])
  func unknownCardsAreNoDevices(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) { #expect(GPUDevice.available().isEmpty) }
    }
  }
}
