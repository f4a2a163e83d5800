import CPUReference
import HDRCore
import HDRPlan
import Kernels
import TestSupport
import Testing

/// Frames of Y'CbCr in planes, which are loaded, rendered and stored strip by strip, have the bits of a picture that is
/// loaded and stored sample by sample.
struct PlanarFrameTests {
  /// Sizes with odd sides, less than a vector, and more than a strip.
  static let sizes = [(1, 1), (2, 2), (3, 5), (17, 3), (32, 2), (511, 3), (514, 2), (1029, 5)]
  static let layouts: [(ChromaSubsampling, Int, ChromaSiting)] = [
    (.s420, 8, .left), (.s420, 10, .left), (.s420, 10, .topLeft), (.s420, 10, .center), (.s420, 12, .topLeft),
    (.s422, 8, .center), (.s422, 10, .left), (.s422, 12, .left), (.s444, 10, .left), (.s444, 12, .left),
  ]

  private static func source(
    _ chroma: ChromaSubsampling, _ bits: Int, _ siting: ChromaSiting, _ width: Int, _ height: Int
  ) -> SourceImage {
    let image = SampleImage.planar(
      width: width, height: height, model: .ycc, format: bits == 8 ? .uint8 : .uint16, bitDepth: bits, chroma: chroma,
      siting: siting)
    var random = SplitMix(state: UInt64(width * 31 + bits))
    for plane in image.channels {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let code = Int(random.unit() * Double((1 << bits) - 1)), at = plane.buffer.base + y * plane.rowBytes
          if bits == 8 {
            at.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
          } else {
            at.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: 9, fullRange: false, encoding: .cicp(primaries: 9, transfer: CICP.Transfer.hlg),
        cicp: CICP(9, CICP.Transfer.hlg, 9, full: false)), geometry: Geometry(width: width, height: height))
  }

  private static func code(_ plane: SamplePlane, _ x: Int, _ y: Int) -> Int {
    let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    return plane.stepBytes == 1 ? Int(at.load(as: UInt8.self)) : Int(at.load(as: UInt16.self))
  }

  /// Loads a pixel: luma, and the sums of the chroma samples around it, less the code of zero.
  private static func pixel(_ image: SampleImage, _ x: Int, _ y: Int) -> SIMD4<Float> {
    let unit = 1 << (image.bitDepth - 8)
    let across = ChromaAxis(shift: image.chroma.horizontalShift, cosited: image.siting.horizontallyCosited)
    let down = ChromaAxis(shift: image.chroma.verticalShift, cosited: image.siting.verticallyCosited)
    let (column, right) = across.position(x), (row, lower) = down.position(y)
    func chroma(_ plane: SamplePlane) -> Float {
      func at(_ i: Int, _ j: Int) -> Int {
        code(plane, min(max(i, 0), plane.width - 1), min(max(j, 0), plane.height - 1))
      }
      let upper = down.denominator - lower, left = across.denominator - right
      let sum =
        left * (upper * at(column, row) + lower * at(column, row + 1))
        + right * (upper * at(column + 1, row) + lower * at(column + 1, row + 1))
      return Float(sum - 128 * unit * across.denominator * down.denominator)
    }
    return SIMD4(
      Float(code(image.channels[0], x, y) - 16 * unit), chroma(image.channels[1]), chroma(image.channels[2]), 1)
  }

  private static func rounded(_ value: Float, _ bits: Int) -> Int {
    let inside = min(max(value, 0), Float((1 << bits) - 1))
    return Int(inside.rounded(.toNearestOrEven))
  }

  @Test("each code is that of the picture sample by sample", arguments: layouts)
  func codesAreThoseOfSamples(chroma: ChromaSubsampling, bits: Int, siting: ChromaSiting) throws {
    for (width, height) in Self.sizes {
      let source = Self.source(chroma, bits, siting, width, height)
      let target = OutputSignal(primaries: 9, encoding: .pq, sink: .planarYCC, bitDepth: max(bits, 10), chroma: chroma)
      let plan = try Planner.plan(source, RenderRecipe(target: target))
      try #require(plan.passes.count == 1 && plan.kept == nil)
      let pass = plan.passes[0]
      try #require(pass.stages.first?.kind == .loadSamples && pass.stages.last?.kind == .rgbToYCC)
      let found = InterleavedLoadTests.render(plan)

      var pixels = (0..<height).flatMap { y in (0..<width).map { x in Self.pixel(source.image, x, y) } }
      CPURenderer.apply(Array(pass.stages.dropFirst()), constants: plan.constants, tables: plan.tables, to: &pixels)
      func value(_ channel: Int, _ x: Int, _ y: Int) -> Float {
        pixels[min(y, height - 1) * width + min(max(x, 0), width - 1)][channel]
      }
      let h = chroma.horizontalShift, v = chroma.verticalShift, depth = target.bitDepth
      var differing = 0
      for channel in 0..<3 {
        let plane = found.channels[channel]
        for j in 0..<plane.height {
          for i in 0..<plane.width {
            let wanted: Float
            if channel == 0 || h == 0 {
              wanted = value(channel, i, j)
            } else {
              func across(_ y: Int) -> Float {
                let middle = value(channel, 2 * i, y)
                return (value(channel, 2 * i - 1, y) + value(channel, 2 * i + 1, y)) + (middle + middle)
              }
              wanted = v == 1 ? (across(2 * j) + across(2 * j + 1)) * 0.125 : across(j) * 0.25
            }
            if Self.code(plane, i, j) != Self.rounded(wanted, depth) { differing += 1 }
          }
        }
      }
      #expect(differing == 0, "\(width)x\(height): \(differing) codes")
      withExtendedLifetime(source) {}
    }
  }

  @Test("a frame read from right to left has the codes of one read from left to right", arguments: layouts)
  func directionsAgree(chroma: ChromaSubsampling, bits: Int, siting: ChromaSiting) throws {
    for (width, height) in Self.sizes {
      var source = Self.source(chroma, bits, siting, width, height)
      let target = OutputSignal(primaries: 9, encoding: .pq, sink: .planarYCC, bitDepth: max(bits, 10), chroma: .s444)
      let plain = InterleavedLoadTests.render(try Planner.plan(source, RenderRecipe(target: target)))
      source.geometry.orientation = .upMirrored
      let mirrored = InterleavedLoadTests.render(try Planner.plan(source, RenderRecipe(target: target)))
      var differing = 0
      for channel in 0..<3 {
        for y in 0..<height {
          for x in 0..<width {
            let here = Self.code(plain.channels[channel], x, y)
            if Self.code(mirrored.channels[channel], width - 1 - x, y) != here { differing += 1 }
          }
        }
      }
      #expect(differing == 0, "\(width)x\(height): \(differing) codes")
      withExtendedLifetime(source) {}
    }
  }
}
