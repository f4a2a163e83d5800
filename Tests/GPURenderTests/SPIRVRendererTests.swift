import GPURender
import HDRCore
import HDRPlan
import SPIRVExecutor
import TestPlans
import Testing

/// The GLSL gives the CPU's bits with no driver in between, whatever Vulkan leaves to a device.
@Suite struct SPIRVRendererTests {
  static let variants: [(name: String, variant: ExecutorVariant)] = [
    ("as it is", ExecutorVariant()), ("subnormals flushed", ExecutorVariant(flushesSubnormals: true)),
    ("zeros of the other sign", ExecutorVariant(flipsZeros: true)),
    ("lanes backwards, 24 of them", ExecutorVariant(isReversed: true, width: 24)),
  ]

  @Test(arguments: [0, 1, 2, 3], [(64, 48), (1, 1), (1, 19), (67, 5)])
  func everyRecipeHasTheBitsOfTheCPU(variant: Int, size: (Int, Int)) throws {
    let (name, variant) = Self.variants[variant]
    let renderer = try SPIRVRenderer(variant: variant, bandBytes: 1 << 16)
    for one in Recipes.all(size.0, size.1) {
      #expect(throws: Never.self, "\(one.name), \(size), \(name)") {
        let difference = differingSamples(try renderer.render(one.plan), renderOnCPU(one.plan))
        #expect(difference == 0, "\(one.name), \(size), \(name): \(difference) samples")
      }
    }
  }

  @Test func threadsShareStrips() throws {
    let one = try #require(Recipes.all(61, 40).first)
    let renderer = try SPIRVRenderer(variant: ExecutorVariant(width: 16), threads: 3)
    #expect(differingSamples(try renderer.render(one.plan), renderOnCPU(one.plan)) == 0)
  }
}
