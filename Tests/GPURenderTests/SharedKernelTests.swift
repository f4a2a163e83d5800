import Dispatch
import Foundation
import GPURender
import HDRCore
import HDRPlan
import Synchronization
import TestPlans
import TestSupport
import Testing

/// Threads that need kernels and tables at the same moment.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct SharedKernelTests {
  @Test("eight threads that begin with the same recipes make each kernel once")
  func kernelsAreMadeOnce() throws {
    let cases = Recipes.all(40, 30)
    let alone = try RendererTests.renderer()
    for one in cases { _ = try alone.render(one.plan) }
    let expected = cases.map { renderOnCPU($0.plan) }
    let shared = try RendererTests.renderer()
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      // Half of the threads meet at the same kernels, half at others.
      for index in thread % 2 == 0 ? Array(cases.indices) : cases.indices.reversed() {
        do {
          let difference = differingSamples(try shared.render(cases[index].plan), expected[index])
          if difference != 0 { failures.withLock { $0.append("\(cases[index].name): \(difference) samples") } }
        } catch {
          failures.withLock { $0.append("\(cases[index].name): \(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(shared.kernelStatistics.kernels == alone.kernelStatistics.kernels)
  }

  @Test("a kernel that cannot be made fails for all who need it, and the others' go on")
  func failureReachesAll() throws {
    let renderer = try RendererTests.renderer()
    // Hundreds of stages in one pass are more code than the limit.
    var long = Recipes.plan(Recipes.p010(16, 16), RenderRecipe(target: Recipes.target16f))
    let stage = try #require(long.passes[0].stages.last)
    long.passes[0].stages += Array(repeating: stage, count: 4000)
    let plan = long, good = Recipes.plan(Recipes.p010(16, 16), RenderRecipe(target: Recipes.target16f))
    let results = Mutex((failed: 0, rendered: 0))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        _ = try renderer.render(thread % 2 == 0 ? plan : good)
        results.withLock { $0.rendered += 1 }
      } catch {
        if case GPUError.kernel = error { results.withLock { $0.failed += 1 } }
      }
    }
    #expect(results.withLock { $0.failed } == 4 && results.withLock { $0.rendered } == 4)
    #expect(throws: GPUError.self) { try renderer.render(plan) }
  }

  @Test("a renderer that ends writes the pipelines that its cache file lacks")
  func fileIsComplete() throws {
    let folder = try TemporaryFolder()
    let plans = Recipes.all(16, 16).prefix(6).map(\.plan)
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
    do {
      let renderer = try RendererTests.renderer { $0.cacheFolder = folder.url.path }
      _ = try renderer.render(plans[0])
      // A thread writes the file after the first kernel, and within the next two seconds not again.
      for _ in 0..<1000 where try names().allSatisfy({ !$0.hasSuffix(".vkcache") }) { usleep(10_000) }
      for name in try names() { try FileManager.default.removeItem(atPath: folder.path(name)) }
      for plan in plans.dropFirst() { _ = try renderer.render(plan) }
    }
    #expect(try names().count == 1)
  }
}
