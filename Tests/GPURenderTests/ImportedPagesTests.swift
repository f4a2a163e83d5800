import Foundation
import GPURender
import HDRCore
import HDRPlan
import Synchronization
import TestPlans
import TestSupport
import Testing

/// Pages of the host that emulated cards copy from and to themselves. Each test is a process of its own.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct ImportedPagesTests {
  /// Pictures in memory of their own come first: their kernels are the same, and compiling takes longer than rendering.
  @Test(
    "pictures have the bits of the CPU, whether the host copies them or, from its pages, the device",
    arguments: [
      "nvidia", "nvidia,late=1,delay=2000", "amd,granule=16,late=1", "intel,late=1,range=1MiB", "mobile",
      "nvidia,uncached=1", "nvidia,imports=1", "nvidia,imports=0",
    ])
  func picturesHaveTheBitsOfTheCPU(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer()
        #expect(renderer.device.name.contains("emulated") && renderer.device.type != .cpu)
        var imports = 0
        for one in Recipes.all(131, 67) + [Case(name: "bands", plan: EmulatedCardTests.plan)] {
          let memory = PictureBlock(), expected = renderOnCPU(one.plan)
          #expect(differingSamples(try renderer.render(one.plan), expected) == 0, "\(one.name), \(card), copied")
          #expect(renderer.lastTimings.bands > (one.name == "bands" ? 3 : 0))
          let image = try renderer.render(one.plan.moved(to: memory.buffer), memory: memory.buffer)
          #expect(differingSamples(image, expected) == 0, "\(one.name), \(card)")
          imports += renderer.lastTimings.imports
        }
        #expect(renderer.lastTimings.bands > 3)
        let most = card.hasSuffix("imports=0") ? 0 : card.hasSuffix("imports=1") ? 1 : Int.max
        #expect(imports <= most && (imports > 0 || most == 0), "\(card): \(imports)")
      }
    }
  }

  @Test(
    "pictures that the device copies itself are measured, too",
    arguments: ["nvidia", "nvidia,late=1,delay=2000", "amd,granule=16,late=1", "mobile", "nvidia,imports=0"])
  func picturesInPagesAreMeasured(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer()
        for one in [(64, 31), (301, 237)].flatMap(MeasurementTests.cases) {
          let memory = PictureBlock(), picture = renderOnCPU(one.plan)
          let made = try renderer.render(
            one.plan.moved(to: memory.buffer), measuring: one.measurement, memory: memory.buffer)
          #expect(made.sums == one.measurement.sums(of: picture), "\(one), \(card)")
          #expect(differingSamples(made.image, picture) == 0, "\(one), \(card)")
        }
      }
    }
  }

  @Test(
    "the host copies words and constants alone, and all pixels where the card takes no pages or they are in the heap")
  func hostCopiesAreCounted() async {
    await #expect(processExitsWith: .success) {
      let plan = EmulatedCardTests.plan, pixels = 200 * 400, expected = renderOnCPU(plan)
      var copied: [Int] = []
      for card in ["nvidia", "nvidia,imports=0"] {
        try EmulatedCard.use(card) {
          let renderer = try EmulatedCardTests.renderer(), memory = PictureBlock()
          let held = plan.moved(to: memory.buffer)
          #expect(differingSamples(try renderer.render(held, memory: memory.buffer), expected) == 0)
          copied.append(renderer.lastTimings.bytesCopied)
          // The output alone, the sources alone, nothing.
          #expect(differingSamples(try renderer.render(plan, memory: memory.buffer), expected) == 0)
          copied.append(renderer.lastTimings.bytesCopied)
          #expect(differingSamples(try renderer.render(held), expected) == 0)
          copied.append(renderer.lastTimings.bytesCopied)
          #expect(differingSamples(try renderer.render(plan), expected) == 0)
          copied.append(renderer.lastTimings.bytesCopied)
          #expect(renderer.lastTimings.imports + renderer.lastTimings.failedImports == 0)
        }
      }
      // P010 has three bytes a pixel, in rows of a multiple of 64 bytes; halves have eight.
      let words = copied[0], source = copied[1] - words, output = copied[2] - words
      #expect(words > 0 && words < pixels && source >= 3 * pixels && source < 4 * pixels, "\(copied)")
      #expect(output == 8 * pixels && copied[3] == words + source + output, "\(copied)")
      #expect(copied[4...].allSatisfy { $0 == copied[3] }, "\(copied)")
    }
  }

  @Test("a block is imported once, anew for a larger picture and for other pages, and not again after a failure")
  func blocksAreImportedOnce() async {
    await #expect(processExitsWith: .success) {
      for card in ["nvidia", "nvidia,imports=2"] {
        try EmulatedCard.use(card) {
          let renderer = try EmulatedCardTests.renderer(), memory = PictureBlock()
          var counts: [[Int]] = []
          func render(_ width: Int, _ height: Int) throws {
            memory.clear()
            let plan = Recipes.plan(Recipes.p010(width, height), RenderRecipe(target: Recipes.target16f))
            let image = try renderer.render(plan.moved(to: memory.buffer), memory: memory.buffer)
            #expect(differingSamples(image, renderOnCPU(plan)) == 0, "\(width)x\(height), \(card)")
            counts.append([renderer.lastTimings.imports, renderer.lastTimings.failedImports])
          }
          try render(200, 100)
          try render(200, 100)
          try render(64, 48)
          try render(200, 200)
          // What lies there is another picture's, on pages of its own.
          memory.forget()
          try render(200, 200)
          try render(200, 100)
          let last = card == "nvidia" ? [1, 0] : [0, 1]
          #expect(counts == [[1, 0], [0, 0], [0, 0], [1, 0], last, [0, 0]], "\(card): \(counts)")
        }
      }
    }
  }

  @Test("kept memory of pictures is imported once, and its import ends before it does")
  func keptMemoryIsImportedOnce() async {
    await #expect(processExitsWith: .success) {
      try EmulatedCard.use("nvidia,late=1") {
        PictureMemory.keep(byteCount: 64 << 20)
        let renderer = try RendererTests.renderer()
        let plan = Recipes.plan(Recipes.p010(2000, 1500), RenderRecipe(target: Recipes.target16f))
        let expected = renderOnCPU(plan)
        var imports: [Int] = []
        for _ in 0..<3 {
          #expect(differingSamples(try renderer.render(plan), expected) == 0)
          imports.append(renderer.lastTimings.imports)
          #expect(renderer.lastTimings.bytesCopied < 2000 * 1500 * 4, "chroma alone is in the heap")
        }
        #expect(imports[0] > 0 && imports[2] == 0, "\(imports)")
        // The card ends the process if these pages go before their import.
        PictureMemory.keep(byteCount: 0)
        #expect(differingSamples(try renderer.render(plan), expected) == 0)
      }
    }
  }

  /// The clock of a card that hangs runs a hundred times as fast.
  @Test(
    "pages that a failed card may still write to stay to the end of the process, others do not",
    arguments: ["nvidia", "nvidia,hang=9,clock=100", "nvidia,lost=9", "amd,granule=16,lost=10"])
  func failedCardsKeepPages(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer(), begin = ContinuousClock.now
        weak var block: HostBlock?
        do {
          let memory = PictureBlock()
          block = memory.block
          let held = EmulatedCardTests.plan.moved(to: memory.buffer)
          if card == "nvidia" {
            _ = try renderer.render(held, memory: memory.buffer)
          } else {
            #expect(throws: GPUError.deviceLost(device: renderer.device.name)) {
              try renderer.render(held, memory: memory.buffer)
            }
          }
        }
        #expect((block != nil) == (card != "nvidia"))
        #expect(ContinuousClock.now - begin < .seconds(20))
      }
    }
  }

  @Test("a barrier for the host that is left out shows in pages that the device writes")
  func missingBarriersShow() async {
    await #expect(processExitsWith: .success) {
      try EmulatedCard.use("nvidia,nohost=1") {
        let blind = try RendererTests.renderer { $0.selfTest = false }
        let memory = PictureBlock(), plan = EmulatedCardTests.plan
        let image = try blind.render(plan.moved(to: memory.buffer), memory: memory.buffer)
        #expect(differingSamples(image, renderOnCPU(plan)) > 200 * 400)
        #expect(blind.lastTimings.imports == 1)
      }
    }
  }
}

/// A block of pages that holds a picture's sources and output, as memory that a codec process shares.
private final class PictureBlock: Sendable {
  private static let byteCount = 16 << 20
  let block: HostBlock
  private let next = Mutex(0)

  init() {
    let base = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)!
    precondition(base != MAP_FAILED)
    block = HostBlock(base, byteCount: Self.byteCount) { munmap($0, Self.byteCount) }
  }

  /// Returns the next free place; the first is not at the beginning.
  func buffer(_ byteCount: Int) -> PixelBuffer {
    let offset = next.withLock { next in
      defer { next += (byteCount + 127) & ~63 }
      return next + 64
    }
    precondition(offset + byteCount + 64 <= Self.byteCount)
    return PixelBuffer(adopting: block.base + offset, byteCount: byteCount, in: block) { _ in }
  }

  /// Makes all places free.
  func clear() { next.withLock { $0 = 0 } }

  /// Puts empty pages in the place of all, as when a process is replaced.
  func forget() {
    #expect(madvise(block.base, Self.byteCount, MADV_REMOVE) == 0)
    block.pagesChange()
  }
}
