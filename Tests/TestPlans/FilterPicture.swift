import CPURender
import HDRCore
import HDRPlan
import Kernels
import TestSupport
import Testing

/// A small picture of light with alpha, and filters run on it: for tests that compare with formulas.
package struct FilterPicture {
  package var width: Int
  package var height: Int
  /// Row by row R, G, B (linear BT.2020, not multiplied), A.
  package var pixels: [SIMD4<Double>]

  package init(width: Int, height: Int, _ pixel: (Int, Int) -> SIMD4<Double>) {
    (self.width, self.height) = (width, height)
    pixels = (0..<height).flatMap { y in (0..<width).map { x in pixel(x, y) } }
  }

  package subscript(x: Int, y: Int) -> SIMD4<Double> { pixels[y * width + x] }

  /// Light of -0.5...16 from a fixed seed, rounded to halves; opaque unless said otherwise.
  package static func noise(width: Int = 23, height: Int = 17, seed: UInt64 = 1, hasAlpha: Bool = false)
    -> FilterPicture
  {
    var random = SplitMix(state: seed)
    func half(_ x: Double) -> Double { Double(E32.float(half: E32.half(Float(x)))) }
    return FilterPicture(width: width, height: height) { _, _ in
      let light = (0..<3).map { _ in half(16.5 * random.unit() - 0.5) }
      return SIMD4(light[0], light[1], light[2], hasAlpha ? half(random.unit()) : 1)
    }
  }

  /// The picture as a decoded file.
  package var source: SourceImage {
    let isOpaque = pixels.allSatisfy { $0.w == 1 }
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: isOpaque ? 3 : 4, format: .float16, bitDepth: 16)
    for (plane, channel) in zip(image.channels + (image.alpha.map { [$0] } ?? []), 0..<4) {
      for y in 0..<height {
        for x in 0..<width {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).storeBytes(
            of: UInt16(truncatingIfNeeded: E32.half(Float(self[x, y][channel]))), as: UInt16.self)
        }
      }
    }
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: width, height: height))
  }

  /// Returns the filtered picture, in binary32 between passes too, to compare with formulas.
  package func edited(_ steps: FilterStep..., inputs: [String: FilterPicture] = [:]) throws -> FilterPicture {
    try edited(steps, inputs: inputs.mapValues { FilterInput(.picture($0.source)) })
  }

  /// - Parameter content: headroom that the picture is said to have; `nil`: it is unknown.
  package func edited(
    _ steps: [FilterStep], inputs: [String: FilterInput], format: WorkingFormat = .rgba32f, content: Headroom? = nil
  ) throws -> FilterPicture {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.edits = steps
    recipe.inputs = inputs
    recipe.workingFormat = format
    var source = source
    source.light.toneMetadata = content.map { HeadroomAdaptiveMetadata.referenceWhitePayload(for: $0) }
    let image = CPUBackend.best.render(try Planner.plan(source, recipe), threads: 1)
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    return FilterPicture(width: image.width, height: image.height) { x, y in
      var pixel = SIMD4<Double>(0, 0, 0, 1)
      for (channel, plane) in planes.enumerated() {
        pixel[channel] = Double(
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: Float.self))
      }
      return pixel
    }
  }

  /// Compares with a formula, relative above 1 and absolute below.
  package func expect(
    _ tolerance: Double = 2e-6, sourceLocation: SourceLocation = #_sourceLocation,
    _ formula: (Int, Int) -> SIMD4<Double>
  ) {
    var worst = 0.0, place = (0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let want = formula(x, y), got = self[x, y]
        for channel in 0..<4 {
          let error = abs(got[channel] - want[channel]) / max(1, abs(want[channel]))
          if !(error <= worst) { (worst, place) = (error, (x, y)) }
        }
      }
    }
    #expect(
      worst <= tolerance,
      "off by \(worst) at \(place): \(self[place.0, place.1]) for \(formula(place.0, place.1))",
      sourceLocation: sourceLocation)
  }
}
