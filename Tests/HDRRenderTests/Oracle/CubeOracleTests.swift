import CPURender
import Foundation
import HDRCore
import HDRPlan
import Kernels
import TestSupport
import Testing

/// `.cube` files through planner and executor against OpenColorIO and colour-science.
@Suite(.enabled(if: SharedData.hasImages, "skipped: no data"))
struct CubeOracleTests {
  static let names = Oracle.tables(endingIn: [".tetrahedral.tsv", ".linear.tsv", ".indomain.tsv"]).filter {
    $0.contains(".cube.")
  }

  /// Bounds on |a - b| / max(|a|, |b|, 0.02): binary32 rounding of inputs and nodes, which steep tables multiply.
  /// Measured 0.00002 % and 0.0003 %.
  static let bounds = Bounds(median: 1e-6, p95: 1e-5)

  @Test(arguments: names)
  func valuesAreThoseOfOtherPrograms(name: String) throws {
    let rows = try rows(name)
    #expect(rows.count >= 200)
    let file = name.components(separatedBy: ".cube")[0] + ".cube"
    let lut = try CubeLUT(parsing: try #require(SharedData.bytes("data/images/cube/" + file)))
    let got = try outputs(lut, rows.map { Array($0[..<3]) })
    let errors = zip(rows, got).flatMap { row, out in
      // Trilinear tables are up to 88 % off a tetrahedral value in a cube of 3 nodes an axis. Both methods in binary64
      // bridge the gap.
      let bridge = name.contains(".tetrahedral.") ? [0, 0, 0] : Bridge(lut, Array(row[..<3])).difference
      return (0..<3).map { channel in
        let want = row[3 + channel] + bridge[channel]
        return abs(out[channel] - want) / max(abs(out[channel]), abs(want), 0.02)
      }
    }
    Agreement(errors).check(Self.bounds, file: "cube/" + file, oracle: name, unit: "%")
  }

  /// Tetrahedral minus trilinear value of a clamped LUT, in binary64, after the textbook.
  private struct Bridge {
    var difference = [0.0, 0, 0]

    init(_ lut: CubeLUT, _ input: [Double]) {
      guard let cube = lut.cube else { return }
      var value = input
      if let shaper = lut.shaper {
        let (node, fraction) = Self.cell(input, shaper.size, shaper.domainMin, shaper.domainMax)
        value = (0..<3).map { c in
          let a = Double(shaper.values[3 * node[c] + c]), b = Double(shaper.values[3 * node[c] + 3 + c])
          return a + fraction[c] * (b - a)
        }
      }
      let (node, f) = Self.cell(value, cube.size, cube.domainMin, cube.domainMax)
      var sum = [0.0, 0, 0]
      func add(_ corner: [Int], _ weight: Double) {
        let n = cube.size
        let index = node[0] + corner[0] + n * (node[1] + corner[1] + n * (node[2] + corner[2]))
        for c in 0..<3 { sum[c] += weight * Double(cube.values[3 * index + c]) }
      }
      for bits in 0..<8 {
        let corner = [bits & 1, bits >> 1 & 1, bits >> 2]
        var weight = -1.0
        for axis in 0..<3 { weight *= corner[axis] == 1 ? f[axis] : 1 - f[axis] }
        add(corner, weight)
      }
      // From the low corner to the high one along the axes, the largest fraction first.
      let order = (0..<3).sorted { f[$0] > f[$1] }
      var corner = [0, 0, 0]
      add(corner, 1 - f[order[0]])
      for (step, axis) in order.enumerated() {
        corner[axis] = 1
        add(corner, f[axis] - (step < 2 ? f[order[step + 1]] : 0))
      }
      difference = sum
    }

    static func cell(
      _ value: [Double], _ size: Int, _ low: [Double], _ high: [Double]
    ) -> (node: [Int], fraction: [Double]) {
      let at = (0..<3).map { c -> Double in
        let share = (value[c] - low[c]) / (high[c] - low[c])
        return min(max(share, 0), 1) * Double(size - 1)
      }
      let node = at.map { min(Int($0), size - 2) }
      return (node, (0..<3).map { at[$0] - Double(node[$0]) })
    }
  }

  /// Rows of numbers: three inputs, three outputs.
  private func rows(_ name: String) throws -> [[Double]] {
    let url = try #require(SharedData.url("data/images/expected/" + name))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: "\t").compactMap { Double($0) }
      return numbers.count == 6 ? numbers : nil
    }
  }

  /// The plan of a clamped LUT in linear light, its half load exchanged for one of binary32 so that inputs stay exact.
  private func outputs(_ lut: CubeLUT, _ inputs: [[Double]]) throws -> [[Double]] {
    let width = inputs.count
    let planes = (0..<3).map { channel in
      let plane = SamplePlane(
        buffer: PixelBuffer(byteCount: 4 * width), rowBytes: 4 * width, stepBytes: 4, width: width, height: 1)
      for (x, input) in inputs.enumerated() {
        plane.buffer.base.storeBytes(of: Float(input[channel]), toByteOffset: 4 * x, as: Float.self)
      }
      return plane
    }
    let image = SampleImage(
      width: width, height: 1, model: .rgb, format: .float16, bitDepth: 16, channels: planes)
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: width, height: 1))
    let recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none,
      lut: LUTChoice(lut: lut, space: ColorSpace(.linear, .bt2020), extrapolates: false), gamut: .none)
    var plan = try Planner.plan(source, recipe)
    try #require(plan.passes.count == 1 && plan.passes[0].stages[0].kind == .loadHalf)
    plan.passes[0].stages[0] = Stage(kind: .loadFloatPlanes, constants: plan.constants.count)
    plan.constants += LoadFloatPlanes.words(channels: 3)
    let output = CPUBackend.best.render(plan, threads: 1)
    return (0..<width).map { x in
      output.channels.map { Double($0.buffer.base.load(fromByteOffset: 4 * x, as: Float.self)) }
    }
  }
}
