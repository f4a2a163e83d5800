import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

@Suite struct DitherFilterTests {
  /// Steps in encoded values by place; all of them together are even and their mean is 0.
  @Test(arguments: [0.05, 0.4]) func noiseIsAddedToEncodedValues(intensity: Double) throws {
    let p = FilterPicture.noise(width: 61, height: 47, hasAlpha: true)
    let step = FilterStep("dither", ["intensity": .number(intensity)])
    let result = try p.edited(step)
    func encoded(_ x: Double) -> Double { x < 0 ? -Transfer.sRGBEncode(-x) : Transfer.sRGBEncode(x) }
    var sum = 0.0, counts = [Int](repeating: 0, count: 8)
    for y in 0..<47 {
      for x in 0..<61 {
        #expect(result[x, y].w == p[x, y].w)
        for c in 0..<3 {
          let noise = (encoded(result[x, y][c]) - encoded(p[x, y][c])) / intensity
          let want = Double(Dither.noise(UInt32(x), UInt32(y), UInt32(c)))
          #expect(abs(noise - want) < 4e-4)
          sum += noise
          counts[min(max(Int((noise + 0.5) * 8), 0), 7)] += 1
        }
      }
    }
    #expect(abs(sum / 8601) < 0.01)
    #expect(counts.allSatisfy { abs(Double($0) / 8601 - 0.125) < 0.02 }, "\(counts)")
    // Parts of a picture get the noise of their place in it.
    #expect(FilterStep("dither", ["intensity": .number(0)]).changesNothing)
  }
}
